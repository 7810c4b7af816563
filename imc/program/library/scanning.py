"""Input: the program's standard input, and what is read from text."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import FaultRaised, Property
from imc.program.instructions import Library
from imc.program.library.files import minus_one
from imc.program.library.formatting import NotModelled, parse_scanf
from imc.program.library.registry import Visibility, library
from imc.program.library.stdio import ARGUMENTS, EOF, not_modelled, store_number
from imc.program.library.streams import (
    byte_from_outside,
    line_from_outside,
    new_line,
    use_stream,
)
from imc.program.library.world import truth
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.types import FloatType
from imc.program.values import Aggregate, Value

ALWAYS, MEMORY = Visibility.ALWAYS, Visibility.MEMORY


def _position(m: Machine) -> tuple[int, Value]:
    """How much of the input has been read, and where that is noted."""
    place = m.hidden(("stream", "stdin"), "stdin")
    m.touch(Mode.WRITE, place, 1, True)
    return m.load_int(place, 0, 8), place


@library("getchar", c="getchar", visible=ALWAYS, sleeps=True, assumes=("no-stdin",))
def getchar(m: Machine, i: Library, args: list[Value]) -> Value:
    return _next_byte(m)


@library(
    "fgetc", c="fgetc getc getc_unlocked", visible=ALWAYS, writes=(0,), sleeps=True,
    reads_input=True, assumes=("no-stdin",),
)  # fmt: skip
def fgetc(m: Machine, i: Library, args: list[Value]) -> Value:
    return byte_from_outside(m, i) if use_stream(m, args[0]) else _next_byte(m)


def _next_byte(m: Machine) -> Value:
    at, place = _position(m)
    text = m.standard_input()
    if at >= len(text):
        return EOF
    m.store_int(place, 0, 8, at + 1)
    return text[at]


@library(
    "fgets", c="fgets", visible=ALWAYS, writes=(0, 2), sleeps=True, reads_input=True,
    assumes=("no-stdin", "strings-in-one-step"), native={"fgets": "irs_fgets"},
)  # fmt: skip
def fgets(m: Machine, i: Library, args: list[Value]) -> Value:
    if use_stream(m, args[2]):
        return line_from_outside(m, i, args[0], args[1])
    if args[1] < 2:
        return 0
    line = _next_line(m, args[1] - 1)
    if not line:
        return 0
    m.write_bytes(args[0], line + b"\0")
    m.touch(Mode.WRITE, args[0], len(line) + 1, False)
    return args[0]


@library(
    "getline", c="getline", visible=ALWAYS, writes=(0, 1, 2), stores_heap=0, sleeps=True,
    reads_input=True, reads_reachable=True, writes_reachable=True,
    assumes=("no-stdin", "strings-in-one-step", "allocation-succeeds", "no-reuse"),
    native={"getline": "irs_getline"},
)  # fmt: skip
def getline(m: Machine, i: Library, args: list[Value]) -> Value:
    if use_stream(m, args[2]):
        return new_line(m, i, args, None) if truth(m, i) else minus_one(i)
    line = _next_line(m, None)
    return new_line(m, i, args, line) if line else minus_one(i)


def _next_line(m: Machine, most: int | None) -> bytes:
    """The next line of standard input, or as much of it as there is room for."""
    at, place = _position(m)
    text = m.standard_input()[at:]
    line = text[: text.find(b"\n") + 1 or None][:most]
    m.store_int(place, 0, 8, at + len(line))
    return line


@library(
    "scanf", c="scanf __isoc99_scanf __isoc23_scanf",
    visible=ALWAYS, reads=(0,), writes=ARGUMENTS[1:], sleeps=True,
    assumes=("no-stdin", "strings-in-one-step"),
)  # fmt: skip
def scanf(m: Machine, i: Library, args: list[Value]) -> Value:
    at, place = _position(m)
    result, end = _scan(m, args[0], m.standard_input(), at, args[1:])
    m.store_int(place, 0, 8, end)
    return result


def scan_stepwise(m: Machine, i: Library, args: list[Value]) -> Value:
    """The text is read in one event, and each value is stored in another."""
    frame = m.frames[-1]
    if frame.phase == 0:
        values, _, result = _scanned(m, args[1], m.read_string(args[0]), 0)
        kept = values[: len(args) - 2]
        frame.scratch = Aggregate((result, *(Aggregate(v) for v in kept)))
        frame.phase = 1
    else:
        kind, value = frame.scratch[frame.phase]
        _store_scanned(m, kind, value, args[frame.phase + 1])
        frame.phase += 1
    result, *values = frame.scratch
    if frame.phase <= len(values):
        return NEXT_PHASE
    frame.scratch = None
    return result


@library(
    "sscanf", c="sscanf __isoc99_sscanf __isoc23_sscanf",
    visible=MEMORY, reads=(0, 1), writes=ARGUMENTS[2:],
    copies=tuple((k, 0) for k in ARGUMENTS[2:]), assumes=("strings-in-one-step",),
    stepwise=scan_stepwise, stepwise_if_written=True,
    native_steps=dict.fromkeys(("sscanf", "__isoc99_sscanf", "__isoc23_sscanf"), "irs_sscanf"),
)  # fmt: skip
def sscanf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _scan(m, args[1], m.read_string(args[0]), 0, args[2:])[0]


def _scan(
    m: Machine, template: Value, text: bytes, at: int, targets: list[Value]
) -> tuple[int, int]:
    """Converts and stores; scanf's result, and where in the text it has stopped."""
    values, end, result = _scanned(m, template, text, at)
    for (kind, value), to in zip(values, targets, strict=False):
        _store_scanned(m, kind, value, to)
    return result, end


def _scanned(
    m: Machine, template: Value, text: bytes, at: int
) -> tuple[list[tuple[str, int | float | bytes]], int, int]:
    """What is to be stored, where in the text it ends, and scanf's result."""
    try:
        values, end, exhausted = parse_scanf(m.read_string(template), text, at)
    except ValueError as error:
        raise FaultRaised(Property.MEMORY, f"bad format: {error}") from None
    except NotModelled as unknown:
        raise not_modelled(m, unknown) from None
    read = sum(not kind.endswith("n") for kind, _ in values)
    return values, end, EOF if exhausted and not read else read


def _store_scanned(m: Machine, kind: str, value: int | float | bytes, to: Value) -> None:
    if isinstance(value, bytes):
        data = value if kind == "c" else value + b"\0"
        m.write_bytes(to, data)
        m.touch(Mode.WRITE, to, len(data), False)
    elif isinstance(value, float):
        type = FloatType({"l": "double", "L": "x86_fp80"}.get(kind[:-1], "float"))
        m.store(to, type, value)
        m.touch(Mode.WRITE, to, m.image.layout.store_size(type), False)
    else:
        store_number(m, to, "l" if kind == "p" else kind[:-1], value)
