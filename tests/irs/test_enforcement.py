"""Schedules for Python's own threads: points, locks, conditions, queues, and what goes wrong."""

from __future__ import annotations

import runpy
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import HANG_S, wait_until

import irs
from irs.enforcement import Enforcement
from irs.format import dump
from irs.gate import Gate

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "python_threads.py"


def run(*works: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_the_example_counts_every_increment() -> None:
    example = runpy.run_path(str(EXAMPLE))
    with irs.enforce(example["TURNS"]):
        assert example["count"]() == 200


def test_points_do_nothing_without_a_schedule() -> None:
    irs.point("anywhere")
    with irs.event("anywhere") as wanted:
        assert wanted


def test_order_and_record(tmp_path: Path) -> None:
    seen: list[str] = []

    def says(*words: str) -> Callable[[], None]:
        def work() -> None:
            for word in words:
                with irs.event(word):
                    seen.append(word)

        return work

    events = [("main.2", "b"), ("main.1", "a"), ("main.2", "c"), ("main", "d")]
    schedule = irs.order(events)
    dump(schedule, tmp_path / "order.json")
    with irs.enforce(tmp_path / "order.json", trace=tmp_path / "record"):
        run(says("a"), says("b", "c"))
        says("d")()
        says("anything")()  # the schedule is over
    assert seen == ["b", "a", "c", "d", "anything"]
    assert irs.check_record(schedule, irs.read_record(tmp_path / "record")) == 4


def test_only_dependences_are_kept() -> None:
    events = [("main.1", "a"), ("main.2", "b"), ("main.1", "c"), ("main.2", "d")]
    loose = irs.order(events, dependences=[(0, 3)])
    assert [event.waits for event in loose.sections[0].events] == [(), (), (), ((0, 1),)]
    with pytest.raises(irs.BadSchedule, match="earlier"):
        irs.order(events, dependences=[(3, 0)])
    with pytest.raises(irs.BadSchedule, match="like"):
        irs.order([("worker", "a")])
    with pytest.raises(irs.BadSchedule, match="at least one"):
        irs.order([])


def test_locks_conditions_and_queues_are_events() -> None:
    lock = irs.Lock("mutex")
    ready = irs.Condition("ready", lock)
    jobs: irs.Queue[int] = irs.Queue("jobs")
    done: list[int] = []

    def waits() -> None:
        with lock:
            ready.wait()
            done.append(jobs.get())

    def notifies() -> None:
        jobs.put(7)
        with lock:
            ready.notify_all()

    one = ["mutex.acquire", "ready.wait"], ["ready.wake", "jobs.get", "mutex.release"]
    two = ["jobs.put", "mutex.acquire", "ready.notify", "mutex.release"]
    events = [("main.1", e) for e in one[0]] + [("main.2", e) for e in two]
    with irs.enforce(irs.order(events + [("main.1", e) for e in one[1]])):
        run(waits, notifies)
    assert done == [7]
    assert jobs.empty()


def test_locks_can_be_skipped() -> None:
    from dataclasses import replace

    schedule = irs.order([("main.1", "a"), ("main.2", "m.acquire")])
    skipped = replace(
        schedule,
        sites=(schedule.sites[0], replace(schedule.sites[1], action="skip")),
        sections=(replace(schedule.sections[0], events=schedule.sections[0].events[:1]),),
    )
    lock = irs.Lock("m")
    held: list[bool] = []

    def takes() -> None:
        lock.acquire()
        held.append(lock.locked())

    def passes() -> None:
        second.start()
        second.join()
        irs.point("a")

    second = threading.Thread(target=takes)
    with irs.enforce(replace(skipped, threads=("main.1", "main.1.1"))):
        run(passes)
    assert held == [False]


def test_a_wrong_point_stops_everybody() -> None:
    reached: list[str] = []

    def wrong() -> None:
        irs.point("b")
        reached.append("b")

    def waits() -> None:
        irs.point("a")
        reached.append("a")

    schedule = irs.order([("main.1", "a"), ("main.2", "a")])
    with (
        pytest.raises(irs.Deviation, match=r"main\.1 in section 0: .*; expected: a"),
        irs.enforce(schedule),
    ):
        run(wrong, waits)
    assert not reached
    irs.point("free again")


def test_an_unknown_thread_stops_everybody() -> None:
    with (
        pytest.raises(irs.Deviation, match=r"main\.2: a"),
        irs.enforce(irs.order([("main.1", "a"), ("main", "a")])),
    ):
        run(lambda: irs.point("a"), lambda: irs.point("a"))


def test_a_dead_thread_stops_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)

    def dies() -> None:
        raise ValueError("no")

    with (
        pytest.raises(irs.ThreadDied, match=r"main\.1 has died: ValueError: no"),
        irs.enforce(irs.order([("main.1", "a"), ("main.2", "b")])),
    ):
        run(dies, lambda: irs.point("b"))


def test_a_stall_is_told_and_ended() -> None:
    def never_comes() -> None:
        over.wait()

    def waits() -> None:
        try:
            irs.point("b")
        finally:
            over.set()

    over = threading.Event()
    with (
        pytest.raises(irs.Stalled, match=r"main\.2 at b waits for main\.1 to do 1 more"),
        irs.enforce(irs.order([("main.1", "a"), ("main.2", "b")]), stall_s=0.05),
    ):
        run(never_comes, waits)


def test_who_begins_to_wait_later_is_told_too() -> None:
    """The watchdog has looked in vain before anybody waits, and nothing has moved since then."""
    looked = threading.Semaphore(0)

    def late() -> None:
        for _ in range(2):
            assert looked.acquire(timeout=HANG_S)
        irs.point("b")

    class Block(Enforcement):
        def _stalled(self) -> None:
            super()._stalled()
            looked.release()

    schedule = irs.order([("main.1", "a"), ("main.2", "b"), ("main.1", "c")])
    with (
        pytest.raises(irs.Stalled, match=r"main\.2 at b waits for main\.1"),
        Block(schedule, stall_s=0.01) as block,
    ):
        run(lambda: wait_until(lambda: block.gate.halted is not None), late)


def test_a_lost_wake_up_is_a_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks again by himself, so the watchdog ends the run."""
    monkeypatch.setattr(Gate, "wake", lambda self, number: None)

    def first() -> None:
        while not block.gate.report():
            pass
        irs.point("a")

    schedule = irs.order([("main.1", "a"), ("main.2", "b")])
    block = irs.enforce(schedule, stall_s=0.2)
    with pytest.raises(irs.Stalled, match=r"main\.2 at b waits for main\.1"), block:
        run(first, lambda: irs.point("b"))


def test_an_error_of_the_block_is_what_one_gets() -> None:
    with (
        pytest.raises(KeyError),
        irs.enforce(irs.order([("main", "a")])),
    ):
        raise KeyError("mine")


def test_blocks_cannot_be_nested() -> None:
    schedule = irs.order([("main", "a")])
    with irs.enforce(schedule):
        irs.point("a")
        with (
            pytest.raises(RuntimeError, match="nested"),
            irs.enforce(schedule),
        ):
            pass


@pytest.mark.parametrize("length", range(5))
def test_prefixes(length: int) -> None:
    """Constraints can be taken away from the end, down to none."""
    events = [("main.1", "a"), ("main.2", "a"), ("main.1", "a"), ("main.2", "a")]
    short = irs.prefix(irs.order(events, repeat=True), length)
    assert sum(len(section.events) for section in short.sections[:1]) == min(length, 4)
    order: list[int] = []

    def works(number: int) -> Callable[[], None]:
        def work() -> None:
            for _ in range(2):
                with irs.event("a"):
                    order.append(number)

        return work

    with irs.enforce(short):
        run(works(1), works(2))
    assert order[:length] == [1, 2, 1, 2][:length]
    assert sorted(order) == [1, 1, 2, 2]
