"""Long random walks along the sections of a schedule, which all orders at once cannot be.

What happens before what is told by the waits alone, and every two dependent events must be ordered.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from enforcement import Enforcement

from imc.program.dependence import dependence
from imc.program.events import Event
from imc.program.faults import Blocked
from imc.program.state import State
from irs.schedule import Branch, Choice, Follow, ScheduledEvent, Section, Site

Clock = dict[int, int]  # thread -> how many of its events happen before


class Wrong(Exception):
    """What a walk has come upon."""


@dataclass
class Walk:
    """One walk, section by section, each in its listed order."""

    enforcement: Enforcement
    rng: random.Random
    clocks: dict[int, Clock] = field(default_factory=dict)  # of each thread's last event
    gated: dict[int, list[Clock]] = field(default_factory=dict)
    log: list[tuple[int, int, Event]] = field(default_factory=list)  # thread, number, event
    length: int = 0  # events so far, with those that are left out

    def complaint(self, most: int) -> str | None:
        """What is wrong with the first so many events, if anything."""
        schedule = self.enforcement.schedule
        state = self.rng.choice(self.enforcement.interpreter.initial()).state
        section: int | None = schedule.start
        try:
            while section is not None and self.length < most:
                state = self._section(schedule.sections[section], state)
                section = self._next(schedule.sections[section], state)
        except Wrong as what:
            return f"section {section}: {what}"
        return None

    def _section(self, section: Section, state: State) -> State:
        schedule = self.enforcement.schedule
        base = {t: len(self.gated.get(t, [])) for t in range(len(schedule.threads))}
        before: Clock = {}
        for clocks in self.gated.values():
            _join(before, clocks[-1])
        for event in section.events:
            site = schedule.sites[event.site]
            if site.action == "skip":
                continue
            clock = self.clocks.setdefault(event.thread, {})
            if site.gated and not schedule.overlap:
                _join(clock, before)
            for other, count in event.waits:
                if base[other] + count > 0:
                    _join(clock, self.gated[other][base[other] + count - 1])
            state = self._event(event, site, clock, state)
        return state

    def _event(self, listed: ScheduledEvent, site: Site, clock: Clock, state: State) -> State:
        """The event itself, which must come after all that it depends on."""
        enforcement, thread = self.enforcement, listed.thread
        threads = enforcement.schedule.threads
        number = enforcement.number(threads[thread])
        if enforcement.site(state, number) != (site.function, site.pc):
            raise Wrong(f"{threads[thread]} is not at {site}")
        try:
            outcome = self.rng.choice(enforcement.interpreter.successors(state, number))
        except Blocked as why:
            raise Wrong(f"{threads[thread]} has to wait for {why.what}") from None
        if outcome.fault is not None:
            raise Wrong(f"{threads[thread]} errs: {outcome.fault.message}")
        if site.action != "pass":
            for other, count, earlier in self.log:
                ordered = other == thread or clock.get(other, 0) >= count
                if not ordered and dependence(earlier, outcome.event) is not None:
                    raise Wrong(f"{site} is not ordered after {earlier.function} {earlier.pc}")
        self.length += 1
        clock[thread] = clock.get(thread, 0) + 1
        if site.action != "pass":
            self.log.append((thread, clock[thread], outcome.event))
        if site.gated:
            self.gated.setdefault(thread, []).append(dict(clock))
        for child in outcome.event.spawned:
            name = enforcement.interpreter.image.threads.names[child]
            if name in threads:
                self.clocks[threads.index(name)] = dict(clock)
        return outcome.state

    def _next(self, section: Section, state: State) -> int | None:
        match section.next:
            case Follow(following):
                return following
            case Choice(sections):
                return self.rng.choice(sections)
            case Branch(thread, cases):
                fitting = [c for c in cases if self.enforcement.fits(state, thread, c)]
                if len(fitting) != 1:
                    raise Wrong(f"{len(fitting)} cases fit")
                return fitting[0].section
        return None


def _join(clock: Clock, other: Clock) -> None:
    for thread, count in other.items():
        clock[thread] = max(clock.get(thread, 0), count)


def walk(enforcement: Enforcement, seed: object, walks: int = 4, events: int = 120) -> list[str]:
    """What is wrong on some walks, if anything."""
    found = (
        Walk(enforcement, random.Random(f"{seed} {n}")).complaint(events) for n in range(walks)
    )
    return [complaint for complaint in found if complaint is not None]
