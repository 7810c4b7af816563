"""Input and output. Output is an event: what is printed, and in which order, can be seen."""

from __future__ import annotations

from collections.abc import Callable

from imc.program.events import Mode
from imc.program.faults import FaultRaised, Property
from imc.program.instructions import Library
from imc.program.library.formatting import format_printf, parse_scanf
from imc.program.library.registry import Visibility, library
from imc.program.library.varargs import argument_reader
from imc.program.machine import Machine
from imc.program.objects import ObjectInfo
from imc.program.types import FloatType, IntType
from imc.program.values import UNDEF, Value

ALWAYS, MEMORY = Visibility.ALWAYS, Visibility.MEMORY
EOF = 0xFFFF_FFFF
ARGUMENTS = tuple(range(32))  # of a function with a variable number of them
NextArgument = Callable[[], Value]


def emit(m: Machine, data: bytes, stream: str = "stdout") -> None:
    """Writes to a stream; the stream is an object that all writers touch."""
    number = m.image.objects.intern(("stream", stream), ObjectInfo("stream", stream))
    m.touch(Mode.WRITE, (number, 0), 1, True, data)
    m.put_out(data, stream)


def _stream(m: Machine, pointer: Value) -> str:
    return m.image.objects[pointer[0]].name if pointer.__class__ is tuple else "stdout"


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
    types: list[IntType | FloatType] = []
    long_bits = 8 * m.image.layout.pointer_bytes

    def note(kind: IntType | FloatType) -> None:
        types.append(kind)

    at = 0
    while (at := template.find(b"%", at)) >= 0:
        at += 1
        length = b""
        while at < len(template):
            c = template[at : at + 1]
            at += 1
            if c == b"*":
                note(IntType(32))
            elif c in (b"l", b"h", b"z", b"j", b"t", b"L", b"q"):
                length += c
            elif c.isalpha() or c == b"%":
                break
        else:
            return types
        if c in b"eEfFgGaA":
            note(FloatType("x86_fp80") if length == b"L" else FloatType("double"))
        elif c in b"sp":
            note(IntType(long_bits))
        elif c != b"%":
            wide = (
                64
                if length in (b"ll", b"j", b"q")
                else long_bits
                if length in (b"l", b"z", b"t")
                else 32
            )
            note(IntType(wide))
    return types


def _formatted(m: Machine, template: Value, arguments: Callable[[bytes], NextArgument]) -> bytes:
    text = m.read_string(template)
    try:
        return format_printf(text, arguments(text), m.read_string, 8 * m.image.layout.pointer_bytes)
    except ValueError as error:
        raise FaultRaised(Property.MEMORY, f"bad format: {error}") from None


@library("printf", visible=ALWAYS, takes_terms=True, reads=ARGUMENTS)
def printf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _print(m, args[0], args[1:], "stdout")


@library("fprintf", visible=ALWAYS, takes_terms=True, reads=ARGUMENTS[1:])
def fprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _print(m, args[1], args[2:], _stream(m, args[0]))


def _print(m: Machine, template: Value, args: list[Value], stream: str) -> Value:
    """Prints; of values that are not known, what is printed and how long it is stays open."""
    if m.domain.symbolic and any(m.domain.truth(a) is None for a in args if a is not UNDEF):
        emit(m, m.read_string(template), stream)
        return m.input(IntType(32))
    data = _formatted(m, template, lambda _: _given(args))
    emit(m, data, stream)
    return len(data)


@library("vprintf", visible=ALWAYS, reads_reachable=True)
def vprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    data = _formatted(m, args[0], lambda text: _listed(m, args[1], text))
    emit(m, data)
    return len(data)


@library("vfprintf", visible=ALWAYS, reads_reachable=True)
def vfprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    data = _formatted(m, args[1], lambda text: _listed(m, args[2], text))
    emit(m, data, _stream(m, args[0]))
    return len(data)


def _deliver(m: Machine, to: Value, limit: int | None, data: bytes) -> Value:
    """Stores formatted text, cut to `limit` bytes with the final zero."""
    if limit is None or limit > 0:
        kept = (data if limit is None else data[: limit - 1]) + b"\0"
        m.write_bytes(to, kept)
        m.touch(Mode.WRITE, to, len(kept), False)
    return len(data)


@library("sprintf", visible=MEMORY, reads=ARGUMENTS[1:], writes=(0,))
def sprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _deliver(m, args[0], None, _formatted(m, args[1], lambda _: _given(args[2:])))


@library("snprintf", visible=MEMORY, reads=ARGUMENTS[2:], writes=(0,))
def snprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _deliver(m, args[0], args[1], _formatted(m, args[2], lambda _: _given(args[3:])))


@library("vsprintf", visible=ALWAYS, reads_reachable=True, writes=(0,))
def vsprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _deliver(
        m, args[0], None, _formatted(m, args[1], lambda text: _listed(m, args[2], text))
    )


@library("vsnprintf", visible=ALWAYS, reads_reachable=True, writes=(0,))
def vsnprintf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _deliver(
        m,
        args[0],
        args[1],
        _formatted(m, args[2], lambda text: _listed(m, args[3], text)),
    )


@library("puts", visible=ALWAYS, reads=(0,))
def puts(m: Machine, i: Library, args: list[Value]) -> Value:
    emit(m, m.read_string(args[0]) + b"\n")
    return 1


@library("fputs", visible=ALWAYS, reads=(0,))
def fputs(m: Machine, i: Library, args: list[Value]) -> Value:
    emit(m, m.read_string(args[0]), _stream(m, args[1]))
    return 1


@library("putchar", visible=ALWAYS, takes_terms=True)
def putchar(m: Machine, i: Library, args: list[Value]) -> Value:
    if m.domain.symbolic and m.domain.truth(args[0]) is None:
        emit(m, b"?")
        return m.input(IntType(32))
    emit(m, bytes([args[0] & 0xFF]))
    return args[0] & 0xFF


@library("fputc", visible=ALWAYS)
def fputc(m: Machine, i: Library, args: list[Value]) -> Value:
    emit(m, bytes([args[0] & 0xFF]), _stream(m, args[1]))
    return args[0] & 0xFF


@library("fwrite", visible=ALWAYS, reads=(0,))
def fwrite(m: Machine, i: Library, args: list[Value]) -> Value:
    size = args[1] * args[2]
    data = [m.load_int(args[0], k, 1) for k in range(size)]
    m.touch_read(args[0], size)
    emit(m, bytes(b if b.__class__ is int else 0 for b in data), _stream(m, args[3]))
    return args[2]


@library("perror", visible=ALWAYS)
def perror(m: Machine, i: Library, args: list[Value]) -> Value:
    emit(m, b"", "stderr")
    return UNDEF


# ----------------------------------------------------------------------- input


def _position(m: Machine) -> tuple[int, Value]:
    """How much of the input has been read, and where that is noted."""
    place = m.hidden(("stream", "stdin"), "stdin")
    m.touch(Mode.WRITE, place, 1, True)
    return m.load_int(place, 0, 8), place


@library("getchar", visible=ALWAYS)
def getchar(m: Machine, i: Library, args: list[Value]) -> Value:
    at, place = _position(m)
    text = m.standard_input()
    if at >= len(text):
        return EOF
    m.store_int(place, 0, 8, at + 1)
    return text[at]


@library("fgets", visible=ALWAYS, writes=(0,))
def fgets(m: Machine, i: Library, args: list[Value]) -> Value:
    at, place = _position(m)
    text = m.standard_input()[at:]
    if not text or args[1] < 2:
        return 0
    line = text[: text.find(b"\n") + 1 or None][: args[1] - 1]
    m.write_bytes(args[0], line + b"\0")
    m.touch(Mode.WRITE, args[0], len(line) + 1, False)
    m.store_int(place, 0, 8, at + len(line))
    return args[0]


@library("scanf", visible=ALWAYS, writes=ARGUMENTS[1:])
def scanf(m: Machine, i: Library, args: list[Value]) -> Value:
    at, place = _position(m)
    result, end = _scan(m, args[0], m.standard_input(), at, args[1:])
    m.store_int(place, 0, 8, end)
    return result


@library(
    "sscanf",
    visible=MEMORY,
    reads=(0,),
    writes=ARGUMENTS[2:],
    copies=tuple((k, 0) for k in ARGUMENTS[2:]),
)
def sscanf(m: Machine, i: Library, args: list[Value]) -> Value:
    return _scan(m, args[1], m.read_string(args[0]), 0, args[2:])[0]


def _scan(
    m: Machine, template: Value, text: bytes, at: int, targets: list[Value]
) -> tuple[int, int]:
    """Converts and stores; scanf's result, and where in the text it has stopped."""
    try:
        values, end, exhausted = parse_scanf(m.read_string(template), text, at)
    except ValueError as error:
        raise FaultRaised(Property.MEMORY, f"bad format: {error}") from None
    for (kind, value), to in zip(values, targets, strict=False):
        if isinstance(value, bytes):
            data = value if kind == "c" else value + b"\0"
            m.write_bytes(to, data)
            m.touch(Mode.WRITE, to, len(data), False)
        elif isinstance(value, float):
            type = FloatType({"l": "double", "L": "x86_fp80"}.get(kind[:-1], "float"))
            m.store(to, type, value)
            m.touch(Mode.WRITE, to, m.image.layout.store_size(type), False)
        else:
            size = _integer_size(kind[:-1], m.image.layout.pointer_bytes)
            m.store_int(to, 0, size, value & ((1 << (8 * size)) - 1))
            m.touch(Mode.WRITE, to, size, False)
    return (EOF if exhausted and not values else len(values)), end


def _integer_size(length: str, pointer: int) -> int:
    """Bytes of an integer with one of printf's length modifiers."""
    return {"hh": 1, "h": 2, "l": pointer, "z": pointer, "t": pointer, "ll": 8, "j": 8}.get(
        length, 4
    )
