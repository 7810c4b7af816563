"""Atomic operations on objects that no register holds."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.errors import Unsupported
from imc.program.verdict import Verdict

COMPARED = """
#include <assert.h>
#include <string.h>
struct part { long n; char c; long m; } shared;
int main(void) {
    struct part expected, desired = {0};
    int tries = 0;
    PREPARE
    expected.n = FIRST;
    expected.c = 0;
    expected.m = 0;
    do
        tries++;
    while (!__atomic_compare_exchange(&shared, &expected, &desired, 0, 5, 5));
    assert(tries == TRIES);
    return 0;
}
"""


def source(folder: Path, prepare: str, first: int, tries: int) -> Path:
    words = {"PREPARE": prepare, "FIRST": str(first), "TRIES": str(tries)}
    text = COMPARED
    for word, value in words.items():
        text = text.replace(word, value)
    path = folder / "prog.c"
    path.write_text(text)
    return path


def test_undefined_bytes_decide_nothing(tmp_path: Path) -> None:
    """What lies between the members of a struct: no compiler need set it, nor keep it."""
    with pytest.raises(Unsupported, match="not all of it is defined") as refused:
        imc.api.explore(source(tmp_path, "", 0, 2))
    assert refused.value.loc is not None and refused.value.loc.line == 14


@pytest.mark.parametrize(("first", "tries"), [(0, 1), (7, 2)])
def test_defined_bytes_are_compared(first: int, tries: int, tmp_path: Path) -> None:
    prepare = "memset(&expected, 0, sizeof expected);"
    found = imc.api.explore(source(tmp_path, prepare, first, tries))
    assert found.verdict is Verdict.SAFE


def test_a_difference_is_one_whatever_else_is_undefined(tmp_path: Path) -> None:
    """The second try has what was found at the first, all of which is defined."""
    assert imc.api.explore(source(tmp_path, "", 7, 2)).verdict is Verdict.SAFE
