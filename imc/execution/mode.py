"""How a program's threads are run: as threads of the system, or as fibers that share one core."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from imc.errors import UserError
from imc.program.analysis.cooperation import Obstacle, computations, destructors, endless, waits
from imc.program.analysis.sharing import Sharing, Site
from imc.program.code import reads_input
from imc.program.program import Program
from irs.handovers import hand_overs
from irs.schedule import Free, Schedule


class ThreadMode(StrEnum):
    """What is asked for."""

    AUTO = "auto"
    THREADS = "threads"
    FIBERS = "fibers"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is done, and why; `demanded` if it was asked for."""

    fibers: bool
    why: str
    demanded: bool = False

    @property
    def name(self) -> str:
        return "fibers" if self.fibers else "threads"

    def __str__(self) -> str:
        return f"{self.name}: {self.why}"


def can_be_fibers(program: Program, schedule: Schedule, native: bool = True) -> bool:
    """Whether nothing speaks against fibers, whether they pay or not."""
    return next(_obstacles(Sharing(program), schedule, native), None) is None


def choose_mode(
    program: Program,
    schedule: Schedule | None,
    wanted: ThreadMode = ThreadMode.AUTO,
    native: bool = True,
) -> Chosen:
    """Fibers where they are asked for, or where nothing speaks against them and one core is enough.

    Fibers that are asked for but cannot be are refused.
    """
    if wanted is ThreadMode.THREADS:
        return Chosen(False, "asked for", True)
    if schedule is None:
        obstacle: Obstacle | None = Obstacle("without a schedule nobody knows when to change over")
    else:
        sharing = Sharing(program)
        obstacle = next(_obstacles(sharing, schedule, native), None)
    if wanted is ThreadMode.FIBERS:
        if obstacle is not None:
            raise UserError(f"no fibers: {obstacle.what}", obstacle.loc, "use --mode threads")
        return Chosen(True, "asked for", True)
    if obstacle is not None or schedule is None:
        return Chosen(False, _words(obstacle))
    expected = hand_overs(schedule)
    if not expected.one_core_is_enough:
        return Chosen(False, str(expected))
    computing = next(computations(sharing, _gates(sharing, schedule)), None)
    if computing is not None:
        return Chosen(False, _words(computing))
    return Chosen(True, str(expected))


def _obstacles(sharing: Sharing, schedule: Schedule, native: bool) -> Iterator[Obstacle]:
    if any(isinstance(section.next, Free) for section in schedule.sections):
        yield Obstacle("the schedule ends in threads that nothing orders")
    yield from waits(sharing)
    yield from endless(sharing, _gates(sharing, schedule))
    if native:
        yield from destructors(sharing)


def _gates(sharing: Sharing, schedule: Schedule) -> set[Site]:
    """Where threads stop: at gates that open, and at those that never do."""
    open_ways = {(site.function, site.pc) for site in schedule.sites if not site.gated}
    return {
        (name, pc)
        for name in sharing.runs
        for pc, i in enumerate(sharing.program.functions[name].code)
        if pc in sharing.visible_in(name) or reads_input(i)
    } - open_ways


def _words(obstacle: Obstacle | None) -> str:
    assert obstacle is not None
    return f"{obstacle.loc}: {obstacle.what}" if obstacle.loc else obstacle.what
