"""Concrete steps of one thread for every choice, ended early where symbolic steps may end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from imc.program.code import Image
from imc.program.faults import Blocked, NeedChoice
from imc.program.machine import Machine, Outcome
from imc.program.state import Frame, State


class _Pausing(Machine):
    """A step that ends at a jump back, as steps over unknown values do."""

    pause_at = 1
    cut = False

    def _jump_back(self, frame: Frame, target: int) -> bool:
        stop = super()._jump_back(frame, target)
        if self.jumps >= self.pause_at and not self.atomic:
            self.cut = True
            return True
        return stop


@dataclass
class Run:
    """One way a step can go: to an outcome, which a jump back may have cut short, or nowhere."""

    choices: tuple[int, ...]
    outcome: Outcome | None = None
    blocked: Blocked | None = None
    cut: bool = False


def runs(
    image: Image, state: State | None, thread: int, jumps: int, choices: tuple[int, ...]
) -> Iterator[Run]:
    """A step for every choice that begins with `choices`, cut at its `jumps`th jump back."""
    work = [choices]
    while work:
        chosen = work.pop()
        copied = state.copy() if state is not None else State()
        if state is None:
            copied.memory = image.variables.copy()
        machine = _Pausing(image, copied, chosen)
        machine.pause_at = jumps
        try:
            outcome = machine.step(thread) if state is not None else machine.start()
        except NeedChoice as need:
            work.extend((*chosen, k) for k in reversed(range(need.count)))
        except Blocked as why:
            yield Run(chosen, blocked=why.with_traceback(None))
        else:
            yield Run(chosen, outcome, cut=machine.cut)
