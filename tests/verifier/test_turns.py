"""Schedules in which threads have long turns."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from game import check_schedule

import imc.api
from imc.errors import UserError
from imc.program.program import Program
from imc.program.settings import Settings
from imc.verifier.iteration import Verification
from imc.verifier.options import Until, VerifyOptions
from imc.verifier.result import VerifiedTree
from imc.verifier.search.strategies import strategy
from imc.verifier.search.strategy import computes
from imc.verifier.search.turns import LongRuns

EXAMPLES = Path(__file__).parents[2] / "examples"
INPUTS = """
    #include <pthread.h>
    #include <assert.h>
    extern int __VERIFIER_nondet_int(void);
    int room = 3;
    void *give(void *a) { for (;;) if (__VERIFIER_nondet_int() && room < 3) room++; }
    void *take(void *a) {
        for (;;)
            if (__VERIFIER_nondet_int() && room > 0) { room--; assert(room >= 0); }
    }
    int main(void) {
        pthread_t p, q;
        pthread_create(&p, 0, give, 0);
        pthread_create(&q, 0, take, 0);
        pthread_join(p, 0);
        pthread_join(q, 0);
    }
"""

SCANS = """
    #include <fcntl.h>
    #include <pthread.h>
    #include <sys/mman.h>
    #include <sys/stat.h>
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int found;
    static void *scan(void *name) {
        struct stat s;
        int fd = open(name, O_RDONLY);
        if (fd < 0 || fstat(fd, &s) < 0) return 0;
        const char *p = mmap(0, s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p == MAP_FAILED) return 0;
        for (long at = 0; at < s.st_size; at++)
            if (p[at] == 'x') {
                pthread_mutex_lock(&lock);
                ++found;
                pthread_mutex_unlock(&lock);
            }
        return 0;
    }
    int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, scan, "a");
        pthread_create(&b, 0, scan, "b");
        pthread_join(a, 0);
        pthread_join(b, 0);
    }
"""


def load(name: str, *defines: str) -> Program:
    return imc.api.load(EXAMPLES / f"{name}.c", define=defines)


def first(program: Program, name: str) -> tuple[Verification, VerifiedTree]:
    verification = Verification(
        program, Settings(), VerifyOptions(until=Until.FIRST, strategy=name)
    )
    result = next(r for r in verification if r.schedule is not None)
    assert result.schedule is not None
    return verification, result.schedule


def turns(verification: Verification, schedule: VerifiedTree, site: str) -> list[tuple[str, int]]:
    """Who does an operation how often in a row, in the cycle of a schedule that never branches."""
    names = verification.engine.image.threads.names
    at, path = schedule.root, [schedule.root]
    while True:
        node = schedule.nodes[at]
        if node.cover is not None:
            break
        ((at,),) = node.permits.values()
        path.append(at)
    cycle = path[path.index(node.cover) + 1 :]
    events = [schedule.nodes[n].node.event for n in cycle]
    doers = [names[e.thread] for e in events if e.operation == site]
    while doers[0] == doers[-1] and len(set(doers)) > 1:  # the cycle begins within a turn
        doers.insert(0, doers.pop())
    return [(who, len(list(times))) for who, times in groupby(doers)]


def rotations(turns: list[tuple[str, int]]) -> list[list[tuple[str, int]]]:
    return [turns[n:] + turns[:n] for n in range(len(turns))]


def test_a_turn_is_as_long_as_it_is_asked_to_be() -> None:
    verification, schedule = first(load("prodcons", "SLOTS=1000"), "long-runs:6")
    found = turns(verification, schedule, "pthread_mutex_lock")
    assert found == [("main.1", 6), ("main.2", 6)]


def test_a_turn_ends_where_going_on_has_no_effect() -> None:
    """The producer looks once more whether there is room, and finds none."""
    verification, schedule = first(load("prodcons", "SLOTS=5"), "long-runs:50")
    found = turns(verification, schedule, "pthread_mutex_lock")
    assert found == [("main.1", 6), ("main.2", 6)]


def test_rounds_without_data_are_rounds() -> None:
    verification, schedule = first(load("double_lock"), "long-runs:9")
    assert {times for _, times in turns(verification, schedule, "pthread_mutex_lock")} == {18}


def test_groups_have_one_of_each_kind() -> None:
    program = load("prodcons", "PRODUCERS=2", "CONSUMERS=2", "SLOTS=3")
    verification, schedule = first(program, "long-runs:3,repeats=2")
    pairs = [("main.1", 3), ("main.3", 3)] * 2 + [("main.2", 3), ("main.4", 3)] * 2
    assert turns(verification, schedule, "pthread_mutex_lock") in rotations(pairs)
    verification, schedule = first(program, "long-runs:1,ungrouped")
    one_by_one = [(f"main.{n}", 1) for n in (1, 2, 3, 4)] * 3
    assert turns(verification, schedule, "pthread_mutex_lock") in rotations(one_by_one)


@pytest.mark.parametrize("name", ["round-robin", "whole-rounds", "least-freedom"])
def test_reversed_strategies_let_the_last_thread_go_first(name: str) -> None:
    program = load("prodcons", "PRODUCERS=2", "CONSUMERS=2", "SLOTS=4")
    one_by_one = [f"main.{n}" for n in (1, 2, 3, 4)]
    for full_name, expected in ((name, one_by_one), (f"{name},reversed", one_by_one[::-1])):
        verification, schedule = first(program, full_name)
        order = [thread for thread, _ in turns(verification, schedule, "pthread_mutex_lock")]
        following = set(zip(order, order[1:] + order[:1], strict=True))
        assert following == set(zip(expected, expected[1:] + expected[:1], strict=True))
        assert check_schedule(program, Settings(), schedule) == []


@pytest.mark.parametrize(("name", "together"), [("whole-rounds", False), ("side-by-side", True)])
def test_peers_compute_side_by_side(name: str, together: bool, tmp_path: Path) -> None:
    source = tmp_path / "scans.c"
    source.write_text(SCANS)
    _, schedule = first(imc.api.load(source), name)
    states = [entry.node.state for entry in schedule.nodes.values()]
    assert together == any(sum(map(computes, s.threads.values())) > 1 for s in states)


@pytest.mark.parametrize("name", ["long-runs:1", "long-runs:4", "long-runs:3,repeats=2"])
@pytest.mark.parametrize("program", ["prodcons_unlocked_check", "cond_queue", "double_lock_wrong"])
def test_schedules_with_long_turns_hold(program: str, name: str) -> None:
    loaded = load(program)
    _, schedule = first(loaded, name)
    assert check_schedule(loaded, Settings(), schedule) == []


def test_turns_end_by_what_the_inputs_say(tmp_path: Path) -> None:
    source = tmp_path / "prog.c"
    source.write_text(INPUTS)
    program = imc.api.load(source)
    _, schedule = first(program, "long-runs:4")
    assert check_schedule(program, Settings(), schedule) == []
    phases = {schedule.nodes[n].node.phase for n in schedule.nodes}
    ended = {(p.thread, p.runs) for p in phases if getattr(p, "over", False)}
    assert len({runs for _, runs in ended}) > 1, "some turns are longer than others"


def test_names() -> None:
    for name in ("long-runs:3", "long-runs:3,repeats=2", "long-runs:3,ungrouped"):
        assert strategy(name).name == name
    assert strategy("long-runs").name == f"long-runs:{LongRuns.RUNS}"
    for wrong in ("long-runs:0", "long-runs:", "long-runs:x", "longruns", ""):
        with pytest.raises(UserError, match="there is no strategy"):
            strategy(wrong)
