"""Schedule files: loading and writing them. docs/schedule-format.md describes the format."""

from __future__ import annotations

import os
from pathlib import Path

from irs.errors import BadSchedule
from irs.printing import layout
from irs.reader import Reader
from irs.schedule import Schedule
from irs.writing import write_whole

MOST_BYTES = 64_000_000


def load(path: str | os.PathLike[str]) -> Schedule:
    """The schedule in a file; raises BadSchedule, or OSError if the file cannot be read."""
    name = os.fspath(path)
    with Path(path).open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _too_large(name)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadSchedule(name, f"byte {error.start}", "this is not UTF-8") from None
    return loads(text, name)


def loads(text: str, name: str) -> Schedule:
    """The schedule in a text; `name` stands for the file in error messages."""
    if len(text) > MOST_BYTES:
        raise _too_large(name)
    return Reader(name).read(text)


def dump(schedule: Schedule, path: str | os.PathLike[str]) -> None:
    """Writes a file whole or not at all."""
    # Only names that the file system gave us can hold surrogates; JSON spells them the same way.
    data = dumps(schedule, os.fspath(path)).encode("utf-8", "backslashreplace")
    write_whole(path, data)


def dumps(schedule: Schedule, name: str = "schedule") -> str:
    """The text of a schedule; raises BadSchedule if it could not be loaded again."""
    try:
        text = layout(schedule)
    except (RecursionError, ValueError) as error:
        raise BadSchedule(name, "", f"this cannot be written as JSON: {error}") from None
    loads(text, name)
    return text


def _too_large(name: str) -> BadSchedule:
    return BadSchedule(name, "", f"too large: expected at most {MOST_BYTES // 10**6} MB")
