"""Programs to compare both cores on: the collection, and random ones."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from crosscheck.features import FeatureGenerator
from crosscheck.source import to_c as source_to_c
from spinning import spinning_program
from tiny.generator import Profile, random_program
from tiny.printer import to_c

from imc.program.faults import Property
from imc.program.settings import Settings, Wakeups

ROOT = Path(__file__).resolve().parents[2]
PLAIN = Settings()
# Nothing stops at an assertion, additions commute, and waits end by themselves.
LENIENT = Settings(
    properties=frozenset([Property.UNINITIALISED, Property.OVERFLOW]),
    independent_adds=True,
    wakeups=Wakeups.EVERYWHERE,
)


def collected() -> list[ParameterSet]:
    """The programs of the collection, each as its first case has it."""
    found = [pytest.param(p, (), id=p.stem) for p in sorted((ROOT / "examples").glob("*.c"))]
    for file in sorted((ROOT / "tests" / "programs").rglob("expect.toml")):
        data = tomllib.loads(file.read_text())
        flags = data["case"][0].get("flags", [])
        defines = tuple(f.removeprefix("-D") for f in flags if f.startswith("-D"))
        program = file.parent / "prog.c"
        if program.exists():
            found.append(pytest.param(program, defines, id=f"{file.parent.name}"))
    return found


def random_source(kind: str, number: int, seed: int = 11) -> str:
    if kind == "spinning":
        return source_to_c(spinning_program(seed, number))
    if kind == "features":
        return source_to_c(FeatureGenerator(seed, number).source())
    return to_c(random_program(Profile(kind), seed, number))
