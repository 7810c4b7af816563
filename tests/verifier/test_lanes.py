"""Lanes: a search that was cut goes on, one that failed does not."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import imc.api
from imc.program.settings import Settings
from imc.verifier.engine import Budget, BudgetSpent, Engine
from imc.verifier.proof.complete import CompleteSearch, Unproved
from imc.verifier.proof.lanes import Lanes
from imc.verifier.tree.precision import Diverges, NotExact

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


class Script:
    """A search that does what it is told, one thing each time it is run."""

    def __init__(self, *acts: Exception | None) -> None:
        self.acts = list(acts)
        self.tree = SimpleNamespace(nodes=[])
        self.found = None

    def run(self) -> None:
        act = self.acts.pop(0)
        if act is not None:
            raise act


@pytest.fixture
def engine() -> Engine:
    return Engine(imc.api.load(EXAMPLES / "peterson.c"), Settings())


def lanes(engine: Engine, monkeypatch: pytest.MonkeyPatch, *scripts: Script) -> Lanes:
    waiting = list(scripts)

    def next_search(*given: Any) -> Script:
        return waiting.pop(0)

    monkeypatch.setattr(engine, "complete_search", next_search)
    return Lanes(engine, Budget())


def end(running: Lanes) -> CompleteSearch | None:
    """What all turns come to."""
    turns = running.turns()
    while True:
        try:
            next(turns)
        except StopIteration as stop:
            found: CompleteSearch | None = stop.value
            return found


def test_a_search_that_was_cut_goes_on(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Script(BudgetSpent(), None)
    plain = Script(BudgetSpent())
    assert end(lanes(engine, monkeypatch, first, plain)) is first


@pytest.mark.parametrize("failure", [Diverges(set()), NotExact(set())])
def test_a_search_that_failed_is_given_up(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    """It has dropped a node: going on would be a proof without it."""
    first, second = Script(failure, None), Script(None)
    assert end(lanes(engine, monkeypatch, first, second)) is second


def test_what_is_in_the_way_everywhere_is_told(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = [Script(Unproved("one")), Script(Unproved("two"))]
    with pytest.raises(Unproved, match="one"):
        end(lanes(engine, monkeypatch, *scripts))
