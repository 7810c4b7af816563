"""The checker accepts what was verified, and nothing that says something else."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from compiled import SETTINGS, compiled
from enforcement import Enforcement, Stage
from mutations import mutate

import imc.api
from imc.checker.check import check_schedule
from imc.checker.refusal import Rejected
from imc.program.program import Program
from irs import BadSchedule
from irs.format import dumps, loads

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PROGRAMS = Path(__file__).parent.parent / "programs" / "regress"
FIGURE = Path(__file__).parent.parent / "golden" / "figure_5_6.c"


def document_of(program: Program) -> Any:
    ((schedule,),) = compiled(program, 1)
    return json.loads(dumps(schedule))


@pytest.mark.parametrize(
    "source",
    [
        *(EXAMPLES / f"{n}.c" for n in ("double_lock_wrong", "prodcons", "cond_queue", "pool")),
        FIGURE,
    ],
    ids=lambda path: path.stem,
)
def test_mutants_are_rejected_or_mean_the_same(source: Path) -> None:
    program = imc.api.load(source)
    document = document_of(program)
    rng = random.Random(source.stem)
    fates: Counter[str] = Counter()
    while sum(fates.values()) < 60:
        found = mutate(document, rng)
        if found is None:
            continue
        name, changed = found
        try:
            mutant = loads(json.dumps(changed), "a mutant")
            check_schedule(program, mutant, SETTINGS)
        except (BadSchedule, Rejected):
            fates["rejected"] += 1
            continue
        enforcement = Enforcement(Stage(program, SETTINGS, mutant), mutant)
        assert enforcement.check() == [], name
        fates["the same"] += 1
    assert fates["rejected"] > fates["the same"]


def rejection(document: Any, program: Program) -> str:
    with pytest.raises(Rejected) as rejected:
        check_schedule(program, loads(json.dumps(document), "a test"), SETTINGS)
    return str(rejected.value)


def test_a_dropped_wait_is_named() -> None:
    program = imc.api.load(EXAMPLES / "prodcons.c")
    document = document_of(program)
    for event in document["sections"][1]["events"]:
        event[2] = []
    assert "section 1: event 11 depends on an earlier event of main.1" in rejection(
        document, program
    )


UNFAIR = """
#include <pthread.h>
static int x = 1, y = 1;
static void *first(void *arg) { while (1) x = 1; }
static void *second(void *arg) { while (1) y = 1; }
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    x = y;
    pthread_join(t[0], 0);
}
"""


def test_a_cycle_that_leaves_somebody_out_is_unfair(tmp_path: Path) -> None:
    """The first thread alone, for ever, although the second one could move."""
    source = tmp_path / "unfair.c"
    source.write_text(UNFAIR)
    program = imc.api.load(source)
    document = document_of(program)
    nodes = document["certificate"]["nodes"]
    (before,) = [n for n, node in nodes.items() if list(node["permits"]) == ["1"]]
    (after,) = nodes[before]["permits"]["1"]
    nodes[str(after)]["permits"] = {}
    nodes[str(after)]["cover"] = int(before)
    assert "main.2 may starve" in rejection(document, program)


def test_a_cover_that_does_not_fit() -> None:
    program = imc.api.load(EXAMPLES / "double_lock_wrong.c")
    document = document_of(program)
    nodes = document["certificate"]["nodes"]
    (covered,) = [node for node in nodes.values() if node["cover"] is not None]
    covered["cover"] -= 1
    assert "covered by one that does not fit" in rejection(document, program)


def test_a_label_that_does_not_hold_is_named() -> None:
    program = imc.api.load(EXAMPLES / "prodcons.c")
    ((schedule,),) = compiled(program, 1)
    document = json.loads(dumps(schedule))
    labelled = next(n for n in document["certificate"]["nodes"].items() if n[1]["label"])
    labelled[1]["label"].append(False)
    assert f"the label of node {labelled[0]} does not hold" in rejection(document, program)


def test_a_step_that_errs_is_rejected(tmp_path: Path) -> None:
    """A certificate of a safe program does not serve for one that has an error in its place."""
    text = (EXAMPLES / "double_lock_wrong.c").read_text()
    wrong = tmp_path / "wrong.c"
    wrong.write_text(text.replace("assert(owner == ", "assert(owner != "))
    assert wrong.read_text() != text
    document = document_of(imc.api.load(EXAMPLES / "double_lock_wrong.c"))
    assert "may err: assertion" in rejection(document, imc.api.load(wrong))


@pytest.mark.parametrize("certificate", [{}, {"root": 0}, {"root": "x", "nodes": []}])
def test_damaged_certificates(certificate: Any) -> None:
    program = imc.api.load(EXAMPLES / "double_lock_wrong.c")
    document = document_of(program)
    document["certificate"] = certificate
    assert "the certificate is damaged" in rejection(document, program)


def test_a_certificate_that_goes_in_a_circle_is_no_tree() -> None:
    """A checker that went on would never come to an end."""
    program = imc.api.load(EXAMPLES / "double_lock_wrong.c")
    document = document_of(program)
    nodes = document["certificate"]["nodes"]
    (covered,) = [node for node in nodes.values() if node["cover"] is not None]
    by, covered["cover"] = covered["cover"], None
    again = nodes[str(by)]
    covered["permits"] = {t: list(children) for t, children in again["permits"].items()}
    assert "this is no tree" in rejection(document, program)


@pytest.mark.parametrize("threads", [["main.1", "main", "main.2"], ["main", "main.1", "main.3.1"]])
def test_threads_that_nobody_can_start(threads: list[str]) -> None:
    program = imc.api.load(EXAMPLES / "double_lock_wrong.c")
    document = document_of(program)
    document["threads"] = threads
    reason = rejection(document, program)
    assert "threads are not listed" in reason or "damaged" in reason


@pytest.mark.parametrize("name", ["palign_shared", "struct_parameter_ends"])
def test_addresses_that_become_data_on_the_way(name: str) -> None:
    """Then they are part of all states, also of those that the checker has met before."""
    program = imc.api.load(PROGRAMS / name / "prog.c")
    for (schedule,) in compiled(program, 3):
        check_schedule(program, schedule, SETTINGS)


def test_no_certificate() -> None:
    program = imc.api.load(EXAMPLES / "double_lock_wrong.c")
    document = document_of(program)
    document["certificate"] = None
    assert rejection(document, program) == "there is no certificate to be checked"
