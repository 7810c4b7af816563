"""The compact machine does what the model does: events, blocks, faults, states, and back again."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from crosscheck.features import FeatureGenerator
from crosscheck.source import to_c as source_to_c
from lockstep import Walked, walk_both
from spinning import spinning_program
from tiny.generator import Profile, random_program
from tiny.printer import to_c

from imc.compact.flatten import flatten
from imc.compact.form import NotCompact
from imc.frontend import FrontendOptions
from imc.frontend.cache import NO_CACHE
from imc.frontend.clang import CompilerOptions
from imc.frontend.load import load_program
from imc.program.faults import Property
from imc.program.interpreter import Interpreter
from imc.program.settings import Settings, Wakeups

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "programs"
STEPS = 25  # of a walk
PLAIN = Settings()
# Nothing stops at an assertion, additions commute, and waits end by themselves.
LENIENT = Settings(
    properties=frozenset([Property.UNINITIALISED, Property.OVERFLOW]),
    independent_adds=True,
    wakeups=Wakeups.EVERYWHERE,
)
RANDOM = 15  # programs of each kind


def collected() -> list[object]:
    """The programs of the collection, each as its first case has it."""
    found = [pytest.param(p, (), id=p.stem) for p in sorted((ROOT / "examples").glob("*.c"))]
    for file in sorted(PROGRAMS.rglob("expect.toml")):
        data = tomllib.loads(file.read_text())
        flags = data["case"][0].get("flags", [])
        defines = tuple(f.removeprefix("-D") for f in flags if f.startswith("-D"))
        program = file.parent / "prog.c"
        if program.exists():
            found.append(pytest.param(program, defines, id=f"{file.parent.name}"))
    return found


@pytest.mark.parametrize(("path", "defines"), collected())
def test_program(path: Path, defines: tuple[str, ...]) -> None:
    program = load_program([path], FrontendOptions(CompilerOptions(define=defines)))
    walk_both(Interpreter(program), 1, STEPS)


@pytest.mark.parametrize(
    "program", sorted((PROGRAMS / "reduction").iterdir()), ids=lambda p: p.name
)
def test_benchmarks_have_a_compact_form(program: Path) -> None:
    flatten(Interpreter(load_program([program / "prog.c"])).image)


def random_source(kind: str, number: int) -> str:
    if kind == "spinning":
        return source_to_c(spinning_program(11, number))
    if kind == "features":
        return source_to_c(FeatureGenerator(11, number).source())
    return to_c(random_program(Profile(kind), 11, number))


@pytest.mark.parametrize("kind", ["simple", "rich", "spinning", "features"])
def test_random_programs(kind: str, tmp_path: Path) -> None:
    total, refused = Walked(), 0
    for number in range(RANDOM):
        path = tmp_path / f"program{number}.c"
        path.write_text(random_source(kind, number))
        program = load_program([path], cache=NO_CACHE)
        for settings in (PLAIN, LENIENT):
            found = walk_both(Interpreter(program, settings), 1, STEPS)
            if isinstance(found, NotCompact):
                refused += 1
            else:
                total.steps += found.steps
                total.blocked += found.blocked
    assert refused < RANDOM, "half of them are to be compared"
    assert total.steps > 10 * RANDOM and total.blocked
