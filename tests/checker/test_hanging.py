"""The checker accepts what cannot hang, and rejects schedules that threads can go round in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from compiled import SETTINGS, compiled
from enforcement import Enforcement, Stage
from rounds import rounds

import imc.api
import imc.program.livelock
from imc.checker.check import check_schedule
from imc.checker.hanging import EndlessRounds
from imc.checker.refusal import Rejected, Undecided
from imc.program.faults import Property
from imc.program.program import Program
from irs.schedule import Schedule

ROOT = Path(__file__).parents[2]
REGRESS = ROOT / "tests" / "programs" / "regress"
HARMLESS = ("no_hang", "livelock_none", "server")
LOOPS = [
    path.name
    for path in sorted(REGRESS.iterdir())
    if path.name.startswith(("hang", "livelock", *HARMLESS))
]
RIGHT = [
    *sorted((ROOT / "examples").glob("*.c")),
    *(REGRESS / name / "prog.c" for name in LOOPS if name.startswith(HARMLESS)),
]
# Whoever does not look for livelocks finds schedules that are right in all else.
CARELESS = replace(SETTINGS, properties=SETTINGS.properties - {Property.LIVELOCK})
MOST = 12  # results until one of them hangs
FEW = 5


def name_of(path: Path) -> str:
    return path.parent.name if path.stem == "prog" else path.stem


def schedules(program: Program, results: int = MOST) -> Iterator[Schedule]:
    for (schedule,) in compiled(program, results, ("opt3",), settings=CARELESS):
        yield schedule


def rejection(program: Program) -> str:
    """Why the first schedule that hangs is rejected; without livelocks it is accepted."""
    for schedule in schedules(program):
        check_schedule(program, schedule, CARELESS)
        try:
            check_schedule(program, schedule, SETTINGS)
        except Rejected as rejected:
            return str(rejected)
    raise AssertionError("no schedule is rejected")


def written(folder: Path, text: str) -> Program:
    source = folder / "prog.c"
    source.write_text(text)
    return imc.api.load(source)


@pytest.mark.parametrize("source", RIGHT, ids=name_of)
def test_schedules_that_do_not_hang_are_accepted(source: Path) -> None:
    program = imc.api.load(source)
    for (schedule,) in compiled(program, 2, ("opt3",)):
        accepted = check_schedule(program, schedule, SETTINGS)
        assert Property.LIVELOCK in accepted.properties


@pytest.mark.parametrize("name", LOOPS)
def test_rejected_is_what_hangs_when_it_is_played(name: str) -> None:
    """Every order that a schedule permits, on known values: an opinion that knows no tree."""
    program = imc.api.load(REGRESS / name / "prog.c")
    for (schedule,) in compiled(program, FEW, ("opt0",), settings=CARELESS):
        enforcement = Enforcement(Stage(program, SETTINGS, schedule), schedule)
        enforcement.check()
        hangs = rounds(enforcement)
        try:
            check_schedule(program, schedule, SETTINGS)
            assert not hangs
        except Rejected as rejected:
            assert hangs, rejected


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("hang_yielding", "main (line 9), main.1 (line 9)"),
        ("hang_two_flags", "main (line 23), main.1 (line 10)"),
        ("hang_trylock", "main (lines 12, 13, 15), main.1 (lines 12, 13, 15)"),
        ("hang_after_you", "main (lines 13, 14, 16), main.1 (lines 13, 14, 16)"),
        ("hang_lost_item", "main (line 18)"),
        ("hang_polling_under_a_lock", "main.1 (lines 10, 11"),
        ("hang_timed_wait", "main.1 (line 15)"),
        ("livelock_spinning_reader", "main (line 20)"),
    ],
)
def test_threads_that_go_round_are_named(name: str, who: str) -> None:
    reason = rejection(imc.api.load(REGRESS / name / "prog.c"))
    assert f"threads may go round for ever without effect: {who}" in reason


@pytest.mark.parametrize(
    ("name", "line"), [("livelock_endless_joined", 7), ("hang_main_has_left", 8)]
)
def test_an_endless_computation_at_the_end(name: str, line: int) -> None:
    reason = rejection(imc.api.load(REGRESS / name / "prog.c"))
    assert f"no thread can move, a livelock: main.1 goes round (line {line})" in reason


TURNS = """
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
"""


def test_objects_that_take_turns_do_not_hide_a_loop(tmp_path: Path) -> None:
    """After each round the two are called by each other's names."""
    assert "main.1 (line 9)" in rejection(written(tmp_path, TURNS))


COUNTING = """
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
static atomic_int left;
static void *count(void *arg) { while (left > 0) left = left - 1; return 0; }
int main(void) {
    pthread_t t;
    left = __VERIFIER_nondet_int();
    pthread_create(&t, 0, count, 0);
    pthread_join(t, 0);
}
"""


def test_what_is_counted_down_is_proved_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an answer to that, nothing is said."""
    program = written(tmp_path, COUNTING)
    ((schedule,),) = compiled(program, 1)
    assert Property.LIVELOCK in check_schedule(program, schedule, SETTINGS).properties

    class WithoutAnswers(EndlessRounds):
        def check(self) -> None:
            monkeypatch.setattr(self.checker, "follows", no_answer)
            super().check()

    def no_answer(*_: object) -> bool:
        raise Undecided("nobody knows")

    monkeypatch.setattr("imc.checker.checker.EndlessRounds", WithoutAnswers)
    with pytest.raises(Undecided, match="nobody knows"):
        check_schedule(program, schedule, SETTINGS)


def test_a_loop_that_takes_too_long_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    program = imc.api.load(REGRESS / "hang_trylock" / "prog.c")
    *_, schedule = schedules(program)
    monkeypatch.setattr(imc.program.livelock, "MOST_NODES", 0)
    with pytest.raises(Undecided, match="takes too long"):
        check_schedule(program, schedule, SETTINGS)


def test_no_question_is_asked_where_it_is_clear() -> None:
    program = imc.api.load(ROOT / "examples" / "prodcons.c")
    ((schedule,),) = compiled(program, 1)
    before = check_schedule(program, schedule, CARELESS)
    assert check_schedule(program, schedule, SETTINGS).questions == before.questions


POLLING = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static void *set(void *arg) { flag = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    while (!flag);
    pthread_join(t, 0);
}
"""


def test_polling_is_no_excuse_to_leave_out_who_is_waited_for(tmp_path: Path) -> None:
    """A tree in which the one who polls goes round, and the other one is never let through."""
    program = written(tmp_path, POLLING)
    *_, schedule = schedules(program)
    assert schedule.certificate is not None
    nodes = schedule.certificate["nodes"]
    before = next(number for number, node in nodes.items() if node["permits"].keys() > {"0"})
    (after,) = nodes[before]["permits"]["0"]
    nodes[before]["permits"] = {"0": [after]}
    nodes[str(after)] |= {"permits": {}, "cover": int(before)}
    with pytest.raises(Rejected, match=r"main\.1 may starve"):
        check_schedule(program, schedule, SETTINGS)
