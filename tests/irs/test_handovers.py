"""How much of a schedule can happen at the same time, and how often threads hand over."""

from __future__ import annotations

from players import schedule_of

from irs.handovers import hand_overs
from irs.schedule import Branch, Case, End, Follow

Events = list[tuple[int, int, list[tuple[int, int]]]]


def test_a_sequence_that_changes_hands_at_every_event() -> None:
    turns: Events = [(0, 0, []), (1, 1, [(0, 1)]), (0, 0, [(1, 1)]), (1, 1, [(0, 2)])]
    found = hand_overs(schedule_of([(turns, End())]))
    assert (found.events, found.chain, found.waits) == (4, 4, 3)
    assert found.one_core_is_enough


def test_threads_that_do_not_know_each_other() -> None:
    apart: Events = [(t, t, []) for t in (0, 1) for _ in range(50)]
    found = hand_overs(schedule_of([(apart, End())]))
    assert (found.at_a_time, found.waits) == (2.0, 0)
    assert not found.one_core_is_enough


def test_long_ways_between_hand_overs_are_worth_a_core() -> None:
    """The others are at work meanwhile."""
    both: Events = [(t, t, []) for t in (0, 1) for _ in range(50)]
    both += [(0, 2, [(1, 50)]), (1, 2, [(0, 50)])]
    found = hand_overs(schedule_of([(both, Follow(0))], overlap=True))
    assert 1.9 < found.at_a_time <= 2.0
    assert not found.one_core_is_enough


def test_sections_that_do_not_overlap_are_a_sequence() -> None:
    sections = [([(0, 0, [])], Follow(1)), ([(1, 1, [])], Follow(0))]
    assert hand_overs(schedule_of(sections)).at_a_time == 1.0  # type: ignore[arg-type]


def test_waits_that_reach_back() -> None:
    """The second thread is one round behind, for ever."""
    rounds: Events = [(0, 0, []), (1, 1, [(0, -1)])]
    found = hand_overs(schedule_of([(rounds, Follow(0))], overlap=True))
    assert 1.9 < found.at_a_time <= 2.0


def test_all_ways_are_looked_at() -> None:
    cases = (Case(0, None, 1), Case(1, None, 2))
    sections = [
        ([(0, 0, [])], Branch(0, cases)),
        ([(0, 0, [])], Follow(0)),
        ([(1, 1, []), (0, 2, [(1, 1)])], Follow(0)),
    ]
    found = hand_overs(schedule_of(sections))  # type: ignore[arg-type]
    assert 0 < found.waits < found.events
    assert "events at a time, a hand-over every" in str(found)


def test_nothing_to_do() -> None:
    found = hand_overs(schedule_of([([], End())]))
    assert (found.at_a_time, found.one_core_is_enough) == (1.0, True)


def test_few_threads_may_be_active_at_a_time() -> None:
    """Two threads take turns for long, then two others; or all of them in a circle."""

    def turns(order: str) -> Events:
        events: Events = []
        done = [0] * 4
        for before, thread in zip(" " + order, order, strict=False):
            waits = [] if before == " " else [(int(before), done[int(before)])]
            events.append((int(thread), int(thread), waits))
            done[int(thread)] += 1
        return events

    pairs = hand_overs(schedule_of([(turns("01" * 40 + "23" * 40), Follow(0))], 4, overlap=True))
    circle = hand_overs(schedule_of([(turns("0123" * 40), Follow(0))], 4, overlap=True))
    assert (pairs.active, circle.active) == (2, 4)
