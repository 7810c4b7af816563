"""Long runs: a thread goes round its loop several times before it is the next one's turn.

What decides the speed of a schedule is how seldom threads hand over. Here the number of rounds in a
turn is part of what is looked for: a schedule closes only where it is at the same point of a turn.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import NamedTuple

from imc.program.analysis.sharing import Sharing
from imc.program.code import FunctionCode, operation_name
from imc.program.events import Event, Mode
from imc.verifier.search.strategy import RoundRobin
from imc.verifier.tree.art import Node

WRITES = frozenset({"store", "atomicrmw", "compareexchange"})


class Turn(NamedTuple):
    """Whose turn it is, and how far it has come."""

    thread: int
    runs: int  # rounds of the thread's loop in this turn
    worked: bool  # something was written in the round that is being done
    over: bool
    idle: bool  # it is over because the last round had no effect
    repeats: int  # times that the group has had all its turns


class TurnOrder(StrEnum):
    """Whose turn comes after whose."""

    GROUPED = "grouped"  # one of each kind (a producer and a consumer), then the next ones
    UNGROUPED = "ungrouped"  # as they were started
    REVERSED = "reversed"  # the last one that was started first


class LongRuns(RoundRobin):
    """Each thread goes round its loop up to `runs` times, or until that has no effect.

    A group takes `repeats` turns each before the next group: few threads are active at a time.
    """

    RUNS = 8  # if not told otherwise

    def __init__(
        self, runs: int = RUNS, repeats: int = 1, order: TurnOrder = TurnOrder.GROUPED
    ) -> None:
        self.runs = runs
        self.repeats = repeats
        self.order = order
        self.length = runs * repeats
        self.name = _name(runs, repeats, order)
        self._kinds: dict[int, str] = {}  # the function that a thread has begun with
        self._places: dict[int, tuple[int, int]] = {}
        self._writers: dict[str, bool] = {}  # functions whose rounds have an effect on data

    @property
    def most_alike(self) -> int:
        """How many threads there are of the kind that has most, as far as they have been seen."""
        return max(Counter(self._kinds.values()).values(), default=1)

    def threads(self, node: Node) -> list[int]:
        turn = node.phase
        running = node.running()
        assert isinstance(turn, Turn)
        after = self._after(running, turn)
        own = [turn.thread] if turn.thread in running else []
        return after + own if turn.over else own + after

    def phase(self, node: Node) -> Turn:
        """The turn that a node is in; its parent's is known."""
        before = node.parent.phase if node.parent is not None else None
        thread = node.thread
        for number, state in node.state.threads.items():
            if number not in self._kinds and state.frames:
                self._meet(number, state.frames[0].code)
        if not isinstance(before, Turn):
            return Turn(thread, 0, False, False, False, 0)
        runs, worked, repeats = before.runs, before.worked, before.repeats
        if thread != before.thread or before.over:
            runs, worked, repeats = 0, False, self._repeats(before, thread)
        worked = worked or writes(node.event) or not self._writers[self._kinds[thread]]
        if not node.move.jumped or node.event.spawned:  # who starts threads may start them all
            return Turn(thread, runs, worked, False, False, repeats)
        runs += 1
        return Turn(thread, runs, False, runs >= self.runs or not worked, not worked, repeats)

    def _repeats(self, before: Turn, thread: int) -> int:
        group, place = self._places[thread]
        last, last_place = self._places[before.thread]
        if group != last:
            return 0
        return (before.repeats + (place <= last_place)) % self.repeats

    def _after(self, running: list[int], turn: Turn) -> list[int]:
        """The other threads, in the order of their turns after that of the one that has it."""
        own = self._places[turn.thread]
        group = own[0]
        others = sorted((t for t in running if t != turn.thread), key=self._places.__getitem__)
        places = [(self._places[t], t) for t in others]
        later = [t for at, t in places if at[0] == group and at > own]
        mates = [t for at, t in places if at[0] == group and at < own]
        rest = [t for at, t in places if at[0] > group] + [t for at, t in places if at[0] < group]
        stay = turn.repeats + 1 < self.repeats
        return later + (mates + rest if stay else rest + mates)

    def _meet(self, thread: int, code: FunctionCode) -> None:
        """A thread is seen for the first time."""
        kind = code.function.name
        alike = sorted([t for t, k in self._kinds.items() if k == kind] + [thread])
        self._kinds[thread] = kind
        if kind not in self._writers:
            self._writers[kind] = may_write(code.image.sharing, kind)
        for group, mate in enumerate(alike):
            if self.order is TurnOrder.GROUPED:
                self._places[mate] = (group, alike[0])
            else:
                self._places[mate] = (0, mate if self.order is TurnOrder.UNGROUPED else -mate)


def writes(event: Event) -> bool:
    """Whether an event changes data, and not only what threads synchronise with."""
    return event.operation in WRITES and any(a.mode is not Mode.READ for a in event.accesses)


def may_write(sharing: Sharing, function: str) -> bool:
    """Whether a thread that begins with a function may change data that others see."""
    seen, work = {function}, [function]
    while work:
        name = work.pop()
        code = sharing.program.functions[name].code
        if any(operation_name(code[pc]) in WRITES for pc in sharing.visible_in(name)):
            return True
        callees = {
            c for pc in range(len(code)) for c in sharing.pointers.callees.get((name, pc), ())
        }
        work += [c for c in callees - seen if c in sharing.program.functions]
        seen |= callees
    return False


def _name(runs: int, repeats: int, order: TurnOrder) -> str:
    more = f",repeats={repeats}" if repeats > 1 else ""
    return f"long-runs:{runs}{more}" + ("" if order is TurnOrder.GROUPED else f",{order}")
