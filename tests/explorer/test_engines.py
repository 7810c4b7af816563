"""The engines that reduce: exact counts, every trace, the same ends and verdicts as brute force.

`scripts/crosscheck_explore.py` does the same for as many programs as one likes.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from explored import HEAD, STARTED, explored, written
from prefixes import Size
from reduced import ENGINES, differences, traces_of, waiting_differences

import imc.api
from imc.explorer import Limits, Verdict, explore, explore_exhaustively
from imc.explorer.dpor import Explorer
from imc.explorer.native import CORES
from imc.explorer.optimal import Optimal
from imc.explorer.semantics import Semantics
from imc.program.faults import Property
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings

ROOT = Path(__file__).parent.parent.parent
REDUCTION = ROOT / "tests" / "programs" / "reduction"

# As published (Metzler 2020, tables 3.1 to 3.3 and appendix A), and where it was feasible confirmed
# by brute force.
COUNTS = {
    ("readers_writers", "THREADS=3"): 4,
    ("readers_writers", "THREADS=8"): 128,
    ("indexer", "THREADS=11"): 1,
    ("indexer", "THREADS=12"): 8,
    ("indexer", "THREADS=13"): 64,
    ("last_zero", "THREADS=4", "UPWARDS"): 16,
    ("last_zero", "THREADS=6", "UPWARDS"): 96,
    ("shared_pointer", "N=10"): 21,
    ("ring", "THREADS=4"): 14,
    ("ring", "THREADS=7"): 126,
    ("branching", "THREADS=2"): 11,
    ("branching", "THREADS=3"): 28,
    ("branching", "THREADS=4"): 103,
    ("branching", "THREADS=5"): 311,
    ("ring_extended", "THREADS=2"): 6,
    ("ring_extended", "THREADS=3"): 90,
}


def program_of(name: str, *defines: str) -> Program:
    return imc.api.load(REDUCTION / name / "prog.c", define=defines)


# ----------------------------------------------------------------------- counts


@pytest.mark.parametrize("kind", ENGINES, ids=lambda kind: kind.name)
@pytest.mark.parametrize("case", COUNTS, ids=lambda case: "-".join(case))
def test_published_counts(case: tuple[str, ...], kind: type[Explorer]) -> None:
    engine = traces_of(kind, Semantics(Interpreter(program_of(*case))))
    assert engine.result.verdict is Verdict.SAFE
    assert engine.result.traces == COUNTS[case]
    if kind is Optimal:
        assert engine.result.complete == COUNTS[case]
        assert (engine.result.redundant, engine.result.duplicates) == (0, 0)


@pytest.mark.parametrize(
    ("name", "threads", "idle", "waiting"),
    [
        ("ttaslock", 3, (36, 81), (36, 0)),
        ("qspinlock", 2, (6, 2), (6, 0)),
        ("sortnet", 3, (1, None), (1, 0)),
        ("sortnet", 6, None, (1, 0)),
    ],
)
def test_loops_that_wait(
    name: str, threads: int, idle: tuple[int, int | None] | None, waiting: tuple[int, int]
) -> None:
    """As published (Awaiting for Godot, table I), but for qspinlock, where we leave out more."""
    program = program_of(name, f"THREADS={threads}")
    result = explored(program, "optimal-await")
    assert (result.complete, result.blocked) == waiting and result.verdict is Verdict.SAFE
    if idle is not None:
        result = explored(program, "optimal-await", awaits=False)
        assert result.complete == idle[0] and idle[1] in (None, result.blocked)


BOUND_TO_BE_IDLE = {
    "figure 6 of Awaiting for Godot": (
        """atomic_int x = 5, y, z;
        void *one(void *n) {
            int a, b;
            do { a = x; b = y; if (a == 4) z = b; } while (a >= 4);
            return n;
        }
        void *two(void *n) { y = 1; y = 2; x = 6; x = 1; return n; }""",
        (1, 0),
    ),
    "an odd sequence number": (
        """atomic_int turn, x, y;
        void *one(void *n) {
            int seen, a, b;
            do { seen = turn; a = x; b = y; } while (seen != turn || (seen & 1));
            assert(a == b);
            return n;
        }
        void *two(void *n) { turn++; x++; y++; turn++; return n; }""",
        (2, 4),  # the reader has begun before the writer, and what it has read is out of date
    ),
}


@pytest.mark.parametrize("name", BOUND_TO_BE_IDLE)
def test_what_is_bound_to_be_idle_is_not_begun(name: str, tmp_path: Path) -> None:
    """Its end is clear before the last step, which would wait in vain."""
    text, counts = BOUND_TO_BE_IDLE[name]
    program = written(tmp_path, text + STARTED)
    assert waiting_differences(program, Size(), Counter()) == []
    result = explored(program, "optimal-await")
    assert (result.complete, result.blocked) == counts and result.verdict is Verdict.SAFE
    racing = explored(program, "optimal-await", Property.RACE)
    assert racing.blocked is not None and racing.blocked > counts[1]  # all steps are looked at


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_threads_changes_no_count(seed: int) -> None:
    for name, define, count in (
        ("branching", "THREADS=3", 28),
        ("indexer", "THREADS=12", 8),
        ("ttaslock", "THREADS=3", 36),
    ):
        result = explored(program_of(name, define), "optimal-await", seed=seed)
        assert (result.complete, result.blocked, result.redundant) == (count, 0, 0)


# ----------------------------------------------------------------- what they say


def test_a_livelock_is_told_from_looking_too_early(tmp_path: Path) -> None:
    """The first thread waits for 2, but the second stops at 1."""
    text = """atomic_int x;
    void *one(void *a) { while (x != %d); return a; }
    void *two(void *a) { x = 1; return a; }"""
    result = explored(written(tmp_path, text % 2 + STARTED), "optimal-await")
    assert (result.complete, result.blocked) == (0, 1)
    assert result.fault is not None and result.fault.kind is Property.LIVELOCK
    assert result.fault.details == (
        "main waits for the end of main.1 (line 10)",
        "main.1 goes round (line 5)",
    )
    assert result.fault.loop == 1 and result.reproduced
    result = explored(written(tmp_path, text % 1 + STARTED), "optimal-await", awaits=False)
    assert (result.complete, result.blocked, result.fault) == (1, 1, None)


def test_retries_that_saw_a_change_are_no_livelock(tmp_path: Path) -> None:
    """The reader has seen half of a change; it could begin again, and would succeed."""
    text = """atomic_int x;
    void *one(void *a) { int u, v; do { u = x; v = x; } while (u != v); return a; }
    void *two(void *a) { x = 1; return a; }"""
    result = explored(written(tmp_path, text + STARTED), "optimal-await")
    assert result.blocked and result.fault is None


def test_checks_are_counted_for_all_inputs_before_the_first_event(tmp_path: Path) -> None:
    text = """extern _Bool __VERIFIER_nondet_bool(void);
    int x, y;
    void *one(void *a) { x = 1; y = 1; return a; }
    void *two(void *a) { x = 2; y = 2; return a; }
    int main(void) {
        pthread_t a, b;
        %s;
        pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
        return 0;
    }"""
    alone = explored(written(tmp_path, text % "int known = 1"), "optimal")
    both = explored(written(tmp_path, text % "_Bool n = __VERIFIER_nondet_bool()"), "optimal")
    assert alone.dependency_checks > 0
    assert both.complete == 2 * (alone.complete or 0)
    assert both.dependency_checks == 2 * alone.dependency_checks


@pytest.mark.parametrize("algorithm", ["source", "epor", "epor-sh", "epor+", "optimal"])
def test_faults_are_found_and_run_again(algorithm: str) -> None:
    for name, kind in (
        ("lost_update", Property.ASSERTION),
        ("double_lock_wrong", Property.DEADLOCK),
        ("bank_race", Property.RACE),
    ):
        program = imc.api.load(ROOT / "examples" / f"{name}.c", define=("ROUNDS=1",))
        more = () if kind is not Property.RACE else (Property.RACE,)
        result = explored(program, algorithm, *more)
        assert result.verdict is Verdict.UNSAFE
        assert result.fault is not None and result.fault.kind is kind
        assert result.reproduced


def test_additions_commute_only_if_nobody_looks(tmp_path: Path) -> None:
    text = """atomic_int x;
    void *one(void *a) { atomic_fetch_add(&x, 1); return a; }
    void *two(void *a) { %s; return a; }"""
    unseen, seen = "atomic_fetch_add(&x, 2)", "int old = atomic_fetch_add(&x, 2); assert(old < 9)"
    assert explored(written(tmp_path, text % unseen + STARTED), "optimal-await").complete == 1
    assert explored(written(tmp_path, text % seen + STARTED), "optimal-await").complete == 2


def test_ends_of_the_program_cut_threads_off(tmp_path: Path) -> None:
    """main returns without waiting: what the thread has done by then is part of the trace."""
    text = """int x;
    void *one(void *a) { x = 1; x = 2; return a; }
    int main(void) { pthread_t a; pthread_create(&a, 0, one, 0); return x; }"""
    program = written(tmp_path, text)
    result = explored(program, "optimal")
    every = explore_exhaustively(Interpreter(program), stateful=False)
    assert (result.complete, result.final_states) == (every.traces, every.final_states)
    assert every.final_states == 6  # what was written by then, and what was seen before


@pytest.mark.parametrize("kind", ENGINES, ids=lambda kind: kind.name)
def test_errors_that_are_not_checked_end_threads(kind: type[Explorer], tmp_path: Path) -> None:
    """A division by zero and a variable of a thread that has ended: what follows never happens."""
    for text in (
        """int x = 1, y, z;
        void *one(void *a) { y = 10 / x; z = 1; z = 2; return a; }
        void *two(void *a) { x = 0; y = 3; return a; }""",
        """__thread int own; int *p, x, y, z;
        void *one(void *a) { p = &own; if (x) return a; z = 1; return a; }
        void *two(void *a) { int *seen = p; x = 1; if (seen) y = *seen; return a; }""",
    ):
        program = written(tmp_path, text + STARTED)
        quiet = Settings(properties=frozenset())
        every = explore_exhaustively(Interpreter(program, quiet), stateful=False)
        engine = traces_of(kind, Semantics(Interpreter(program, quiet)))
        assert len(engine.seen) == every.traces  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ENGINES, ids=lambda kind: kind.name)
def test_which_threads_are_left_out_is_a_matter_of_order(
    kind: type[Explorer], tmp_path: Path
) -> None:
    text = """int x;
    void *last(void *a) { x = a != 0; return a; }
    void *one(void *a) { pthread_t t; pthread_create(&t, 0, last, 0); return a; }
    void *two(void *a) { pthread_t t; pthread_create(&t, 0, last, &x); return a; }"""
    program = written(tmp_path, text + STARTED)
    settings = Settings(properties=frozenset(), max_threads=4)
    every = explore_exhaustively(Interpreter(program, settings), stateful=False)
    engine = traces_of(kind, Semantics(Interpreter(program, settings)))
    assert len(engine.seen) == every.traces  # type: ignore[attr-defined]
    assert engine.result.final_states == every.final_states == 2


@pytest.mark.parametrize("algorithm", ["epor", "epor-sh", "epor+"])
def test_sections_end(algorithm: str, tmp_path: Path) -> None:
    text = """atomic_int x, y;
    void *one(void *a) { while (!y) x = 1; return a; }
    void *two(void *a) { x = 2; return a; }"""
    result = explored(written(tmp_path, text + STARTED), algorithm)
    assert result.verdict is Verdict.UNKNOWN


# ------------------------------------------------------------------------- auto


def test_small_programs_are_explored_by_states() -> None:
    result = explored(imc.api.load(ROOT / "examples" / "peterson.c"), "auto")
    assert result.algorithm == "exhaustive" and result.why == "few states"


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("turn", [100, 1000, 10_000])
def test_programs_with_few_traces_are_explored_by_traces(
    monkeypatch: pytest.MonkeyPatch, turn: int, core: str
) -> None:
    """However short turns are, nothing is done twice: the figures are those of the engine alone."""
    monkeypatch.setattr("imc.explorer.contenders.FIRST_TURN", turn)
    program = program_of("indexer", "THREADS=12")
    result = explore(Interpreter(program), "auto", core=core)
    alone = explore(Interpreter(program), "optimal-await", core=core)
    assert result.algorithm == "optimal-await" and result.why.startswith(("many", "sooner"))
    assert (result.verdict, result.complete, result.events, result.race_checks) == (
        Verdict.SAFE, 8, alone.events, alone.race_checks,
    )  # fmt: skip
    assert result.core == core


@pytest.mark.parametrize("core", CORES)
def test_programs_with_few_states_are_explored_by_states(
    monkeypatch: pytest.MonkeyPatch, core: str
) -> None:
    """Between its turns the search has rested; it finds each state once all the same."""
    monkeypatch.setattr("imc.explorer.contenders.FIRST_TURN", 50)
    program = program_of("last_zero", "UPWARDS=4")
    result = explore(Interpreter(program), "auto", core=core)
    alone = explore(Interpreter(program), "exhaustive", core=core)
    assert result.algorithm == "exhaustive" and result.why == "sooner than by traces"
    assert (result.states, result.events) == (alone.states, alone.events)
    assert (result.verdict, result.final_states) == (alone.verdict, alone.final_states)


def test_who_meets_a_limit_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("imc.explorer.contenders.FIRST_TURN", 50)
    result = explore(Interpreter(program_of("ring", "THREADS=5")), "auto", limits=Limits(states=60))
    assert (result.algorithm, result.verdict) == ("optimal-await", Verdict.SAFE)


def test_executions_that_do_not_end_are_named(tmp_path: Path) -> None:
    text = """atomic_int x;
    void *one(void *a) {
        for (;;)
            x = !x;
    }
    void *two(void *a) { int seen = x; assert(seen < 2); return a; }"""
    program = written(tmp_path, text + STARTED)
    result = explored(program, "optimal")
    assert result.verdict is Verdict.UNKNOWN
    assert any("line 7 is executed" in bound for bound in result.bounds)
    assert explored(program, "auto").verdict is Verdict.SAFE


def test_thread_locals_of_others_end_with_their_thread(tmp_path: Path) -> None:
    """Who reads too late reads what is gone; who reads in time does not."""
    text = """static __thread int own = 3;
    static int *others, seen;
    static atomic_int last;
    void *one(void *a) { int *p = others; if (p) seen = *p; return a; }
    void *two(void *a) { others = &own; last = 1; return a; }"""
    path = tmp_path / "program.c"
    path.write_text(HEAD + text + STARTED)
    assert differences(imc.api.load(path), Size(1500), Counter(), seeds=2) == []
    result = explored(imc.api.load(path), "optimal")
    assert result.fault is not None and result.fault.kind is Property.MEMORY


def test_who_waits_has_been_started(tmp_path: Path) -> None:
    """main's own lock comes before it starts the second thread, which then waits for that lock."""
    text = """#define L(n) pthread_mutex_lock(&m[n]);
    #define U(n) pthread_mutex_unlock(&m[n]);
    static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
    static int x, y, z;
    void *one(void *a) { L(1) U(1) return a; }
    void *two(void *a) { L(1) L(0) U(0) U(0) L(1) L(0) z = 3; U(0) U(1) y = x; x++; return a; }
    int main(void) {
        pthread_t a, b;
        struct timespec soon = {0, 0};
        pthread_create(&a, 0, one, 0);
        L(0) U(0)
        pthread_create(&b, 0, two, 0);
        pthread_join(a, 0);
        if (pthread_mutex_timedlock(&m[0], &soon) == 0) {
            x = 1;
            L(1) L(0) U(1)
        }
        pthread_join(b, 0);
        return 0;
    }"""
    path = tmp_path / "program.c"
    path.write_text(HEAD + text)
    assert differences(imc.api.load(path), Size(1500), Counter(), seeds=2) == []


@pytest.mark.parametrize("kind", ENGINES, ids=lambda kind: kind.name)
def test_ends_are_the_same_once_addresses_are_numbers(kind: type[Explorer], tmp_path: Path) -> None:
    """Some executions end before the first one that looks at an address, some after it."""
    text = """#include <stdlib.h>
    int *p, x; long odd;
    void *one(void *a) { x = 1; int *q = p; if (q) odd = 2 + ((long)q & 1); return a; }
    void *two(void *a) { x = 1; p = malloc(4); return a; }"""
    program = written(tmp_path, text + STARTED)
    for seed in (None, 1, 2, 3):
        engine = traces_of(kind, Semantics(Interpreter(program)), seed)
        assert engine.result.final_states == 2
