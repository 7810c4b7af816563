"""What measurements teach about schedules that have not been measured."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

RIDGE = 0.05  # how much it takes to believe that a feature matters
FEWEST = 4  # measurements before anything is predicted

Vector = Sequence[float]


class Model:
    """The logarithm of the speed as a sum over features, by least squares."""

    def __init__(self) -> None:
        self._known: list[tuple[Vector, float]] = []
        self.weights: list[float] | None = None

    def learn(self, features: Vector, ratio: float) -> None:
        """One more measurement."""
        self._known.append((features, log(max(ratio, 1e-6))))
        if len(self._known) >= FEWEST:
            self.weights = _least_squares(self._known)

    def predict(self, features: Vector) -> float | None:
        """The ratio to be expected, once enough is known; None beyond what has been measured."""
        if self.weights is None:
            return None
        for own, *seen in zip(features, *(known for known, _ in self._known), strict=True):
            if not min(seen) <= own <= max(seen):
                return None
        return exp(sum(w * x for w, x in zip(self.weights, features, strict=True)))


def _least_squares(known: Sequence[tuple[Vector, float]]) -> list[float]:
    """Solves (XᵀX + ridge) w = Xᵀy by elimination; the ridge makes sure that there is a pivot."""
    size = len(known[0][0])
    rows = [
        [sum(x[i] * x[j] for x, _ in known) + RIDGE * (i == j) for j in range(size)]
        + [sum(x[i] * y for x, y in known)]
        for i in range(size)
    ]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(size):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [rows[i][size] / rows[i][i] for i in range(size)]
