"""Execution graphs come to what exhaustive search comes to, and to the numbers that are known."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from graphs.agreement import compared
from graphs.sections import COUNTED, random_sections, to_c
from random_sources import random_source

from imc.explorer.algorithms import explore
from imc.explorer.result import GRAPHS, Exploration, Reduction
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.faults import Property
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict

RANDOM = {"simple": 10, "rich": 10, "features": 5}  # scripts/crosscheck_graphs.py does more
PLAIN = Settings()
QUIET = Settings(
    properties=Settings().properties - {Property.DEADLOCK, Property.ASSERTION, Property.LIVELOCK}
)
HEAD = "#include <pthread.h>\n#include <stdlib.h>\n"


@pytest.fixture
def load(tmp_path: Path):  # type: ignore[no-untyped-def]
    def loaded(text: str) -> Program:
        path = tmp_path / "prog.c"
        path.write_text(text)
        return load_program([path], cache=NO_CACHE)

    return loaded


def graphs_of(program: Program, lapor: bool = True) -> Exploration:
    return explore(Interpreter(program, PLAIN), GRAPHS, Reduction(lapor=lapor, traces=True))


@pytest.mark.parametrize("name", COUNTED)
def test_counts_of_sections(name: str, load) -> None:  # type: ignore[no-untyped-def]
    text, count = COUNTED[name]
    program = load(to_c(text))
    found = graphs_of(program)
    assert (found.complete, found.blocked, found.redundant, found.duplicates) == (count, 0, 0, 0)
    compared(program, PLAIN, lapor=True)


def test_sections_that_only_read_have_one_execution(load) -> None:  # type: ignore[no-untyped-def]
    assert graphs_of(load(to_c(" | ".join(["L{r=x;}"] * 8)))).complete == 1
    program = load(to_c(" | ".join(["L{r=x;}"] * 5)))
    assert graphs_of(program, lapor=False).complete == 120


@pytest.mark.parametrize("lapor", [True, False], ids=["lapor", "ordered"])
@pytest.mark.parametrize("seed", range(30))
def test_random_sections(seed: int, lapor: bool, load) -> None:  # type: ignore[no-untyped-def]
    """Some of them deadlock, and some go wrong inside of a section."""
    text = random_sections(random.Random(seed), nested=0.6, fails=0.2)
    compared(load(to_c(text)), PLAIN, lapor)


@pytest.mark.parametrize("kind", RANDOM)
def test_random_programs(kind: str, load) -> None:  # type: ignore[no-untyped-def]
    done = 0
    for number in range(RANDOM[kind]):
        text = random_source(kind, number, 29)
        more = any(word in text for word in ("sem_", "barrier_", "cond_"))
        program = load(text)
        for settings in (PLAIN, QUIET):
            done += compared(program, settings, lapor=False, one_each=not more)
            done += compared(program, settings, lapor=True, one_each=not more)
    assert done


DEADLOCKS = {
    "two locks": "L{M{x=1;}} | M{L{x=2;}}",
    "three locks": "L{M{x=1;}} | M{N{x=2;}} | N{L{x=3;}}",
    "one lock twice": "L{L{x=1;}}",
    "kept by who has ended": "L{x=1;} | pthread_mutex_lock(&L); x=2",
}


@pytest.mark.parametrize("name", DEADLOCKS)
def test_deadlocks(name: str, load) -> None:  # type: ignore[no-untyped-def]
    for lapor in (True, False):
        found = graphs_of(load(to_c(DEADLOCKS[name])), lapor)
        assert found.fault is not None and found.fault.kind is Property.DEADLOCK
        assert found.reproduced


def test_a_lock_in_between_prevents_the_circle(load) -> None:  # type: ignore[no-untyped-def]
    program = load(to_c("N{L{M{x=1;}}} | N{M{L{x=2;}}}"))
    assert graphs_of(program).verdict is Verdict.SAFE


def test_who_waits_for_an_end_holds_the_lock(load) -> None:  # type: ignore[no-untyped-def]
    text = """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *run(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_mutex_lock(&m);
            pthread_join(t, 0); pthread_mutex_unlock(&m); return 0; }"""
    found = graphs_of(load(HEAD + text))
    assert found.fault is not None and found.fault.kind is Property.DEADLOCK


@pytest.mark.parametrize("locked", [True, False], ids=["locked", "unlocked"])
def test_an_object_ends_while_it_is_used(locked: bool, load) -> None:  # type: ignore[no-untyped-def]
    """The reader looks whether it is still there: that helps under a lock only."""
    lock, unlock = ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);") if locked else ("", "")
    text = f"""pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int *shared;
        void *reader(void *p) {{ {lock} int *o = shared; if (o) *o = 2; {unlock} return 0; }}
        void *ender(void *p) {{ {lock} int *o = shared; shared = 0; free(o); {unlock} return 0; }}
        int main(void) {{ pthread_t s, t; shared = malloc(sizeof *shared); if (!shared) return 0;
            pthread_create(&s, 0, reader, 0); pthread_create(&t, 0, ender, 0);
            pthread_join(s, 0); pthread_join(t, 0); return 0; }}"""
    for lapor in (True, False):
        found = graphs_of(load(HEAD + text), lapor)
        assert found.verdict is (Verdict.SAFE if locked else Verdict.UNSAFE)
        assert found.fault is None or found.fault.kind is Property.MEMORY


def test_what_graphs_do_not_have_is_no_verdict(load) -> None:  # type: ignore[no-untyped-def]
    text = """void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x, y;
        void *run(void *p) { __VERIFIER_atomic_begin(); x = 1; y = 1; __VERIFIER_atomic_end();
            return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); x = 2; y = 2;
            pthread_join(t, 0); return 0; }"""
    found = graphs_of(load(HEAD + text))
    assert found.verdict is Verdict.UNKNOWN
    assert "execution graphs" in found.reason


def test_executions_that_do_not_end(load) -> None:  # type: ignore[no-untyped-def]
    text = """_Atomic int x; void *run(void *p) { while (!x); return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); x = 1;
            pthread_join(t, 0); return 0; }"""
    found = graphs_of(load(HEAD + text))
    assert found.verdict is Verdict.UNKNOWN


def test_more_threads_than_clocks_begin_with(load) -> None:  # type: ignore[no-untyped-def]
    assert graphs_of(load(to_c(" | ".join(["L{x=1;}"] * 2 + ["r=z"] * 8)))).complete == 2
