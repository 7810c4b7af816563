"""Trace prefixes: whatever they leave free has been explored, and less and less is ordered."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled import read_back
from enforcement import Enforcement, Stage
from tiny.generator import Profile, random_program
from tiny.printer import to_c

import imc.api
from imc.explorer import Limits, explore_exhaustively
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict
from imc.schedule.prefix import TracePrefixes, prefix_passes, trace_prefixes
from irs.schedule import End, Free, Schedule

ROOT = Path(__file__).parent.parent.parent
SETTINGS = Settings()
MOST_STATES = 1000

PREAMBLE = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
# The thesis's figure 5.1: which cells the pointers name is the environment's choice.
POINTERS = """
extern _Bool __VERIFIER_nondet_bool(void);
int cells[2];
int *x, *y;

void *first(void *argument) {
    int a = *x;
    *x = a + 1;
    assert(*x == a + 1);
    return argument;
}

void *second(void *argument) {
    int b = *y;
    *y = b + 1;
    return argument;
}

int main(void) {
    pthread_t one, two;
    x = &cells[__VERIFIER_nondet_bool()];
    y = &cells[__VERIFIER_nondet_bool()];
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
"""
# After Abdulla et al.: one thread looks for the last zero while the others remove them.
LAST_ZERO = """
#define N 2
int array[N + 1];

void *search(void *argument) {
    int i = N;
    while (array[i] != 0)
        i--;
    return argument;
}

void *work(void *argument) {
    int j = *(int *)argument;
    array[j] = array[j - 1] + 1;
    return argument;
}

int main(void) {
    pthread_t searcher, workers[N];
    int numbers[N];
    pthread_create(&searcher, 0, search, 0);
    for (int j = 0; j < N; j++) {
        numbers[j] = j + 1;
        pthread_create(&workers[j], 0, work, &numbers[j]);
    }
    pthread_join(searcher, 0);
    for (int j = 0; j < N; j++)
        pthread_join(workers[j], 0);
    return 0;
}
"""
# After Flanagan and Godefroid: threads put messages into a shared hash table.
INDEXER = """
#define THREADS 3
#define SIZE 4
atomic_int table[SIZE];

void *indexer(void *argument) {
    int w = *(int *)argument;
    for (int m = 1; m <= 2; m++) {
        int message = w * 2 + m, h = message * 7 % SIZE, empty = 0;
        while (!atomic_compare_exchange_strong(&table[h], &empty, message)) {
            h = (h + 1) % SIZE;
            empty = 0;
        }
    }
    return argument;
}

int main(void) {
    pthread_t threads[THREADS - 1];
    int numbers[THREADS - 1];
    for (int t = 0; t < THREADS - 1; t++) {
        numbers[t] = t;
        pthread_create(&threads[t], 0, indexer, &numbers[t]);
    }
    for (int t = 0; t < THREADS - 1; t++)
        pthread_join(threads[t], 0);
    return 0;
}
"""
SPINNING = """
atomic_int ready;

void *setter(void *argument) {
    ready = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, setter, 0);
    while (!ready)
        ;
    pthread_join(thread, 0);
    return 0;
}
"""
CROSSED = """
pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

void *crossed(void *argument) {
    pthread_mutex_lock(&two);
    pthread_mutex_lock(&one);
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&two);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, crossed, 0);
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    pthread_join(thread, 0);
    return 0;
}
"""
# Both ways of the input are safe, but one takes longer to explore.
ASKED = """
extern _Bool __VERIFIER_nondet_bool(void);
int counter;

void *increment(void *argument) {
    counter++;
    return argument;
}

int main(void) {
    pthread_t thread;
    int often = __VERIFIER_nondet_bool();
    pthread_create(&thread, 0, increment, 0);
    if (often)
        counter++;
    pthread_join(thread, 0);
    assert(counter == 1 + often);
    return 0;
}
"""
ASSUMING = """
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int shared;

void *writer(void *argument) {
    shared = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0);
    pthread_create(&thread, 0, writer, 0);
    shared = n;
    pthread_join(thread, 0);
    return 0;
}
"""
SAFE = {"last_zero": LAST_ZERO, "indexer": INDEXER, "spinning": SPINNING, "assuming": ASSUMING}
UNSAFE = {"pointers": POINTERS, "crossed": CROSSED, "asked": ASKED}


def load(text: str, folder: Path) -> Program:
    path = folder / "program.c"
    path.write_text(PREAMBLE + text)
    return imc.api.load(path)


def size(schedule: Schedule) -> tuple[int, int]:
    """How many waits and events there are."""
    events = [event for section in schedule.sections for event in section.events]
    return sum(len(event.waits) for event in events), len(events)


def play(
    program: Program, level: str = "opt3", settings: Settings = SETTINGS
) -> tuple[TracePrefixes, list[Schedule]]:
    """Every schedule of a program, played in all orders, with what is free behind it."""
    limits = Limits(states=MOST_STATES)
    prefixes = trace_prefixes(Interpreter(program, settings), level, limits)
    schedules = [read_back(compiled.schedule) for compiled in prefixes]
    for schedule in schedules:
        assert Enforcement(Stage(program, settings, schedule), schedule).check() == []
        assert all(site.action == "gate" for site in schedule.sites)
    sizes = list(map(size, schedules))
    assert sizes == sorted(set(sizes), reverse=True)
    assert [s.made.result for s in schedules] == list(range(1, len(schedules) + 1))
    if prefixes.search.graph.settled:
        assert sizes[-1] == (0, 0)
        assert isinstance(schedules[-1].sections[0].next, Free)
    elif schedules:
        assert sizes[-1] > (0, 0)
    return prefixes, schedules


@pytest.mark.parametrize("level", ["opt0", "opt1", "opt3"])
@pytest.mark.parametrize("name", SAFE)
def test_safe_programs_end_without_an_order(name: str, level: str, tmp_path: Path) -> None:
    prefixes, schedules = play(load(SAFE[name], tmp_path), level)
    assert prefixes.result.fault is None
    assert prefixes.search.graph.settled
    assert len(schedules) > 3
    assert size(schedules[0])[0] > 0


@pytest.mark.parametrize("level", ["opt0", "opt1", "opt3"])
@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_programs_keep_an_order(name: str, level: str, tmp_path: Path) -> None:
    prefixes, schedules = play(load(UNSAFE[name], tmp_path), level)
    assert prefixes.result.verdict is Verdict.UNSAFE
    assert len(schedules) > 1


@pytest.mark.parametrize("name", ["lost_update", "bank_race", "treiber_stack"])
def test_examples(name: str) -> None:
    prefixes, schedules = play(imc.api.load(ROOT / "examples" / f"{name}.c"))
    plain = imc.api.explore(ROOT / "examples" / f"{name}.c")
    assert prefixes.result.verdict is plain.verdict
    assert schedules
    assert schedules[0].made.strategy == "trace prefix"
    assert schedules[0].certificate is None


@pytest.mark.parametrize("number", range(24))
def test_random_programs(number: int, tmp_path: Path) -> None:
    profile = Profile.RICH if number % 2 else Profile.SIMPLE
    path = tmp_path / "program.c"
    path.write_text(to_c(random_program(profile, 29, number)))
    program = imc.api.load(path)
    prefixes, _ = play(program, ("opt0", "opt1", "opt3")[number % 3])
    plain = explore_exhaustively(Interpreter(program), True, Limits(states=MOST_STATES))
    assert (prefixes.result.fault is None) == (plain.fault is None)


def test_the_first_one_is_a_whole_trace_and_comes_at_once(tmp_path: Path) -> None:
    prefixes = imc.api.trace_prefixes(load(INDEXER, tmp_path))
    first = next(iter(prefixes)).schedule
    assert isinstance(first.sections[-1].next, End)
    assert prefixes.result.states == len(first.sections[0].events) + 1


def test_a_limit_leaves_what_was_found(tmp_path: Path) -> None:
    limits = Limits(states=40)
    prefixes = trace_prefixes(Interpreter(load(LAST_ZERO, tmp_path)), limits=limits)
    *_, last = prefixes
    assert prefixes.result.bounds == ["stopped after 40 states"]
    assert last.statistics.events > 0


def test_what_comes_behind_a_bound_is_not_known(tmp_path: Path) -> None:
    settings = Settings(loop_bound=1)
    _, schedules = play(load(SPINNING, tmp_path), settings=settings)
    assert size(schedules[-1])[1] > 0
    assert "loop bound 1 at line 15" in schedules[-1].bounds


def test_inputs_outside_the_list_are_a_bound(tmp_path: Path) -> None:
    _, schedules = play(load(ASSUMING, tmp_path))
    assert schedules[-1].bounds == ("inputs of __VERIFIER_nondet_int taken from {0, 1, 2}",)


def test_a_deadlock_is_avoided_even_if_nobody_looks_for_it(tmp_path: Path) -> None:
    unchecked = Settings(properties=frozenset())
    prefixes, schedules = play(load(CROSSED, tmp_path), settings=unchecked)
    assert prefixes.result.verdict is Verdict.SAFE
    assert size(schedules[-1])[1] > 0


def test_without_a_safe_end_there_is_none(tmp_path: Path) -> None:
    wrong = load("int main(void) { assert(0); }", tmp_path)
    assert list(imc.api.trace_prefixes(wrong)) == []
    with pytest.raises(ValueError, match="no order of the program comes safely to an end"):
        imc.api.trace_prefixes(wrong).cut(0)


@pytest.mark.parametrize("text", [LAST_ZERO, INDEXER])
def test_a_trace_can_be_cut_to_any_number_of_constraints(text: str, tmp_path: Path) -> None:
    program = load(text, tmp_path)
    prefixes = imc.api.trace_prefixes(program)
    whole, _ = size(next(iter(prefixes)).schedule)
    counts = []
    for constraints in range(whole + 1):
        schedule = read_back(prefixes.cut(constraints).schedule)
        assert Enforcement(Stage(program, SETTINGS, schedule), schedule).check() == []
        assert "unexplored" in [a.code for a in schedule.assumptions]
        counts.append(size(schedule)[0])
    assert counts[0] == 0
    assert counts[-1] == whole
    assert all(count <= k for k, count in enumerate(counts))


def test_passes_of_prefixes() -> None:
    """What is free later needs its locks, and has to wait for all of the prefix."""
    assert [prefix_passes(f"opt{n}") for n in range(4)] == [
        "opt0", "partial", "partial", "partial,overlap",
    ]  # fmt: skip
