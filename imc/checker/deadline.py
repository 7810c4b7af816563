"""Until when a check must have come to its end."""

from __future__ import annotations

import time

from imc.program.faults import OutOfTime


class Deadline:
    """Whoever loops over what a file says looks at it: how long that takes is the file's affair."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds
        self.at = None if seconds is None else time.monotonic() + seconds  # of time.monotonic()

    def look(self) -> None:
        """Raises `OutOfTime` when it has passed."""
        if self.at is not None and time.monotonic() >= self.at:
            raise OutOfTime

    def left(self, most: float) -> float:
        """Seconds that are left, and no more than these."""
        return most if self.at is None else max(0.0, min(most, self.at - time.monotonic()))
