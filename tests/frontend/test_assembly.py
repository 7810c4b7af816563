"""Inline assembly that is taken for what it is, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.errors import Unsupported


def program(folder: Path, assembly: str, variables: str = "unsigned x = 12, y = 3;") -> Path:
    source = folder / "prog.c"
    text = f"{variables}\nint main(void) {{\n    __asm__ {assembly};\n    return y != 2;\n}}\n"
    source.write_text(text)
    return source


@pytest.mark.parametrize(
    "assembly",
    [
        '("bsfl %1, %0" : "=r"(y) : "m"(x))',  # who else writes to x meanwhile?
        '("bsfl %1, %0" : "=m"(y) : "r"(x))',
        '("bsfl %0, %1" : "=r"(y) : "r"(x))',  # writes to an input
        '("bsfq %1, %0" : "=r"(y) : "r"(x))',
        '("bsfl %2, %0; sete %1" : "=r"(y), "=q"(c) : "r"(x))',
        '("bsfl %2, %0" : "=r"(y), "=r"(x) : "r"(x))',
        '("rep; bsr %1, %0" : "=r"(y) : "r"(x))',
        '("bswapw %w0" : "+r"(x))',
        '("bswap %0" : "+r"(c))',
        '("bswapl %0" : : "r"(x))',
        '("bsf %1, %0" : "=r"(y) : "r"(c))',
        '("tzcntl %1, %0; incl %0" : "=r"(y) : "r"(x))',
        '("popcnt $5, %0" : "=r"(y))',
        '("" : "=r"(y) : "r"(x))',  # nobody has put x there
        '("" : "=r"(y), "=r"(x) : "0"(x))',
    ],
)
def test_what_is_not_known_exactly_is_refused(assembly: str, tmp_path: Path) -> None:
    source = program(tmp_path, assembly, "unsigned x = 12, y = 3; unsigned char c;")
    with pytest.raises(Unsupported, match="inline assembly") as caught:
        imc.api.load(source)
    assert caught.value.loc is not None and caught.value.loc.line == 3


@pytest.mark.parametrize(
    ("assembly", "verdict"),
    [
        ('("bsfl %1, %0" : "=r"(y) : "r"(x))', "safe"),
        ('("bsfl %1, %0" : "=r"(y) : "r"(x * 0))', "unsafe"),
        ('("bsrl %1, %0" : "=r"(y) : "rm"(x / 2))', "safe"),
        ('("bsrl %1, %0" : "+r"(y) : "r"(x & 0))', "unsafe"),
        ('("popcnt %1, %0" : "=&r"(y) : "r"(x))', "safe"),
        ('("tzcnt %1, %0" : "=r"(y) : "r"(x))', "safe"),
        ('("lzcnt %1, %0" : "=r"(y) : "r"(x << 25))', "unsafe"),
        ('("lzcnt %1, %0" : "=r"(y) : "r"(x << 26))', "safe"),
        ('("bswap %0" : "=r"(y) : "0"(2 << 24))', "safe"),
        ('("" : "=r"(y) : "0"(2))', "safe"),
    ],
)
def test_what_registers_hold(assembly: str, verdict: str, tmp_path: Path) -> None:
    program(tmp_path, assembly)
    source = tmp_path / "prog.c"
    source.write_text(
        f"#include <assert.h>\n{source.read_text()}".replace("return", "assert(y == 2); return")
    )
    assert imc.api.explore(source).verdict == verdict


def test_the_other_syntax_has_its_operands_the_other_way_round(tmp_path: Path) -> None:
    source = program(tmp_path, '("bsf %1, %0" : "=r"(y) : "r"(x))')
    imc.api.load(source)
    with pytest.raises(Unsupported, match="inline assembly"):
        imc.api.load(source, flags=("-masm=intel",))


@pytest.mark.parametrize("builtin", ["__builtin_ctz(x)", "__builtin_clz(x)", "__builtin_ctzll(x)"])
def test_bits_of_zero_are_undefined(builtin: str, tmp_path: Path) -> None:
    source = tmp_path / "prog.c"
    source.write_text(
        f"unsigned x;\nint main(void) {{ if ({builtin} > 99) return 1; return 0; }}\n"
    )
    assert imc.api.explore(source).verdict == "unsafe"
