"""Errors a user can meet: each says where, what is wrong, and what was expected."""

from __future__ import annotations


class BadSchedule(Exception):
    """A schedule that does not keep to the format; `place` is like `sections[3].events[7]`."""

    def __init__(self, file: str, place: str, message: str) -> None:
        super().__init__(file, place, message)
        self.file = file
        self.place = place  # empty for the file as a whole
        self.message = message

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.place, self.message) if part)
