"""Verification of small programs: what it yields, what it says, and why it gives up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from game import check_schedule
from patience import HANG_S

import imc.api
import imc.schedule
from imc.program.faults import DEFAULT_PROPERTIES, OutOfTime, Property
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict
from imc.program.violation import Violation
from imc.verifier.confirmation import Replayer
from imc.verifier.iteration import Verification
from imc.verifier.options import Until, VerifyOptions
from imc.verifier.result import Conclusion
from imc.verifier.search.search import Counterexample
from imc.verifier.search.strategies import PLAIN
from imc.verifier.tree.art import Tree

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
DECLARATIONS = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""
Load = Callable[[str], Program]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def load(text: str) -> Program:
        path = tmp_path / "program.c"
        path.write_text(DECLARATIONS + text)
        return imc.api.load(path)

    return load


def verified(program: Program, *more: Property, **options: object) -> Conclusion:
    settings = Settings(properties=DEFAULT_PROPERTIES | set(more))
    given = VerifyOptions(**{"time_s": HANG_S, **options})  # type: ignore[arg-type]
    return Verification(program, settings, given).run()


# --------------------------------------------------------------------- verdicts


def test_every_input_counts(load: Load) -> None:
    program = """
        int main(void) {
            int x = __VERIFIER_nondet_int();
            assert(x != 123456);
            return 0;
        }"""
    outcome = verified(load(program))
    assert outcome.verdict is Verdict.UNSAFE
    assert outcome.violation is not None and outcome.violation.reproduced
    assert outcome.violation.inputs == {"input.main.1.32": 123456}


def test_assumptions_restrict_inputs(load: Load) -> None:
    program = """
        int main(void) {
            int x = __VERIFIER_nondet_int();
            __VERIFIER_assume(0 <= x && x < 1000);
            assert(2 * x + 1 < 2000);
            return 0;
        }"""
    assert verified(load(program)).verdict is Verdict.SAFE


def test_loops_without_a_bound(load: Load) -> None:
    program = """
        static int x, y;
        int main(void) {
            while (__VERIFIER_nondet_int()) { x++; y++; }
            assert(x == y);
            return 0;
        }"""
    assert verified(load(program)).verdict is Verdict.SAFE


RACY = """
    static int x;
    static void *add(void *arg) { int r = x; x = r + 1; return arg; }
    int main(void) {
        pthread_t a, b;
        pthread_create(&a, 0, add, 0);
        pthread_create(&b, 0, add, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        assert(x == 2);
        return 0;
    }"""


def test_a_race_that_schedules_avoid(load: Load) -> None:
    outcome = verified(load(RACY), until=Until.ALL)
    assert outcome.verdict is Verdict.PARTIALLY_SAFE
    assert outcome.violation is not None and outcome.violation.reproduced
    assert "others lead to an error" in outcome.reason
    assert any(r.safe for r in outcome.results) and not all(r.safe for r in outcome.results)


def test_data_races_on_request(load: Load) -> None:
    program = RACY.replace("assert(x == 2);", "")
    assert verified(load(program)).verdict is Verdict.SAFE
    outcome = verified(load(program), Property.RACE)
    assert outcome.verdict is Verdict.PARTIALLY_SAFE
    assert outcome.violation is not None and outcome.violation.fault.kind is Property.RACE


def test_overflow_on_request(load: Load) -> None:
    program = load("""
        int main(void) {
            int x = __VERIFIER_nondet_int();
            __VERIFIER_assume(x > 0);
            assert(x + 1 > x);
            return 0;
        }""")
    verification = Verification(program)
    assert verification.run().verdict is Verdict.SAFE
    assert "no-overflow" in [a.code for a in verification.assumptions()]
    outcome = verified(program, Property.OVERFLOW)
    assert outcome.verdict is Verdict.UNSAFE
    assert outcome.violation is not None
    assert outcome.violation.inputs == {"input.main.1.32": 2147483647}


def test_unsigned_arithmetic_wraps(load: Load) -> None:
    program = """
        extern unsigned __VERIFIER_nondet_uint(void);
        int main(void) {
            unsigned x = __VERIFIER_nondet_uint();
            assert(x + 1 > x);
            return 0;
        }"""
    outcome = verified(load(program))
    assert outcome.verdict is Verdict.UNSAFE
    assert outcome.violation is not None and outcome.violation.reproduced


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("assert((x ^ __VERIFIER_nondet_int()) != 7);", "bit operation on two values"),
        ("double d = x; assert(d >= 0.0);", "the cast 'sitofp'"),
        ("assert(100 / x > 0);", "'sdiv' by a value that is not known"),
    ],
)
def test_what_it_does_not_know_is_unknown(load: Load, statement: str, reason: str) -> None:
    program = f"""
        int main(void) {{
            int x = __VERIFIER_nondet_int();
            __VERIFIER_assume(x > 0);
            {statement}
            return 0;
        }}"""
    outcome = verified(load(program))
    assert outcome.verdict is Verdict.UNKNOWN
    assert reason in outcome.reason and "program.c:12" in outcome.reason


@pytest.mark.parametrize(("numbers", "verdict"), [(32, Verdict.SAFE), (33, Verdict.UNKNOWN)])
def test_few_values_are_tried_across_events(load: Load, numbers: int, verdict: Verdict) -> None:
    program = f"""
        #include <pthread.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        int main(void) {{
            int x = __VERIFIER_nondet_int();
            __VERIFIER_assume(x > 0 && x <= {numbers});
            pthread_mutex_lock(&m);
            assert(100 / x > 2);
            return 0;
        }}"""
    outcome = verified(load(program))
    assert outcome.verdict is verdict
    if verdict is Verdict.UNKNOWN:
        assert "'sdiv' by a value that is not known" in outcome.reason


# ------------------------------------------------------------------------ arrays


def test_array_contents_as_a_range(load: Load) -> None:
    program = """
        static int table[100];
        int main(void) {
            while (1) {
                int i = __VERIFIER_nondet_int(), v = __VERIFIER_nondet_int();
                __VERIFIER_assume(0 <= i && i < 100 && 3 <= v && v <= 5);
                assert(table[i] >= 0);
                table[i] = 4;
            }
        }"""
    assert verified(load(program)).verdict is Verdict.SAFE


def test_array_elements_told_apart(load: Load) -> None:
    program = """
        static int table[100];
        int main(void) {
            int i = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
            __VERIFIER_assume(0 <= i && i < 100 && 0 <= k && k < 100 && i != k);
            table[i] = 1;
            table[k] = 2;
            assert(table[i] == 1);
            return 0;
        }"""
    assert verified(load(program)).verdict is Verdict.SAFE


def test_an_index_out_of_bounds(load: Load) -> None:
    program = """
        static int table[100];
        int main(void) {
            int i = __VERIFIER_nondet_int();
            __VERIFIER_assume(0 <= i && i <= 100);
            table[i] = 1;
            return 0;
        }"""
    outcome = verified(load(program))
    assert outcome.verdict is Verdict.UNSAFE
    assert outcome.violation is not None and outcome.violation.fault.kind is Property.MEMORY
    assert outcome.violation.inputs == {"input.main.1.32": 100}


# --------------------------------------------------------------------- schedules


@pytest.mark.parametrize("strategy", sorted(PLAIN))
@pytest.mark.parametrize("name", ["double_lock_wrong", "prodcons_unlocked_check", "barrier"])
def test_schedules_of_every_strategy_hold(name: str, strategy: str) -> None:
    program = imc.api.load(EXAMPLES / f"{name}.c")
    outcome = verified(program, iterations=4, strategy=strategy)
    schedules = [r.schedule for r in outcome.results if r.schedule is not None]
    assert schedules
    for schedule in schedules:
        assert check_schedule(program, Settings(), schedule) == []


def test_results_permit_more_and_more() -> None:
    program = imc.api.load(EXAMPLES / "double_lock.c")
    outcome = verified(program, iterations=5)
    sizes = [len(r.schedule.nodes) for r in outcome.results if r.schedule is not None]
    assert len(sizes) == 5 and sizes == sorted(sizes)


@pytest.mark.parametrize("strategy", ["round-robin", "whole-rounds", "fewest-switches"])
def test_callers_of_unknown_code_do_not_keep_the_others_waiting(load: Load, strategy: str) -> None:
    """Nobody waits before the slow call: both threads are in it at the same time."""
    program = load("""
        extern int compute(void);
        int sum;
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *run(void *arg) {
            int result = compute();
            pthread_mutex_lock(&m);
            sum += result;
            pthread_mutex_unlock(&m);
            return NULL;
        }
        int main(void) {
            pthread_t a, b;
            pthread_create(&a, NULL, run, NULL);
            pthread_create(&b, NULL, run, NULL);
            pthread_join(a, NULL);
            pthread_join(b, NULL);
            return 0;
        }""")
    verification = imc.api.verify(program, iterations=1, strategy=strategy)
    (result,) = list(verification)
    schedule = imc.schedule.compile(verification, result, "opt1").schedule
    calls = [
        event
        for section in schedule.sections
        for event in section.events
        if schedule.sites[event.site].operation == "compute"
    ]
    assert {event.thread for event in calls} == {1, 2}
    assert not any(event.waits for event in calls)


def test_threads_that_find_nothing_to_do_keep_their_turns() -> None:
    """Their rounds change nothing; who then has starved must not let the same two alternate."""
    define = ("PRODUCERS=4", "CONSUMERS=4")
    program = imc.api.load(EXAMPLES / "prodcons_unlocked_check.c", define=define)
    outcome = verified(program, iterations=1)
    assert outcome.schedule is not None and outcome.nodes < 100
    assert check_schedule(program, Settings(), outcome.schedule) == []


def test_declarative_synchronisation() -> None:
    """With a second thread that must do useful work, every thread moves in the schedule."""
    program = imc.api.load(EXAMPLES / "filesystem_assume_useful.c")
    outcome = verified(program, iterations=1)
    schedule = outcome.schedule
    assert schedule is not None and check_schedule(program, Settings(), schedule) == []
    moving = {t for node in schedule.nodes.values() for t in node.permits}
    assert moving == {0, 1, 2, 3}


# ------------------------------------------------------------------------ limits


def test_objects_that_take_turns_do_not_hide_a_loop(load: Load) -> None:
    """After each round the two are called by each other's names; nobody sets the flag."""
    found = verified(
        load("""
            #include <pthread.h>
            #include <stdatomic.h>
            #include <stdlib.h>
            static atomic_int flag;
            static int *new(void) { int *p = malloc(sizeof(int)); *p = 0; return p; }
            static void *spin(void *arg) {
                int *p = new(), *q = new();
                while (!flag) { int *t = p; p = q; q = t; }
                return 0;
            }
            int main(void) {
                pthread_t t;
                pthread_create(&t, 0, spin, 0);
                pthread_join(t, 0);
                flag = 1;
            }
        """)
    )
    assert found.verdict is Verdict.UNSAFE and found.schedule is None


def test_a_time_limit_leaves_a_usable_outcome() -> None:
    program = imc.api.load(EXAMPLES / "prodcons.c")
    outcome = Verification(program, None, VerifyOptions(time_s=1e-6)).run()
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.bounds == ["stopped after 1e-06 s"]


def test_the_time_is_up_while_errors_are_run_again(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = load("int main(void) { assert(0); }")
    usual, asked = Replayer.violation, []

    def violation(self: Replayer, tree: Tree, found: Counterexample) -> Violation:
        asked.append(found)
        if len(asked) > 1:  # the first one has been told, the rest is the conclusion's
            raise OutOfTime
        return usual(self, tree, found)

    monkeypatch.setattr(Replayer, "violation", violation)
    options = VerifyOptions(time_s=HANG_S, until=Until.FIRST)
    outcome = Verification(program, Settings(), options).run()
    assert len(asked) == 2
    assert outcome.verdict is Verdict.UNKNOWN
    assert f"stopped after {HANG_S:g} s" in outcome.bounds


def test_a_memory_limit() -> None:
    program = imc.api.load(EXAMPLES / "scanner.c")
    outcome = Verification(program, None, VerifyOptions(memory_mb=1)).run()
    assert outcome.bounds == ["stopped at 1 MB of memory"]


def test_the_first_result_is_enough() -> None:
    program = imc.api.load(EXAMPLES / "prodcons.c")
    outcome = verified(program, until=Until.FIRST)
    assert [r.index for r in outcome.results] == [1]
    assert outcome.verdict is Verdict.PARTIALLY_SAFE
    assert "have not been proved" in outcome.reason


def test_an_interrupt_ends_the_iteration() -> None:
    program = imc.api.load(EXAMPLES / "double_lock.c")

    def interrupt(doing: str) -> None:
        if doing.startswith("schedule 3"):
            raise KeyboardInterrupt

    options = VerifyOptions(iterations=10, progress=interrupt)
    outcome = Verification(program, None, options).run()
    assert "interrupted" in outcome.bounds
    assert outcome.schedule is not None and outcome.verdict is Verdict.PARTIALLY_SAFE


def test_two_runs_say_the_same() -> None:
    def figures() -> list[tuple[object, ...]]:
        outcome = verified(imc.api.load(EXAMPLES / "prodcons_off_by_one.c"), iterations=8)
        return [(r.permits, r.nodes, r.covers, r.solver_calls) for r in outcome.results]

    assert figures() == figures()


NOT_THE_SAME = """extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < -1000 || x > 1000)
        return 0;
    while (1) {
        int k = __VERIFIER_nondet_int();
        if (k != 1 && k != -1)
            break;
        if (k * x + 100 <= 0)
            break;
        x = x - k;
    }
    return 0;
}
"""


def test_what_falls_must_not_depend_on_new_inputs(tmp_path: Path) -> None:
    """With 0, 1, -1, 1, -1, … it never ends: what is below 100 is another product each time."""
    source = tmp_path / "prog.c"
    source.write_text(NOT_THE_SAME)
    outcome = imc.api.verify(source, check=["termination"], time_limit=HANG_S).run()
    assert outcome.verdict is not Verdict.SAFE
