"""Calls: of functions, of the library, and what stands in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.errors import Unsupported
from imc.program.analysis.promotion import LIFETIME
from imc.program.faults import Property
from imc.program.instructions import Call, InlineAsm, Library, Reg, VaArg
from imc.program.library import LIBRARY, Visibility
from imc.program.machine import RELOAD, Control, Machine
from imc.program.semantics.dispatch import Op, Regs, destination, prepare_instruction
from imc.program.types import IntType
from imc.program.values import UNDEF

if TYPE_CHECKING:
    from imc.program.code import FunctionCode


@prepare_instruction.register(Call)
def _(i: Call, code: FunctionCode, pc: int) -> Op:
    args = [code.operand(a) for a in i.args]
    target, d, image = code.operand(i.callee), i.result, code.image
    byval = i.byval or (None,) * len(i.args)
    types = tuple((b or a.type, b is not None) for a, b in zip(i.args, byval, strict=True))

    def run(m: Machine, r: Regs) -> int:
        callee = image.function_at(r[target])
        if callee is None:
            m.fault(Property.MEMORY, "call through a pointer that is not a function")
        m.frames[-1].pc = pc + 1
        m.call(callee, [r[a] for a in args], d, types)
        return RELOAD

    return run


@prepare_instruction.register(Library)
def _(i: Library, code: FunctionCode, pc: int) -> Op:
    function = LIBRARY[i.function]
    if i.function in LIFETIME:
        return _lifetime(i, code)
    call = function.stepwise if function.stepwise and pc in code.visible else function.run
    args, d = [code.operand(a) for a in i.args], i.result
    private = function.visible is Visibility.MEMORY and pc not in code.visible
    tells_numbers = code.image.domain.symbolic and not function.takes_terms
    widths = [a.type.width if isinstance(a.type, IntType) else 64 for a in i.args]

    def run(m: Machine, r: Regs) -> int | None:
        m.frames[-1].pc = pc
        seen = len(m.accesses)
        given = [r[a] for a in args]
        if tells_numbers:
            given = [m.known(v, width) for v, width in zip(given, widths, strict=True)]
        value = call(m, i, given)
        if private:
            del m.accesses[seen:]
        if value.__class__ is Control:
            return int(value.code)
        m.frames[-1].phase = 0
        if d is not None:
            r[d] = value
        return None

    return run


def _lifetime(i: Library, code: FunctionCode) -> Op:
    """A local that comes into scope again is uninitialised again; its end is left to the return."""
    if i.function == "lifetime_end":
        return lambda m, r: None
    pointer = i.args[-1]
    slot = code.operand(pointer)
    if isinstance(pointer, Reg) and slot in code.promoted:

        def forget(m: Machine, r: Regs) -> None:
            r[slot] = UNDEF

        return forget

    def clear(m: Machine, r: Regs) -> None:
        found = m.memory.get(r[slot][0])
        if found is not None and (found.cells or found.fill is not UNDEF):
            own = m.writable(r[slot], 0)
            own.cells.clear()
            own.fill = UNDEF

    return clear


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
