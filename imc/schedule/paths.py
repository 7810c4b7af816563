"""Where schedules are written to, for commands that may write one: nothing is read for that."""

from __future__ import annotations

from pathlib import Path

from imc.errors import UserError

SUFFIX = ".sched.json"
SOURCES = (".c", ".h", ".i", ".ll")


def schedule_path(given: str, source: Path) -> Path:
    """The file to write: as given, or after the program, in the current folder."""
    path = Path(given) if given else Path(source.stem + SUFFIX)
    if given == "-":
        raise UserError("a schedule is written to a file, and replaced as more is verified")
    if path.suffix in SOURCES:
        raise UserError(
            f"'{path}' looks like a program, not like a schedule to be written",
            hint=f"--emit-schedule={source.stem}{SUFFIX}",
        )
    return path
