"""Recorded runs: a line for each event in the order in which they happened, and their check.

A record is JSON lines: a head, then `[section]` for each section that is begun, `[thread, site,
section]` for each event at a gate, `["relax", N]` where the Nth further schedule takes the place of
the one before, and `["free"]` where nothing is ordered any more.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from irs.errors import BadRecord
from irs.relaxation import Relaxation
from irs.schedule import Branch, Free, Schedule, Section

FORMAT, VERSION = "irs record", 1


class Recorder:
    """Writes what happens; a line is there before whoever waits for its event goes on."""

    def __init__(self, stream: BinaryIO, schedule: Schedule) -> None:
        self._write = stream.write
        head = {"format": FORMAT, "version": VERSION, "program": schedule.program.digest}
        stream.write(json.dumps(head).encode() + b"\n")

    def event(self, thread: int, site: int, section: int) -> None:
        self._write(b"[%d, %d, %d]\n" % (thread, site, section))

    def section(self, section: int) -> None:
        self._write(b"[%d]\n" % section)

    def relax(self, schedule: int) -> None:
        self._write(b'["relax", %d]\n' % schedule)

    def free(self) -> None:
        self._write(b'["free"]\n')


def read_record(path: str | os.PathLike[str]) -> Iterator[Any]:
    """The lines of a record file as values, the head first."""
    with Path(path).open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                yield json.loads(line)
            except ValueError:
                raise BadRecord(number, "this is not a line of JSON") from None


def check_record(
    schedule: Schedule, lines: Iterable[Any], relaxed: Sequence[Relaxation] = ()
) -> int:
    """The number of events, if the schedule permits them in this order; raises BadRecord.

    Where the run was `relaxed`, what lies between two lines that say so must be permitted by the
    schedule of that time. Whether numbers in memory have chosen the right case is not in a record,
    and not checked.
    """
    check = _Check(schedule, relaxed)
    number = 0
    for number, line in enumerate(lines, 1):
        problem = check.head(line) if number == 1 else check.line(line)
        if problem:
            raise BadRecord(number, problem)
    if not number:
        raise BadRecord(1, "there is nothing in this record")
    return sum(check.done)


class _Check:
    """Plays a record line by line. It shares nothing with the gate but the schedule."""

    def __init__(self, schedule: Schedule, relaxed: Sequence[Relaxation]) -> None:
        self.schedule = schedule
        self.relaxed = list(relaxed)
        self.taken = 0  # relaxations that the run has made use of
        self.entry: int | None = None  # where a schedule that has just been taken begins
        self.fresh: dict[int, list[tuple[int, int]]] = {}  # what first events after that need
        self.last: int | None = None  # section
        self.free = False
        self.totals = [0] * len(schedule.threads)  # events of the sections so far
        self.done = [0] * len(schedule.threads)
        # What each thread has to do: the site, the section, and the counts that have to be there.
        self.due: list[deque[tuple[int, int, list[tuple[int, int]]]]] = [
            deque() for _ in schedule.threads
        ]
        self.told: dict[int, set[int | None]] = {}  # where a thread that has decided must go on

    def head(self, line: Any) -> str:
        if not isinstance(line, dict) or line.get("format") != FORMAT:
            return "this is not a record of a run"
        if line.get("version") != VERSION:
            return f"expected version {VERSION}, found {line.get('version')}"
        if line.get("program") != self.schedule.program.digest:
            return "this is a run of another program"
        return ""

    def line(self, line: Any) -> str:
        """What is wrong with a line, if anything."""
        if self.free:
            return "nothing is recorded once nothing is ordered any more"
        match line:
            case [int(section)] if 0 <= section < len(self.schedule.sections):
                return self._begin(section)
            case [int(thread), int(site), int(section)] if 0 <= thread < len(
                self.due
            ) and 0 <= site < len(self.schedule.sites):
                return self._event(thread, site, section)
            case ["relax", int(number)]:
                return self._relax(number)
            case ["free"]:
                return self._open()
        return "expected a section or an event of the schedule"

    def _relax(self, number: int) -> str:
        """The next schedule is taken, after the section that was begun last."""
        if number != self.taken + 1 or number > len(self.relaxed) or self.last is None:
            return f"schedule {number} was not there to be taken"
        found = self.relaxed[self.taken]
        if found.schedule is None or self.last not in found.entries:
            return f"schedule {number} cannot be taken after section {self.last}"
        problem = found.misfit(self.schedule)
        if problem:
            return problem
        self.schedule, self.taken = found.schedule, number
        self.entry, self.last = found.entries[self.last], None
        self.fresh = {t: list(enumerate(self.totals)) for t in range(len(self.due))}
        return ""

    def _begin(self, number: int) -> str:
        if self.entry is not None:
            if number != self.entry:
                return f"expected section {self.entry} of the new schedule, found {number}"
            self.entry = None
        elif self.last is None:
            if number != self.schedule.start:
                return f"expected section {self.schedule.start} first, found {number}"
        else:
            after = self.schedule.sections[self.last].next
            if number not in after.targets:
                return f"section {number} does not come after section {self.last}"
            if isinstance(after, Branch):
                self._note(after, number)
        self.last = number
        self._list(number, self.schedule.sections[number])
        return ""

    def _note(self, branch: Branch, section: int) -> None:
        """Where the deciding thread must go on, if only its position has decided."""
        cases = [case for case in branch.cases if case.section == section]
        if all(case.guard is None for case in cases):
            self.told[branch.thread] = {case.at for case in cases}

    def _list(self, number: int, section: Section) -> None:
        base = self.totals.copy()
        for event in section.events:
            if not self.schedule.sites[event.site].gated:
                continue
            needed = [(other, base[other] + count) for other, count in event.waits]
            if not self.schedule.overlap:
                needed += list(enumerate(base))
            needed += self.fresh.pop(event.thread, [])
            self.due[event.thread].append((event.site, number, needed))
            self.totals[event.thread] += 1

    def _event(self, thread: int, site: int, section: int) -> str:
        name, text = self.schedule.threads[thread], self.schedule.sites[site].what
        if not self.due[thread]:
            return f"{name} has nothing to do, but does: {text}"
        expected, where, needed = self.due[thread].popleft()
        if (expected, where) != (site, section):
            what = self.schedule.sites[expected].what
            return f"{name} does: {text}, in section {section}; expected: {what}, in {where}"
        told = self.told.pop(thread, None)
        if told is not None and site not in told:
            return f"{name} goes on with: {text}, but another case was chosen"
        for other, count in needed:
            if self.done[other] < count:
                lacking = f"{count} events of {self.schedule.threads[other]}"
                return f"{name} does: {text}, before {lacking} have happened"
        self.done[thread] += 1
        return ""

    def _open(self) -> str:
        self.free = True
        ends = self.last is not None and isinstance(self.schedule.sections[self.last].next, Free)
        if not ends and all(relaxation.schedule is not None for relaxation in self.relaxed):
            return "the schedule still orders what comes here"
        return "" if not any(self.due) else "events that are ordered have not happened"
