"""Schedules as the tables that the native run-time reads; plan.c checks and runtime.h names them.

Each thread walks the sections by itself, so the tables are by section and thread: its events there,
how many they are, and what concerns it. A count is only published where somebody can wait for it.
"""

from __future__ import annotations

import shlex
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from irs.errors import BadSchedule
from irs.handovers import hand_overs
from irs.schedule import Branch, Case, Choice, Follow, Free, Guard, Schedule, Wait

MAGIC = b"irsplan4"
NONE = 0xFFFF_FFFF
END, FREE, FOLLOW, BRANCH, CHOICE = range(5)
ALWAYS, STOPPED, CELL = range(3)
PUBLISH, SEAM = 1, 2
RELEVANT, AHEAD = 1, 2
# How the run-time runs the program's threads: as fibers, even if it cannot (it refuses then), and
# without a thread pointer for each, since the program never asks who it is.
THREADS, FIBERS, DEMANDED, ALIKE = 0, 1, 2, 4


@dataclass(frozen=True, slots=True)
class Sites:
    """How a built program numbers its operations: all that can be events, gated or not."""

    texts: Sequence[str]  # in words, by the program's numbers
    numbers: Sequence[int]  # of the schedule's sites
    cells: Mapping[Guard, int] = field(default_factory=dict)  # places that guards look at


@dataclass(frozen=True, slots=True)
class _Event:
    thread: int
    site: int  # of the schedule
    waits: tuple[Wait, ...]


class _Tables:
    """The schedule's gated events, section by section."""

    def __init__(self, schedule: Schedule, sites: Sites, live: bool) -> None:
        self.schedule = schedule
        self.sites = sites
        self.live = live  # another schedule may take the place of this one after each section
        self.threads = range(len(schedule.threads))
        _check_waits(schedule)
        self.gated = [
            [
                _Event(event.thread, event.site, event.waits)
                for event in section.events
                if schedule.sites[event.site].gated
            ]
            for section in schedule.sections
        ]
        self.own = [self._by_thread(events) for events in self.gated]
        self.asks_for_all = live or any(
            isinstance(section.next, Free)
            or (isinstance(section.next, Branch) and any(_cell(c) for c in section.next.cases))
            for section in schedule.sections
        )
        self.tails = [self._tails(n) for n in range(len(self.gated))]
        self.backwards = self._backwards()

    def _by_thread(self, events: Sequence[_Event]) -> list[list[_Event]]:
        found: list[list[_Event]] = [[] for _ in self.threads]
        for event in events:
            found[event.thread].append(event)
        return found

    def _tails(self, section: int) -> list[int]:
        """Threads whose last events, together, come after all events of the section."""
        own = self.own[section]
        present = [t for t in self.threads if own[t]]
        if self.schedule.overlap:
            return list(self.threads) if self.asks_for_all and present else []
        clocks: dict[int, list[dict[int, int]]] = {t: [] for t in self.threads}
        for event in self.gated[section]:
            clock = dict(clocks[event.thread][-1]) if clocks[event.thread] else {}
            for other, count in event.waits:
                for thread, known in clocks[other][count - 1].items():
                    clock[thread] = max(clock.get(thread, 0), known)
            clock[event.thread] = len(clocks[event.thread]) + 1
            clocks[event.thread].append(clock)
        return [
            t
            for t in present
            if all(u == t or clocks[u][-1].get(t, 0) < len(own[t]) for u in present)
        ]

    def _backwards(self) -> list[int]:
        """How far before a later section's start somebody may ask for a thread's events, or -1."""
        reach = [-1 for _ in self.threads]
        for events in self.gated:
            for other, count in (wait for event in events for wait in event.waits):
                reach[other] = max(reach[other], -count)
        if self.schedule.overlap and self.asks_for_all:
            reach = [max(0, far) for far in reach]
        return reach

    # ------------------------------------------------------------------ events

    def events(self) -> tuple[list[bytes], list[int], list[bytes]]:
        """Records of events, where each section and thread begins, and waits beyond the first."""
        records: list[bytes] = []
        begins: list[int] = []
        more: list[bytes] = []
        for section, own in enumerate(self.own):
            asked = {wait for event in self.gated[section] for wait in event.waits}
            for thread in self.threads:
                begins.append(len(records))
                for n, event in enumerate(own[thread], 1):
                    last = n == len(own[thread])
                    published = (
                        (thread, n) in asked
                        or len(own[thread]) - n <= self.backwards[thread]
                        or (last and thread in self.tails[section])
                    )
                    seam = n == 1 and not event.waits and not self.schedule.overlap
                    flags = PUBLISH * published | SEAM * seam
                    records.append(self._record(event, flags, more))
                records.append(struct.pack("<IHHIi", NONE, 0, 0, 0, 0))
        return records, begins, more

    def _record(self, event: _Event, flags: int, more: list[bytes]) -> bytes:
        number = self.sites.numbers[event.site]
        waits = event.waits
        if len(waits) <= 1:
            thread, count = waits[0] if waits else (0, 0)
            return struct.pack("<IHHIi", number, flags, len(waits), thread, count)
        first = len(more)
        more += [struct.pack("<Ii", *wait) for wait in waits]
        return struct.pack("<IHHIi", number, flags, len(waits), first, 0)

    # ---------------------------------------------------------------- sections

    def sections(self) -> tuple[list[bytes], list[bytes], list[int]]:
        """Records of sections and of cases, and the tails."""
        records: list[bytes] = []
        cases: list[bytes] = []
        tails: list[int] = []
        for number, section in enumerate(self.schedule.sections):
            kind, argument, own = self._next(number)
            first_case, first_tail = len(cases), len(tails)
            cases += own
            tails += self.tails[number]
            found = (first_case, len(own), first_tail, len(self.tails[number]))
            records.append(struct.pack("<6I", kind, argument, *found))
            assert section is self.schedule.sections[number]
        return records, cases, tails

    def _next(self, section: int) -> tuple[int, int, list[bytes]]:
        following = self.schedule.sections[section].next
        match following:
            case Free():
                return FREE, 0, []
            case Follow(to):
                return FOLLOW, to, []
            case Branch(thread, cases):
                # Cases with a guard first: the one without holds otherwise.
                ordered = sorted(cases, key=lambda c: c.guard is None)
                return BRANCH, thread, [self._case(case) for case in ordered]
            case Choice(sections):
                return self._choice(sections)
        return END, 0, []

    def _case(self, case: Case) -> bytes:
        site = NONE if case.at is None else self.sites.numbers[case.at]
        if case.guard == ("stopped",):
            return struct.pack("<4I2Q", site, STOPPED, case.section, 0, 0, 0)
        if _cell(case):
            assert isinstance(case.guard, tuple)
            number = case.guard[2]
            assert isinstance(number, int)
            cell, bits = self.sites.cells[case.guard[1]], number % (1 << 128)
            low, high = bits % (1 << 64), bits >> 64
            return struct.pack("<4I2Q", site, CELL, case.section, cell, low, high)
        return struct.pack("<4I2Q", site, ALWAYS, case.section, 0, 0, 0)

    def _choice(self, sections: Sequence[int]) -> tuple[int, int, list[bytes]]:
        """Who comes to the first event of a section first chooses it."""
        if not all(self.gated[section] for section in sections):
            return FOLLOW, sections[0], []
        cases = []
        for section in sections:
            first = self.gated[section][0]
            site = self.sites.numbers[first.site]
            cases.append(struct.pack("<4I2Q", site, ALWAYS, section, first.thread, 0, 0))
        return CHOICE, 0, cases

    def marks(self) -> list[int]:
        """Of each section, thread by thread: whether choosing it concerns it; if more is ahead."""
        ahead, concerned = self._ahead(), self._concerned()
        decided = {
            to
            for section in self.schedule.sections
            if self.live or isinstance(section.next, (Branch, Choice))
            for to in section.next.targets
        }
        found = []
        for section in range(len(self.gated)):
            relevant = concerned[section] if section in decided else 0
            found += [
                RELEVANT * (relevant >> t & 1) | AHEAD * (ahead[section] >> t & 1)
                for t in self.threads
            ]
        return found

    def _acting(self) -> list[int]:
        """Threads with events in a section, as bits."""
        return [sum(1 << t for t in self.threads if own[t]) for own in self.own]

    def _ahead(self) -> list[int]:
        """Threads that still have something to do after a section, as bits."""
        acting, ahead = self._acting(), []
        for section in self.schedule.sections:
            found = 0
            if isinstance(section.next, Free):
                found = (1 << len(self.threads)) - 1
            if isinstance(section.next, Branch):
                found = 1 << section.next.thread
            for to in section.next.targets:
                found |= acting[to]
            ahead.append(found)
        return _spread(ahead, [section.next.targets for section in self.schedule.sections])

    def _concerned(self) -> list[int]:
        """Threads that act in a section or those that always follow, or decide what comes then."""
        concerned = self._acting()
        follows: list[Sequence[int]] = [()] * len(concerned)
        for number, section in enumerate(self.schedule.sections):
            match section.next:
                case Follow(to):
                    follows[number] = (to,)
                case Branch(thread, _):
                    concerned[number] |= 1 << thread
                case Choice() | Free():
                    concerned[number] = (1 << len(self.threads)) - 1
        return _spread(concerned, follows)


def _spread(bits: list[int], after: Sequence[Sequence[int]]) -> list[int]:
    """Gives each section the bits of all that come after it, however far."""
    before: list[list[int]] = [[] for _ in bits]
    for number, targets in enumerate(after):
        for to in targets:
            before[to].append(number)
    work = list(range(len(bits)))
    while work:
        section = work.pop()
        for number in before[section]:
            if bits[section] & ~bits[number]:
                bits[number] |= bits[section]
                work.append(number)
    return bits


def encode(
    schedule: Schedule,
    sites: Sites,
    digest: bytes,
    mode: int = THREADS,
    entries: Sequence[int | None] | None = None,
    arguments: Sequence[str] | None = None,
) -> bytes:
    """The tables of a schedule, for the program that was built with these sites and this digest.

    With `entries`, others may take the schedule's place while it runs, and it that of the one
    before: in which section it goes on after each of that one's, if it can. `arguments`: those that
    the program has to be run with, if that matters.
    """
    tables = _Tables(schedule, sites, entries is not None)
    events, begins, waits = tables.events()
    sections, cases, tails = tables.sections()
    counts = [len(own) for section in tables.own for own in section]
    strings = _Strings()
    thread_names = [strings.add(name) for name in schedule.threads]
    site_texts = [strings.add(text) for text in sites.texts]
    program = strings.add(schedule.program.digest)
    told = strings.add(shlex.join(arguments or ()))
    for argument in arguments or ():
        strings.add(argument)
    numbers = [NONE] * len(sites.texts)
    for site, number in enumerate(sites.numbers):
        numbers[number] = site
    entered = [NONE if to is None else to for to in entries or ()]
    words = (begins, counts, tables.marks(), tails, thread_names, site_texts, numbers, entered)
    body = b"".join((*cases, *sections, *events, *waits))
    body += b"".join(struct.pack(f"<{len(row)}I", *row) for row in words) + bytes(strings.data)
    sizes = [len(schedule.threads), len(sections), len(sites.texts), len(events)]
    sizes += [len(waits), len(cases), len(tails), len(strings.data)]
    flags = schedule.overlap | hand_overs(schedule).active << 8
    rest = [schedule.start, flags, program, mode, len(entered), told]
    rest.append(NONE if arguments is None else len(arguments))
    header = MAGIC + digest + struct.pack("<15I", *sizes, *rest)
    return header + struct.pack("<I", len(header) + 4 + len(body)) + body


class _Strings:
    """Texts one after the other, each ended by a zero."""

    def __init__(self) -> None:
        self.data = bytearray()

    def add(self, text: str) -> int:
        at = len(self.data)
        try:
            data = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            data = text.encode("utf-8", "replace")
        self.data += data.replace(b"\0", b"?") + b"\0"
        return at


def _check_waits(schedule: Schedule) -> None:
    """Schedules of files have been checked; one that was made in memory may ask for too much."""
    for number, section in enumerate(schedule.sections):
        done = [0] * len(schedule.threads)
        for n, event in enumerate(section.events):
            for other, count in event.waits:
                if count > done[other] or not (schedule.overlap or count > 0):
                    raise BadSchedule(
                        schedule.program.name,
                        f"sections[{number}].events[{n}]",
                        f"waits for {count} events of {schedule.threads[other]}, of which "
                        f"{done[other]} are listed before: it can never happen",
                    )
            done[event.thread] += schedule.sites[event.site].gated


def _cell(case: Case) -> bool:
    return isinstance(case.guard, tuple) and case.guard[:1] == ("=",)
