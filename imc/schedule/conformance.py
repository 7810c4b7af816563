"""Whether the sections of a schedule permit only what its checked tree does.

All nodes that an execution can be at are followed through each section. Every event must be the
next one there, its waits must order it after all events that it depends on, and where a section
ends, what is seen must tell which section comes next.
"""

from __future__ import annotations

from collections.abc import Iterable

from imc.program.code import reads_input
from imc.program.dependence import dependence
from imc.program.events import Event, Mode
from imc.program.state import Status
from imc.schedule.ahead import ANYWHERE, ahead
from imc.schedule.automaton import opaque
from imc.schedule.checker import Checker, Point, Rejected
from imc.schedule.omission import Omission
from imc.schedule.order import Order, Unordered
from irs.schedule import Branch, Case, Choice, End, Follow, Free, Guard, Schedule, Section

Nodes = frozenset[int]


class Conformance:
    """Plays a schedule on a tree."""

    def __init__(
        self,
        checker: Checker,
        schedule: Schedule,
        entries: Iterable[tuple[int, Nodes]] = (),
    ) -> None:
        self.image = checker.image
        self.places = checker.places
        self.points = checker.points
        self.root: int = checker.document["root"]
        self.schedule = schedule
        self.entries = [(section, self._rested(nodes)) for section, nodes in entries]
        self.after: dict[int, set[Nodes]] = {}  # where executions are after each section
        self.ends: set[tuple[int, Nodes]] = set()
        self.exits: set[tuple[int, Nodes]] = set()  # before steps that end the program
        # What each event of each section can be.
        self.events: list[list[list[Event]]] = [
            [[] for _ in section.events] for section in schedule.sections
        ]
        self.renames = any(
            point.cover is not None and point.names != self.points[point.cover].names
            for point in self.points.values()
        )

    def check(self) -> None:
        """Raises `Rejected` where the schedule permits something else than the tree."""
        work = [(self.schedule.start, self._rested([self.root])), *self.entries]
        seen = set(work)
        while work:
            number, nodes = work.pop()
            section = self.schedule.sections[number]
            after = self._play(number, section, nodes)
            self.after.setdefault(number, set()).add(after)
            for following in self._next(number, section, after):
                if following not in seen:
                    seen.add(following)
                    work.append(following)
        self._check_actions()
        self._check_standing(seen)
        try:
            entries = {section for section, _ in self.entries}
            local = not self.renames
            Order(self.schedule, self.events, self._dependent, entries, local).check()
        except Unordered as problem:
            raise Rejected(str(problem)) from None

    def _check_actions(self) -> None:
        """What is left out must be needless; what is free must not be looked at."""
        sites = self.schedule.sites
        left_out = {(s.function, s.pc) for s in sites if s.action in ("pass", "skip")}
        performed = [e for section in self.events for events in section for e in events]
        for function, pc in Omission(self.image, performed).refuted(left_out):
            raise Rejected(f"the operation at {function} {pc} is needed, and left out")
        opaque_names = {self.image.objects.identities[n] for n in opaque(self.image, performed)}
        branches = (s.next for s in self.schedule.sections if isinstance(s.next, Branch))
        guards = {case.guard for branch in branches for case in branch.cases}
        for guard in guards:
            match guard:
                case ("=", ("memory", *name, _), _) if tuple(name) in opaque_names:
                    raise Rejected(f"numbers in {name[-1]} are not the program's")
        if guards - {None, ("stopped",)} and any(site.action == "free" for site in sites):
            raise Rejected("numbers are looked at while events happen freely")

    def _check_standing(self, starts: set[tuple[int, Nodes]]) -> None:
        """A thread that may have nothing more to do must be held where it stands."""
        ungated = {(s.function, s.pc) for s in self.schedule.sites if not s.gated}
        sections = self.schedule.sections
        for thread in range(len(self.schedule.threads)):
            idle = {n for n, s in enumerate(sections) if all(e.thread != thread for e in s.events)}
            while lost := {
                n for n in idle if (after := sections[n].next.targets) and not idle & set(after)
            }:
                idle -= lost
            places = [(n, nodes) for n, nodes in starts if n in idle]
            places += [end for end in self.ends if end[0] not in idle]
            places += self.exits
            for number, nodes in places:
                for node in nodes:
                    seen = self._seen(thread, (), node)
                    if ungated & (ungated if ANYWHERE in seen else seen):
                        name = self.schedule.threads[thread]
                        raise Rejected(f"section {number}: {name} would go on at node {node}")

    # ----------------------------------------------------------------- sections

    def _play(self, number: int, section: Section, nodes: Nodes) -> Nodes:
        """Where executions are after a section."""
        for index, event in enumerate(section.events):
            site = self.schedule.sites[event.site]
            events: list[Event] = []
            after: list[int] = []
            for node in nodes:
                moves = self.points[node].permits.get(event.thread, [])
                if not moves or any(
                    (e.function, e.pc) != (site.function, site.pc) for e, _ in moves
                ):
                    raise Rejected(
                        f"section {number}: event {index} is not permitted at node {node}"
                    )
                events += [outcome for outcome, _ in moves]
                after += [child for _, child in moves]
            self.events[number][index] += events
            if any(outcome.exits for outcome in events):
                self.exits.add((number, nodes))
            nodes = self._rested(after)
        return nodes

    def _dependent(self, some: list[Event], others: list[Event]) -> bool:
        """Where covers rename objects, any two that the program has made may be the same one."""
        if any(dependence(a, b) is not None for a in some for b in others):
            return True
        if not self.renames:
            return False
        made = [
            {a.mode for event in events for a in event.accesses if self._is_made(a.object)}
            for events in (some, others)
        ]
        return all(made) and made[0] | made[1] != {Mode.READ}

    def _is_made(self, number: int) -> bool:
        return self.image.objects.dynamic[number]

    def _next(self, number: int, section: Section, nodes: Nodes) -> Iterable[tuple[int, Nodes]]:
        match section.next:
            case Follow(following):
                return [(following, nodes)]
            case Choice(sections):
                return [(following, nodes) for following in sections]
            case Branch(thread, cases):
                return self._cases(number, thread, cases, nodes)
            case Free():
                raise Rejected(f"section {number}: what comes after it is not proved")
            case End():
                self.ends.add((number, nodes))
                for node in nodes:
                    if any(map(self._is_event, self.points[node].permits.items())):
                        raise Rejected(f"section {number} ends where node {node} goes on")
        return []

    def _cases(
        self, number: int, thread: int, cases: tuple[Case, ...], nodes: Nodes
    ) -> list[tuple[int, Nodes]]:
        """Who can be seen where; whatever can be seen must have its case, and only one."""
        groups: dict[int, set[int]] = {}
        for node in nodes:
            possible = self._seen(thread, cases, node)
            if not possible:
                raise Rejected(
                    f"section {number}: one may wait for ever to see what node {node} is"
                )
            for seen in possible:
                fitting = [n for n, case in enumerate(cases) if self._fits(case, seen)]
                if len(fitting) != 1:
                    raise Rejected(
                        f"section {number}: {len(fitting)} cases for what can be seen at {node}"
                    )
                groups.setdefault(fitting[0], set()).add(node)
        return [(cases[n].section, frozenset(group)) for n, group in groups.items()]

    # -------------------------------------------------------------- what is seen

    def _seen(self, thread: int, cases: tuple[Case, ...], node: int) -> set[object]:
        """Sites, None (ended), "stopped", or the number in the place that the cases ask for.

        Where a thread computes until the program ends, its code tells where it may come to.
        """
        asked = {c.guard[1] for c in cases if isinstance(c.guard, tuple) and c.guard[0] == "="}
        if asked:
            if len(asked) > 1 or any(c.at is not None for c in cases):
                raise Rejected("a number of one place has to choose alone")
            (place,) = asked
            return {("=", place, self._number(self.points[node], place))}
        found: set[object] = set()
        work, passed = [node], {node}
        while work:
            at = self._resolved(work.pop())
            here = self._position(self.points[at], thread)
            if at != node and self.points[at].state.exit_code is not None:
                found |= ahead(self.image, self.points[node].state.threads[thread])
                continue
            if here != "computes":
                found.add(here)
                continue
            edges = self.points[at].permits.values()
            new = {child for moves in edges for _, child in moves} - passed
            passed |= new
            work += new
        return found

    def _fits(self, case: Case, seen: object) -> bool:
        if case.guard is not None:  # a thread that has been stopped is at no site
            wanted = "stopped" if case.guard == ("stopped",) else case.guard
            return case.at is None and seen == wanted
        if case.at is None:
            return seen is None
        site = self.schedule.sites[case.at]
        return seen == (site.function, site.pc)

    def _position(self, point: Point, thread: int) -> object:
        state = point.state.threads.get(thread)
        if state is None or state.status is Status.DONE or point.state.exit_code is not None:
            return None
        if state.status is Status.STUCK:
            return "stopped"
        frame = state.frames[-1]
        site = (frame.code.function.name, frame.pc)
        return site if self._is_site(*site) else "computes"

    def _number(self, point: Point, place: Guard) -> int:
        """A number that the node knows of a place."""
        for _, key, number in self.places.numbers(point.state):
            match place, key:
                case ("memory", *name, offset), ("m", int(found), at):
                    identity = self.image.objects.identities[found]
                    if isinstance(identity, tuple) and [*map(str, identity), at] == [*name, offset]:
                        return number
                case ("register", name, *rest), ("r", int(thread), depth, int(code), register):
                    function = self.image.code_number(code).function.name
                    if [self.image.threads.names[thread], depth, function, register] == [
                        name,
                        *rest,
                    ]:
                        return number
        raise Rejected(f"node {point.number} does not know {place}")

    # ------------------------------------------------------------------ silence

    def _rested(self, nodes: Iterable[int]) -> Nodes:
        """The nodes when nobody only computes any more."""
        left: set[int] = set()
        for start in nodes:
            work = [self._resolved(start)]
            passed = set(work)
            resting = set()
            while work:
                at = work.pop()
                permits = self.points[at].permits
                if not all(permits.values()):  # a step that no state can take: nobody is here
                    passed.discard(at)
                    continue
                silent = [moves for p, moves in permits.items() if not self._is_event((p, moves))]
                if not silent:
                    resting.add(at)
                    continue
                new = {self._resolved(child) for _, child in silent[0]} - passed
                passed |= new
                work += new
            left |= resting or set(sorted(passed)[:1])
        return frozenset(left)

    def _is_event(self, permit: tuple[int, list[tuple[Event, int]]]) -> bool:
        event = permit[1][0][0]
        return self._is_site(event.function, event.pc)

    def _is_site(self, function: str, pc: int) -> bool:
        code = self.image.code(function)
        return pc in code.visible or reads_input(code.function.code[pc])

    def _resolved(self, node: int) -> int:
        cover = self.points[node].cover
        return node if cover is None else cover
