"""From a JSON document to a schedule: every rule of the format is checked on the way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from irs.flow import idle_cycle, unreachable
from irs.schedule import (
    ACTIONS,
    Branch,
    Case,
    Choice,
    End,
    Follow,
    Free,
    Guard,
    Hashes,
    ListedAssumption,
    Made,
    Next,
    ProgramIdentity,
    Schedule,
    ScheduledEvent,
    Section,
    Site,
    Wait,
)
from irs.strict_json import ANYTHING, FORMULA, Document, described, quoted

FORMAT = "irs schedule"
VERSION = 3
OLDEST = 2  # has no hashes of the program's functions and variables

KEYS = (
    "format", "version", "program", "made", "assumptions", "bounds", "threads", "sites",
    "overlap", "start", "sections", "certificate",
)  # fmt: skip
SITE_KEYS = ("function", "pc", "operation", "file", "line", "column", "what", "action")
CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
THREAD = re.compile(r"main(\.[1-9][0-9]*)*")
MOST_NAMED = 10  # sections in a message


class Reader:
    """Reads one document."""

    def __init__(self, name: str) -> None:
        self.document = Document(name)
        # What there is, known before anything refers to one of them.
        self.threads = self.sections = 0
        self.sites: tuple[Site, ...] = ()
        self.overlap = False
        self.version = VERSION

    def read(self, text: str) -> Schedule:
        d = self.document
        root = d.object(d.parse(text), "")
        self._version(root)
        _, _, program, made, assumptions, bounds, threads, sites, overlap, start, *rest = d.members(
            root, "", KEYS
        )
        sections, certificate = rest
        self.sections = len(d.array(sections, "sections"))
        self.overlap = d.truth(overlap, "overlap")
        schedule = Schedule(
            program=self._program(program),
            made=self._made(made),
            assumptions=self._assumptions(assumptions),
            bounds=d.texts(bounds, "bounds"),
            threads=self._threads(threads),
            sites=self._sites(sites),
            overlap=self.overlap,
            start=d.index(start, "start", "section", self.sections),
            sections=tuple(self._section(s, f"sections[{n}]") for n, s in enumerate(sections)),
            certificate=self._certificate(certificate),
        )
        self._flow(schedule)
        return schedule

    def _version(self, root: dict[str, Any]) -> None:
        """Comes before all else: another version may have other keys."""
        d = self.document
        for key in ("format", "version"):
            if key not in root:
                d.fail("", f"this is not a schedule: the key {quoted(key)} is missing")
        if root["format"] != FORMAT:
            expected = f"expected {quoted(FORMAT)}, found {described(root['format'])}"
            d.fail("format", f"this is not a schedule: {expected}")
        version = d.number(root["version"], "version")
        if version > VERSION:
            d.fail("version", f"made by a newer irs: expected version {VERSION}, found {version}")
        if version < OLDEST:
            known = f"{OLDEST} to {VERSION}"
            d.fail("version", f"made by an older irs: expected version {known}, found {version}")
        self.version = version

    def _program(self, value: Any) -> ProgramIdentity:
        d = self.document
        optional = ("functions", "variables") if self.version > OLDEST else ()
        found = d.object(value, "program")
        name, digest, *_ = d.members(found, "program", ("name", "digest"), optional)
        return ProgramIdentity(
            d.text(name, "program.name"),
            d.text(digest, "program.digest"),
            *(self._hashes(found, key) for key in optional),
        )

    def _hashes(self, program: dict[str, Any], key: str) -> Hashes | None:
        if key not in program:
            return None
        d = self.document
        place = f"program.{key}"
        found = d.object(program[key], place)
        return tuple(
            (name, d.text(text, f"{place}[{quoted(name)}]")) for name, text in found.items()
        )

    def _made(self, value: Any) -> Made:
        d = self.document
        by, result, optimisation, strategy, properties = d.members(
            value, "made", ("by", "result", "optimisation", "strategy", "properties")
        )
        return Made(
            by=d.text(by, "made.by"),
            result=d.number(result, "made.result"),
            optimisation=d.text(optimisation, "made.optimisation"),
            strategy=d.text(strategy, "made.strategy"),
            properties=d.texts(properties, "made.properties"),
        )

    def _assumptions(self, value: Any) -> tuple[ListedAssumption, ...]:
        items = enumerate(self.document.array(value, "assumptions"))
        return tuple(self._assumption(item, f"assumptions[{n}]") for n, item in items)

    def _assumption(self, value: Any, place: str) -> ListedAssumption:
        d = self.document
        found = d.object(value, place)
        code, text, *_ = d.members(found, place, ("code", "text"), ("subject", "file", "line"))
        if not CODE.fullmatch(d.text(code, f"{place}.code")):
            expected = "expected lower-case words with hyphens between them"
            d.fail(f"{place}.code", f"{expected}, found {described(code)}")
        if ("file" in found) != ("line" in found):
            d.fail(place, "expected file and line together")
        return ListedAssumption(
            code=code,
            text=d.text(text, f"{place}.text"),
            subject=d.text(found["subject"], f"{place}.subject") if "subject" in found else None,
            file=d.text(found["file"], f"{place}.file") if "file" in found else None,
            line=d.number(found["line"], f"{place}.line") if "line" in found else None,
        )

    def _threads(self, value: Any) -> tuple[str, ...]:
        d = self.document
        names = d.texts(value, "threads")
        seen: set[str] = set()
        for number, name in enumerate(names):
            if not THREAD.fullmatch(name):
                expected = 'expected a name like "main" or "main.1.2"'
                d.fail(f"threads[{number}]", f"{expected}, found {quoted(name)}")
            if name in seen:
                d.fail(f"threads[{number}]", f"{name} is listed twice: expected different names")
            seen.add(name)
        self.threads = len(names)
        return names

    def _sites(self, value: Any) -> tuple[Site, ...]:
        d = self.document
        found: dict[tuple[str, int], int] = {}
        sites = []
        for number, item in enumerate(d.array(value, "sites")):
            place = f"sites[{number}]"
            site = self._site(item, place)
            sites.append(site)
            first = found.setdefault((site.function, site.pc), number)
            if first != number:
                d.fail(place, f"the same as sites[{first}]: expected different sites")
        self.sites = tuple(sites)
        return self.sites

    def _site(self, value: Any, place: str) -> Site:
        d = self.document
        function, pc, operation, file, line, column, what, action = d.members(
            value, place, SITE_KEYS
        )
        if action not in ACTIONS:
            expected = ", ".join(ACTIONS)
            d.fail(f"{place}.action", f"expected {expected}; found {described(action)}")
        return Site(
            function=d.text(function, f"{place}.function"),
            pc=d.number(pc, f"{place}.pc"),
            operation=d.text(operation, f"{place}.operation"),
            file=None if file is None else d.text(file, f"{place}.file"),
            line=None if line is None else d.number(line, f"{place}.line"),
            column=None if column is None else d.number(column, f"{place}.column"),
            what=d.text(what, f"{place}.what"),
            action=action,
        )

    def _section(self, value: Any, place: str) -> Section:
        d = self.document
        events, next = d.members(value, place, ("events", "next"))
        happened: dict[int, int] = {}
        found = []
        for number, item in enumerate(d.array(events, f"{place}.events")):
            event = self._event(item, f"{place}.events[{number}]", happened)
            if self.sites[event.site].gated:
                happened[event.thread] = happened.get(event.thread, 0) + 1
            found.append(event)
        return Section(tuple(found), self._next(next, f"{place}.next"))

    def _event(self, value: Any, place: str, happened: Mapping[int, int]) -> ScheduledEvent:
        d = self.document
        if value.__class__ is not list or len(value) != 3:
            d.fail(place, f"expected [thread, site, waits], found {described(value)}")
        thread = d.index(value[0], place, "thread", self.threads)
        site = d.index(value[1], place, "site", len(self.sites))
        if value[2] == []:
            return ScheduledEvent(thread, site)
        if not self.sites[site].gated:
            d.fail(place, f"waits at a site with the action {self.sites[site].action}: no gate")
        waits = [
            self._wait(item, f"{place}[2][{number}]", thread, happened)
            for number, item in enumerate(d.array(value[2], f"{place}[2]"))
        ]
        if len(waits) > 1 and len(dict(waits)) < len(waits):
            d.fail(f"{place}[2]", "a thread is named twice: expected each at most once")
        return ScheduledEvent(thread, site, tuple(waits))

    def _wait(self, value: Any, place: str, own: int, happened: Mapping[int, int]) -> Wait:
        d = self.document
        if value.__class__ is not list or len(value) != 2:
            d.fail(place, f"expected [thread, count], found {described(value)}")
        other = d.index(value[0], place, "thread", self.threads)
        if other == own:
            d.fail(place, "waits for its own thread: expected another one")
        most = happened.get(other, 0)
        if self.overlap:
            count = d.integer(value[1], place)
            expected = f"at most {most}"
        else:
            count = d.number(value[1], place)
            expected = f"1 to {most}" if most else "no such wait"
        if count > most or not (self.overlap or count):
            d.fail(
                place,
                f"waits for {count} events of thread {other}, of which {most} are listed before:"
                f" expected {expected}",
            )
        return other, count

    def _next(self, value: Any, place: str) -> Next:
        d = self.document
        match d.object(value, place).get("kind"):
            case "end":
                d.members(value, place, ("kind",))
                return End()
            case "free":
                d.members(value, place, ("kind",))
                return Free()
            case "section":
                _, section = d.members(value, place, ("kind", "section"))
                return Follow(self._target(section, f"{place}.section"))
            case "branch":
                return self._branch(value, place)
            case "choice":
                _, sections = d.members(value, place, ("kind", "sections"))
                return self._choice(sections, f"{place}.sections")
            case other:
                expected = "expected the kind end, free, section, branch or choice"
                d.fail(place, f"{expected}, found {described(other)}")

    def _target(self, value: Any, place: str) -> int:
        return self.document.index(value, place, "section", self.sections)

    def _choice(self, value: Any, place: str) -> Choice:
        d = self.document
        items = enumerate(d.array(value, place))
        sections = tuple(self._target(item, f"{place}[{number}]") for number, item in items)
        if len(sections) < 2 or len(set(sections)) < len(sections):
            d.fail(place, "expected at least two sections, all of them different")
        return Choice(sections)

    def _branch(self, value: Any, place: str) -> Branch:
        d = self.document
        _, thread, cases = d.members(value, place, ("kind", "thread", "cases"))
        thread = d.index(thread, f"{place}.thread", "thread", self.threads)
        place = f"{place}.cases"
        items = enumerate(d.array(cases, place))
        found = tuple(self._case(item, f"{place}[{number}]") for number, item in items)
        if len(found) < 2:
            d.fail(place, f"expected at least two cases, found {len(found)}")
        seen: set[tuple[int | None, str]] = set()
        for number, case in enumerate(found):
            key = case.at, repr(case.guard)  # True and 1 are equal, but not the same formula
            if key in seen:
                d.fail(f"{place}[{number}]", "expected another at or guard than in earlier cases")
            seen.add(key)
        return Branch(thread, found)

    def _case(self, value: Any, place: str) -> Case:
        d = self.document
        at, guard, section = d.members(value, place, ("at", "guard", "section"))
        if at is not None:
            at = d.index(at, f"{place}.at", "site", len(self.sites))
            if not self.sites[at].gated:
                d.fail(f"{place}.at", f"site {at} is no gate: expected one")
        return Case(
            at=at,
            guard=None if guard is None else self._guard(guard, f"{place}.guard"),
            section=self._target(section, f"{place}.section"),
        )

    def _guard(self, value: Any, place: str) -> Guard:
        d = self.document
        d.plain(d.array(value, place), place, FORMULA)
        return _frozen(value)

    def _certificate(self, value: Any) -> dict[str, Any] | None:
        if value is None:
            return None
        d = self.document
        d.plain(d.object(value, "certificate"), "certificate", ANYTHING)
        return d.object(value, "certificate")

    def _flow(self, schedule: Schedule) -> None:
        d = self.document
        lost = unreachable(schedule.sections, schedule.start)
        if lost:
            d.fail(
                f"sections[{lost[0]}]",
                f"not reached from the start: {_named(lost)}; expected only sections that are",
            )
        cycle = idle_cycle(schedule.sections, schedule.sites)
        if cycle:
            d.fail(
                f"sections[{cycle[0]}]",
                f"a cycle of sections without gates: {_named(cycle)}; expected a gate in one",
            )


def _frozen(value: Any) -> Guard:
    return tuple(map(_frozen, value)) if value.__class__ is list else value


def _named(sections: list[int]) -> str:
    """Sections for a message, not too many."""
    names = ", ".join(map(str, sections[:MOST_NAMED]))
    rest = len(sections) - MOST_NAMED
    return f"{names} and {rest} more" if rest > 0 else names
