"""Schedules that take each other's place while threads run: nothing is lost or mixed up."""

from __future__ import annotations

import random
import threading
import time

import pytest
from patience import HANG_S
from players import Play, schedule_of

import irs
from irs.errors import BadRecord
from irs.record import check_record
from irs.relaxation import Relaxation
from irs.schedule import Branch, Case, Choice, End, Follow, Schedule

SWAPS = 300


def turns(first: int, second: int, overlap: bool) -> Schedule:
    """Three threads, two of which take turns; the third comes to each fourth round."""
    order = [(first, first, []), (second, second, [(first, 1)])]
    rounds = [
        (order, Follow(1)),
        (order, Choice((2, 3))),
        ([(2, 2, [(first, 0)] if overlap else [])], Follow(0)),
        (order, Choice((2, 3))),
    ]
    return schedule_of(rounds, threads=3, overlap=overlap)  # type: ignore[arg-type]


KINDS = [turns(0, 1, False), turns(1, 0, True), turns(0, 1, True), turns(1, 0, False)]


def relaxations(count: int, rng: random.Random) -> list[Relaxation]:
    """From one kind to another, again and again; not after each section, and not to the same."""
    found = []
    for n in range(1, count + 1):
        entries = {old: rng.randrange(4) for old in rng.sample(range(4), rng.randint(1, 3))}
        found.append(Relaxation(KINDS[n % len(KINDS)], entries))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_swaps_under_load(seed: int) -> None:
    rng = random.Random(seed)
    given = relaxations(SWAPS, rng)
    chance = random.Random(seed)
    play = Play(KINDS[0], choose=lambda thread, site, sections: chance.choice(sections))

    def feed() -> None:
        for relaxation in given:
            play.gate.relax(relaxation)
            if rng.random() < 0.3:
                time.sleep(rng.random() * 0.002)
        while play.gate.permission.number < SWAPS:
            time.sleep(0.001)
        play.gate.relax(Relaxation(None))

    def work(site: int) -> object:
        def rounds(passage: object, do: object) -> None:
            while do(site):  # type: ignore[operator]
                pass

        return rounds

    feeder = threading.Thread(target=feed)
    feeder.start()
    play.run({n: work(n) for n in range(3)})  # type: ignore[misc]
    feeder.join()
    assert not play.errors
    assert play.gate.opened
    assert [p.schedule for p in play.gate.permission.log] == [*range(SWAPS + 1), None]
    assert check_record(KINDS[0], play.lines, [*given, Relaxation(None)]) == sum(play.gate.done)


def test_what_was_begun_has_happened_when_a_new_schedule_begins() -> None:
    """The first schedule lets thread 1 fall behind; the second one does not know of that."""
    cases = (Case(0, None, 0), Case(None, None, 1))
    round_ = [(0, 0, []), (1, 1, [])]
    behind = schedule_of([(round_, Branch(0, cases)), ([], End())], overlap=True)  # type: ignore[arg-type, list-item]
    ahead = schedule_of([([(0, 2, []), (1, 3, [])], End())], overlap=True)
    play = Play(behind)
    first, second = play.gate.passages
    for _ in range(3):
        assert first.enter(0)
        first.leave()
    play.gate.relax(Relaxation(ahead, {0: 0}))
    entered = threading.Event()

    def later() -> None:
        first.enter(2)
        entered.set()
        first.leave()

    thread = threading.Thread(target=later, daemon=True)
    thread.start()
    for _ in range(3):
        assert not entered.wait(0.01)
        second.enter(1)
        second.leave()
    thread.join(HANG_S)
    assert entered.is_set()
    second.enter(3)
    second.leave()
    relaxed = [Relaxation(ahead, {0: 0})]
    assert check_record(behind, play.lines, relaxed) == 8
    wrong = [line for line in play.lines if line != [1, 1, 0]]
    with pytest.raises(BadRecord, match="before 3 events of main"):
        check_record(behind, wrong, relaxed)
    with pytest.raises(BadRecord, match="schedule 1 was not there"):
        check_record(behind, play.lines)


def test_a_thread_that_waits_for_a_decision_is_freed_by_a_schedule_without_it() -> None:
    """Thread 0 computes for ever; under the new schedule nobody asks where it is."""
    cases = (Case(0, None, 1), Case(2, None, 1))
    asking = schedule_of([([(1, 1, [])], Branch(0, cases)), ([(1, 1, [])], Branch(0, cases))])
    silent = schedule_of([([(1, 1, [])], Follow(0))])
    play = Play(asking)
    passage = play.gate.passages[1]
    done = threading.Event()

    def work() -> None:
        for _ in range(50):
            passage.enter(1)
            passage.leave()
        done.set()

    threading.Thread(target=work, daemon=True).start()
    assert not done.wait(0.02)
    play.gate.relax(Relaxation(silent, {0: 0}))
    assert done.wait(HANG_S)


def test_what_does_not_fit_is_refused() -> None:
    play = Play(KINDS[0])
    with pytest.raises(ValueError, match="different threads"):
        play.gate.relax(Relaxation(schedule_of([([(0, 0, [])], End())]), {0: 0}))
    with pytest.raises(ValueError, match="not there"):
        play.gate.relax(Relaxation(KINDS[1], {0: 4}))
    left_out = schedule_of([([(0, 0, [])], End())], actions={0: "pass"})
    with pytest.raises(ValueError, match="leaves out"):
        Play(left_out).gate.relax(Relaxation(None))


def test_python_threads_under_a_block() -> None:
    """A block begins in one order and ends in none."""
    strict = irs.order([("main", "a"), ("main.1", "b")], repeat=True)
    seen: list[str] = []

    def work() -> None:
        for _ in range(200):
            with irs.event("b"):
                seen.append("b")

    with irs.enforce(strict) as run:
        thread = threading.Thread(target=work)
        thread.start()
        for n in range(200):
            with irs.event("a"):
                seen.append("a")
            if n == 100:
                run.relax(Relaxation(None))
        thread.join()
    assert seen[:200] == ["a", "b"] * 100
    assert sorted(seen) == ["a"] * 200 + ["b"] * 200
