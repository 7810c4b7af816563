"""Schedules for tests: the documentation's example, and random ones."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from irs.schedule import (
    ACTIONS,
    Branch,
    Case,
    Choice,
    End,
    Follow,
    Free,
    ListedAssumption,
    Made,
    Next,
    ProgramIdentity,
    Schedule,
    ScheduledEvent,
    Section,
    Site,
)

DOCS = Path(__file__).parent.parent.parent / "docs"
EXAMPLE: str = re.findall(
    r"^```json\n(.*?)^```$", (DOCS / "schedule-format.md").read_text(), re.MULTILINE | re.DOTALL
)[0]

naturals = st.integers(0, 2**53 - 1)
words = st.text(max_size=8)
texts = st.lists(words, max_size=3).map(tuple)
scalars = st.one_of(words, st.integers(-(2**130), 2**130), st.booleans(), st.floats(-1e9, 1e9))
formulas: st.SearchStrategy[Any] = st.recursive(
    st.lists(scalars, max_size=3).map(tuple),
    lambda inner: st.lists(st.one_of(scalars, inner), max_size=3).map(tuple),
    max_leaves=6,
)
values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), scalars),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=3)),
    max_leaves=8,
)
codes = st.from_regex(r"[a-z0-9]{1,3}(-[a-z0-9]{1,3}){0,2}", fullmatch=True)
assumptions = st.builds(
    ListedAssumption, code=codes, text=words, subject=st.none() | words
) | st.builds(ListedAssumption, code=codes, text=words, file=words, line=naturals)
sites = st.builds(
    Site,
    function=words,
    pc=naturals,
    operation=words,
    file=st.none() | words,
    line=st.none() | naturals,
    column=st.none() | naturals,
    what=words,
    action=st.sampled_from(ACTIONS),
)


hashes = st.none() | st.dictionaries(words, words, max_size=3).map(lambda d: tuple(d.items()))


@st.composite
def events(
    draw: st.DrawFn, threads: int, sites: tuple[Site, ...], least: int, overlap: bool
) -> tuple[ScheduledEvent, ...]:
    """Events whose waits the listed order satisfies, so many of them at gates at least."""
    happened = dict.fromkeys(range(threads), 0)
    found = []
    count = draw(st.integers(least, 5))
    while len(found) < count or sum(happened.values()) < least:
        thread = draw(st.integers(0, threads - 1))
        gated = sum(happened.values()) >= least
        site = draw(st.integers(0, len(sites) - 1)) if gated else 0  # the first one is a gate
        if not sites[site].gated:
            found.append(ScheduledEvent(thread, site))
            continue
        others = [t for t in happened if t != thread and (happened[t] or overlap)]
        chosen = draw(st.lists(st.sampled_from(others), unique=True)) if others else []
        fewest = -3 if overlap else 1
        waits = tuple((t, draw(st.integers(fewest, happened[t]))) for t in chosen)
        found.append(ScheduledEvent(thread, site, waits))
        happened[thread] += 1
    return tuple(found)


@st.composite
def nexts(draw: st.DrawFn, targets: list[int], threads: int, sites: tuple[Site, ...]) -> Next:
    """A way on to each of the targets."""
    if len(targets) < 2:
        return Follow(targets[0]) if targets else draw(st.sampled_from((End(), Free())))
    if draw(st.booleans()):
        return Choice(tuple(targets))
    gates = [number for number, site in enumerate(sites) if site.gated]
    ats = st.none() | st.sampled_from(gates)
    outcomes = draw(
        st.lists(
            st.tuples(ats, st.none() | formulas),
            min_size=len(targets),
            max_size=len(targets),
            unique_by=repr,
        )
    )
    pairs = zip(outcomes, targets, strict=True)
    cases = (Case(at, guard, target) for (at, guard), target in pairs)
    return Branch(draw(st.integers(0, threads - 1)), tuple(cases))


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    threads = 1 + draw(st.integers(0, 3))
    places = tuple(
        draw(st.lists(sites, min_size=1, max_size=4, unique_by=lambda s: (s.function, s.pc)))
    )
    places = (replace(places[0], action="gate"), *places[1:])
    overlap = draw(st.booleans())
    number = draw(st.integers(1, 6))
    # Every section but the first has one before it that leads there; any others may be added.
    targets: list[list[int]] = [[] for _ in range(number)]
    for section in range(1, number):
        targets[draw(st.integers(0, section - 1))].append(section)
    for leaving in targets:
        more = draw(st.sets(st.integers(0, number - 1), max_size=2))
        leaving.extend(sorted(more - set(leaving)))
    order = draw(st.permutations(range(number)))
    sections: dict[int, Section] = {}
    for section, leaving in enumerate(targets):
        backwards = any(target <= section for target in leaving)
        sections[order[section]] = Section(
            draw(events(threads, places, 1 if backwards else 0, overlap)),
            draw(nexts([order[target] for target in leaving], threads, places)),
        )
    return Schedule(
        program=ProgramIdentity(draw(words), draw(words), draw(hashes), draw(hashes)),
        made=Made(
            draw(words),
            draw(naturals),
            draw(words),
            draw(words),
            draw(texts),
        ),
        assumptions=draw(st.lists(assumptions, max_size=3).map(tuple)),
        bounds=draw(texts),
        threads=("main", "main.1", "main.1.2", "main.20")[:threads],
        sites=places,
        overlap=overlap,
        start=order[0],
        sections=tuple(sections[n] for n in range(number)),
        certificate=draw(st.none() | st.dictionaries(words, values, max_size=3)),
    )
