"""All candidate executions of a small program, by brute force: the reference for graph engines.

A program is text: threads between bars, instructions between semicolons, all memory 0 at first:
`x=1 rel` writes, `r=x acq` reads, `r=x+1` adds and answers the old value, `r=x:0>2` exchanges 0
for 2 or only reads, `fence sc` is one. What is written may be a register of the thread, or a
register and a number (`x=r+1`). An access is `na` (plain), `rlx`, `acq`, `rel`, `ar` or `sc`, which
it is if it does not say. Nothing here is clever: any source for each read, any order of the writes
of each location.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product

INIT = -1  # the thread of the first writes
WRITE = re.compile(r"([u-z])=(?:(r\d*)\+)?(r\d*|\d+)$")
READ = re.compile(r"(r\d*)=([u-z])(?:\+(\d+)|:(\d+)>(\d+))?$")

Pairs = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Event:
    number: int
    thread: int
    kind: str  # R, W or F
    place: str = ""
    order: str = "sc"
    register: str = ""  # that a read fills
    value: tuple[str, int] = ("", 0)  # what a write writes: a register (or none), and a number more
    expects: int | None = None  # a read of a compare-and-exchange that has found what it expects
    unlike: int | None = None  # one that has not
    half: bool = False  # of a read and a write that are one step


@dataclass
class Candidate:
    """Events with their sources and the order of writes, whether or not a model allows it."""

    events: list[Event]
    rf: dict[int, int]  # source of each read
    co: Pairs
    values: dict[int, int] = field(default_factory=dict)

    @property
    def po(self) -> Pairs:
        e = self.events
        return frozenset(
            (a.number, b.number)
            for a in e
            for b in e
            if (a.thread == INIT != b.thread)
            or (a.thread == b.thread != INIT and a.number < b.number)
        )

    def outcome(self) -> tuple[tuple[str, int], ...]:
        """What registers (with their threads) and memory hold at the end."""
        found = {}
        for e in self.events:
            if e.kind == "R":
                found[f"{e.thread}{e.register}"] = self.values[e.number]
            if e.kind == "W" and not any(a == e.number for a, _ in self.co):
                found[e.place] = self.values[e.number]
        return tuple(sorted(found.items()))


def candidates(text: str) -> Iterator[Candidate]:
    """All that a program's instructions allow, without cycles of program order and reads-from."""
    threads = [[i.split() for i in map(str.strip, t.split(";")) if i] for t in text.split("|")]
    exchanges = [
        (t, n) for t, code in enumerate(threads) for n, (i, *_) in enumerate(code) if ":" in i
    ]
    for outcomes in product((True, False), repeat=len(exchanges)):
        events = _events(threads, dict(zip(exchanges, outcomes, strict=True)))
        reads = [e for e in events if e.kind == "R"]
        writes = {
            p: [e.number for e in events if e.kind == "W" and e.place == p]
            for p in {e.place for e in events if e.place}
        }
        for sources in product(*(writes[r.place] for r in reads)):
            rf = {r.number: w for r, w in zip(reads, sources, strict=True)}
            values = _values(events, rf)
            if values is None:
                continue
            for orders in product(*(permutations(ws[1:]) for ws in writes.values())):
                co = frozenset(
                    (a, b)
                    for first, rest in zip(writes.values(), orders, strict=True)
                    for n, b in enumerate(rest)
                    for a in (first[0], *rest[:n])
                )
                yield Candidate(events, rf, co, values)


def _events(threads: list[list[list[str]]], succeeds: dict[tuple[int, int], bool]) -> list[Event]:
    places = sorted({p for code in threads for i, *_ in code for p in re.findall(r"[u-z]", i)})
    events = [Event(n, INIT, "W", p, "na") for n, p in enumerate(places)]

    def add(thread: int, kind: str, place: str, order: str, **more: object) -> None:
        events.append(Event(len(events), thread, kind, place, order, **more))  # type: ignore[arg-type]

    for t, code in enumerate(threads):
        for n, (text, *given) in enumerate(code):
            order = given[0] if given else "sc"
            if text == "fence":
                add(t, "F", "", order)
            elif write := WRITE.match(text):
                place, register, last = write.groups()
                is_number = last.isdigit()
                value = (register or "", int(last)) if is_number else (last, 0)
                add(t, "W", place, order, value=value)
            elif read := READ.match(text):
                register, place, more, old, new = read.groups()
                if more is not None:
                    add(t, "R", place, order, register=register, half=True)
                    add(t, "W", place, order, value=(register, int(more)), half=True)
                elif old is not None and succeeds[t, n]:
                    add(t, "R", place, order, register=register, half=True, expects=int(old))
                    add(t, "W", place, order, value=("", int(new)), half=True)
                else:
                    unlike = None if old is None else int(old)
                    add(t, "R", place, order, register=register, unlike=unlike)
            else:
                raise ValueError(text)
    return events


def _values(events: list[Event], rf: dict[int, int]) -> dict[int, int] | None:
    """What is read and written; None where something comes from itself, or an exchange differs."""
    values: dict[int, int] = {}
    registers: dict[tuple[int, str], int] = {}
    waiting = {t: [e for e in events if e.thread == t] for t in {e.thread for e in events}}
    moved = True
    while moved:
        moved = False
        for thread, rest in waiting.items():
            while rest and (rest[0].kind != "R" or rf[rest[0].number] in values):
                e = rest.pop(0)
                moved = True
                if e.kind == "R":
                    v = values[e.number] = registers[thread, e.register] = values[rf[e.number]]
                    if (e.expects is not None and v != e.expects) or v == e.unlike:
                        return None
                elif e.kind == "W":
                    register, number = e.value
                    values[e.number] = registers.get((thread, register), 0) + number
    return None if any(waiting.values()) else values
