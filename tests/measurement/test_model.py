"""What measurements teach."""

from __future__ import annotations

from math import log

import pytest

from imc.measurement.tune.model import FEWEST, Model


def test_it_says_nothing_at_first() -> None:
    model = Model()
    for n in range(FEWEST - 1):
        model.learn((1.0, float(n)), 1.0)
        assert model.predict((1.0, 2.0)) is None


def test_it_finds_what_the_speed_depends_on() -> None:
    """Half as many hand-overs are twice as fast; the other feature means nothing."""
    model = Model()
    for hand_overs, other in ((1.0, 3.0), (0.5, 1.0), (0.25, 2.0), (0.125, 3.0), (0.0625, 1.0)):
        model.learn((1.0, log(hand_overs), other), 1 / hand_overs)
    assert model.predict((1.0, log(1 / 12), 2.0)) == pytest.approx(12, rel=0.2)
    assert model.predict((1.0, log(1 / 32), 2.0)) is None


def test_what_never_varies_does_no_harm() -> None:
    model = Model()
    for _ in range(FEWEST):
        model.learn((1.0, 0.0, 0.0), 3.0)
    assert model.predict((1.0, 0.0, 0.0)) == pytest.approx(3.0, rel=0.1)
