"""What points have in common: equations and simple inequalities that all of them satisfy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import gcd, lcm

from pysmt.fnode import FNode

from imc.terms.terms import Terms

Point = tuple[int, ...]


def common_facts(
    terms: Terms,
    symbols: Sequence[FNode],
    points: Sequence[Point],
    moving: int = 0,
    steady: Collection[tuple[int, int]] = (),
) -> list[FNode]:
    """All linear equations between the symbols that hold at the points, and some inequalities.

    These compare two symbols, or one with zero, or the sum of two of the first `moving` ones with
    another (which it reaches, unless the sum is `steady`: one rises as the other falls), or are
    left of equations that held at the first points.
    """
    equations, halves = _equations_and_halves(points)
    units = [[*(int(k == n) for k in range(len(symbols))), 0] for n in range(len(symbols))]
    simple = [_minus_row(b, a) for a, b in permutations(units, 2)]
    simple += [row for unit in units for row in (unit, _negative(unit))]
    for pair in combinations(range(moving), 2):
        a, b = (units[k] for k in pair)
        sums = [_minus_row(_minus_row(c, a), b) for c in units]
        if pair not in steady:
            sums = [row for row in sums if any(_at(row, p) == 0 for p in points)]
        simple += [row for one in sums for row in (one, _negative(one))]
    halves = [half for row in (*simple, *halves) if (half := _half(row, points)) is not None]

    def term(row: Sequence[int]) -> FNode:
        return terms.sum(dict(zip(symbols, row, strict=False)), row[-1])

    return [
        *(terms.equal(term(row), terms.zero) for row in equations),
        *(terms.at_most(terms.zero, term(row)) for row in halves),
    ]


def _half(row: list[int], points: Sequence[Point]) -> list[int] | None:
    """The row, less one if it is positive at all points; None if it is negative at one."""
    least = min(_at(row, p) for p in points)
    if least <= 0:
        return row if least == 0 else None
    return [*row[:-1], row[-1] - 1]


def _equations_and_halves(points: Sequence[Point]) -> tuple[list[list[int]], list[list[int]]]:
    """The equations of all points, and what each point has left of those of the points before it:
    rows that are not negative there."""
    halves: list[list[int]] = []
    equations = equations_of(points[:1])
    for number, point in enumerate(points[1:], 2):
        broken = [row for row in equations if _at(row, point)]
        halves += [row if _at(row, point) > 0 else _negative(row) for row in broken]
        if broken:
            equations = equations_of(points[:number])
    return equations, halves


def _negative(row: Sequence[int]) -> list[int]:
    return [-n for n in row]


def _minus_row(row: Sequence[int], other: Sequence[int]) -> list[int]:
    return [a - b for a, b in zip(row, other, strict=True)]


def _at(row: Sequence[int], point: Point) -> int:
    return sum(n * x for n, x in zip(row, (*point, 1), strict=True))


def equations_of(points: Sequence[Point]) -> list[list[int]]:
    """A basis of the equations that hold at all points: coefficients, and the constant last."""
    rows, pivots = _reduced([[Fraction(n) for n in (*point, 1)] for point in points])
    width = len(points[0]) + 1
    found = []
    for free in range(width):
        if free in pivots:
            continue
        solution = [Fraction(0)] * width
        solution[free] = Fraction(1)
        for row, pivot in zip(rows, pivots, strict=True):
            solution[pivot] = -row[free]
        found.append(_whole(solution))
    return found


def _reduced(rows: list[list[Fraction]]) -> tuple[list[list[Fraction]], list[int]]:
    """Rows in reduced echelon form, without those that are zero, and where each one begins.

    From the right: constants are told by symbols, and late symbols by earlier ones.
    """
    done: list[list[Fraction]] = []
    pivots: list[int] = []
    for row in rows:
        for other, pivot in zip(done, pivots, strict=True):
            row = _minus(row, other, row[pivot])
        nonzero = [k for k, n in enumerate(row) if n]
        if not nonzero:
            continue
        pivot = nonzero[-1]
        row = [n / row[pivot] for n in row]
        done = [_minus(other, row, other[pivot]) for other in done]
        done.append(row)
        pivots.append(pivot)
    return done, pivots


def _minus(row: list[Fraction], other: list[Fraction], factor: Fraction) -> list[Fraction]:
    return [a - factor * b for a, b in zip(row, other, strict=True)] if factor else row


def _whole(row: list[Fraction]) -> list[int]:
    scale = lcm(*(n.denominator for n in row))
    numbers = [int(n * scale) for n in row]
    common = gcd(*numbers)
    return [n // common for n in numbers]
