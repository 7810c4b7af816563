"""Errors a user can cause or meet: each carries a place, a sentence and a way out."""

from __future__ import annotations

from imc.records import record


@record
class SourceLoc:
    """A place in a source file; `column` is 0 when the compiler gave none."""

    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        return (
            f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"
        )


class UserError(Exception):
    """Bad input or wrong use: printed as one line, exit code 2."""

    def __init__(self, message: str, loc: SourceLoc | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.loc = loc
        self.hint = hint

    def __str__(self) -> str:
        place = f"{self.loc}: " if self.loc else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.message}{hint}"


class NobodyKnows(UserError):
    """The program asks somebody for something that nobody can know: no engine goes on."""


class Unsupported(UserError):
    """The program uses something that imc does not model."""
