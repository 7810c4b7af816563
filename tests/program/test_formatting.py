"""printf and scanf: the same text and the same values as the C library of this machine."""

from __future__ import annotations

import ctypes
import math
import platform
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from imc.program.library.formatting import format_printf, parse_scanf

needs_glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or platform.machine() != "x86_64",
    reason="the reference is glibc on x86-64",
)
quick = settings(max_examples=250, deadline=None, database=None)

libc = ctypes.CDLL(None)
BITS = {"hh": 8, "h": 16, "": 32, "l": 64, "ll": 64, "z": 64, "t": 64, "j": 64}

Argument = int | float | bytes


def formatted(template: bytes, *arguments: Argument, long_bits: int = 64) -> bytes:
    rest = iter(arguments)

    def read_string(pointer: Any, limit: int | None) -> bytes:
        assert isinstance(pointer, bytes)
        return pointer[:limit]

    return format_printf(template, lambda: next(rest), read_string, long_bits)


def as_c(template: bytes, *arguments: Argument) -> bytes:
    buffer = ctypes.create_string_buffer(4096)
    passed: list[Any] = []
    for argument in arguments:
        match argument:
            case float():
                passed.append(ctypes.c_double(argument))
            case int():
                passed.append(ctypes.c_uint64(argument))
            case _:
                passed.append(ctypes.c_char_p(argument))
    length = libc.snprintf(buffer, ctypes.c_size_t(4096), template, *passed)
    return buffer.raw[:length]


flags = st.text("-+ #0", max_size=3)
sizes = st.one_of(st.just(""), st.integers(0, 25).map(str))
precisions = st.one_of(st.just(""), st.just("."), st.integers(0, 25).map(lambda n: f".{n}"))
edges = st.sampled_from([0, 1, 7, 127, 128, 255, 2**15, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 2**64 - 1])
words = st.binary(max_size=12).map(lambda b: b.replace(b"\0", b"x"))
floats = st.one_of(
    st.floats(width=64),
    st.floats(-1000, 1000),
    st.sampled_from([0.0, -0.0, 0.5, 1.5, 2.5, 1e5, 1e-5, 999999.5, math.inf, -math.inf, math.nan]),
)
Directive = tuple[str, list[Argument]]


@st.composite
def directives(
    draw: st.DrawFn, lengths: str, conversions: str, values: st.SearchStrategy[Argument]
) -> Directive:
    arguments: list[Argument] = []
    width, precision = draw(sizes), draw(precisions)
    if draw(st.integers(0, 5)) == 0:
        width = "*"
        arguments.append(draw(st.integers(-20, 20)) % 2**32)
    if draw(st.integers(0, 5)) == 0:
        precision = ".*"
        arguments.append(draw(st.integers(-3, 20)) % 2**32)
    length = draw(st.sampled_from(lengths.split(",")))
    conversion = draw(st.sampled_from(conversions))
    value = draw(values)
    if isinstance(value, int):
        value %= 2 ** BITS[length]
    return f"%{draw(flags)}{width}{precision}{length}{conversion}", [*arguments, value]


integers = directives(",hh,h,l,ll,z,t,j", "diuxXo", st.one_of(edges, st.integers(0, 2**64 - 1)))
decimals = directives(",l", "fFeEgG", floats)
hexadecimals = directives("", "aA", floats)


@needs_glibc
@quick
@given(st.lists(st.one_of(integers, decimals, hexadecimals), min_size=1, max_size=3))
@example([("%.0f %#.0f %#x %#o %+.0d|%5.0d", [0.5, 2.0, 0, 0, 0, 0])])
@example([("%05d|%-05d|%+5d|% d|%05.1d", [2**32 - 7, 7, 7, 7, 7])])
@example([("%010f|%-10f|%+010f|%F", [math.inf, -math.inf, math.nan, -math.nan])])
@example([("%.0a %.1a %.12a %#.0a", [1.5, 1.96875, 1 / 3, 1.0])])
def test_numbers_are_printed_as_in_c(parts: list[Directive]) -> None:
    template = " ".join(part[0] for part in parts).encode()
    arguments = [argument for part in parts for argument in part[1]]
    assert formatted(template, *arguments) == as_c(template, *arguments)


@needs_glibc
@quick
@given(directives("", "s", words), words)
def test_strings_are_printed_as_in_c(directive: Directive, around: bytes) -> None:
    around = around.replace(b"%", b"%%")
    template = around + directive[0].replace("0", "", 1).encode() + around
    assert formatted(template, *directive[1]) == as_c(template, *directive[1])


@needs_glibc
@quick
@given(directives("", "c", st.integers(0, 2**32 - 1)))
def test_characters_are_printed_as_in_c(directive: Directive) -> None:
    template = directive[0].encode()
    assert formatted(template, *directive[1]) == as_c(template, *directive[1])
