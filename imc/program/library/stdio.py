"""Output is an event: what is printed, and in which order, can be seen."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace

from imc.errors import Unsupported
from imc.program.concrete.integers import address_number
from imc.program.events import Mode
from imc.program.faults import FaultRaised, Property
from imc.program.instructions import Library
from imc.program.library.formatting import NotModelled, format_printf, in_order
from imc.program.library.open_text import pass_unknown_text
from imc.program.library.registry import LIBRARY, Visibility, add, library
from imc.program.library.streams import stream
from imc.program.library.strings import get_errno
from imc.program.library.varargs import argument_reader
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.objects import ObjectInfo
from imc.program.types import FloatType, IntType
from imc.program.values import UNDEF, Aggregate, Value

ALWAYS, MEMORY = Visibility.ALWAYS, Visibility.MEMORY
EOF = 0xFFFF_FFFF
ARGUMENTS = tuple(range(32))  # of a function with a variable number of them
COUNTS = ".counts"
_WRITES_COUNT = re.compile(rb"%[-+ #0'\d.*$]*(?:hh|h|ll|l|q|z|t|j)?n")
NextArgument = Callable[[], Value]
StoreCount = Callable[[Value, str, int], None]  # where, the length in the directive, how many
ReadText = Callable[[Value, int | None], bytes]  # at most so many bytes


def emit(m: Machine, data: bytes, stream: str = "stdout") -> None:
    """Writes to a stream; the stream is an object that all writers touch."""
    number = m.image.objects.intern(("stream", stream), ObjectInfo("stream", stream))
    m.touch(Mode.WRITE, (number, 0), 1, True, data)
    m.put_out(data, stream)


def _given(args: list[Value]) -> NextArgument:
    rest = iter(args)

    def take() -> Value:
        try:
            return next(rest)
        except StopIteration:
            raise FaultRaised(
                Property.MEMORY, "a format asks for more arguments than there are"
            ) from None

    return take


def _listed(m: Machine, va_list: Value, template: bytes) -> NextArgument:
    """Arguments from a va_list; what type comes next is read off the format."""
    types = iter(_argument_types(m, template))
    arguments = argument_reader(m, va_list)
    return lambda: arguments(next(types, IntType(64)))


def _argument_types(m: Machine, template: bytes) -> list[IntType | FloatType]:
    long_bits = 8 * m.image.layout.pointer_bytes
    return [_argument_type(directive, part, long_bits) for directive, part in in_order(template)]


def _argument_type(directive: re.Match[bytes], part: str, long_bits: int) -> IntType | FloatType:
    """The type of what a directive takes, as C passes it on."""
    if part != "value":
        return IntType(32)
    length, conversion = directive["length"] or b"", directive["conversion"] or b""
    if conversion in (b"s", b"p", b"n", b"S"):
        return IntType(long_bits)
    if conversion in (b"e", b"E", b"f", b"F", b"g", b"G", b"a", b"A"):
        return FloatType("x86_fp80") if length == b"L" else FloatType("double")
    if length in (b"ll", b"j", b"q"):
        return IntType(64)
    return IntType(long_bits if length in (b"l", b"z", b"t") else 32)


def _formatted(
    m: Machine,
    template: Value,
    arguments: Callable[[bytes], NextArgument],
    read: ReadText | None = None,
    store: StoreCount | None = None,
) -> bytes:
    text = m.read_string(template)
    try:
        return format_printf(
            text,
            arguments(text),
            read or (lambda pointer, limit: _read_text(m, pointer, limit)),
            8 * m.image.layout.pointer_bytes,
            store or (lambda pointer, length, count: store_number(m, pointer, length, count)),
            lambda value: _number(m, value),
            lambda: os.strerror(get_errno(m)).encode("latin-1", "replace"),
        )
    except ValueError as error:
        raise FaultRaised(Property.MEMORY, f"bad format: {error}") from None
    except NotModelled as unknown:
        raise not_modelled(m, unknown) from None


def _number(m: Machine, value: Value) -> Value:
    """A value that is printed as a number; addresses that are printed have become data."""
    if value.__class__ is not tuple:
        return value
    m.domain.numeric = True
    return address_number(value, m.domain.pointer_bits)


def not_modelled(m: Machine, unknown: NotModelled) -> Unsupported:
    return Unsupported(f"{unknown} is not modelled", m.place(), "print or read it another way")


@library(
    "printf", c="printf", visible=ALWAYS, takes_terms=True, reads=ARGUMENTS, prints=True,
    assumes_with_arguments=("strings-in-one-step",),
)  # fmt: skip
def printf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _print(m, args[0], args[1:], "stdout")


@library(
    "fprintf", c="fprintf", visible=ALWAYS, takes_terms=True, reads=ARGUMENTS, prints=True,
    assumes_with_arguments=("strings-in-one-step",),
)  # fmt: skip
def fprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _print(m, args[1], args[2:], stream(m, args[0]))


def _counting() -> None:
    """Variants of printf and its like whose template may have %n, and so write to arguments."""
    for name, template in TEMPLATES.items():
        function = LIBRARY[name]
        writes = (*function.writes, *ARGUMENTS[template + 1 :])
        add(replace(function, name=name + COUNTS, c=(), writes=writes))


TEMPLATES = {"printf": 0, "warn": 0, "fprintf": 1, "sprintf": 1, "snprintf": 2}


def template_of(function: str) -> int | None:
    """Which argument of a function that prints is its template."""
    return TEMPLATES.get(function)


def variant(function: str, template: bytes | None) -> str:
    """The function, or the variant that is meant with a template; None: it is not a literal."""
    if function + COUNTS in LIBRARY and (template is None or _WRITES_COUNT.search(template)):
        return function + COUNTS
    return function


class Open(int):
    """Stands for an argument that is not known, where only its text depends on it."""


def _print(m: Machine, template: Value, args: list[Value], stream: str) -> Value:
    """Prints; of values that are not known, what is printed and how long it is stays open."""
    symbolic = m.domain.symbolic
    is_open = [symbolic and a is not UNDEF and m.domain.truth(a) is None for a in args]

    def arguments(text: bytes) -> NextArgument:
        stars = {n for n, (_, part) in enumerate(in_order(text)) if part != "value"}
        for n in stars & set(range(len(args))):  # what is read depends on them
            args[n], is_open[n] = m.known(args[n], 32), False
        return _given([Open() if u else a for a, u in zip(args, is_open, strict=False)])

    def store(pointer: Value, length: str, count: int) -> None:
        if any(is_open):
            raise Unsupported("what %n stores depends on what is not known", m.place())
        store_number(m, pointer, length, count)

    def read(pointer: Value, limit: int | None) -> bytes:
        if symbolic and pass_unknown_text(m, pointer, limit):
            is_open.append(True)
            return b""
        return _read_text(m, pointer, limit)

    data = _formatted(m, template, arguments, read, store)
    if any(is_open):
        emit(m, m.read_string(template), stream)
        return m.unsaid(args, IntType(32))
    emit(m, data, stream)
    return len(data)


def _read_text(m: Machine, pointer: Value, limit: int | None = None) -> bytes:
    if isinstance(pointer, Open):
        raise Unsupported("a string is printed, and where it lies is not known")
    return m.read_string(m.known(pointer), limit)


@library(
    "vprintf", c="vprintf", visible=ALWAYS, reads_reachable=True,
    assumes_with_arguments=("strings-in-one-step",),
)  # fmt: skip
def vprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    data = _formatted(m, args[0], lambda text: _listed(m, args[1], text))
    emit(m, data)
    return len(data)


@library(
    "vfprintf", c="vfprintf", visible=ALWAYS, reads_reachable=True,
    assumes_with_arguments=("strings-in-one-step",),
)  # fmt: skip
def vfprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    data = _formatted(m, args[1], lambda text: _listed(m, args[2], text))
    emit(m, data, stream(m, args[0]))
    return len(data)


def _deliver(m: Machine, to: Value, limit: int | None, data: bytes) -> Value:
    """Stores formatted text, cut to `limit` bytes with the final zero."""
    kept = _cut(data, limit)
    m.write_bytes(to, kept)
    if kept:
        m.touch(Mode.WRITE, to, len(kept), False)
    return len(data)


def _cut(data: bytes, limit: int | None) -> bytes:
    if limit == 0:
        return b""
    return (data if limit is None else data[: limit - 1]) + b"\0"


def print_stepwise(m: Machine, i: Library, args: list[Value]) -> Value:
    """The text is made in one event, and each byte of it is written in another.

    Some libraries end the text before they begin it: the first byte may be seen to be zero.
    """
    frame = m.frames[-1]
    if frame.phase == 0:
        limit, data = _made(m, i, args)
        frame.scratch = Aggregate((len(data), *_cut(data, limit)))
        frame.phase = 1
        return NEXT_PHASE
    length, *text = frame.scratch
    writes = [(0, 0), *enumerate(text)] if len(text) > 1 else list(enumerate(text))
    if frame.phase <= len(writes):
        nth, byte = writes[frame.phase - 1]
        m.store_int(args[0], nth, 1, byte)
        m.touch(Mode.WRITE, m.domain.add_offset(args[0], nth), 1, False, byte)
        frame.phase += 1
    if frame.phase <= len(writes):
        return NEXT_PHASE
    frame.scratch = None
    return length


def _made(m: Machine, i: Library, args: list[Value]) -> tuple[int | None, bytes]:
    """How much text there is room for, and the text, of sprintf and its like."""
    name = i.function.removesuffix(COUNTS)
    bounded, listed = "n" in name.removesuffix("printf"), name.startswith("v")
    limit, rest = (args[1], args[2:]) if bounded else (None, args[1:])
    template, *given = rest
    if listed:
        return limit, _formatted(m, template, lambda text: _listed(m, given[0], text))
    return limit, _formatted(m, template, lambda _: _given(given))


def _print_into(m: Machine, i: Library, args: list[Value]) -> Value:
    limit, data = _made(m, i, args)
    return _deliver(m, args[0], limit, data)


@library(
    "sprintf", c="sprintf", visible=MEMORY, reads=ARGUMENTS[1:], writes=(0,), prints_into=0,
    stepwise=print_stepwise, stepwise_if_written=True,
    native_steps={"sprintf": "irs_sprintf"},
    assumes_with_arguments=("strings-in-one-step",),
)  # fmt: skip
def sprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _print_into(m, i, args)


@library(
    "snprintf", c="snprintf", visible=MEMORY, reads=ARGUMENTS[2:], writes=(0,), prints_into=0,
    stepwise=print_stepwise, stepwise_if_written=True,
    native_steps={"snprintf": "irs_snprintf"},
    assumes_with_arguments=("strings-in-one-step",),
)  # fmt: skip
def snprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _print_into(m, i, args)


@library(
    "vsprintf", c="vsprintf", visible=ALWAYS, reads_reachable=True, writes=(0,), prints_into=0,
    stepwise=print_stepwise, stepwise_if_written=True,
    native_steps={"vsprintf": "irs_vsprintf"},
    assumes_with_arguments=("strings-in-one-step",),
)  # fmt: skip
def vsprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _print_into(m, i, args)


@library(
    "vsnprintf", c="vsnprintf", visible=ALWAYS, reads_reachable=True, writes=(0,), prints_into=0,
    stepwise=print_stepwise, stepwise_if_written=True,
    native_steps={"vsnprintf": "irs_vsnprintf"},
    assumes_with_arguments=("strings-in-one-step",),
)  # fmt: skip
def vsnprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _print_into(m, i, args)


@library("puts", c="puts", visible=ALWAYS, takes_terms=True, reads=(0,))
def puts(m: Machine, i: Library, args: list[Value]) -> Value:
    emit(m, _text(m, args[0]) + b"\n")
    return 1


@library("fputs", c="fputs", visible=ALWAYS, takes_terms=True, reads=(0, 1))
def fputs(m: Machine, i: Library, args: list[Value]) -> Value:
    emit(m, _text(m, args[0]), stream(m, m.known(args[1])))
    return 1


def _text(m: Machine, pointer: Value) -> bytes:
    """A string to be printed; where not all of it is known, something."""
    if m.domain.symbolic and pass_unknown_text(m, pointer, None):
        return b"?"
    return m.read_string(m.known(pointer))


@library("putchar", c="putchar putchar_unlocked", visible=ALWAYS, takes_terms=True)
def putchar(m: Machine, i: Library, args: list[Value]) -> Value:
    if m.domain.symbolic and m.domain.truth(args[0]) is None:
        emit(m, b"?")
        return m.unsaid(args, IntType(32))
    emit(m, bytes([args[0] & 0xFF]))
    return args[0] & 0xFF


@library("fputc", c="fputc putc", visible=ALWAYS, reads=(1,))
def fputc(m: Machine, i: Library, args: list[Value]) -> Value:
    emit(m, bytes([args[0] & 0xFF]), stream(m, args[1]))
    return args[0] & 0xFF


@library("fwrite", c="fwrite", visible=ALWAYS, reads=(0, 3))
def fwrite(m: Machine, i: Library, args: list[Value]) -> Value:
    size = args[1] * args[2]
    data = [m.load_int(args[0], k, 1) for k in range(size)]
    m.touch_read(args[0], size)
    emit(m, bytes(b if b.__class__ is int else 0 for b in data), stream(m, args[3]))
    return args[2]


@library("perror", c="perror", visible=ALWAYS, reads=(0,))
def perror(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[0] != 0:
        m.pass_string(args[0])
    emit(m, b"", "stderr")
    return UNDEF


@library(
    "warn", c="warn warnx", visible=ALWAYS, takes_terms=True, reads=ARGUMENTS, prints=True,
    assumes_with_arguments=("strings-in-one-step",),
)  # fmt: skip
def warn(m: Machine, i: Library, args: list[Value]) -> Value:
    """What the program and the error are called is added, which nobody can look at."""
    if not m.equal(m.known(args[0]), 0, 64):
        _print(m, args[0], args[1:], "stderr")
    emit(m, b"\n", "stderr")
    return UNDEF


@library("vwarn", c="vwarn vwarnx", visible=ALWAYS, reads_reachable=True)
def vwarn(m: Machine, i: Library, args: list[Value]) -> Value:
    if not m.equal(m.known(args[0]), 0, 64):
        emit(m, _formatted(m, args[0], lambda text: _listed(m, args[1], text)), "stderr")
    emit(m, b"\n", "stderr")
    return UNDEF


def store_number(m: Machine, to: Value, length: str, value: int) -> None:
    """Stores an integer of the size that a length modifier says."""
    size = _integer_size(length, m.image.layout.pointer_bytes)
    m.store_int(to, 0, size, value & ((1 << (8 * size)) - 1))
    m.touch(Mode.WRITE, to, size, False)


def _integer_size(length: str, pointer: int) -> int:
    """Bytes of an integer with one of printf's length modifiers."""
    return {"hh": 1, "h": 2, "l": pointer, "z": pointer, "t": pointer, "ll": 8, "j": 8}.get(
        length, 4
    )


_counting()
