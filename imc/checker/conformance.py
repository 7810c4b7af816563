"""Whether the sections of a schedule permit only what its checked tree does.

All nodes that an execution can be at are followed through each section. Every event must be the
next one there, its waits must order it after all events that it depends on, and where a section
ends, what is seen must tell which section comes next.
"""

from __future__ import annotations

from collections.abc import Iterable

from imc.checker.absence import Absence
from imc.checker.checker import Checker
from imc.checker.order import Order, Unordered
from imc.checker.outlook import STOPPED
from imc.checker.refusal import Rejected, shown
from imc.checker.sight import Nodes, Sight
from imc.program.dependence import dependence
from imc.program.events import Event, Mode
from irs.schedule import Branch, Case, Choice, End, Follow, Free, Schedule, Section


class Conformance:
    """Plays a schedule on a tree."""

    def __init__(
        self,
        checker: Checker,
        schedule: Schedule,
        entries: Iterable[tuple[int, Nodes]] = (),
    ) -> None:
        self.checker = checker
        self.deadline = checker.deadline
        self.image = checker.image
        self.points = checker.points
        self.root = checker.certificate.root
        self.sight = Sight(checker)
        self.schedule = schedule
        self.entries = [(section, self.sight.rested(nodes)) for section, nodes in entries]
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
        work = [(self.schedule.start, self.sight.rested([self.root])), *self.entries]
        seen = set(work)
        while work:
            self.deadline.look()
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
            look = self.deadline.look
            Order(self.schedule, self.events, self._dependent, entries, local, look).check()
        except Unordered as problem:
            raise Rejected(str(problem)) from None

    def _check_actions(self) -> None:
        """What is left out must be needless; what is free must not be looked at."""
        sites = self.schedule.sites
        Absence(self.checker, {(s.function, s.pc) for s in sites if not s.performed}).check()
        opaque_names = set(map(self._named, self._opaque()))
        branches = (s.next for s in self.schedule.sections if isinstance(s.next, Branch))
        guards = {case.guard for branch in branches for case in branch.cases}
        for guard in guards:
            match guard:
                case ("=", ("memory", *name, _), _) if tuple(name) in opaque_names:
                    raise Rejected(f"numbers in {shown(name[-1])} are not the program's")
        if guards - {None, (STOPPED,)} and any(site.action == "free" for site in sites):
            raise Rejected("numbers are looked at while events happen freely")

    def _opaque(self) -> set[int]:
        """Objects that the library has filled in, as locks are: what is in them is its own."""
        return {
            number
            for footprint in self.checker.footprints.values()
            if footprint.synchronises
            for number, _, _ in footprint.operation.writes
        }

    def _named(self, number: int) -> tuple[str, ...]:
        """An object as guards call it."""
        identity = self.image.objects.identities[number]
        return tuple(map(str, identity)) if isinstance(identity, tuple) else (str(identity),)

    def _check_standing(self, starts: set[tuple[int, Nodes]]) -> None:
        """A thread that may have nothing more to do must be held where it stands."""
        ungated = {(s.function, s.pc) for s in self.schedule.sites if not s.gated}
        sections = self.schedule.sections
        for thread in {t for point in self.points.values() for t in point.state.threads}:
            idle = {n for n, s in enumerate(sections) if all(e.thread != thread for e in s.events)}
            while lost := {
                n for n in idle if (after := sections[n].next.targets) and not idle & set(after)
            }:
                idle -= lost
            places = [(n, nodes) for n, nodes in starts if n in idle]
            places += [end for end in self.ends if end[0] not in idle]
            places += self.exits
            for number, nodes in places:
                self.deadline.look()
                for node in nodes:
                    seen = self.sight.seen(thread, (), node)
                    if ungated & seen:
                        name = self.schedule.threads[thread]
                        raise Rejected(f"section {number}: {name} would go on at node {node}")

    # ----------------------------------------------------------------- sections

    def _play(self, number: int, section: Section, nodes: Nodes) -> Nodes:
        """Where executions are after a section."""
        for index, event in enumerate(section.events):
            self.deadline.look()
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
            nodes = self.sight.rested(after)
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
                    if any(map(self.sight.is_event, self.points[node].permits.items())):
                        raise Rejected(f"section {number} ends where node {node} goes on")
        return []

    def _cases(
        self, number: int, thread: int, cases: tuple[Case, ...], nodes: Nodes
    ) -> list[tuple[int, Nodes]]:
        """Who can be seen where; whatever can be seen must have its case, and only one."""
        groups: dict[int, set[int]] = {}
        for node in nodes:
            possible = self.sight.seen(thread, cases, node)
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

    def _fits(self, case: Case, seen: object) -> bool:
        if case.guard is not None:  # a thread that has been stopped is at no site
            wanted = STOPPED if case.guard == (STOPPED,) else case.guard
            return case.at is None and seen == wanted
        if case.at is None:
            return seen is None
        site = self.schedule.sites[case.at]
        return seen == (site.function, site.pc)
