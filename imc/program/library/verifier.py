"""What verifiers add to C: assumptions, nondeterministic input, atomic sections, errors."""

from __future__ import annotations

from imc.program.faults import Blocked, Property, StuckForever
from imc.program.instructions import Library
from imc.program.library.registry import Ends, Role, Visibility, library
from imc.program.machine import CALLED, REFUTED, Machine
from imc.program.types import FloatType, IntType, PtrType, Type, is_aggregate
from imc.program.values import UNDEF, Aggregate, Value


@library("assume", takes_terms=True, ignores=(0,))
def assume(m: Machine, i: Library, args: list[Value]) -> Value:
    """A false assumption stops the thread; inside an atomic section it waits for it to hold."""
    if not m.decide(_nonzero(m, i, args[0])):
        if m.atomic:
            raise Blocked("assumption")
        raise StuckForever(REFUTED)
    return 0


def _nonzero(m: Machine, i: Library, value: Value) -> Value:
    type = i.arg_types[0]
    width = type.width if isinstance(type, IntType) else 64
    return m.domain.compare("ne", IntType(width))(value, 0)


@library("assert", takes_terms=True, ignores=(0, 1, 2))
def assertion(m: Machine, i: Library, args: list[Value]) -> Value:
    if not m.decide(_nonzero(m, i, args[0])):
        m.fault(Property.ASSERTION, "assertion violated")
    return 0


@library("error", ends=Ends.ERROR)
def error(m: Machine, i: Library, args: list[Value]) -> Value:
    m.fault(Property.ASSERTION, f"{i.name or 'error'}() is reached")


@library(
    "assert_fail", c="__assert_fail __assert __assert_perror_fail __assert_rtn", ends=Ends.ERROR,
    reads=(0,), ignores=(1, 2, 3),
    native={"__assert_fail": "irs_assert_fail"}, native_always=True,
)  # fmt: skip
def assert_fail(m: Machine, i: Library, args: list[Value]) -> Value:
    text = m.read_string(args[0]).decode(errors="replace") if args[0].__class__ is tuple else "?"
    m.fault(Property.ASSERTION, f"assertion '{text}' failed", text)


@library("atomic_begin", visible=Visibility.ALWAYS, role=Role.HIDE, waits=True)
def atomic_begin(m: Machine, i: Library, args: list[Value]) -> Value:
    m.atomic += 1
    m.frames[-1].pc += 1
    return CALLED


@library("atomic_end", role=Role.HIDE)
def atomic_end(m: Machine, i: Library, args: list[Value]) -> Value:
    if m.atomic == 0:
        m.fault(Property.LOCK, "an atomic section ends that was not begun")
    m.atomic -= 1
    m.frames[-1].pc += 1
    return CALLED


@library("nondet", reads_input=True, told_natively=True, takes_terms=True)
def nondet(m: Machine, i: Library, args: list[Value]) -> Value:
    """Any value of the type: in the concrete domain, one of those the settings name."""
    return arbitrary(m, i)


def listed(values: tuple[int, ...]) -> str:
    """{0, 1, 5..8}"""
    runs: list[list[int]] = []
    for value in sorted(set(values)):
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    words = [f"{run[0]}..{run[-1]}" if len(run) > 3 else ", ".join(map(str, run)) for run in runs]
    return "{" + ", ".join(words) + "}"


def arbitrary(m: Machine, i: Library, part: Type | None = None) -> Value:
    """Any value of a type, or of a part of it; element by element where it has some."""
    type = part or i.type
    if is_aggregate(type):
        return Aggregate(arbitrary(m, i, t) for _, t in m.image.layout.elements(type))
    boolean = i.name.endswith("_bool") and isinstance(type, IntType) and type.width > 1
    unknown = m.input(IntType(1) if boolean else type)
    if unknown is not None:
        return m.domain.cast("zext", IntType(1), type)(unknown) if boolean else unknown
    match type:
        case IntType(width):
            if width == 1 or i.name.endswith("_bool"):
                m.note = f"input {m.choose(2)}"
                return m.choices[m.chosen - 1]
            values = m.settings.inputs
            if len({v & ((1 << width) - 1) for v in values}) < 1 << width:
                m.image.bounds.add(f"inputs of {i.name} taken from {listed(values)}")
            value = values[m.choose(len(values))]
            m.note = f"input {value}"
            return value & ((1 << width) - 1)
        case FloatType():
            m.image.bounds.add(f"inputs of {i.name} taken from {{0.0, 1.0}}")
            return float(m.choose(2))
        case PtrType():
            m.image.bounds.add(f"pointers from {i.name} are null")
            return 0
    return UNDEF  # of a type without values
