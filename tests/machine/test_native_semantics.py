"""The real machine is compared with the model: outcomes are explained, and a hole is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from native_semantics.compare import Options, check_generated, compare, seen_in
from native_semantics.model import Program, Refused, Sharing, load, predict
from native_semantics.outcomes import DEADLOCK, Outcome
from native_semantics.stepper import Stepper, build_stepper, run_many, why_not

from imc.program.watch import Watch

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not())

HEADER = "#include <pthread.h>\n#include <stdio.h>\n"
MAIN = """
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%ld\\n", (long)result);
    return 0;
}
"""
LOST_UPDATE = f"""{HEADER}
static int result;
static void *first(void *arg) {{ result += 1; return 0; }}
static void *second(void *arg) {{ result += 2; return 0; }}
{MAIN}"""
BY_VALUE = f"""{HEADER}
struct big {{ long a, b, c; }};
static struct big s;
static long result;
static long sum(struct big s) {{ return s.a + 10 * s.b + 100 * s.c; }}
static void *first(void *arg) {{ s.a = 1; s.b = 1; s.c = 1; return 0; }}
static void *second(void *arg) {{ result = sum(s); return 0; }}
{MAIN}"""
CROSSED = f"""{HEADER}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int result;
static void use(pthread_mutex_t *one, pthread_mutex_t *other)
{{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    result++;
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}}
static void *first(void *arg) {{ use(&m, &n); return 0; }}
static void *second(void *arg) {{ use(&n, &m); return 0; }}
{MAIN}"""

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.c"))  # that were not explained once
REFUSED = ("attribute_stack",)  # which the model has no answer for now, instead of a wrong one


class Blind(Sharing):
    """Takes what threads do with the shared variable for one step that nobody sees."""

    def visible_in(self, function: str) -> frozenset[int]:
        return frozenset() if function in ("first", "second") else super().visible_in(function)


@pytest.fixture(scope="module")
def stepper(tmp_path_factory: pytest.TempPathFactory) -> Stepper:
    return build_stepper(tmp_path_factory.mktemp("stepper"))


def machine(stepper: Stepper, folder: Path, text: str, runs: int) -> tuple[set[Outcome], Program]:
    """What the machine does with a program, and the program as the model has it."""
    source = folder / "program.c"
    source.write_text(text)
    done = run_many(stepper.build(source), 0, runs)
    return set(seen_in(done)), load(source)


def test_a_hole_in_the_model_shows(
    stepper: Stepper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tripwire ends the analysis; were it not there, the machine would contradict the model."""
    seen, program = machine(stepper, tmp_path, LOST_UPDATE, 100)
    assert seen <= predict(program).outcomes
    with pytest.raises(Refused, match="touches 'result' in a way that is not modelled"):
        predict(program, Blind(program))
    monkeypatch.setattr(Watch, "seen", lambda *_: False)
    monkeypatch.setattr(Watch, "unseen", lambda *_: False)
    assert seen - predict(program, Blind(program)).outcomes == {
        Outcome("exit", 0, "1\n"),
        Outcome("exit", 0, "2\n"),
    }


def test_threads_are_interrupted_within_copies(stepper: Stepper, tmp_path: Path) -> None:
    seen, _ = machine(stepper, tmp_path, BY_VALUE, 150)
    whole = {Outcome("exit", 0, f"{n}\n") for n in (0, 1, 11, 111)}
    assert seen - whole, "a copy in one step is what nobody has done"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_what_was_missed_once_is_explained(stepper: Stepper, path: Path) -> None:
    report = compare(path.stem, path.read_text(), Options(stepper, 60))
    assert not report.unexplained
    refused = [note for note in report.notes if note.startswith("not modelled: ")]
    assert (report.notes, bool(refused)) == (refused, path.stem in REFUSED)


def test_deadlocks_are_noticed(stepper: Stepper, tmp_path: Path) -> None:
    seen, program = machine(stepper, tmp_path, CROSSED, 60)
    assert seen == predict(program).outcomes == {DEADLOCK, Outcome("exit", 0, "2\n")}


def test_the_same_number_is_the_same_run(stepper: Stepper, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(LOST_UPDATE)
    program = stepper.build(source)
    assert run_many(program, 3, 20) == run_many(program, 3, 20)


@pytest.mark.parametrize("name", ["arrays", "mutexes", "semaphores", "atomics"])
def test_random_programs_are_explained(stepper: Stepper, name: str) -> None:
    report = check_generated(1, 3, (name,), Options(stepper, 20))
    assert not report.unexplained and not report.notes
