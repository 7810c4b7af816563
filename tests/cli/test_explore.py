"""imc explore with its engines, and imc replay of what they find, as users meet them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runs import Imc

ROOT = Path(__file__).parent.parent.parent
EXAMPLES, REDUCTION = ROOT / "examples", ROOT / "tests" / "programs" / "reduction"
SPIN = """#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *wait(void *a)
{
    while (x != 2)
        ;
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    x = 1;
    pthread_join(t, 0);
    return 0;
}
"""


@pytest.mark.parametrize("algorithm", ["source", "epor", "epor-sh", "epor+", "optimal"])
def test_engines_by_name(imc: Imc, algorithm: str) -> None:
    program = REDUCTION / "branching" / "prog.c"
    done = imc("explore", program, "-DTHREADS=3", "--algorithm", algorithm, "--json", "r.json")
    report = json.loads((imc.folder / "r.json").read_text())
    assert (done.code, report["algorithm"], report["verdict"]) == (0, algorithm, "safe")
    assert report["executions"]["complete"] == 28
    assert f"({algorithm})" in done.out


def test_orders_of_threads(imc: Imc) -> None:
    program = REDUCTION / "branching" / "prog.c"
    arguments = ("-DTHREADS=3", "--algorithm", "optimal", "--threads-order", "shuffle")
    for seed in (1, 2):
        done = imc("explore", program, *arguments, "--seed", str(seed))
        assert "complete 28, blocked 0; final" in done.out


def test_what_optimal_await_leaves_out_can_be_switched_off(imc: Imc) -> None:
    program = REDUCTION / "ttaslock" / "prog.c"
    arguments = ("explore", program, "-DTHREADS=2", "--algorithm", "optimal-await")
    assert "complete 4, blocked 0;" in imc(*arguments).out
    assert "complete 4, blocked 4;" in imc(*arguments, "--no-await").out
    endless = imc(*arguments, "--no-plp", "--no-await", "--bound-loops", "3")
    assert endless.code == 3 and "bound: loop bound 3" in endless.out


def test_a_livelock_is_named(imc: Imc) -> None:
    imc.write({"p.c": SPIN})
    done = imc("explore", "p.c", "--algorithm", "optimal-await")
    assert "complete 0, blocked 1;" in done.out
    assert "livelock: main.1 goes round for ever without effect" in done.out
    assert "main.1 goes round (line 6)" in done.out and "* and so on for ever" in done.out
    assert "verdict: unsafe (livelock, reproduced)" in done.out


@pytest.mark.parametrize("way", ["trylock", "after_you", "lost_item", "endless_joined"])
def test_a_livelock_is_replayed(imc: Imc, way: str) -> None:
    program = ROOT / "tests" / "programs" / "regress" / f"livelock_{way}" / "prog.c"
    assert imc("explore", program, "--json", "trace.json").code == 1
    found = json.loads((imc.folder / "trace.json").read_text())["counterexample"]
    assert found["property"] == "livelock" and (found["loop"] > 0) == (way != "endless_joined")
    again = imc("replay", program, "trace.json")
    assert again.code == 1 and "verdict: reproduced" in again.out
    assert ("* and so on for ever" in again.out) == (found["loop"] > 0)


def test_counting_does_not_call_hanging_safe(imc: Imc) -> None:
    imc.write({"p.c": SPIN})
    done = imc("explore", "p.c", "--count")
    assert done.code == 1 and "endless" in done.out and "livelock: main.1" in done.out


def test_a_prefix_does_not_lead_to_where_threads_may_hang(imc: Imc) -> None:
    program = ROOT / "tests" / "programs" / "regress" / "livelock_trylock" / "prog.c"
    done = imc("explore", program, "--emit-schedule=s.json")
    assert done.code == 1 and "livelock" in done.out
    run = imc("run", program, "--schedule", "s.json")
    assert run.code == 0, run.err


def test_an_engine_counts_by_itself(imc: Imc) -> None:
    done = imc("explore", EXAMPLES / "peterson.c", "--algorithm", "optimal", "--count")
    assert done.code == 2 and "leave out --count" in done.err


def test_schedules_are_made_from_states(imc: Imc) -> None:
    done = imc("explore", EXAMPLES / "peterson.c", "--algorithm", "optimal", "--emit-schedule")
    assert done.code == 2 and "made from states" in done.err


def test_a_limit_names_the_loop_that_is_at_work(imc: Imc) -> None:
    rounds = "-DROUNDS=20"
    done = imc(
        "explore",
        EXAMPLES / "prodcons.c",
        rounds,
        "--algorithm",
        "optimal",
        "--max-executions",
        "2",
    )
    assert done.code == 3
    assert "stopped after 2 executions: line" in done.out and "--bound-loops N" in done.out


# ------------------------------------------------------------------------ replay


def test_a_counterexample_runs_again(imc: Imc) -> None:
    program = EXAMPLES / "lost_update.c"
    found = imc("explore", program, "--json", "trace.json")
    again = imc("replay", program, "trace.json")
    assert (found.code, again.code) == (1, 1)
    table = found.out[: found.out.index("verdict")]
    assert again.out == table + "verdict: reproduced\n"
    stepped = imc("replay", program, "trace.json", "--step", "--json", "again.json")
    assert stepped.out == again.out
    assert json.loads((imc.folder / "again.json").read_text())["verdict"] == "reproduced"


def test_inputs_are_part_of_a_counterexample(imc: Imc) -> None:
    text = """#include <assert.h>
        int __VERIFIER_nondet_int(void);
        int main(void) { assert(__VERIFIER_nondet_int() != 7); return 0; }"""
    imc.write({"p.c": text})
    assert imc("explore", "p.c", "--inputs", "5..9", "--json", "trace.json").code == 1
    assert imc("replay", "p.c", "trace.json").code == 1


def test_a_counterexample_of_another_program(imc: Imc) -> None:
    imc("explore", EXAMPLES / "lost_update.c", "--json", "trace.json")
    done = imc("replay", EXAMPLES / "lost_update.c", "-DTHREADS=3", "trace.json")
    assert done.code == 2 and "is of another program" in done.err


def test_an_edited_counterexample_does_not_come_again(imc: Imc) -> None:
    program = EXAMPLES / "lost_update.c"
    imc("explore", program, "--json", "trace.json")
    path = imc.folder / "trace.json"
    document = json.loads(path.read_text())
    trace = document["counterexample"]["trace"]
    document["counterexample"]["trace"] = trace[:3] + sorted(
        trace[3:], key=lambda event: str(event["thread"]), reverse=True
    )
    path.write_text(json.dumps(document))
    done = imc("replay", program, "trace.json")
    assert done.code == 5 and "verdict: not reproduced" in done.out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is no counterexample"),
        ("{}", "has no execution"),
        ('{"settings": {}, "digest": "", "counterexample": null}', "has no counterexample"),
        ('{"settings": 3, "digest": "", "counterexample": {"trace": 4}}', "is damaged"),
    ],
)
def test_files_that_are_no_counterexamples(imc: Imc, text: str, says: str) -> None:
    imc.write({"trace.json": text})
    done = imc("replay", EXAMPLES / "lost_update.c", "trace.json")
    assert done.code == 2 and says in done.err


def test_both_cores_tell_the_same(imc: Imc) -> None:
    """But for their names, how long they took and how much memory."""
    for program, algorithm in (("peterson", "exhaustive"), ("lost_update", "optimal-await")):
        reports = []
        for core in ("native", "python"):
            name = f"{core}.json"
            arguments = ("--algorithm", algorithm, "--core", core, "--json", name)
            imc("explore", EXAMPLES / f"{program}.c", *arguments)
            report = json.loads((imc.folder / name).read_text())
            assert report.pop("core") == core
            assert (report.pop("core_bytes") > 0) == (core == "native")
            del report["time_s"], report["form"]
            reports.append(report)
        assert reports[0] == reports[1]
