"""The exhaustive engine against brute force on small random programs.

`scripts/crosscheck.py` does the same for as many programs as one likes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from pathlib import Path

import pytest
from tiny.compare import compare
from tiny.generator import Profile, random_program
from tiny.interleavings import TooMany, enumerate_interleavings
from tiny.language import (
    Add,
    Assert,
    Assume,
    Atomic,
    Broadcast,
    CompareExchange,
    Condition,
    FetchAdd,
    If,
    Input,
    Load,
    Lock,
    Meet,
    Post,
    Program,
    ReadLock,
    Repeat,
    RwUnlock,
    Signal,
    Store,
    Take,
    Unlock,
    Wait,
    WriteLock,
)
from tiny.printer import to_c
from tiny.shrink import shrink

SEED = 3
EXECUTIONS = 200  # at most, in one program
SHAPE_EXECUTIONS = 800
COUNTS = {Profile.SIMPLE: 36, Profile.RICH: 24}
POSITIVE = Condition(0, ">", 0)


@cache
def small_programs(profile: Profile) -> list[Program]:
    """The first random programs that are small enough."""

    def small() -> Iterator[Program]:
        for number in count():
            program = random_program(profile, SEED, number)
            try:
                enumerate_interleavings(program, EXECUTIONS)
            except TooMany:
                continue
            yield program

    return list(islice(small(), COUNTS[profile]))


CASES = [(profile, number) for profile, total in COUNTS.items() for number in range(total)]


@pytest.mark.parametrize(("profile", "number"), CASES)
def test_random_program(profile: Profile, number: int, tmp_path: Path) -> None:
    program = small_programs(profile)[number]
    comparison = compare(program, tmp_path / "program.c", EXECUTIONS)
    assert comparison.disagreements == [], to_c(program)


def test_the_random_programs_cover_what_can_happen() -> None:
    seen: Counter[str] = Counter()
    for profile in Profile:
        for program in small_programs(profile):
            behaviour = enumerate_interleavings(program, EXECUTIONS)
            seen.update(behaviour.faults)
            seen["race"] += behaviour.has_race
            seen["blocked"] += behaviour.blocked > 0
            seen["complete"] += behaviour.complete > 0
            seen["safe"] += not behaviour.faults
    wanted = {"assertion", "deadlock", "lock", "race", "blocked", "complete", "safe"}
    assert {what for what in wanted if seen[what] >= 3} == wanted


# --------------------------------- shapes that small random programs rarely come to


def two(first: tuple, second: tuple, **names) -> Program:
    return Program((first, second), **({"variables": ("x",)} | names))


WAIT = (Lock("m"), Wait("c", "m"), Unlock("m"))
CONDITION = {"variables": (), "mutexes": ("m",), "conditions": ("c",)}
MEET = (Meet("b"),)
LOOK = (Load(0, "x"), Assume(POSITIVE))

SHAPES = {
    "one signal for two": two(WAIT, WAIT, main=(Signal("c"),), **CONDITION),
    "two signals for two": two(WAIT, WAIT, main=(Signal("c"), Signal("c")), **CONDITION),
    "one broadcast for two": two(WAIT, WAIT, main=(Broadcast("c"),), **CONDITION),
    "a meeting of three": two(MEET, MEET, main=MEET, variables=(), barriers=(("b", 3),)),
    "a meeting of two, with three": two(MEET, MEET, main=MEET, variables=(), barriers=(("b", 2),)),
    "two rounds of meeting": two(
        (Repeat(2, MEET), Store("x", 1)), (Repeat(2, MEET), Store("x", 2)), barriers=(("b", 2),)
    ),
    "one of two came last": two(
        (Meet("b", 0), If(POSITIVE, (Store("x", 1),))),
        (Meet("b", 0), If(POSITIVE, (Store("x", 2),))),
        barriers=(("b", 2),),
    ),
    "readers and a writer": two(
        (ReadLock("w"), Load(0, "x"), RwUnlock("w")),
        (WriteLock("w"), Store("x", 1), RwUnlock("w")),
        main=(ReadLock("w"), Load(0, "x"), RwUnlock("w")),
        rwlocks=("w",),
    ),
    "an input decides whether the section waits": two(
        (Atomic((Input(1), If(Condition(1, "==", 0), LOOK))), Store("x", 2)), (Store("x", 1),)
    ),
    "a section that waits for a lock": two(
        (Atomic((Lock("m"), Store("x", 2), Unlock("m"))),),
        (Lock("m"), Store("x", 1), Unlock("m")),
        mutexes=("m",),
    ),
    "a compare-exchange loop": two(
        (Repeat(2, (CompareExchange(0, "a", 0, 1), If(POSITIVE, (Store("a", 0),)))),),
        (FetchAdd(0, "a", 1), FetchAdd(0, "a", -1)),
        variables=(),
        atomics=("a",),
    ),
    "locks in a circle beside a failed assumption": Program(
        (
            (Lock("m"), Lock("n"), Unlock("n"), Unlock("m")),
            (Lock("n"), Lock("m"), Unlock("m"), Unlock("n")),
            (Assume(POSITIVE),),
        ),
        variables=(),
        mutexes=("m", "n"),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shape(name: str, tmp_path: Path) -> None:
    comparison = compare(SHAPES[name], tmp_path / "program.c", SHAPE_EXECUTIONS)
    assert comparison.disagreements == [], to_c(SHAPES[name])


def test_a_lock_read_four_times(tmp_path: Path) -> None:
    nested = (*[ReadLock("w")] * 4, *[RwUnlock("w")] * 4)
    program = Program((nested,), variables=(), rwlocks=("w",))
    assert compare(program, tmp_path / "program.c", SHAPE_EXECUTIONS).disagreements == []


def test_no_circle_through_an_atomic_section(tmp_path: Path) -> None:
    waiting = If(Condition(0, "==", 0), (Lock("m"), Unlock("m")))
    program = Program(
        (
            (Lock("n"), Atomic((Load(0, "x"), waiting)), Unlock("n")),
            (Lock("m"), Lock("n"), Unlock("n"), Unlock("m")),
            (Store("x", 1),),
        ),
        variables=("x",),
        mutexes=("m", "n"),
    )
    assert compare(program, tmp_path / "program.c", 2000).disagreements == []


# ------------------------------------------- the enumerator, where the answer is known


def test_interleavings_of_independent_and_dependent_events() -> None:
    """main starts both threads first; then x = 1 and y = 1 commute, x = 1 and x = 2 do not."""
    apart = two((Store("x", 1),), (Store("y", 1),), variables=("x", "y"))
    commuting = enumerate_interleavings(apart, 99)
    fighting = enumerate_interleavings(two((Store("x", 1),), (Store("x", 2),)), 99)
    assert len(commuting.traces) == 1 and len(fighting.traces) == 2
    # The first thread's store may come before the second thread is started, or after; if after,
    # either store may come first, and the first join may come before the second thread's store.
    assert commuting.runs == fighting.runs == 1 + 1 + 1 + 1 + 1
    assert commuting.final_values == {(1, 1)}
    assert fighting.final_values == {(1,), (2,)}


def test_a_lost_update() -> None:
    increment = (Load(0, "x"), Store("x", 1, 0))
    assert enumerate_interleavings(two(increment, increment), 999).final_values == {(1,), (2,)}
    assert enumerate_interleavings(two(increment, increment), 999).has_race
    guarded = (Lock("m"), *increment, Unlock("m"))
    locked = enumerate_interleavings(two(guarded, guarded, mutexes=("m",)), 999)
    assert locked.final_values == {(2,)} and len(locked.traces) == 2 and not locked.has_race
    whole = (Atomic(increment),)
    assert enumerate_interleavings(two(whole, whole), 999).final_values == {(2,)}


def test_circular_waiting_is_a_deadlock_even_beside_a_failed_assumption() -> None:
    def nested_locks(*order: str) -> tuple:
        return (Lock(order[0]), Lock(order[1]), Store("x", 1), Unlock(order[1]), Unlock(order[0]))

    program = two(nested_locks("m", "n"), nested_locks("n", "m"), mutexes=("m", "n"))
    both = enumerate_interleavings(program, 9999)
    assert both.faults == {"deadlock"} and both.deadlocked and both.complete and not both.blocked
    assuming = Program((*program.threads, (Assume(POSITIVE),)), (), ("x",), (), ("m", "n"))
    third = enumerate_interleavings(assuming, 9999)
    assert third.faults == {"deadlock"} and third.deadlocked and third.blocked
    assert not third.complete


def test_assumptions_inside_and_outside_atomic_sections() -> None:
    outside = enumerate_interleavings(two(LOOK, (Store("x", 1),)), 99)
    inside = enumerate_interleavings(two((Atomic(LOOK),), (Store("x", 1),)), 99)
    assert outside.blocked and outside.complete and not outside.faults
    assert inside.complete and not inside.blocked
    never = enumerate_interleavings(two((Atomic(LOOK),), (Store("x", 0),)), 99)
    assert never.blocked and not never.complete and not never.faults


def test_inputs_before_the_first_event_belong_to_the_start() -> None:
    choosing = (Input(0), Assert(Condition(0, "==", 0)), Store("x", 1))
    behaviour = enumerate_interleavings(Program((choosing,), variables=("x",)), 99)
    assert (behaviour.complete, behaviour.blocked, behaviour.faults) == (1, 1, {"assertion"})


def test_a_barrier_with_more_visitors_than_places() -> None:
    """Who comes third waits for a fourth."""
    visit = (Meet("b"),)
    program = Program((visit, visit, (*visit, *visit)), variables=(), barriers=(("b", 2),))
    behaviour = enumerate_interleavings(program, 99_999)
    assert behaviour.faults == {"deadlock"}  # when the third thread meets itself
    assert behaviour.complete and behaviour.deadlocked


def test_semaphores_and_loops() -> None:
    program = two(
        (Repeat(3, (Post("s"),)),),
        (Repeat(3, (Take("s"), FetchAdd(0, "a", 1))),),
        variables=(), atomics=("a",), semaphores=(("s", 0),),
    )  # fmt: skip
    behaviour = enumerate_interleavings(program, 999)
    assert behaviour.final_values == {(3,)} and not behaviour.faults


def test_shrinking_keeps_what_is_shown() -> None:
    noise = (Add(1, 2), If(POSITIVE, (Store("y", 2),), (Load(1, "y"),)))
    racy = (*noise, Repeat(2, (Load(0, "x"), Store("x", 1, 0))), *noise)
    program = two(racy, racy, variables=("x", "y"))
    small = shrink(program, lambda p: enumerate_interleavings(p, 10**6).has_race)
    assert {len(body) for body in small.threads} == {1}
    assert len(small.variables) == 1
