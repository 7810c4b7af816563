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


class Deviation(Exception):
    """A thread is about to do what its schedule does not permit; it has not done it."""

    def __init__(
        self, thread: str, event: str, section: int | None, expected: tuple[str, ...]
    ) -> None:
        super().__init__(thread, event, section, expected)
        self.thread = thread
        self.event = event
        self.section = section  # None: before the first one
        self.expected = expected

    def __str__(self) -> str:
        where = "" if self.section is None else f" in section {self.section}"
        expected = " or ".join(self.expected) or "nothing more"
        return f"{self.thread}{where}: {self.event}; expected: {expected}"


class Stalled(Exception):
    """Nothing has moved for some seconds, or can move any more; `lines` say who waits for whom."""

    def __init__(self, seconds: float, lines: tuple[str, ...]) -> None:
        super().__init__(seconds, lines)
        self.seconds = seconds
        self.lines = lines

    def __str__(self) -> str:
        since = f"nothing has moved for {self.seconds:g} s: " if self.seconds else ""
        return since + "; ".join(self.lines)


class ThreadDied(Exception):
    """A thread has ended by an error of its own, so the others would wait for it in vain."""

    def __init__(self, thread: str, error: str) -> None:
        super().__init__(thread, error)
        self.thread = thread
        self.error = error

    def __str__(self) -> str:
        return f"{self.thread} has died: {self.error}"


class Stopped(Exception):
    """The run was stopped, for the reason that is this exception's cause."""


class Finished(Exception):
    """The schedule is over, and this thread could not move anyway."""


class BadRecord(Exception):
    """A recorded run that the schedule does not permit, or that is no record; `line` is from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(line, message)
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"
