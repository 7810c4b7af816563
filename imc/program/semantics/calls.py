"""Calls: of functions, of the library, and what stands in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imc.errors import Unsupported
from imc.program.analysis.promotion import LIFETIME
from imc.program.calling import misfit
from imc.program.events import Mode
from imc.program.faults import Property
from imc.program.instructions import Address, Call, InlineAsm, Library, VaArg
from imc.program.library import LIBRARY
from imc.program.machine import AGAIN, RELOAD, Control, Machine
from imc.program.semantics.dispatch import Op, Regs, destination, prepare_instruction
from imc.program.semantics.lifetimes import prepare_lifetime
from imc.program.types import IntType, PtrType
from imc.program.values import Aggregate, Value

if TYPE_CHECKING:
    from imc.program.code import FunctionCode

Part = tuple[int, int, int]  # number of an argument, offset, size
Taking = Callable[[Machine, Regs], tuple[Value, ...] | None]  # None: more is to be read


@prepare_instruction.register(Call)
def _(i: Call, code: FunctionCode, pc: int) -> Op:
    args = [code.operand(a) for a in i.args]
    target, d, image = code.operand(i.callee), i.result, code.image
    byval = i.byval or (None,) * len(i.args)
    types = tuple((b or a.type, b is not None) for a, b in zip(i.args, byval, strict=True))
    parts = [
        (nth, at, size)
        for nth, type in enumerate(byval)
        if type is not None
        for at, size in image.layout.pieces(type)
    ]
    direct = isinstance(i.callee, Address)  # then the front end has compared the types
    fitting: set[FunctionCode] = set()
    take = _take_visibly(args, parts) if pc in code.visible else _take_at_once(args, parts, i)

    def run(m: Machine, r: Regs) -> int:
        address = r[target]
        callee = image.function_at(m.pointer(address) if address.__class__ is int else address)
        if callee is None:
            m.known(address)
            m.fault(Property.MEMORY, "call through a pointer that is not a function")
        if not direct and callee not in fitting:
            problem = misfit(i, not code.unused(d), callee.function, image.layout)
            if problem:
                m.fault(Property.MEMORY, f"'{callee.function.source_name}' is called {problem}")
            fitting.add(callee)
        taken = take(m, r) if parts else ()
        if taken is None:
            return AGAIN
        m.frames[-1].pc = pc + 1
        m.call(callee, [r[a] for a in args], d, types, taken)
        return RELOAD

    return run


def _take_at_once(args: list[int], parts: list[Part], i: Call) -> Taking:
    """The structs that a call passes by value, where nobody can see that they are read."""

    def take(m: Machine, r: Regs) -> tuple[Value, ...]:
        taken = tuple(_piece(m, r[args[nth]], nth, at, size) for nth, at, size in parts)
        m.account(False, len(m.accesses), i.loc)
        return taken

    return take


def _take_visibly(args: list[int], parts: list[Part]) -> Taking:
    """Each scalar of the structs that a call passes by value is read in an event of its own."""

    def take(m: Machine, r: Regs) -> tuple[Value, ...] | None:
        frame = m.frames[-1]
        nth, at, size = parts[frame.phase]
        before = len(m.accesses)
        piece = _piece(m, r[args[nth]], nth, at, size)
        start = m.place_of(r[args[nth]], at + size)
        value = piece[3][0][2] if len(piece[3]) == 1 else None
        m.touch(Mode.READ, (start[0], start[1] + at), size, False, value)
        m.account(True, before, None)
        taken = (*(frame.scratch or ()), piece)
        if len(taken) < len(parts):
            frame.scratch, frame.phase = Aggregate(taken), frame.phase + 1
            return None
        frame.scratch, frame.phase = None, 0
        return taken

    return take


def _piece(m: Machine, pointer: Value, nth: int, at: int, size: int) -> Aggregate:
    """A part of an argument: its number, offset, size and contents."""
    start = m.place_of(pointer, at + size)
    return Aggregate((nth, at, size, m.gather((start[0], start[1] + at), size)))


@prepare_instruction.register(Library)
def _(i: Library, code: FunctionCode, pc: int) -> Op:
    function = LIBRARY[i.function]
    if i.function in LIFETIME:
        return prepare_lifetime(i, code, pc in code.visible)
    visible, loc = pc in code.visible, i.loc
    call = function.run
    if visible and function.stepwise and code.image.sharing.shows_steps(code.function.name, i):
        call = function.stepwise
    args, d = [code.operand(a) for a in i.args], i.result
    tells_numbers = code.image.domain.symbolic and not function.takes_terms
    widths = [a.type.width if isinstance(a.type, IntType) else 64 for a in i.args]
    addresses = [n for n, a in enumerate(i.args) if isinstance(a.type, PtrType)]

    def run(m: Machine, r: Regs) -> int | None:
        m.frames[-1].pc = pc
        before = len(m.accesses)
        given = [r[a] for a in args]
        for n in addresses:
            if given[n].__class__ is int:
                given[n] = m.pointer(given[n])
        if tells_numbers:
            given = [m.known(v, width) for v, width in zip(given, widths, strict=True)]
        try:
            value = call(m, i, given)
        except IndexError as missing:
            raise Unsupported(
                f"'{i.name}' is called with fewer arguments than it takes", loc
            ) from missing
        if m.ranges or not visible:
            m.account(visible, before, loc)
        if value.__class__ is Control:
            return int(value.code)
        m.frames[-1].phase = 0
        if d is not None:
            r[d] = value
        return None

    return run


@prepare_instruction.register(InlineAsm)
def _(i: InlineAsm, code: FunctionCode, pc: int) -> Op:
    """The empty template with a value in and out, which hides from the compiler that it is one."""
    d, a = destination(i), code.operand(i.args[0])

    def run(m: Machine, r: Regs) -> None:
        r[d] = r[a]

    return run


@prepare_instruction.register(VaArg)
def _(i: VaArg, code: FunctionCode, pc: int) -> Op:
    raise Unsupported("the va_arg instruction is not supported", i.loc)
