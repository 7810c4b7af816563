"""Interpolant sequences: every strategy's are valid, and the check finds those that are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pysmt.fnode import FNode

from imc.errors import UserError
from imc.terms.paths import Path, Transition, unfold
from imc.terms.terms import Terms
from imc.verifier.interpolation import interpolate
from imc.verifier.interpolation.interpolate import (
    STRATEGIES,
    Known,
    Portfolio,
    check_sequence,
    make,
)
from imc.verifier.solver import SolverUnknown, Z3Solver


@dataclass
class World:
    """Terms by short names."""

    terms: Terms = field(default_factory=Terms)

    def __post_init__(self) -> None:
        self.solver = Z3Solver(self.terms)
        self.made = {name: make(name, self.terms, self.solver) for name in STRATEGIES}

    def __getattr__(self, name: str) -> FNode:
        return self.terms.symbol(name)

    def number(self, n: int | FNode) -> FNode:
        return self.terms.integer(n) if isinstance(n, int) else n

    def plus(self, a: FNode, b: int | FNode) -> FNode:
        return self.terms.add(a, self.number(b))

    def eq(self, a: FNode, b: int | FNode) -> FNode:
        return self.terms.equal(a, self.number(b))

    def ne(self, a: FNode, b: int | FNode) -> FNode:
        return self.terms.negate(self.eq(a, b))

    def le(self, a: int | FNode, b: int | FNode) -> FNode:
        return self.terms.at_most(self.number(a), self.number(b))

    def both(self, *formulas: FNode) -> FNode:
        return self.terms.conjunction(formulas)

    def sequence(self, strategy: str, path: Path, known: Known | None = None) -> list[FNode]:
        """The strategy's sequence, which must exist and be valid."""
        found = self.made[strategy].sequence(path, known)
        assert found is not None
        assert check_sequence(self.terms, self.solver, path, found, known) is None
        return found

    def implied(self, path: Path) -> bool:
        """Whether the path leads to its goal, asked without any of the code under test."""
        unfolding = unfold(self.terms, path.transitions)
        goal = self.terms.substitute(path.goal, unfolding.values)
        return not self.solver.satisfiable(
            [*path.start, *unfolding.conditions, self.terms.negate(goal)]
        )

    def inductive(self, label: FNode, body: tuple[Transition, ...]) -> bool:
        return self.implied(Path(self.terms.conjuncts(label), body, label))


@pytest.fixture(scope="module")
def w() -> World:
    return World()


# ------------------------------------------------------------------------- examples


def counter(w: World, rounds: int) -> Path:
    body = Transition(updates={w.i: w.plus(w.i, 1), w.s: w.plus(w.s, 2)})
    goal = w.eq(w.s, w.terms.scale(w.i, 2))
    return Path((w.eq(w.i, 0), w.eq(w.s, 0)), (body,) * rounds, goal)


def counting(w: World, steps: int) -> Path:
    body = Transition(updates={w.count: w.plus(w.count, 1)})
    return Path((w.eq(w.count, 0),), (body,) * steps, w.ne(w.count, 1000))


def ticket_body(w: World, mine: FNode) -> tuple[Transition, ...]:
    take = Transition(updates={mine: w.next, w.next: w.plus(w.next, 1)})
    enter = Transition(guard=(w.eq(mine, w.serving),))
    leave = Transition(updates={w.serving: w.plus(w.serving, 1)})
    return take, enter, leave


def ticket_start(w: World) -> tuple[FNode, ...]:
    return tuple(w.eq(s, 0) for s in (w.next, w.serving, w.a, w.b))


def ticket(w: World, rounds: int) -> Path:
    """One thread goes round: afterwards the next ticket is the one that is served."""
    return Path(ticket_start(w), ticket_body(w, w.a) * rounds, w.eq(w.next, w.serving))


def two_tickets(w: World, rounds: int) -> Path:
    """After some rounds of one thread, both hold tickets: they cannot both enter."""
    take_a, enter_a, _ = ticket_body(w, w.a)
    take_b, enter_b, _ = ticket_body(w, w.b)
    rest = (take_a, take_b, enter_a, enter_b)
    return Path(ticket_start(w), ticket_body(w, w.a) * rounds + rest, w.terms.false)


def produce_and_consume(w: World, rounds: int, goal: FNode) -> Path:
    more = Transition(updates={w.count: w.plus(w.count, 1)})
    less = Transition(updates={w.count: w.plus(w.count, -1)})
    return Path((w.eq(w.count, 0),), (more, less) * rounds, goal)


def ring(w: World, steps: int) -> Path:
    body = Transition(updates={w.tail: w.terms.modulo(w.plus(w.tail, 1), 1000)})
    goal = w.both(w.le(0, w.tail), w.le(w.tail, 999))
    return Path((w.eq(w.tail, 0),), (body,) * steps, goal)


def input_sum(w: World, steps: int) -> Path:
    inputs = [w.terms.symbol(f"in{n}") for n in range(steps)]
    transitions = tuple(
        Transition((w.le(0, i), w.le(i, 10)), {w.s: w.plus(w.s, i)}, frozenset([i])) for i in inputs
    )
    return Path((w.eq(w.s, 0),), transitions, w.both(w.le(0, w.s), w.le(w.s, 10 * steps)))


def array(w: World, steps: int) -> Path:
    """Stores at indices that are not known, and reads one of them."""
    data = w.terms.array_symbol("data")
    other = Transition(updates={data: w.terms.store(data, w.j, w.number(7)), w.j: w.plus(w.j, 1)})
    mine = Transition(updates={data: w.terms.store(data, w.i, w.number(5))})
    return Path(
        (w.le(w.i, w.plus(w.j, -1)),), (mine, *(other,) * steps), w.eq(w.terms.select(data, w.i), 5)
    )


LINEAR: dict[str, Callable[[World], Path]] = {
    "counter": lambda w: counter(w, 5),
    "counting": lambda w: counting(w, 5),
    "ticket": lambda w: ticket(w, 3),
    "two tickets": lambda w: two_tickets(w, 2),
    "not full": lambda w: produce_and_consume(w, 3, w.ne(w.count, 1000)),
    "not negative": lambda w: produce_and_consume(w, 3, w.le(0, w.count)),
    "input sum": lambda w: input_sum(w, 3),
    "nothing to do": lambda w: Path((), (Transition(),) * 3, w.terms.true),
    "unrelated contradiction": lambda w: Path(
        (w.eq(w.x, 0),), (Transition((w.le(1, w.x),)),), w.le(w.y, 0)
    ),
}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("example", LINEAR)
def test_linear_paths_have_valid_sequences(w: World, strategy: str, example: str) -> None:
    w.sequence(strategy, LINEAR[example](w))


@pytest.mark.parametrize("strategy", ["wp", "wp-uncapped", "spacer"])
@pytest.mark.parametrize("path", [ring, array])
def test_other_paths_have_valid_sequences(
    w: World, strategy: str, path: Callable[[World, int], Path]
) -> None:
    w.sequence(strategy, path(w, 4))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_paths_that_miss_their_goal_have_none(w: World, strategy: str) -> None:
    path = counter(w, 3)
    for goal in (w.ne(w.s, 6), w.eq(w.s, 5), w.le(w.unknown, 3), w.terms.false):
        assert w.made[strategy].sequence(Path(path.start, path.transitions, goal)) is None


def test_a_contradiction_within_one_step(w: World) -> None:
    """Spacer has nothing to say about these, and knows it."""
    start, contradiction = (w.le(w.x, 0),), (w.le(w.y, 0), w.le(1, w.y))
    for path in (
        Path((*start, *contradiction), (Transition(),), w.terms.false),
        Path(start, (Transition(contradiction),), w.terms.false),
        Path(start, (Transition((w.terms.false,)),), w.le(w.y, 0)),
    ):
        for strategy in ("wp", "farkas"):
            w.sequence(strategy, path)
        assert w.made["spacer"].sequence(path) is None


# --------------------------------------------------------------------------- labels


def test_a_disequality_is_capped_by_the_side_of_the_path(w: World) -> None:
    path = counting(w, 2)
    assert w.sequence("wp", path) == [w.le(w.count, n) for n in (997, 998, 999)]
    assert w.sequence("wp-uncapped", path) == [w.ne(w.count, n) for n in (998, 999, 1000)]
    from_above = Path((w.le(2000, w.count),), path.transitions, path.goal)
    assert w.sequence("wp", from_above) == [w.le(n, w.count) for n in (999, 1000, 1001)]


def test_labels_of_a_round_repeat(w: World) -> None:
    low = w.sequence("wp", produce_and_consume(w, 3, w.le(0, w.count)))
    assert low == [w.le(0, w.count), w.le(1, w.count)] * 3 + [w.le(0, w.count)]
    high = w.sequence("wp", produce_and_consume(w, 3, w.ne(w.count, 1000)))
    assert high == [w.le(w.count, 999), w.le(w.count, 1000)] * 3 + [w.le(w.count, 999)]


def test_a_guard_that_suffices_ends_the_explanation(w: World) -> None:
    guarded = Transition((w.le(w.count, 999),), {w.count: w.plus(w.count, 1)})
    path = Path((w.eq(w.count, 0),), (guarded,) * 3, w.le(w.count, 1000))
    for strategy in ("wp", "farkas"):
        *before, last = w.sequence(strategy, path)
        assert (before, last) == ([w.terms.true] * 3, path.goal)


def test_a_remainder_needs_no_explanation(w: World) -> None:
    *before, _ = w.sequence("wp", ring(w, 3))
    assert before == [w.terms.true] * 3


def test_the_path_chooses_the_side_of_a_choice(w: World) -> None:
    larger = w.terms.ite(w.le(w.x, w.y), w.y, w.x)
    path = Path((w.eq(w.x, 1), w.eq(w.y, 5)), (Transition(updates={w.m: larger}),), w.le(5, w.m))
    first, _ = w.sequence("wp", path)
    assert first == w.both(w.le(w.x, w.y), w.le(5, w.y))
    open_path = Path((w.le(5, w.x), w.le(5, w.y)), path.transitions, path.goal)
    w.sequence("wp", open_path)


def test_reads_of_an_array_are_decided_by_the_path(w: World) -> None:
    data = w.terms.array_symbol("data")
    at_i, at_j = w.terms.select(data, w.i), w.terms.store(data, w.j, w.number(7))
    path = Path(
        (w.le(w.i, w.plus(w.j, -1)), w.eq(at_i, 5)),
        (Transition(updates={data: at_j}),),
        w.eq(at_i, 5),
    )
    first, _ = w.sequence("wp", path)
    assert set(w.terms.conjuncts(first)) == {w.eq(at_i, 5), w.le(w.plus(w.i, 1), w.j)}


def test_weaker_bounds_are_left_out(w: World) -> None:
    """Every store is elsewhere, which bounds the index; only the tightest bound is needed."""
    data = w.terms.array_symbol("data")
    fill = Transition(updates={data: w.terms.store(data, w.i, w.i), w.i: w.plus(w.i, 1)})
    third = w.eq(w.terms.select(data, w.number(3)), 3)
    labels = w.sequence("wp", Path((w.eq(w.i, 0),), (fill,) * 8, third))
    assert labels[:5] == [w.eq(w.i, n) for n in range(4)] + [w.both(third, w.le(4, w.i))]
    assert labels[5] is labels[4]
    assert w.inductive(labels[5], (fill,))


def test_unreachable_guards_are_refuted_where_they_are(w: World) -> None:
    """A guard that the path contradicts is negated, and other conditions are left out."""
    step = Transition((w.le(w.y, 3),), {w.x: w.plus(w.x, 1)})
    path = Path((w.eq(w.x, 0), w.eq(w.y, 0)), (step, Transition((w.le(5, w.x),))), w.terms.false)
    for strategy in ("wp", "farkas"):
        assert w.sequence(strategy, path) == [w.le(w.x, 3), w.le(w.x, 4), w.terms.false]


# --------------------------------------------------------------------------- inputs


def test_inputs_are_replaced_by_what_bounds_them(w: World) -> None:
    path = input_sum(w, 2)
    assert w.sequence("wp", path)[1] == w.both(w.le(0, w.s), w.le(w.s, 10))


def test_inputs_that_the_guard_determines_are_replaced(w: World) -> None:
    step = Transition(
        (w.eq(w.terms.subtract(w.input, w.x), 3), w.eq(w.other, w.input)),
        {w.s: w.plus(w.s, w.other)},
        frozenset([w.input, w.other]),
    )
    first, _ = w.sequence("wp", Path((w.eq(w.s, 0), w.eq(w.x, 0)), (step,), w.le(w.s, 3)))
    assert first == w.le(w.plus(w.s, w.x), 0)


def test_wide_inputs_are_eliminated(w: World) -> None:
    bounds = w.le(-(2**31), w.input), w.le(w.input, 2**31 - 1)
    step = Transition(bounds, {w.s: w.plus(w.s, w.terms.scale(w.input, 3))}, frozenset([w.input]))
    first, _ = w.sequence("wp", Path((w.eq(w.s, 0),), (step,), w.le(w.s, 3 * 2**31)))
    assert first == w.le(w.s, 3)


# ---------------------------------------------------------------------------- loops


@pytest.mark.parametrize("rounds", [1, 2, 4, 7])
def test_farkas_labels_are_inductive(w: World, rounds: int) -> None:
    take, enter, leave = ticket_body(w, w.a)
    unchecked = Path(ticket_start(w), (take, leave) * rounds, w.eq(w.next, w.serving))
    for path, body in (
        (counter(w, rounds), counter(w, 1).transitions),
        (unchecked, (take, leave)),
        (ticket(w, rounds), (take, enter, leave)),
    ):
        heads = w.sequence("farkas", path)[:: len(body)]
        assert all(w.inductive(label, body) for label in heads)
        assert set(heads) <= {w.terms.true, heads[-1]} != {w.terms.true}


def test_inductiveness_can_fail(w: World) -> None:
    path = counting(w, 3)
    assert not any(w.inductive(x, path.transitions[:1]) for x in w.sequence("farkas", path))


# ----------------------------------------------------------------------- early stop


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_is_known_needs_no_explanation(w: World, strategy: str) -> None:
    path = counting(w, 6)

    def known(position: int, formula: FNode) -> bool:
        return position == 4 and w.implied(Path((w.le(w.count, 997),), (), formula))

    labels = w.sequence(strategy, path, known)
    if strategy == "wp":
        assert labels == [w.terms.true] * 4 + [w.le(w.count, n) for n in (997, 998, 999)]
        complaint = check_sequence(w.terms, w.solver, path, labels)
        assert complaint is not None and "position 4" in complaint


def test_what_is_known_at_the_goal_ends_all(w: World) -> None:
    labels = w.sequence("wp", counting(w, 2), lambda position, _: position == 2)
    assert labels == [w.terms.true, w.terms.true, w.le(w.count, 999)]


# ---------------------------------------------------------------------------- check


def test_the_check_rejects_mutated_sequences(w: World) -> None:
    for path in (counter(w, 3), counting(w, 3), two_tickets(w, 1)):
        labels = w.sequence("wp", path)

        def complaint(position: int, formula: FNode) -> str | None:
            changed = [*labels[:position], formula, *labels[position + 1 :]]  # noqa: B023
            return check_sequence(w.terms, w.solver, path, changed)  # noqa: B023

        for position, label in enumerate(labels):
            assert complaint(position, label) is None
            assert complaint(position, w.terms.negate(label)) is not None
            if label is not w.terms.false:
                assert complaint(position, w.terms.true) is not None
                assert complaint(position, w.terms.false) is not None
        assert check_sequence(w.terms, w.solver, path, labels[1:]) is not None
        assert check_sequence(w.terms, w.solver, path, [*labels, labels[-1]]) is not None


def test_the_check_rejects_shifted_sequences(w: World) -> None:
    path = counting(w, 3)
    labels = w.sequence("wp", path)
    for shifted in ([labels[0], *labels[:-1]], [*labels[1:], labels[-1]]):
        assert check_sequence(w.terms, w.solver, path, shifted) is not None


def test_the_check_rejects_foreign_symbols(w: World) -> None:
    """What later steps do not read, and inputs, have no place in a label even where they hold."""
    overwrite = Transition(
        (w.le(0, w.input),), {w.x: w.input, w.z: w.number(0)}, frozenset([w.input])
    )
    path = Path((w.le(0, w.x), w.le(0, w.z)), (overwrite,), w.le(0, w.x))

    def complaint(first: FNode, last: FNode) -> str | None:
        return check_sequence(w.terms, w.solver, path, [first, last])

    assert complaint(w.terms.true, path.goal) is None
    overwritten = complaint(w.le(0, w.x), path.goal)
    assert overwritten is not None and "x is not read" in overwritten
    unread = complaint(w.terms.true, w.both(path.goal, w.eq(w.z, 0)))
    assert unread is not None and "z is not read" in unread
    leaked = complaint(w.ne(w.terms.modulo(w.input, 2), 7), path.goal)
    assert leaked is not None and "input is not read" in leaked


# ------------------------------------------------------------------------ portfolio


class Fake:
    """A strategy that always gives the same answer."""

    name = "fake"

    def __init__(
        self, terms: Terms, solver: Z3Solver, answer: list[FNode] | Exception | None
    ) -> None:
        self.answer = answer

    def sequence(self, path: Path, known: Known | None = None) -> list[FNode] | None:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_a_portfolio_tries_one_after_the_other(w: World, monkeypatch: pytest.MonkeyPatch) -> None:
    path = counting(w, 1)
    answers = {"wrong": [w.terms.true] * 2, "none": None, "unknown": SolverUnknown("timeout")}
    fakes = {n: (__name__, "Fake", {"answer": a}) for n, a in answers.items()}
    monkeypatch.setattr(interpolate, "STRATEGIES", {**fakes, **STRATEGIES})
    portfolio = Portfolio(w.terms, w.solver, ["wrong", "none", "unknown", "wp", "farkas"])
    assert portfolio.sequence(path) == w.sequence("wp", path)
    statistics = portfolio.statistics
    assert statistics["wrong"].invalid == 1 and statistics["wrong"].answered == 0
    assert statistics["none"].declined == 1
    assert statistics["unknown"].unknown == 1
    assert statistics["wp"].answered == 1
    assert statistics["farkas"].asked == 0
    assert Portfolio(w.terms, w.solver, ["wrong", "none"]).sequence(path) is None


def test_unknown_strategies_are_named(w: World) -> None:
    with pytest.raises(UserError, match=r"'wq'.*known: wp, .*farkas"):
        Portfolio(w.terms, w.solver, ["wp", "wq"])


# --------------------------------------------------------------------- random paths

NAMES = ("p", "q", "r", "t")
Sum = tuple[dict[str, int], int]  # coefficients, and a constant
Atom = tuple[str, dict[str, int], int]  # a relation of a sum with its value plus that number


class Walk:
    """Builds a path along a concrete run, whose values most of its conditions meet narrowly."""

    def __init__(self, w: World, values: dict[str, int]) -> None:
        self.w, self.values = w, dict(values)

    def linear(self, coefficients: dict[str, int], constant: int) -> FNode:
        terms = self.w.terms
        return terms.sum({terms.symbol(s): c for s, c in coefficients.items()}, constant)

    def at(self, coefficients: dict[str, int], constant: int) -> int:
        return constant + sum(c * self.values[s] for s, c in coefficients.items())

    def atom(self, recipe: Atom) -> FNode:
        relation, coefficients, slack = recipe
        value = self.at(coefficients, 0) + slack
        make = {"<=": self.w.le, "=": self.w.eq, "!=": self.w.ne}[relation]
        return make(self.linear(coefficients, 0), value + (relation == "!="))

    def step(self, guard: list[Atom], updates: dict[str, Sum], inputs: list[int]) -> Transition:
        """A step; of its input's values, which it adds to all that it updates, one is taken."""
        conjuncts = [self.atom(recipe) for recipe in guard]
        symbols = frozenset[FNode]()
        if inputs:
            name = f"input{len(self.values)}"
            self.values[name] = inputs[0]
            symbol = self.w.terms.symbol(name)
            symbols = frozenset([symbol])
            conjuncts += [self.w.le(min(inputs), symbol), self.w.le(symbol, max(inputs))]
            updates = {s: ({**c, name: 1}, n) for s, (c, n) in updates.items()}
        new = {self.w.terms.symbol(s): self.linear(*t) for s, t in updates.items()}
        self.values.update({s: self.at(*t) for s, t in updates.items()})
        return Transition(tuple(conjuncts), new, symbols)


@st.composite
def linear_paths(draw: st.DrawFn, most_inputs: int = 2) -> Callable[[World], Path]:
    """Recipes for small paths over two to four places, with inputs of so many values at most."""
    places = NAMES[: draw(st.integers(2, 4))]
    factor = st.sampled_from([1, 1, 1, -1, -1, 2, -3])
    sums = st.dictionaries(st.sampled_from(places), factor, min_size=1, max_size=2)
    slack = st.sampled_from([0, 0, 0, 1, 2, -1])
    atoms = st.tuples(st.sampled_from(["<=", "<=", "=", "!="]), sums, slack)
    updates = st.dictionaries(
        st.sampled_from(places), st.tuples(sums, st.integers(-3, 3)), max_size=2
    )
    step = st.tuples(
        st.lists(atoms, max_size=2), updates, st.lists(st.integers(-1, 2), max_size=most_inputs)
    )
    values = {place: draw(st.integers(-3, 3)) for place in places}
    exact = [("=", {p: 1}, 0) for p in places if draw(st.booleans())]
    start = exact + draw(st.lists(atoms, max_size=3))
    steps = draw(st.lists(step, min_size=3, max_size=8))
    goal = draw(st.lists(atoms, max_size=2))

    def build(w: World) -> Path:
        walk = Walk(w, values)
        facts = tuple(map(walk.atom, start))
        transitions = tuple(walk.step(*recipe) for recipe in steps)
        claim = w.both(*map(walk.atom, goal)) if goal else w.terms.false
        return Path(facts, transitions, claim)

    return build


RANDOM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("strategy", ["wp", "wp-uncapped", "farkas"])
@RANDOM
@given(recipe=linear_paths())
def test_random_paths(w: World, strategy: str, recipe: Callable[[World], Path]) -> None:
    path = recipe(w)
    found = w.made[strategy].sequence(path)
    if found is not None:
        assert check_sequence(w.terms, w.solver, path, found) is None


@pytest.mark.parametrize("strategy", ["wp", "wp-uncapped"])
@RANDOM
@given(recipe=linear_paths(most_inputs=0))
def test_weakest_preconditions_are_complete_without_inputs(
    w: World, strategy: str, recipe: Callable[[World], Path]
) -> None:
    path = recipe(w)
    assert (w.made[strategy].sequence(path) is not None) == w.implied(path)


@RANDOM
@given(recipe=linear_paths(), data=st.data())
def test_labels_that_exclude_reachable_values_are_rejected(
    w: World, recipe: Callable[[World], Path], data: st.DataObject
) -> None:
    path = recipe(w)
    found = w.made["wp"].sequence(path)
    if found is None:
        return
    position = data.draw(st.integers(0, len(path.transitions)))
    prefix = Path(path.start, path.transitions[:position], w.terms.false)
    if w.implied(prefix):
        return
    found[position] = w.terms.false
    assert check_sequence(w.terms, w.solver, path, found) is not None
