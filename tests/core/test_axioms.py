"""The reference for graph engines is right: litmus tests come out as in the literature."""

from __future__ import annotations

import pytest
from graphs.axioms import MODELS, executions, has_race, outcomes, rc11
from graphs.candidates import candidates
from graphs.litmus import LITMUS, Litmus


@pytest.mark.parametrize("litmus", LITMUS, ids=lambda litmus: litmus.name)
def test_litmus(litmus: Litmus) -> None:
    for model in MODELS:
        found = any(litmus.asked() <= set(outcome) for outcome in outcomes(litmus.text, model))
        assert found == (model in litmus.allowed.split()), model


@pytest.mark.parametrize("litmus", [t for t in LITMUS if t.counts], ids=lambda litmus: litmus.name)
def test_counts(litmus: Litmus) -> None:
    assert tuple(executions(litmus.text, model) for model in MODELS) == litmus.counts


@pytest.mark.parametrize(
    ("text", "races"),
    [
        ("x=1 na | r=x na", True),
        ("x=1 na; y=1 rel | r=y acq", False),
        ("x=1 na; y=1 rel | r1=y rlx; r2=x na", True),
        ("x=1 rlx | r=x rlx", False),
    ],
)
def test_races(text: str, races: bool) -> None:
    assert any(has_race(c) for c in candidates(text) if rc11(c)) == races
