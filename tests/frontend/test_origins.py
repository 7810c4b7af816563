"""Every instruction of a program knows the line of IR that it was read from."""

from __future__ import annotations

from pathlib import Path

import pytest

from imc.api import load
from imc.program.instructions import Load, Return, Store

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["prodcons", "scanner", "treiber_stack"])
def test_lines_are_those_of_the_instructions(name: str) -> None:
    program = load(EXAMPLES / f"{name}.c")
    words = {Load: "load", Store: "store", Return: "ret"}
    checked = 0
    for function, pc, instruction in program.instructions():
        word = words.get(type(instruction))
        if word is not None and function.lines[pc]:
            line = program.texts[function.module].splitlines()[function.lines[pc] - 1]
            assert word in line.split("!")[0].split()
            checked += 1
    assert checked > 20


def test_atomic_functions_begin_and_end_at_their_call(tmp_path: Path) -> None:
    source = tmp_path / "atomic.c"
    source.write_text(
        "int x; void __VERIFIER_atomic_add(void) { x++; }\n"
        "int main(void) { __VERIFIER_atomic_add(); return x; }\n"
    )
    lines = load(source).functions["main"].lines
    assert len(lines) == len(load(source).functions["main"].code)
    assert max(lines.count(line) for line in lines) == 3  # begin, call, end
