"""What a scheduler knows: the states that an execution may be in, as long as nobody needs to know.

A step can go several ways, and only its own thread sees which one it went. While the same event
comes next anyway, all states that are possible are followed together; where the ways part, a thread
is asked where it stands, or else a value is looked at. Silent steps commute with all events of the
others, so they are taken at once and leave no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from imc.errors import UserError
from imc.program.code import Site
from imc.program.events import Event
from imc.program.state import Status
from imc.schedule.ahead import ANYWHERE, STOPPED, ahead
from imc.schedule.automaton import AutomatonMove, AutomatonState, StrategyNode, is_event, opaque
from imc.terms.places import PlaceKey, Places

Belief = frozenset[AutomatonState]
Positions = Callable[[int, AutomatonState], set[Hashable]]  # where a thread's next event can be
SOMEWHERE = "somewhere"  # a thread computes, and its next event is not known yet


class Ambiguous(UserError):
    """Ways part, and nothing that can be seen while the program runs tells which was taken."""


@dataclass(slots=True, eq=False)
class Answer:
    """One outcome: where the thread stands (None: nowhere any more), or the number in a place."""

    at: Site | None
    belief: Belief
    stopped: bool = False
    place: PlaceKey | None = None
    number: int = 0


@dataclass(slots=True, eq=False)
class BeliefPoint:
    """A belief, and how executions go on from it: by one event, a question or a free choice."""

    belief: Belief
    thread: int | None = None  # who moves, or who is asked
    site: Site | None = None
    events: list[Event] = field(default_factory=list)  # all that the step can be
    after: BeliefPoint | None = None  # of the step
    cases: list[tuple[Answer, BeliefPoint]] = field(default_factory=list)
    choices: list[BeliefPoint] = field(default_factory=list)
    free: bool = False  # nothing is ordered any more
    comings: int = 0  # how many ways lead here

    def followers(self) -> list[BeliefPoint]:
        after = [self.after] if self.after is not None else []
        return [*after, *(point for _, point in self.cases), *self.choices]


class Beliefs:
    """Follows an automaton through all its beliefs."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self._points: dict[tuple[Belief, int | None], BeliefPoint] = {}
        self._work: list[tuple[BeliefPoint, int | None, int]] = []
        self._opaque: set[int] = set()

    def graph(self, beginnings: Sequence[Sequence[AutomatonState]]) -> list[BeliefPoint]:
        """A point for each set of states that one may begin in, linked to all others."""
        self._opaque = opaque(
            self.places.image, _all_events([state for states in beginnings for state in states])
        )
        points = [self._point(_after_silence(states), None, 0) for states in beginnings]
        while self._work:
            point, forced, last = self._work.pop()
            self._leave(point, forced, last)
        return points

    def _point(self, belief: Belief, forced: int | None, last: int) -> BeliefPoint:
        point = self._points.get((belief, forced))
        if point is None:
            point = self._points[belief, forced] = BeliefPoint(belief)
            self._work.append((point, forced, last))
        point.comings += 1
        return point

    def _leave(self, point: BeliefPoint, forced: int | None, last: int) -> None:
        states = sorted(point.belief, key=lambda s: s.number)
        if any(state.free for state in states):
            point.free = all(state.free or not state.moves for state in states)
        if point.free:
            return
        common = [forced] if forced is not None else _common_threads(states)
        if len(common) > 1:
            point.choices = [self._point(point.belief, thread, last) for thread in common]
        elif common:
            self._step(point, states, common[0])
        elif any(not move.silent for state in states for move in state.moves.values()):
            self._ask(point, states, last)

    def _step(self, point: BeliefPoint, states: list[AutomatonState], thread: int) -> None:
        moves = [state.moves[thread] for state in states]
        point.thread, point.site = thread, moves[0].site
        point.events = [event for move in moves for event in move.events]
        targets = _after_silence(target for move in moves for target in move.targets)
        point.after = self._point(targets, None, thread)

    # ---------------------------------------------------------------- questions

    def _ask(self, point: BeliefPoint, states: list[AutomatonState], last: int) -> None:
        """Lets a thread's position part the states, the last one's first, or else a value."""
        threads = {t for state in states for node in state.nodes for t in node.state.threads}
        for thread in sorted(threads, key=lambda t: (t != last, t)):
            cases = _parted(states, partial(self.positions, thread))
            if cases is not None:
                point.thread = thread
                for where, belief in cases:
                    at = where if isinstance(where, tuple) else None
                    case = Answer(at, belief, where == STOPPED)
                    point.cases.append((case, self._point(belief, None, last)))
                return
        self._ask_value(point, states, last)

    def _ask_value(self, point: BeliefPoint, states: list[AutomatonState], last: int) -> None:
        found = self.places.numbers(states[0].nodes[0].state)
        for place in [key for _, key, _ in found if self._can_be_asked(key)]:
            cases = _parted(states, partial(self._numbers, place))
            if cases is not None and all(number is not None for number, _ in cases):
                point.thread = last
                for number, belief in cases:
                    assert isinstance(number, int)
                    case = Answer(None, belief, place=place, number=number)
                    point.cases.append((case, self._point(belief, None, last)))
                return
        event = states[0].nodes[0].event
        raise Ambiguous("what is to be done next depends on values that cannot be told", event.loc)

    def positions(self, thread: int, state: AutomatonState) -> set[Hashable]:
        """The sites at which a thread's next event can be; None: it has no further one.

        What it computes now is not seen, so it may be wherever that leads in the end. Where the
        program ends first, the tree does not tell, but the thread's code does.
        """
        found: set[Hashable] = set()
        seen = {state}
        work = [state]
        while work:
            at = work.pop()
            if at is not state and any(node.state.exit_code is not None for node in at.nodes):
                found |= self._ahead(thread, state)
                continue
            here = {self._position(thread, node) for node in at.nodes}
            found |= here - {SOMEWHERE}
            if SOMEWHERE in here:
                after = {t for move in at.moves.values() for t in move.targets} - seen
                seen |= after
                work += after
        return found

    def _ahead(self, thread: int, state: AutomatonState) -> set[Hashable]:
        nodes = (node for node in state.nodes if self._position(thread, node) == SOMEWHERE)
        return {at for n in nodes for at in ahead(self.places.image, n.state.threads[thread])}

    def _position(self, thread: int, node: StrategyNode) -> Hashable:
        found = node.state.threads.get(thread)
        if found is None or found.status is Status.DONE or node.state.exit_code is not None:
            return None
        if found.status is Status.STUCK:
            return STOPPED
        frame = found.frames[-1]
        site = frame.code.function.name, frame.pc
        return site if is_event(self.places.image, site) else SOMEWHERE

    def _can_be_asked(self, key: PlaceKey) -> bool:
        """Whether a place is one cell of a variable, or a register, in every run."""
        match key:
            case ("m", int(number), int()):
                return not self.places.image.objects.dynamic[number] and number not in self._opaque
            case ("r", int(), int(), int(), int()):
                return True
        return False

    def _numbers(self, place: PlaceKey, state: AutomatonState) -> set[Hashable]:
        """The numbers that a place can hold; None where it holds anything else."""
        return {
            next((n for _, key, n in self.places.numbers(node.state) if key == place), None)
            for node in state.nodes
        }


def _all_events(starts: Sequence[AutomatonState]) -> Iterator[Event]:
    work, seen = list(starts), set(starts)
    while work:
        for move in work.pop().moves.values():
            yield from move.events
            new = set(move.targets) - seen
            seen |= new
            work += new


def _parted(
    states: list[AutomatonState], seen: Callable[[AutomatonState], set[Hashable]]
) -> list[tuple[Hashable, Belief]] | None:
    """The states by what can be seen in them; None if that does not rule out some each time."""
    groups: dict[Hashable, set[AutomatonState]] = {}
    for state in states:
        found = seen(state)
        if not found or ANYWHERE in found:  # one waits for ever to see something, or sees anything
            return None
        for what in found:
            groups.setdefault(what, set()).add(state)
    if any(len(group) == len(states) for group in groups.values()):
        return None
    return [(what, frozenset(group)) for what, group in groups.items()]


def _after_silence(states: Iterable[AutomatonState]) -> Belief:
    """The states that are left when all silent steps have been taken.

    Where silent steps go on for ever and lead to nothing else, one of their states stands for them.
    """
    left: set[AutomatonState] = set()
    for start in states:
        seen = _through_silence(start)
        resting = {s for s in seen if _silent(s) is None}
        left |= resting or {min(seen, key=lambda s: s.number)}
    return frozenset(left)


def _through_silence(start: AutomatonState) -> set[AutomatonState]:
    work, seen = [start], {start}
    while work:
        silent = _silent(work.pop())
        new = [t for t in silent.targets if t not in seen] if silent is not None else []
        seen.update(new)
        work += new
    return seen


def _silent(state: AutomatonState) -> AutomatonMove | None:
    return next((move for move in state.moves.values() if move.silent), None)


def _common_threads(states: Iterable[AutomatonState]) -> list[int]:
    """The threads that may make the same step in every state."""
    first, *others = states
    return [
        thread
        for thread, move in sorted(first.moves.items())
        if not move.silent
        and all(t.moves.get(thread) and t.moves[thread].site == move.site for t in others)
    ]
