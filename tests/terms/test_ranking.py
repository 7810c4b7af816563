"""Loops that end, and loops that may not."""

from __future__ import annotations

from collections.abc import Iterable

from pysmt.fnode import FNode

from imc.terms.ranking import LoopEdge, Ranking
from imc.terms.terms import Terms
from imc.verifier.solver import Z3Solver, entails

T = Terms()
SOLVER = Z3Solver(T)
X, Y, N = (T.symbol(name) for name in "xyn")


def follows(facts: Iterable[FNode], claim: FNode) -> bool:
    return entails(SOLVER, T, facts, claim)


def ends(*edges: LoopEdge) -> bool:
    return not Ranking(T, follows).unranked(edges)


def plus(term: FNode, number: int) -> FNode:
    return T.add(term, T.integer(number))


BACK = LoopEdge(1, 0)


def test_counting_up_to_a_bound_ends() -> None:
    assert ends(LoopEdge(0, 1, (T.less(X, N),), {X: plus(X, 1)}), BACK)


def test_counting_without_a_bound_does_not_end() -> None:
    assert not ends(LoopEdge(0, 1, (), {X: plus(X, 1)}), BACK)


def test_a_bound_that_moves_along_is_none() -> None:
    both = {X: plus(X, 1), N: plus(N, 1)}
    assert not ends(LoopEdge(0, 1, (T.less(X, N),), both), BACK)


def test_a_way_round_that_counts_nothing_does_not_end() -> None:
    falls = LoopEdge(0, 1, (T.less(X, N),), {X: plus(X, 1)})
    stays = LoopEdge(0, 1, (T.less(X, N),), {})
    assert not ends(falls, stays, BACK)


def test_loops_in_loops_end_one_after_the_other() -> None:
    inner = LoopEdge(1, 1, (T.less(Y, N),), {Y: plus(Y, 1)})
    enter = LoopEdge(0, 1, (T.less(X, N),), {Y: T.zero})
    leave = LoopEdge(1, 0, (T.at_most(N, Y), T.less(X, N)), {X: plus(X, 1)})
    assert ends(enter, inner, leave)
    assert not ends(enter, LoopEdge(1, 1, (), {}), leave)


def test_objects_that_change_their_names_do_not_count() -> None:
    falls = LoopEdge(0, 1, (T.less(X, N),), {X: plus(X, 1)})
    assert not ends(falls, LoopEdge(1, 0, (), None, renames=True))
