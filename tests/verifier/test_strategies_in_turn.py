"""What one strategy does not find, another one may."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.program.settings import Settings
from imc.verifier.iteration import Verification
from imc.verifier.options import Until, VerifyOptions
from imc.verifier.search.search import Search
from imc.verifier.tree.knowledge import PathKnowledge

EXAMPLE = Path(__file__).parents[2] / "examples" / "prodcons.c"


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of strategies, of which the first one never finds anything."""
    tried: list[str] = []
    attempt = Verification._attempt

    def attempt_or_fail(
        self: Verification, knowledge: object, patience: int, seconds: float
    ) -> Search | None:
        tried.append(self.strategy.name)
        if self.strategy.name == "round-robin":
            return None
        return attempt(self, knowledge, patience, seconds)  # type: ignore[arg-type]

    monkeypatch.setattr(Verification, "_attempt", attempt_or_fail)
    return tried


def test_others_are_tried_at_once(stuck: list[str]) -> None:
    options = VerifyOptions(until=Until.FIRST, others=True)
    verification = Verification(imc.api.load(EXAMPLE), Settings(), options)
    (result,) = verification
    assert result.safe
    assert stuck == ["round-robin", "whole-rounds"]
    assert verification.strategy.name == "whole-rounds"


def test_one_that_was_named_is_kept_to(stuck: list[str]) -> None:
    options = VerifyOptions(until=Until.FIRST)
    verification = Verification(imc.api.load(EXAMPLE), Settings(), options)
    assert verification._attempt_in_turn(PathKnowledge, 8, 1.0) is None
    assert stuck == ["round-robin"]
