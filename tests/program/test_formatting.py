"""printf and scanf: the same text and the same values as the C library of this machine."""

from __future__ import annotations

import ctypes
import math
import platform
from random import Random
from typing import Any

import pytest

from imc.program.library.formatting import NotModelled, format_printf, parse_scanf

needs_glibc = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or platform.machine() != "x86_64",
    reason="the reference is glibc on x86-64",
)
libc = ctypes.CDLL(None)

Argument = Any  # int | float | bytes (a string) | a pointer
Directive = tuple[bytes, list[Argument]]


# --------------------------------------------------------------------- printf


def formatted(template: bytes, *arguments: Argument, long_bits: int = 64) -> bytes:
    rest = iter(arguments)

    def read_string(pointer: Argument, limit: int | None) -> bytes:
        assert isinstance(pointer, bytes)
        return pointer[:limit]

    return format_printf(template, lambda: next(rest), read_string, long_bits)


def printed_by_c(template: bytes, *arguments: Argument) -> bytes:
    types = {float: ctypes.c_double, int: ctypes.c_uint64, bytes: ctypes.c_char_p}
    buffer = ctypes.create_string_buffer(2048)
    passed = [types[type(argument)](argument) for argument in arguments]
    length = libc.snprintf(buffer, ctypes.c_size_t(len(buffer)), template, *passed)
    return buffer.raw[:length]


LENGTHS = ["", "hh", "h", "l", "ll", "z", "t", "j"]
FLOATS = [0.0, -0.0, 0.5, 1.5, 2.5, 99999.5, 1e-5, 5e-324, math.inf, -math.inf, math.nan]


def some_integer(random: Random) -> int:
    return random.choice([0, 1, 2**31, 2**63, 2**64 - 1, random.getrandbits(random.randint(1, 64))])


def some_float(random: Random) -> float:
    return random.choice([random.choice(FLOATS), random.gauss(0, 10) * 10 ** random.gauss(0, 9)])


def some_directive(random: Random) -> Directive:
    conversion = random.choice("diuxXofFeEgGaAcsp")
    flags, lengths = "-+ #0", [""]
    value: Argument = some_integer(random)
    if conversion in "diuxXo":
        lengths = LENGTHS
    elif conversion == "s":
        flags, value = "-", random.choice([b"", b"word", b"%s", b"\xc3\xa4\n"])
    elif conversion in "cp":
        flags = "-"
    else:
        value = some_float(random)
        if conversion in "gG":
            flags = "-+ 0"  # "%#g" of some glibcs loses zeros
    width = random.choice(["", "1", "5", "12", "25", "*"])
    precision = random.choice(["", ".", ".0", ".1", ".3", ".9", ".20", ".*"])
    stars = [random.randint(-20, 20) % 2**32 for part in (width, precision) if "*" in part]
    some_flags = "".join(random.choices(flags, k=random.randint(0, 3)))
    text = f"%{some_flags}{width}{precision}{random.choice(lengths)}{conversion}"
    return text.encode(), [*stars, value]


@needs_glibc
@pytest.mark.parametrize("seed", range(10))
def test_prints_as_c_does(seed: int) -> None:
    random = Random(seed)
    for _ in range(400):
        parts = [some_directive(random) for _ in range(random.randint(1, 4))]
        template = random.choice([b"", b", ", b"%%", b"\n"]).join(text for text, _ in parts)
        arguments = [argument for _, given in parts for argument in given]
        assert formatted(template, *arguments) == printed_by_c(template, *arguments), parts


@needs_glibc
@pytest.mark.parametrize(
    ("template", "arguments"),
    [
        (b"", []),
        (b"100%%", []),
        (b"%.0f %#.0f %#x %#o %+.0d|%5.0d", [0.5, 2.0, 0, 0, 0, 0]),
        (b"%05d|%-05d|%+5d|% d|%05.1d", [2**32 - 7, 7, 7, 7, 7]),
        (b"%010f|%-10f|%+010f|%F", [math.inf, -math.inf, math.nan, -math.nan]),
        (b"%.0a %.1a %.12a %#.0a", [1.5, 1.96875, 1 / 3, 1.0]),
        (b"%d %u %hhd %hhu %hd", [2**32 - 1] * 5),
        (b"%lld %llu %jd %zu %td", [2**64 - 1] * 5),
    ],
)
def test_prints_corner_cases_as_c_does(template: bytes, arguments: list[Argument]) -> None:
    assert formatted(template, *arguments) == printed_by_c(template, *arguments)


def test_alternative_form_of_g_keeps_zeros() -> None:
    assert formatted(b"%#g %#.3g %g", 999999.5, 1.0, 1.0) == b"1.00000e+06 1.00 1"


def test_a_long_may_have_32_bits() -> None:
    assert formatted(b"%ld %zu %lld", 2**32 - 1, 2**32 - 1, 2**64 - 1, long_bits=32) == (
        b"-1 4294967295 -1"
    )


def test_pointers() -> None:
    assert formatted(b"%p|%8p|%p|%lx", 0, 0, (3, 16), (3, 16)) == (
        b"(nil)|   (nil)|0x300000010|300000010"
    )


def test_a_string_is_read_no_further_than_its_precision() -> None:
    limits: list[int | None] = []

    def read_string(pointer: Argument, limit: int | None) -> bytes:
        limits.append(limit)
        return b"abc"

    format_printf(b"%s %.3s %.*s", lambda: 2**32 - 1, read_string)
    assert limits == [None, 3, None]


@pytest.mark.parametrize("template", [b"%", b"%y", b"5%-3", b"%n", b"%ls", b"%lc", b"%Ld", b"%hf"])
def test_unknown_directives_are_refused(template: bytes) -> None:
    with pytest.raises(NotModelled, match="printf's directive"):
        formatted(template, 1, 1)


def test_positions() -> None:
    assert formatted(b"%2$d %1$s %2$x %%", b"a", 17) == b"17 a 11 %"
    assert formatted(b"%3$*1$.*2$f|", 6, 1, 2.25) == b"   2.2|"
    with pytest.raises(NotModelled, match="positions"):
        formatted(b"%1$d %3$d", 1, 2, 3)


@pytest.mark.parametrize(("template", "argument"), [(b"%d", 1.5), (b"%f", 1), (b"%*d", None)])
def test_arguments_of_another_type_are_refused(template: bytes, argument: Argument) -> None:
    with pytest.raises(ValueError, match=r"argument of %. is not a"):
        formatted(template, argument, argument)


# --------------------------------------------------------------------- scanf

INTEGERS = {"hh": ctypes.c_int8, "h": ctypes.c_int16, "": ctypes.c_int32, "l": ctypes.c_int64}


def scanned_by_c(template: bytes, text: bytes, kinds: list[str]) -> tuple[list[Argument], int]:
    """The values that C's scanf assigns, of the kinds given, and its result."""
    places: list[Any] = []
    for kind in kinds:
        if kind in ("s", "c", "["):
            places.append(ctypes.create_string_buffer(100))
        elif kind.endswith("f"):
            places.append(ctypes.c_double() if kind == "lf" else ctypes.c_float())
        else:
            places.append(INTEGERS[kind[:-1]]())
    result = libc.sscanf(text, template, *(ctypes.byref(place) for place in places))
    return [place.value for place in places[: max(result, 0)]], result


def reduced(kind: str, value: Argument) -> Argument:
    """A value as it reads back from a variable."""
    if isinstance(value, int):
        return INTEGERS[kind[:-1]](value).value
    return ctypes.c_float(value).value if kind == "f" else value


PIECES = [
    "1",
    "12",
    "-",
    "+4",
    "017",
    "0x1",
    ",",
    "a",
    "abc",
    "%",
    "1.5",
    "2e3",
    "e",
    "]",
    " ",
    "\n",
]


def some_scan_directive(random: Random) -> tuple[str, list[str]]:
    """A piece of a template, and the kinds of value it assigns."""
    if random.random() < 0.3:
        return random.choice([" ", ",", "a", "%%"]), []
    skip = random.choice(["", "", "*"])
    width = random.choice(["", "", "1", "2", "5"])
    conversion = random.choice([*"diuxo" * 3, "f", "s", "c", "[a-c]", "[^]1]", "[]x]"])
    length = random.choice(list(INTEGERS)) if conversion in "diuxo" else ""
    if conversion == "f":
        length = random.choice(["", "l"])
    return f"%{skip}{width}{length}{conversion}", [] if skip else [length + conversion[0]]


def check_scan(template: str, text: str, kinds: list[str]) -> None:
    values, position, ended = parse_scanf(template.encode(), text.encode(), 0)
    expected, result = scanned_by_c(template.encode(), text.encode(), kinds)
    assert [kind for kind, _ in values] == kinds[: len(values)]
    assert [reduced(kind, value) for kind, value in values] == expected, (template, text)
    assert (-1 if ended else len(values)) == result, (template, text)
    assert 0 <= position <= len(text)


@needs_glibc
@pytest.mark.parametrize("seed", range(10))
def test_scans_as_c_does(seed: int) -> None:
    random = Random(seed)
    for _ in range(400):
        parts = [some_scan_directive(random) for _ in range(random.randint(0, 4))]
        template = "".join(part for part, _ in parts)
        text = "".join(random.choices(PIECES, k=random.randint(0, 6)))
        if "f" in template:
            text = text.replace("x", "")  # hexadecimal floats are not read
        check_scan(template, text, [kind for _, kinds in parts for kind in kinds])


@needs_glibc
@pytest.mark.parametrize(
    ("template", "text", "kinds"),
    [
        ("%d%d", " 12 -7 ", ["d", "d"]),
        ("%d", "  ", ["d"]),
        ("%d", "x", ["d"]),
        ("%*d%d", "5", ["d"]),
        ("%d,%d", "1,2", ["d", "d"]),
        ("%d,%d", "1;2", ["d", "d"]),
        ("%2x%i", "0x1f", ["x", "i"]),
        ("%f%lf", "1e+ .5", ["f", "lf"]),
        ("%f", "-infinity", ["f"]),
        ("%3s%s", "abcdef", ["s", "s"]),
        ("abc", "", []),
        ("", "", []),
    ],
)
def test_scans_corner_cases_as_c_does(template: str, text: str, kinds: list[str]) -> None:
    check_scan(template, text, kinds)


def test_scanning_goes_on_where_it_stopped() -> None:
    text = b"10 20\nname x"
    assert parse_scanf(b"%d", text, 0) == ([("d", 10)], 2, False)
    assert parse_scanf(b"%ld", text, 2) == ([("ld", 20)], 5, False)
    assert parse_scanf(b"%s %c", text, 5) == ([("s", b"name"), ("c", b"x")], len(text), False)
    assert parse_scanf(b"%s", text, len(text)) == ([], len(text), True)


@pytest.mark.parametrize("template", [b"%", b"%y", b"%[a", b"%ls"])
def test_unknown_scan_directives_are_refused(template: bytes) -> None:
    with pytest.raises(NotModelled, match="scanf's directive"):
        parse_scanf(template, b"1", 0)


def test_what_has_been_read_so_far_is_a_value() -> None:
    assert parse_scanf(b"%d%n", b" 42x", 0) == ([("d", 42), ("n", 3)], 3, False)
