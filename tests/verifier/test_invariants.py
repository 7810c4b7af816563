"""Invariants of all skeletons: what they prove, and that nothing wrong is believed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pysmt.fnode import FNode

import imc.api
from imc.program.settings import Settings
from imc.verifier.engine import Budget, Engine
from imc.verifier.interpolation.spacer import Untranslatable
from imc.verifier.proof.invariants import Invariants
from imc.verifier.tree.art import Node

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic unsigned front, back;
static void *first(void *arg) {{
    while (1) {{ while (front != back) ; front++; }}
}}
static void *second(void *arg) {{
    while (1) {{ while (front == back) ; assert({claim}); back++; }}
}}
int main(void) {{
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    return 0;
}}
"""
Make = Callable[[str], Invariants | None]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def make(claim: str) -> Invariants | None:
        path = tmp_path / "program.c"
        path.write_text(PROGRAM.format(claim=claim))
        engine, budget = Engine(imc.api.load(path), Settings()), Budget()
        globals_ = [n for n, info in enumerate(engine.image.objects.infos) if info.name in GROWING]
        engine.places.abstract = {("object", n, 0) for n in globals_}
        budget.allow(60, "test")
        search, claims = engine.claiming_search(8, budget)
        search.run()
        if search.found is not None:
            return None
        return Invariants(search.tree, claims, 5000, budget.tick)

    return make


GROWING = ("front", "back")


def test_counters_that_wrap_stay_one_apart(make: Make) -> None:
    invariants = make("front - back == 1")
    assert invariants is not None and invariants.prove()
    assert all(node.label for node in invariants.places if node.covers)


def test_what_is_wrong_is_not_proved(make: Make) -> None:
    invariants = make("front - back == 2")
    assert invariants is None or not invariants.prove()
    invariants = make("front != 5")
    assert invariants is None or not invariants.prove()


@pytest.mark.parametrize("value", [True, False])
def test_what_is_said_is_checked(make: Make, value: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """True is too weak for the claims, and false does not hold at the start."""
    invariants = make("front - back == 1")
    assert invariants is not None

    def lie() -> dict[Node, FNode]:
        return dict.fromkeys(invariants.places, invariants.terms.boolean(value))

    def decline() -> dict[Node, FNode]:
        raise Untranslatable("nothing")

    monkeypatch.setattr(invariants, "_by_differences", lie)
    monkeypatch.setattr(invariants, "_by_spacer", decline)
    assert not invariants.prove()
    assert not any(node.label for node in invariants.places)
