"""The semantics with symbolic inputs agrees with itself on the concrete inputs of each path."""

from __future__ import annotations

from pathlib import Path

import pytest
from pysmt.environment import Environment

import imc.api
from imc.program.interpreter import Interpreter
from imc.program.machine import Outcome
from imc.program.settings import Settings
from imc.program.state import State
from imc.symbolic import SymbolicDomain

PROGRAMS = {
    "branches": """
        int main(void) {
            int x = __VERIFIER_nondet_int();
            unsigned char b = __VERIFIER_nondet_int();
            if (x < 0) return x == -7 ? 1 : 2;
            if ((x & 12) == 8) return 3;
            if (x * 3 == 21) return 4;
            return b > 200 ? 5 : 6;
        }""",
    "memory": """
        struct pair { short a; unsigned char b, c; };
        int main(void) {
            union { int whole; struct pair p; } u;
            u.whole = __VERIFIER_nondet_int();
            u.p.c = u.p.b + 1;
            if (u.p.a == 300 && u.p.c == 0) return 1;
            return u.p.b / 2 == 20 ? 2 : 3;
        }""",
    "switch": """
        int main(void) {
            switch (__VERIFIER_nondet_int() >> 4) {
            case 0: return 1;
            case -1: return 2;
            case 77: return 3;
            default: return 4;
            }
        }""",
    "division": """
        int main(void) {
            int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
            if (y < 2 || x < 0) return 1;
            return x / y == 13 && x % y == 5 ? 2 : 3;
        }""",
}


def outcomes(interpreter: Interpreter, outcome: Outcome) -> list[Outcome]:
    """All ends of a single-threaded program."""
    if outcome.fault is not None or outcome.state.ended:
        return [outcome]
    return [
        end
        for after in interpreter.successors(outcome.state, 0)
        for end in outcomes(interpreter, after)
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_paths_agree_with_concrete_runs(name: str, tmp_path: Path) -> None:
    source = tmp_path / f"{name}.c"
    source.write_text("extern int __VERIFIER_nondet_int(void);\n" + PROGRAMS[name])
    program = imc.api.load(source)
    environment = Environment()
    domain = SymbolicDomain(environment)
    symbolic = Interpreter(program, domain=domain)
    ends = [e for start in symbolic.initial() for e in outcomes(symbolic, start)]
    reached = set()
    for end in ends:
        inputs = model(environment, domain, end.state)
        if inputs is None:
            continue  # the path is infeasible
        concrete = Interpreter(program, Settings(inputs=tuple(inputs)))
        assert run(concrete, inputs) == end.state.exit_code
        reached.add(end.state.exit_code)
    assert reached == set(range(1, max(reached) + 1)) and len(reached) > 2


def model(environment: Environment, domain: SymbolicDomain, state: State) -> list[int] | None:
    """Inputs that lead along the path, in the order in which the program reads them."""
    m = environment.formula_manager
    formula = m.And(
        [
            domain.condition(v) if taken else m.Not(domain.condition(v))
            for v, taken in state.conditions
        ]
    )
    found = environment.factory.get_model(formula, solver_name="z3")
    if found is None:
        return None
    count = state.threads[0].inputs
    bv = environment.type_manager.BVType(32)
    symbols = [m.Symbol(f"input.0.{k}", bv) for k in range(1, count + 1)]
    return [found.get_value(s).constant_value() for s in symbols]


def run(interpreter: Interpreter, inputs: list[int]) -> int | None:
    """A concrete run that reads the inputs in order."""
    (outcome,) = interpreter.initial()
    while not outcome.state.ended:
        read = outcome.state.threads[0].inputs
        outcomes = interpreter.successors(outcome.state, 0)
        outcome = outcomes[read] if len(outcomes) > 1 else outcomes[0]
    return outcome.state.exit_code
