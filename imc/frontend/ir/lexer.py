"""Tokens of one line of IR, and a cursor over them that reports errors with their place."""

from __future__ import annotations

import re

from imc.errors import SourceLoc, Unsupported, UserError

_TOKEN = re.compile(r'[@%!c$]?"[^"]*"|[@%!#]?[-\w.$+]+|;.*|\S')
_ESCAPE = re.compile(rb"\\(\\|[0-9A-Fa-f]{2})")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}


def words(text: str) -> frozenset[str]:
    """A set of keywords, written with spaces between them."""
    return frozenset(text.split())


def tokenize(line: str) -> list[str]:
    """The tokens of a line without its comment, ended by an empty one."""
    tokens: list[str] = _TOKEN.findall(line)
    if tokens and tokens[-1][0] == ";":
        tokens[-1] = ""
    else:
        tokens.append("")
    return tokens


def unescape(text: str) -> bytes:
    r"""The bytes of a quoted string's inside: `\\` is a backslash, `\0A` a byte in hexadecimal."""

    def byte(match: re.Match[bytes]) -> bytes:
        code = match[1]
        return code if code == b"\\" else bytes.fromhex(code.decode())

    return _ESCAPE.sub(byte, text.encode(errors="surrogateescape"))


def unquote(token: str) -> str:
    """The text of a `"..."` token; any other token as it is."""
    return unescape(token[1:-1]).decode(errors="replace") if token[:1] == '"' else token


def name_of(token: str) -> str:
    """The name in `@name`, `%name` or `%"quoted name"`."""
    return unquote(token[1:])


class Cursor:
    """A position in the tokens of one line."""

    __slots__ = ("at", "file", "line", "tokens")

    def __init__(self, tokens: list[str], file: str, line: int) -> None:
        self.tokens = tokens
        self.at = 0
        self.file = file
        self.line = line

    def error(self, message: str) -> UserError:
        return UserError(message, SourceLoc(self.file, self.line))

    def unsupported(self, message: str) -> Unsupported:
        return Unsupported(message, SourceLoc(self.file, self.line))

    def unexpected(self, wanted: str) -> UserError:
        """What to raise when the next token is not what the grammar asks for."""
        found = self.tokens[self.at]
        return self.error(f"expected {wanted}, found {found!r}" if found else f"{wanted} missing")

    def peek(self) -> str:
        """The next token; empty at the end of the line."""
        return self.tokens[self.at]

    def next(self) -> str:
        token = self.tokens[self.at]
        if not token:
            raise self.error("the line ends too early")
        self.at += 1
        return token

    def accept(self, token: str) -> bool:
        """Step over `token` if it is next."""
        if self.tokens[self.at] != token:
            return False
        self.at += 1
        return True

    def expect(self, token: str) -> None:
        if self.tokens[self.at] != token:
            raise self.unexpected(repr(token))
        self.at += 1

    def accept_any(self, words: frozenset[str]) -> list[str]:
        """Step over the words of a set; returns those found."""
        start = self.at
        while self.tokens[self.at] in words:
            self.at += 1
        return self.tokens[start : self.at]

    def number(self) -> int:
        """A plain decimal number, as in `[4 x i8]` or `extractvalue`."""
        token = self.tokens[self.at]
        if not token.isdecimal():
            raise self.unexpected("a number")
        self.at += 1
        return int(token)

    def symbol(self) -> str:
        """The name of a global, as in `@main`."""
        if self.tokens[self.at][:1] != "@":
            raise self.unexpected("a global name")
        return name_of(self.next())

    def label(self) -> str:
        """A block's name, as in `%entry`."""
        if self.tokens[self.at][:1] != "%":
            raise self.unexpected("a block name")
        return name_of(self.next())

    def string(self) -> str:
        if self.tokens[self.at][:1] != '"':
            raise self.unexpected("a quoted string")
        return unquote(self.next())

    def skip_group(self) -> None:
        """Step over a bracketed group, if one is next."""
        if self.tokens[self.at] not in _CLOSING:
            return
        open_groups: list[str] = []
        while True:
            token = self.next()
            if token in _CLOSING:
                open_groups.append(_CLOSING[token])
            elif token == open_groups[-1]:
                open_groups.pop()
                if not open_groups:
                    return

    def metadata(self, kind: str) -> str:
        """The node attached as `!kind !node` anywhere in the line, or an empty string."""
        tokens = self.tokens
        return tokens[tokens.index(kind) + 1] if kind in tokens else ""
