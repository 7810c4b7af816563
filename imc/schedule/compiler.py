"""The compiler: from a verified tree to a schedule that can be kept, shipped and enforced."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import irs.schedule as data
from imc.checker.order import Unordered
from imc.program.code import Image, Site
from imc.schedule.automaton import AutomatonState, StrategyTree, automaton
from imc.schedule.beliefs import Ambiguous, Answer, BeliefPoint, Beliefs
from imc.schedule.optimise import Pass, optimise, passes
from imc.schedule.relation import Depends, depends, depends_widely
from imc.schedule.repair import repaired
from imc.schedule.stretches import Stretch, cut
from imc.terms.places import PlaceKey, Places

Describe = Callable[[str, int], str]  # a function's instruction in words


@dataclass(frozen=True, slots=True)
class Statistics:
    """What became of a tree."""

    nodes: int
    sections: int
    events: int
    gates: int
    dependences: int  # waits before those that others imply were dropped
    waits: int


@dataclass(frozen=True, slots=True)
class Compiled:
    """A schedule, with why it has no certificate if it has none."""

    schedule: data.Schedule
    statistics: Statistics
    uncertified: str = ""


class Compiler:
    """Compiles the schedules of one program.

    The `listed` sites are in all of them, and no section has more events than the `longest`.
    """

    def __init__(
        self,
        places: Places,
        describe: Describe,
        listed: Sequence[Site] = (),
        longest: int | None = None,
    ) -> None:
        self.places = places
        self.image: Image = places.image
        self.describe = describe
        self.listed = listed
        self.longest = longest
        # Of the last schedule: the nodes that executions can be at after each of its sections, if
        # they do not end there, and the sections of its entries.
        self.boundaries: list[frozenset[int] | None] = []
        self.entries: list[int] = []
        self._sites: dict[Site, int] = {}
        self._site_list: list[data.Site] = []
        self._actions: dict[Site, str] = {}
        self.statistics = Statistics(0, 0, 0, 0, 0, 0)

    def compile(
        self,
        tree: StrategyTree,
        program: data.ProgramIdentity,
        made: data.Made,
        assumptions: Sequence[data.ListedAssumption] = (),
        bounds: Sequence[str] = (),
        entries: Sequence[Collection[int]] = (),
    ) -> data.Schedule:
        """The sections of a tree, with as few waits as the optimisation allows.

        One may also begin at each of the `entries`, sets of nodes that an execution may be at.
        """
        empty = data.Schedule(
            program, made, tuple(assumptions), tuple(bounds), tuple(self.image.threads.names),
            (), False, 0, (),
        )  # fmt: skip
        chosen = passes(made.optimisation)
        try:
            return self._compiled(tree, empty, chosen, entries)
        except Unordered:
            return self._compiled(tree, empty, chosen - {Pass.FREE}, entries)

    def _compiled(
        self,
        tree: StrategyTree,
        empty: data.Schedule,
        chosen: Collection[Pass],
        entries: Sequence[Collection[int]],
    ) -> data.Schedule:
        self._sites, self._site_list = {}, []
        sections = self._sections(tree, entries)
        numbers = {id(section): n for n, section in enumerate(sections)}
        order = self._order(tree)
        beginnings = {0, *self.entries}
        found = optimise(
            sections, chosen, order, self.image, Beliefs(self.places).positions, beginnings
        )
        self._actions = found.actions
        for site in self.listed:
            self._site(site)
        compiled = tuple(
            self._section(section, waits, numbers)
            for section, waits in zip(sections, found.waits, strict=True)
        )
        whole = repaired(
            replace(empty, sites=tuple(self._site_list), overlap=found.overlap, sections=compiled),
            [[step.events for step in section.steps] for section in sections],
            order,
            self.entries,
        )
        events = [event for section in whole.sections for event in section.events]
        self.statistics = Statistics(
            len(tree.nodes),
            len(sections),
            len(events),
            sum(whole.sites[event.site].gated for event in events),
            found.dependences,
            sum(len(event.waits) for event in events),
        )
        return whole

    def _order(self, tree: StrategyTree) -> Depends:
        nodes = tree.nodes
        for node in nodes.values():
            if node.cover is not None and node.node.names != nodes[node.cover].node.names:
                return depends_widely(self.image.objects.dynamic)
        return depends

    def _sections(self, tree: StrategyTree, entries: Sequence[Collection[int]]) -> list[Stretch]:
        """States that are merged make fewer sections, but their positions tell less."""
        beginnings = [tree.roots, *entries]
        try:
            points = self._points(automaton(tree, self.image), beginnings)
        except Ambiguous:
            points = self._points(automaton(tree, self.image, merged=False), beginnings)
        sections = cut(points, self.longest)
        heads = {section.start: number for number, section in enumerate(sections)}
        self.entries = [heads[point] for point in points[1:]]
        numbers = {id(node.node): number for number, node in tree.nodes.items()}
        self.boundaries = [
            None
            if section.boundary is None
            else frozenset(numbers[id(node)] for state in section.boundary for node in state.nodes)
            for section in sections
        ]
        return sections

    def _points(
        self, states: Mapping[int, AutomatonState], beginnings: Sequence[Collection[int]]
    ) -> list[BeliefPoint]:
        return Beliefs(self.places).graph(
            [list(dict.fromkeys(states[node] for node in sorted(nodes))) for nodes in beginnings]
        )

    def _section(
        self, section: Stretch, waits: list[dict[int, int]], numbers: dict[int, int]
    ) -> data.Section:
        events = []
        for step, wait in zip(section.steps, waits, strict=True):
            assert step.thread is not None
            assert step.site is not None
            events.append(
                data.ScheduledEvent(step.thread, self._site(step.site), tuple(wait.items()))
            )
        return data.Section(tuple(events), self._next(section, numbers))

    def _next(self, section: Stretch, numbers: dict[int, int]) -> data.Next:
        if section.after is not None:
            return data.Follow(numbers[id(section.after)])
        if section.cases:
            assert section.end is not None and section.end.thread is not None
            cases = tuple(self._case(case, numbers[id(to)]) for case, to in section.cases)
            return data.Branch(section.end.thread, cases)
        if section.choices:
            return data.Choice(tuple(numbers[id(choice)] for choice in section.choices))
        return data.Free() if section.end is not None and section.end.free else data.End()

    def _case(self, case: Answer, section: int) -> data.Case:
        at = self._site(case.at) if case.at is not None else None
        guard: data.Guard | None = ("stopped",) if case.stopped else None
        if case.place is not None:
            guard = ("=", self._place(case.place), case.number)
        return data.Case(at, guard, section)

    def _place(self, key: PlaceKey) -> data.Guard:
        """A place by names that mean the same in every run."""
        match key:
            case ("m", int(number), int(offset)):
                identity = self.image.objects.identities[number]
                assert isinstance(identity, tuple)
                return ("memory", *map(str, identity), offset)
            case ("r", int(thread), int(depth), int(code), int(register)):
                function = self.image.code_number(code).function.name
                return ("register", self.image.threads.names[thread], depth, function, register)
        raise AssertionError(key)

    def _site(self, site: Site) -> int:
        number = self._sites.get(site)
        if number is None:
            number = self._sites[site] = len(self._site_list)
            function, pc = site
            code = self.image.code(function)
            loc = code.locs[pc]
            file, line, column = (loc.file, loc.line, loc.column) if loc else (None, None, None)
            what = self.describe(function, pc)
            self._site_list.append(
                data.Site(
                    function,
                    pc,
                    code.names[pc],
                    file,
                    line,
                    column,
                    what,
                    self._actions.get(site, "gate"),
                )
            )
        return number
