"""What became of a run, on whatever threads."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class RunResult:
    """What became of one run."""

    exit_status: int = 0  # of the program; 128 and the signal's number if an error has ended it
    error: str = ""  # what the program itself did wrong
    problem: Exception | None = None  # why it was stopped before its end
    stuck: list[str] = field(default_factory=list)  # threads that an assumption has stopped
    events: dict[str, int] = field(default_factory=dict)  # by thread
    rounds: dict[str, int] = field(default_factory=dict)  # events at useful sites, by thread
    gated: int = 0  # events that have passed the gate
    sections: int = 0
    time_s: float = 0.0
    out_of_time: bool = False
    fibers: bool = False  # whether threads were fibers

    @property
    def succeeded(self) -> bool:
        """Whether the program came to its end, and that was a good one."""
        return self.problem is None and self.exit_status == 0


class NotEnough(Exception):
    """The program has come to a limit of ours, or has read all the inputs it was given."""
