"""The gate with real threads: order, sections, decisions, deviations; nothing hangs."""

from __future__ import annotations

import gc
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from players import Play, schedule_of
from schedules import schedules

from irs.errors import BadRecord, Deviation, Finished, Stopped, ThreadDied
from irs.gate import AHEAD, Gate
from irs.passage import Instance
from irs.plan import Plan
from irs.record import check_record
from irs.schedule import Branch, Case, Choice, End, Follow, Free, Schedule


def test_events_wait_for_their_turn() -> None:
    schedule = schedule_of([([(0, 0, []), (1, 1, [(0, 1)]), (0, 2, [(1, 1)])], End())])
    play = Play(schedule).run({0: [0, 2], 1: [1]}, delays=0.002)
    assert play.events == [(0, 0), (1, 1), (0, 2)]
    assert not play.errors
    assert check_record(schedule, play.lines) == 3


def test_a_loop_of_sections_goes_on() -> None:
    schedule = schedule_of([([(0, 0, []), (1, 1, [(0, 1)])], Follow(0))])
    play = Play(schedule)

    def times(site: int) -> object:
        return lambda passage, do: [do(site) for _ in range(500)]

    play.run({0: times(0), 1: times(1)})  # type: ignore[dict-item]
    assert play.events == [(0, 0), (1, 1)] * 500


def instances() -> set[Instance]:
    gc.collect()
    return {o for o in gc.get_objects() if isinstance(o, Instance)}


def test_instances_that_are_done_are_forgotten() -> None:
    """Also where a thread has no part in the loop, and where one has gone far ahead."""
    loop = schedule_of([([(0, 0, []), (1, 1, [(0, 1)])], Follow(0))], threads=3, overlap=True)
    before = instances()  # those of tests whose threads may not be over yet
    play = Play(loop)

    def many(site: int) -> object:
        return lambda passage, do: [do(site) for _ in range(3000)] and None

    play.run({0: many(0), 1: many(1)})  # type: ignore[dict-item]
    assert len(instances() - before) <= 2 * AHEAD


def test_run_ahead_is_bounded() -> None:
    free = schedule_of([([(0, 0, []), (1, 1, [])], Follow(0))], overlap=True)
    gate = Gate(Plan(free))
    passage = gate.passages[0]
    for _ in range(AHEAD):
        assert passage.enter(0)
        passage.leave()
    assert len(gate._unfinished) == AHEAD  # the next one would wait for the other thread


def test_a_branch_is_chosen_by_where_its_thread_goes() -> None:
    cases = (Case(1, None, 1), Case(2, None, 2), Case(None, None, 3))
    schedule = schedule_of(
        [
            ([(0, 0, [])], Branch(0, cases)),
            ([(0, 1, []), (1, 3, [(0, 1)])], Branch(0, cases)),
            ([(0, 2, [])], Branch(0, cases)),
            ([(1, 0, [])], End()),
        ]
    )
    play = Play(schedule).run({0: [0, 1, 2, 1], 1: [3, 3, 0]}, delays=0.001)
    assert not play.errors
    assert play.events == [(0, 0), (0, 1), (1, 3), (0, 2), (0, 1), (1, 3), (1, 0)]
    assert check_record(schedule, play.lines) == 7


def test_a_thread_that_an_assumption_stops_is_a_case() -> None:
    cases = (Case(1, None, 1), Case(None, ("stopped",), 2))
    schedule = schedule_of(
        [([(0, 0, [])], Branch(0, cases)), ([(0, 1, [])], End()), ([(1, 2, [])], End())]
    )
    play = Play(schedule)

    def stopped(passage, do):  # type: ignore[no-untyped-def]
        do(0)
        passage.end(stopped=True)

    play.run({0: stopped, 1: [2]})
    assert play.events == [(0, 0), (1, 2)]


@pytest.mark.parametrize(("number", "event"), [(7, 1), (8, 2)])
def test_a_number_is_looked_at_when_all_has_happened(number: int, event: int) -> None:
    place = ("memory", "global", "x", 0)
    cases = (Case(None, ("=", place, 7), 1), Case(None, ("=", place, 8), 2))
    schedule = schedule_of(
        [
            ([(0, 0, []), (1, 3, [])], Branch(0, cases)),
            ([(1, 1, []), (0, 3, [(1, 1)])], End()),
            ([(1, 2, []), (0, 3, [(1, 1)])], End()),
        ]
    )
    play = Play(schedule)
    seen: list[list[int]] = []

    class World:
        def value(self, found: object) -> object:
            assert found == place
            seen.append(list(play.gate.done))
            return number

        def is_blocked(self, thread: int) -> bool:
            return False

    play.gate.world = World()
    play.run({0: [0, 3], 1: [3, event]}, delays=0.002)
    assert not play.errors
    assert all(done == [1, 1] for done in seen)
    assert play.events[2:] == [(1, event), (0, 3)]


@pytest.mark.parametrize(("site", "number", "section"), [(1, 7, 2), (1, 8, 3), (2, 7, 1)])
def test_a_number_chooses_only_at_its_site(site: int, number: int, section: int) -> None:
    """And before the case that needs none, wherever that is listed."""
    guard = ("=", ("memory", "global", "x", 0), 7)
    cases = (Case(2, None, 1), Case(1, None, 3), Case(1, guard, 2), Case(1, ("stopped",), 1))
    after = [([(0, 1, [])], End()), ([(0, 1, [])], End())]
    play = Play(schedule_of([([(0, 0, [])], Branch(0, cases)), ([(0, 2, [])], End()), *after]))

    class World:
        def value(self, found: object) -> object:
            return number

        def is_blocked(self, thread: int) -> bool:
            return False

    play.gate.world = World()
    play.run({0: [0, site]})
    assert not play.errors
    assert play.gate.passages[0].section == section


def test_a_choice_suits_who_comes_first() -> None:
    schedule = schedule_of(
        [
            ([], Choice((1, 2))),
            ([(0, 0, []), (1, 1, [(0, 1)])], End()),
            ([(1, 1, []), (0, 0, [(1, 1)])], End()),
        ]
    )
    play = Play(schedule)
    assert play.gate.passages[1].enter(1)
    assert play.gate._tail == 2
    play = Play(schedule, choose=lambda thread, site, sections: random.Random(3).choice(sections))
    play.run({0: [0], 1: [1]})
    assert not play.errors


def test_gates_open_when_all_that_is_ordered_has_happened() -> None:
    schedule = schedule_of([([(0, 0, []), (1, 1, [(0, 1)])], Free())], threads=3)
    answers: list[bool] = []
    play = Play(schedule)

    def stranger(passage, do):  # type: ignore[no-untyped-def]
        answers.append(do(-3))
        answers.append(play.gate.done == [1, 1, 0])

    play.run({2: stranger, 0: [0, 0, 0], 1: [1, 3]}, delays=0.002)
    assert answers == [False, True]
    assert play.lines[-1] == ["free"]
    assert check_record(schedule, play.lines) == 2


def test_sections_that_overlap_only_keep_their_waits() -> None:
    """main does both of its events before main.1 comes; the seam is not waited for."""
    schedule = schedule_of(
        [([(0, 0, []), (1, 1, [])], Follow(1)), ([(0, 2, []), (1, 3, [(0, 0)])], End())],
        overlap=True,
    )
    gate = Gate(Plan(schedule))
    for site in (0, 2):
        assert gate.passages[0].enter(site)
        gate.passages[0].leave()
    strict = schedule_of([([(0, 0, []), (1, 1, [])], Follow(1)), ([(0, 2, [])], End())])
    play = Play(strict).run({0: [0, 2], 1: [1]}, delays=0.002)
    assert play.events[-1] == (0, 2)


def test_free_and_skipped_events_are_not_counted() -> None:
    schedule = schedule_of(
        [([(0, 1, []), (0, 0, []), (0, 2, []), (1, 3, [(0, 1)])], End())],
        actions={1: "free", 2: "skip"},
    )
    play = Play(schedule).run({0: [0], 1: [3]})
    assert play.events == [(0, 0), (1, 3)]


def deviates(play: Play, thread: int, *words: str) -> None:
    error = play.errors[thread]
    assert isinstance(error, Deviation)
    for word in words:
        assert word in str(error)


def test_another_event_than_expected() -> None:
    schedule = schedule_of([([(0, 0, []), (1, 1, [(0, 1)])], End())])
    play = Play(schedule).run({0: [2], 1: [1]})
    deviates(play, 0, "main in section 0: c (p.c:3); expected: a (p.c:1)")
    assert isinstance(play.errors[1], Stopped)
    assert play.errors[1].__cause__ is play.errors[0]
    assert not play.events


def test_an_unknown_event() -> None:
    play = Play(schedule_of([([(0, 0, [])], End())])).run({0: [-3]})
    deviates(play, 0, "does not know", "a (p.c:1)")


def test_an_event_after_the_end() -> None:
    play = Play(schedule_of([([(0, 0, []), (1, 1, [])], End())])).run({0: [0, 0], 1: [1]})
    deviates(play, 0, "expected: nothing more")


def test_a_thread_that_cannot_go_on_after_the_end_has_finished() -> None:
    class World:
        def value(self, place: object) -> object:
            return None

        def is_blocked(self, thread: int) -> bool:
            return thread == 0

    schedule = schedule_of([([(0, 0, []), (1, 1, [])], End())])
    play = Play(schedule, world=World()).run({0: [0, 0], 1: [1]})
    assert isinstance(play.errors[0], Finished)


def test_a_thread_that_ends_early() -> None:
    schedule = schedule_of([([(0, 0, []), (0, 2, []), (1, 1, [(0, 2)])], End())])
    play = Play(schedule).run({0: [0], 1: [1]})
    deviates(play, 0, "ends", "expected: c")
    assert isinstance(play.errors[1], Stopped)


def test_a_thread_that_has_ended_and_is_asked_for() -> None:
    schedule = schedule_of(
        [([(0, 0, [])], Choice((1, 2))), ([(1, 1, [])], End()), ([(0, 2, [])], End())]
    )
    play = Play(schedule)
    play.run({1: []})
    play.run({0: [0, 1]})
    deviates(play, 1 if 1 in play.errors else 0, "main.1 in section 1: ends; expected: b")


def test_no_case_applies() -> None:
    cases = (Case(1, None, 1), Case(2, None, 2))
    schedule = schedule_of(
        [([(0, 0, [])], Branch(0, cases)), ([(0, 1, [])], End()), ([(0, 2, [])], End())]
    )
    deviates(Play(schedule).run({0: [0, 3]}), 0, "expected: b (p.c:2) or c (p.c:3)")


def test_a_guard_that_nobody_knows_is_refused() -> None:
    cases = (Case(None, ("older",), 1), Case(2, None, 2))
    schedule = schedule_of(
        [([(0, 0, [])], Branch(0, cases)), ([(0, 1, [])], End()), ([(0, 2, [])], End())]
    )
    assert isinstance(Play(schedule).run({0: [0, 2]}).errors[0], Deviation)


def test_a_dead_thread_hangs_nobody() -> None:
    schedule = schedule_of([([(0, 0, []), (1, 1, [(0, 1)])], End())])
    play = Play(schedule)

    def dies(passage, do):  # type: ignore[no-untyped-def]
        passage.enter(0)
        play.gate.halt(ThreadDied("main", "it is gone"))

    play.run({0: dies, 1: [1]})
    assert "it is gone" in str(play.errors[1].__cause__)


def test_who_waits_for_whom() -> None:
    schedule = schedule_of([([(0, 0, []), (1, 1, [(0, 1)])], End())])
    play = Play(schedule)

    def looks(passage, do):  # type: ignore[no-untyped-def]
        while not (report := play.gate.report()):
            pass
        assert report == ("main.1 at b (p.c:2) waits for main to do 1 more",)
        do(0)

    play.run({0: looks, 1: [1]})
    assert not play.errors


def test_many_threads_and_sections() -> None:
    threads, sections = 64, 10_000
    ring = [
        (
            [(n % threads, 0, []), ((n + 1) % threads, 1, [(n % threads, 1)])],
            Follow((n + 1) % sections),
        )
        for n in range(sections)
    ]
    schedule = schedule_of(ring, threads=threads)  # type: ignore[arg-type]
    play = Play(schedule)

    def rounds(passage, do):  # type: ignore[no-untyped-def]
        for _ in range(4):
            if passage.number:
                do(1)
            do(0)
            if not passage.number:
                do(1)

    play.run(dict.fromkeys(range(threads), rounds))
    assert check_record(schedule, play.lines) == 8 * threads


# ------------------------------------------------------------------- random schedules


def walk(schedule: Schedule, randomness: random.Random, most: int) -> dict[int, list[int]]:
    """What each thread has to do in some execution, up to a number of sections."""
    plan = Plan(schedule)
    scripts: dict[int, list[int]] = {thread: [] for thread in range(len(plan.threads))}
    section = schedule.start
    for _ in range(most):
        for thread, steps in plan.sections[section].steps.items():
            scripts[thread] += [step.site for step in steps]
        match plan.sections[section].next:
            case Follow(after):
                section = after
            case Choice(sections):
                section = randomness.choice(sections)
            case _:
                break
    return scripts


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(schedules(), st.integers(0, 1000), st.booleans())
def test_what_is_recorded_is_permitted(schedule: Schedule, seed: int, delayed: bool) -> None:
    """Threads do what a walk through the sections gives them; whatever comes of it is in order."""
    randomness = random.Random(seed)
    play = Play(schedule, choose=lambda thread, site, sections: randomness.choice(sections))
    scripts = walk(schedule, random.Random(seed), 6)

    def follow(sites: list[int]) -> object:
        def script(passage, do):  # type: ignore[no-untyped-def]
            try:
                for site in sites:
                    do(site)
            finally:
                left.discard(passage.number)
                if not left:
                    play.gate.halt(ThreadDied("everybody", "the script is over"))

        return script

    left = set(scripts)
    play.run({t: follow(s) for t, s in scripts.items()}, delays=0.0005 if delayed else 0.0)  # type: ignore[misc]
    check_record(schedule, play.lines)


@settings(max_examples=60, deadline=None)
@given(schedules(), st.integers(0, 10**6))
def test_an_event_before_its_wait_is_noticed(schedule: Schedule, seed: int) -> None:
    """Swaps an event with one that it waits for."""
    play = Play(schedule, choose=lambda thread, site, sections: sections[0])
    section = Plan(schedule).sections[schedule.start]
    late = [(t, step) for t, steps in section.steps.items() for step in steps[:1] if step.waits]
    late = [(t, step) for t, step in late if any(count > 0 for _, count in step.waits)]
    if not late:
        return
    thread, step = random.Random(seed).choice(late)
    lines = [*play.lines[:2], [thread, step.site, schedule.start]]
    with pytest.raises(BadRecord, match="before"):
        check_record(schedule, lines)
