"""The gate: threads pass it one event at a time, in an order that the schedule permits.

An execution is a row of section instances. Each thread has its own copy of what it has to do in
them and a count of the events that it has done; an event may happen when the counts of the others
have come far enough. That works without locks as Python's threads see each other's writes in order:
whoever waits leaves word first and then looks again at the count, whoever has done an event counts
it first and then looks for such words. What comes next is decided under one mutex.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import NoReturn

from irs.errors import Deviation, Finished, Stopped
from irs.parking import Parking, lock_parking
from irs.passage import ENDED, STOPPED, Instance, Passage
from irs.permission import Permission, Told
from irs.plan import Plan, site_text
from irs.record import Recorder
from irs.relaxation import Relaxation
from irs.schedule import Branch, Case, Choice, End, Follow, Free, Guard
from irs.world import NoWorld, World

AHEAD = 64  # section instances that may be begun before the first of them is done
NEVER = sys.maxsize

Choose = Callable[[int, int, tuple[int, ...]], int]  # thread, site, sections: one of these


class Gate:
    """All threads of one run. `halt` stops it; nothing that waits here is left behind."""

    def __init__(
        self,
        plan: Plan,
        world: World | None = None,
        recorder: Recorder | None = None,
        choose: Choose | None = None,
        told: Told | None = None,
        new_parking: Callable[[int], Parking] = lock_parking,
    ) -> None:
        self.new_parking = new_parking
        self.permission = Permission(plan, told)  # `told` hears of it, and must not wait
        self.world: World = world or NoWorld()
        self.recorder = recorder
        self.choose = choose or self._fitting
        self.done = [0] * len(plan.threads)  # each thread writes its own
        self.wanted = [NEVER] * len(plan.threads)  # the least count of each that somebody awaits
        self.opened = False  # nothing is ordered any more
        self.halted: Exception | None = None  # why the run was stopped
        self.sections = 0  # instances that were begun
        self._mutex = Lock()
        self._waiters: list[list[tuple[int, Passage]]] = [[] for _ in plan.threads]
        self._sleepers: set[Passage] = set()  # wait for an instance that concerns them
        self._resting: dict[int, int] = {}  # threads without a further event, and where they are
        self._totals = [0] * len(plan.threads)  # events of all instances
        self._unfinished: deque[Instance] = deque()
        self._before: dict[int, int] = {}
        self._floor: dict[int, int] = {}  # what has to have happened since the plan is another one
        self.passages = [Passage(self, number) for number in range(len(plan.threads))]
        self._append(plan.start)

    @property
    def plan(self) -> Plan:
        """The plan that is kept to now."""
        return self.permission.plan

    def relax(self, relaxation: Relaxation) -> None:
        """Lets a schedule that permits more take the place of the present one, where it can.

        No thread is stopped for it: what has been begun goes on as it was planned, and whoever
        would begin the next section begins one of the new schedule's.
        """
        plan = Plan(relaxation.schedule) if relaxation.schedule is not None else None
        with self._mutex:
            self.permission.add(relaxation, plan)
            self._rouse(frozenset(range(len(self.passages))))

    # ------------------------------------------------------------- waiting, waking

    def wait(self, passage: Passage, site: int, other: int, count: int) -> None:
        """Parks a thread until another one has done so many events."""
        with self._mutex:
            self._check()
            passage.at, passage.awaits = site, (other, count)
            self._waiters[other].append((count, passage))
            self.wanted[other] = min(self.wanted[other], count)
            parked = self.done[other] < count
            if not parked:  # it came there before it could see that we wait
                self._waiters[other].remove((count, passage))
        if parked:
            passage.parking.acquire()
        passage.at = passage.awaits = None
        if self.halted is not None:
            self._check()

    def wake(self, number: int) -> None:
        """Lets those go on who have waited for what a thread has done now."""
        with self._mutex:
            count, waiters = self.done[number], self._waiters[number]
            self._waiters[number] = [w for w in waiters if w[0] > count]
            self.wanted[number] = min((w[0] for w in self._waiters[number]), default=NEVER)
            for target, passage in waiters:
                if target <= count:
                    passage.parking.release()

    def halt(self, reason: Exception) -> None:
        """Stops the run: every thread that waits or comes here raises Stopped."""
        with self._mutex:
            self._halt(reason)

    def _halt(self, reason: Exception) -> None:
        if self.halted is not None:
            return
        self.halted = reason
        for passage in self.passages:
            passage.steps = ()  # so that it looks here before its next event
        parked = [passage for waiters in self._waiters for _, passage in waiters]
        self._waiters = [[] for _ in self._waiters]
        for passage in (*parked, *self._sleepers):
            passage.parking.release()
        self._sleepers.clear()

    def _check(self) -> None:
        if self.halted is not None:
            raise Stopped from self.halted

    # -------------------------------------------------------------------- sections

    def next_instance(self, passage: Passage, site: int) -> bool:
        """Takes a thread to its next instance, once there is one; False: gates are open."""
        while not passage.inbox:
            with self._mutex:
                self._check()
                if not (self.opened or passage.inbox):
                    self._resting[passage.number] = site
                    self._extend(passage)
                if self.opened:
                    return False
                if passage.inbox:
                    break
                target = self._lacking(passage, site)
                passage.at = site
                if target is None:
                    self._sleepers.add(passage)
            if target is not None:
                self.wait(passage, site, *target)
                continue
            passage.parking.acquire()
            passage.at = None
            self._check()
        instance = passage.inbox[0]
        floor = {} if instance.floor is passage.reached else instance.floor
        for needed in (floor, instance.before):
            for other, count in needed.items():
                if self.done[other] < count:
                    self.wait(passage, site, other, count)
        with self._mutex:
            self._check()
            passage.inbox.popleft()
            passage.section, passage.base = instance.section, instance.base
            planned = instance.planned
            passage.steps = planned.steps[passage.number]
            passage.listed += planned.listed[passage.number]
            passage.reached = instance.floor
            passage.index = 0
        return True

    def end(self, passage: Passage, how: int) -> None:
        with self._mutex:
            if self.halted is not None or self.opened:
                return
            if passage.index < len(passage.steps) or passage.inbox:
                self._deviate(passage, how)
            self._resting[passage.number] = how
            self._extend(passage)

    def _append(self, section: int) -> None:
        """One more instance, for all who take part in it."""
        base = self._totals.copy()
        planned = self.plan.sections[section]
        steps = planned.steps
        ends = {thread: base[thread] + len(found) for thread, found in steps.items()}
        before = {} if self.plan.overlap else self._before
        instance = Instance(section, planned, base, ends, before, self._floor)
        for thread, end in ends.items():
            self._totals[thread] = end
        self._before = ends or self._before
        self._tail = section
        self.sections += 1
        self._unfinished.append(instance)
        if self.recorder is not None:
            self.recorder.section(section)
        for thread in steps:
            passage = self.passages[thread]
            passage.inbox.append(instance)
            where = self._resting.pop(thread, 0)
            if where in (ENDED, STOPPED):
                self._deviate(passage, where)
            if passage in self._sleepers:
                self._sleepers.remove(passage)
                passage.parking.release()

    def _extend(self, passage: Passage) -> None:
        """Goes on as far as is known, for a thread that has come and for all who sleep."""
        while (after := self._after(passage)) is not None:
            self._append(after)
        last = self.permission.next(self._tail)
        if isinstance(last, Free) and not self._unfinished:
            self.opened = True
            self.permission.open(self.sections)
            if self.recorder is not None:
                self.recorder.free()
        if not isinstance(last, Branch) or _asks(last) or len(self._unfinished) >= AHEAD:
            # What is lacking is counts, and nobody else may come to look at them.
            self._rouse(self.permission.later(self._tail))

    def _after(self, passage: Passage) -> int | None:
        """The section that comes after the last one, if that can be told now."""
        self._forget()
        if len(self._unfinished) >= AHEAD:
            return None
        entry = None if self.permission.dropping else self._relaxed()
        if entry is not None:
            return entry
        match self.permission.next(self._tail):
            case Follow(section):
                return section
            case Branch(thread, cases) if thread in self._resting:
                case = self._case(thread, cases)
                return None if case is None else case.section
            case Choice(sections) if passage.number in self.plan.later[self._tail]:
                where = self._resting.get(passage.number, ENDED)
                if where not in (ENDED, STOPPED):
                    return self.choose(passage.number, where, sections)
        return None

    def _relaxed(self) -> int | None:
        """The first section of a plan that takes the place of the present one here."""
        entry = self.permission.entry(self._tail, self.sections)
        if entry is not None:
            self._floor = {t: total for t, total in enumerate(self._totals) if total}
            self._before = {}
            if self.recorder is not None:
                self.recorder.relax(self.permission.number)
            self._rouse(frozenset(range(len(self.passages))))
        return entry

    def _forget(self) -> None:
        """Drops instances whose events have all happened."""
        unfinished, done = self._unfinished, self.done
        while unfinished and all(done[t] >= end for t, end in unfinished[0].ends.items()):
            unfinished.popleft()

    def _rouse(self, later: frozenset[int]) -> None:
        """Lets those look again who sleep but may have a part in what comes."""
        for passage in [p for p in self._sleepers if p.number in later]:
            self._sleepers.remove(passage)
            passage.parking.release()

    def _lacking(self, passage: Passage, site: int) -> tuple[int, int] | None:
        """Whose count to wait for before it is worth looking again; None: somebody will wake us."""
        last = self.permission.next(self._tail)
        if isinstance(last, End) and not self._unfinished:
            if self.world.is_blocked(passage.number):
                raise Finished
            self._deviate(passage, site)
        if passage.number not in self.permission.later(self._tail):
            return None
        unfinished = self._unfinished
        if len(unfinished) < AHEAD and isinstance(last, Branch):
            counts_decide = _asks(last) and last.thread in self._resting
            if not (counts_decide and unfinished):
                return None
        # At the limit, half of what is ahead is waited for, not each instance.
        for instance in (unfinished[len(unfinished) // 2], unfinished[0]):
            for thread, end in instance.ends.items():
                if self.done[thread] < end:
                    return thread, end
        return passage.number, 0  # nothing is lacking any more

    # ------------------------------------------------------------------- decisions

    def _case(self, thread: int, cases: tuple[Case, ...]) -> Case | None:
        """The case that applies now; None: that cannot be told yet."""
        where = self._resting[thread]
        for case in cases:
            if case.at is not None and case.at != where:
                continue
            match case.guard:
                case None:
                    holds = case.at is not None or where == ENDED
                case ("stopped",):
                    holds = where == STOPPED
                case ("=", tuple(place), int(number)):
                    if self._unfinished or not self._at_rest(place):
                        return None
                    holds = self.world.value(place) == number
                case _:
                    self._deviate(self.passages[thread], where)
            if holds:
                return case
        self._deviate(self.passages[thread], where)

    def _at_rest(self, place: Guard) -> bool:
        """Whether a place does not change any more: its thread stands at a gate, or has ended."""
        match place:
            case ("register", str(name), *_):
                return self.plan.thread(name) in self._resting
        return True

    def _fitting(self, thread: int, site: int, sections: tuple[int, ...]) -> int:
        """A section that lets the thread go on at once, or else the first one."""
        for section in sections:
            steps = self.plan.sections[section].steps.get(thread)
            if steps and steps[0] == (site, ()):
                return section
        return sections[0]

    # ------------------------------------------------------------------ deviations

    def deviate(self, passage: Passage, site: int) -> NoReturn:
        """The thread is not where the schedule has it; the run stops."""
        with self._mutex:
            self._check()
            self._deviate(passage, site)

    def _deviate(self, passage: Passage, site: int) -> NoReturn:
        plan = self.plan
        section = passage.section
        if passage.index < len(passage.steps):
            expected = [passage.steps[passage.index].site]
        elif passage.inbox:
            section = passage.inbox[0].section
            expected = [passage.inbox[0].planned.steps[passage.number][0].site]
        else:
            section = self._tail
            last = plan.sections[section].next
            cases = last.cases if isinstance(last, Branch) else ()
            expected = [case.at for case in cases if case.at is not None]
        event = {ENDED: "ends", STOPPED: "is stopped by a failed assumption"}.get(site)
        if event is None:
            event = "an event that the schedule does not know"
            if site >= 0:
                event = site_text(plan.sites[site])
        texts = tuple(dict.fromkeys(site_text(plan.sites[at]) for at in expected))
        problem = Deviation(plan.threads[passage.number], event, section, texts)
        self._halt(problem)
        raise problem

    # --------------------------------------------------------------------- reports

    def report(self) -> tuple[str, ...]:
        """Who stands at the gate and waits for whom, for people."""
        lines = []
        names = self.plan.threads
        for passage in self.passages:
            at, awaits = passage.at, passage.awaits
            if at is None:
                continue
            place = site_text(self.plan.sites[at]) if at >= 0 else "an unknown event"
            if awaits is not None:
                other, count = awaits
                reason = f"{names[other]} to do {count - self.done[other]} more"
            else:
                reason = self._undecided()
            lines.append(f"{names[passage.number]} at {place} waits for {reason}")
        return tuple(lines)

    def _undecided(self) -> str:
        match self.plan.sections[self._tail].next:
            case Branch(thread, _):
                return f"{self.plan.threads[thread]} to choose what comes after {self._tail}"
        return f"its turn after section {self._tail}"


def _asks(branch: Branch) -> bool:
    """Whether the cases ask for numbers, so that all events have to have happened."""
    return any(case.guard is not None and case.guard != ("stopped",) for case in branch.cases)
