"""What the optimiser leaves out, and what it must keep."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled import compiled

import imc.api
from imc.errors import UserError
from imc.schedule.optimise import COPIES, LEVELS, Pass, passes
from irs.schedule import Schedule

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
COUNTER = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_barrier_t b;
int counter;
void foreign(void);
void *worker(void *argument) {
    for (;;) {
        pthread_mutex_lock(&m);
        counter++;
        BODY
        pthread_mutex_unlock(&m);
    }
}
int main(void) {
    pthread_t one, two;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    return 0;
}
"""


def first(path: Path, level: str) -> Schedule:
    ((schedule,),) = compiled(imc.api.load(path), 1, (level,))
    return schedule


def actions(schedule: Schedule, operation: str) -> set[str]:
    return {site.action for site in schedule.sites if site.operation == operation}


@pytest.mark.parametrize(
    ("body", "left_out"),
    [
        ("", True),
        ("pthread_mutex_unlock(&m); pthread_mutex_lock(&m);", True),
        ("foreign();", False),
        ("if (pthread_mutex_trylock(&m) == 0) counter = 0;", False),
        ("if (counter < 0) pthread_cond_wait(&c, &m);", True),  # never waits
        ("int *p = (int *)&m; if (p[6] < 0) counter = 0;", True),  # not the part that is locked
        ("int *p = (int *)&m; if (p[0] == 0) counter = 0;", False),
    ],
)
def test_a_mutex_is_left_out_where_nobody_else_looks_at_it(
    body: str, left_out: bool, tmp_path: Path
) -> None:
    path = tmp_path / "counter.c"
    path.write_text(COUNTER.replace("BODY", body))
    schedule = first(path, "opt1")
    expected = {"skip"} if left_out else {"gate"}
    assert actions(schedule, "pthread_mutex_lock") == expected
    assert actions(schedule, "pthread_mutex_unlock") == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [("pthread_barrier_wait(&b);", {"skip"}), ("counter += pthread_barrier_wait(&b);", {"gate"})],
)
def test_a_barrier_is_left_out_unless_its_result_is_used(
    call: str, expected: set[str], tmp_path: Path
) -> None:
    path = tmp_path / "counter.c"
    path.write_text(
        COUNTER.replace("BODY", f"pthread_mutex_unlock(&m); {call} pthread_mutex_lock(&m);")
    )
    assert actions(first(path, "opt1"), "pthread_barrier_wait") == expected


def test_locks_that_all_threads_only_pass_through_keep_a_gate(tmp_path: Path) -> None:
    path = tmp_path / "counter.c"
    path.write_text(COUNTER.replace("counter++;", "").replace("BODY", ""))
    schedule = first(path, "opt1")
    assert "pass" in {site.action for site in schedule.sites}


def test_sections_that_overlap_wait_across_their_seam() -> None:
    schedule = first(EXAMPLES / "prodcons.c", "opt3")
    waits = {e.waits for s in schedule.sections for e in s.events if e.waits}
    assert schedule.overlap
    assert waits == {((2, 0),), ((1, 2),)}


def test_a_section_that_repeats_itself_is_repeated() -> None:
    once = first(EXAMPLES / "prodcons.c", "opt1").sections[1].events
    often = first(EXAMPLES / "prodcons.c", "opt2").sections[1].events
    assert len(often) == COPIES * len(once)
    assert [e.site for e in often[: len(once)]] == [e.site for e in often[-len(once) :]]


def test_threads_are_watched_where_they_start_and_end() -> None:
    schedule = first(EXAMPLES / "lost_update.c", "opt3")
    gates = {site.operation for site in schedule.sites if site.gated}
    assert {"pthread_create", "pthread_join"} <= gates


def test_names_of_passes() -> None:
    assert passes("opt3") == LEVELS["opt3"]
    assert passes("partial,free") == {Pass.PARTIAL, Pass.FREE}
    for wrong in ("", "opt4", "partial,", "partial free"):
        with pytest.raises(UserError, match="no optimisation is called"):
            passes(wrong)
