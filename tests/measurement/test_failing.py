"""Programs that fail without a schedule, which is what schedules are for: they are measured too."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.errors import UserError
from imc.execution.mode import ThreadMode
from imc.execution.native.build import BuildOptions
from imc.measurement.bench.bench import Bench, first_schedule
from imc.measurement.bench.native import Workshop
from imc.measurement.bench.patience import (
    LONGEST_S,
    MOST_AT_FIRST,
    SHORTEST_S,
    Experience,
    Patience,
)
from imc.measurement.bench.samples import SampleSummary, failures_of
from imc.measurement.tune.arena import Arena, NativeStand, PythonStand, Stand
from imc.measurement.tune.candidate import Candidate, Trial
from imc.measurement.tune.features import features
from imc.program.program import Program
from imc.report.measurement import measurement_document, measurement_text

BACKENDS = pytest.mark.parametrize("backend", ["native", "python"])
TOO_EARLY = """
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
int ready;
static void *worker(void *p) { sleep(1); ready = 1; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(ready);
    pthread_join(t, 0);
    return 0;
}
"""
LOST_SIGNAL = """
#include <pthread.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *worker(void *p) {
    sleep(1);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
"""
ENDLESS = """
#include <pthread.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y;
static void *worker(void *p) {
    for (;;) {
        pthread_mutex_lock(&n);
        pthread_mutex_lock(&m);
        x = !x;
        pthread_mutex_unlock(&m);
        pthread_mutex_unlock(&n);
    }
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    for (;;) {
        pthread_mutex_lock(&m);
        pthread_mutex_lock(&n);
        y = !y;
        pthread_mutex_unlock(&n);
        pthread_mutex_unlock(&m);
    }
}
"""
CASES = pytest.mark.parametrize(
    ("text", "why"), [(TOO_EARLY, "ssertion `ready' failed"), (LOST_SIGNAL, "hung (")]
)


def written(folder: Path, text: str) -> Program:
    source = folder / "prog.c"
    source.write_text(text)
    return imc.api.load(source)


def measured(program: Program, backend: str) -> list[SampleSummary]:
    """Measurements in which the program has failed: on a busy machine it sometimes does not.

    Nor does a schedule always come round there, if the program is endless.
    """
    schedules = {"opt3": first_schedule(program, 600, lambda _: None)["opt3"]}
    for _ in range(50):
        bench = Bench(program, schedules, 1, 0.2, 1, 1, lambda _: None, mode=ThreadMode.THREADS)
        rows = bench.native() if backend == "native" else bench.python()
        if rows[0].failures.failed and rows[-1].rate > 0:
            break
    return rows


@BACKENDS
@CASES
def test_it_is_told_how_the_program_fails(
    text: str, why: str, backend: str, tmp_path: Path
) -> None:
    plain, *others, scheduled = measured(written(tmp_path, text), backend)
    assert not plain.measured and plain.failures.failed == plain.failures.runs == 1
    assert why in plain.failures.why
    assert scheduled.measured and not scheduled.failures.failed
    rows = measurement_document([plain, *others, scheduled])
    assert rows[0]["rate_per_s"] is None and rows[0]["failed"] == 1 and why in rows[0]["why"]
    assert rows[-1]["ratio"] is None and rows[-1]["failed"] == 0 and rows[-1]["why"] is None
    told = measurement_text("x", [plain, *others, scheduled], endless=False)
    assert "unconstrained  failed in 1 of 1 runs: " in told


@BACKENDS
def test_candidates_are_compared_by_their_rates(backend: str, tmp_path: Path) -> None:
    program = written(tmp_path, TOO_EARLY)
    schedule = first_schedule(program, 600, lambda _: None)["opt3"]
    stand: Stand = (
        NativeStand(program, frozenset(), False, 1, tmp_path, None)
        if backend == "native"
        else PythonStand(program, frozenset(), False, 1)
    )
    for _ in range(50):  # on a busy machine a run sometimes does not fail
        arena = Arena(stand, False, lambda _: None)
        arena._runs = 1
        trial = Trial(Candidate(), schedule, 1, 0.0, features(schedule, []))
        assert arena.measure([trial], 2) == 2
        if arena.plain_rate is None:
            break
    assert trial.rate > 0 and not trial.ratios
    assert arena.plain_rate is None
    told = arena.plain_failures  # of a first run as well, which may end well and gives no rate
    assert told.runs == 3 and told.failed >= 2


@BACKENDS
def test_an_endless_program_that_hangs(backend: str, tmp_path: Path) -> None:
    """It may not hang each time; if it does, that is told instead of a rate."""
    plain, *_, scheduled = measured(written(tmp_path, ENDLESS), backend)
    assert scheduled.measured and scheduled.rate > 0
    assert plain.measured or "hung (" in plain.failures.why


def test_under_a_schedule_a_failure_is_an_error(tmp_path: Path) -> None:
    program = written(tmp_path, "int main(void) { return 3; }")
    shop = Workshop(program, tmp_path, BuildOptions(embed=True), None, 1, 1)
    variant = shop.variant("schedule", None)
    assert failures_of([variant.sample()]).why == "exit status 3"
    variant.may_fail = False
    with pytest.raises(UserError, match="schedule: the program failed: exit status 3"):
        variant.sample()


def test_what_hangs_again_and_again_is_not_tried_for_ever() -> None:
    patience = Patience()
    for _ in range(MOST_AT_FIRST):
        assert patience.tries_again
        patience.note(hung=True)
    assert not patience.tries_again
    patience.note(took=1.0)
    assert patience.tries_again


def test_what_others_have_shown_tells_how_long_to_wait() -> None:
    shared = Experience()
    plain, scheduled = Patience(experience=shared), Patience(experience=shared)
    assert plain.limit(None) == LONGEST_S
    plain.note(hung=True)
    assert Patience(experience=shared).limit(None) == SHORTEST_S
    scheduled.note(took=1.0)
    assert SHORTEST_S < Patience(experience=shared).limit(None) < LONGEST_S
