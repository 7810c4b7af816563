"""Local objects and address arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.errors import Unsupported
from imc.program.faults import FaultRaised, Property
from imc.program.instructions import Alloca, Fence, GetElementPtr, Reg
from imc.program.machine import Machine
from imc.program.semantics.dispatch import Op, Regs, destination, prepare_instruction
from imc.program.types import ArrayType, IntType, StructType, Type, VectorType
from imc.program.values import UNDEF, to_signed

if TYPE_CHECKING:
    from imc.program.code import FunctionCode


@prepare_instruction.register(Alloca)
def _(i: Alloca, code: FunctionCode, pc: int) -> Op:
    d = destination(i)
    if d in code.promoted:

        def fresh(m: Machine, r: Regs) -> None:
            r[d] = UNDEF

        return fresh
    count, element = code.operand(i.count), code.image.layout.size(i.type)
    name = i.name or code.function.registers[d].name or "local"
    site = (code.function.name, pc)

    def run(m: Machine, r: Regs) -> None:
        size = m.known(r[count])
        if size.__class__ is not int:
            raise FaultRaised(Property.UNINITIALISED, f"the size of '{name}' is not known")
        pointer = m.allocate("stack", size * element, UNDEF, name, site, i.loc, i.type)
        m.frames[-1].objects.append(pointer[0])
        r[d] = pointer

    return run


@prepare_instruction.register(GetElementPtr)
def _(i: GetElementPtr, code: FunctionCode, pc: int) -> Op:
    d, a = destination(i), code.operand(i.pointer)
    domain = code.image.domain
    fixed, moving = offsets(i, code)
    add = domain.add_offset
    if isinstance(i.pointer.type, VectorType):
        raise Unsupported("vectors of pointers are not supported", i.loc)
    if not moving:

        def run_fixed(m: Machine, r: Regs) -> None:
            p = r[a]
            if p.__class__ is tuple and p[1].__class__ is int:
                r[d] = (p[0], p[1] + fixed)
            else:
                r[d] = add(p, fixed)

        return run_fixed
    parts = [(index, scale, domain.signed(width)) for index, scale, width in moving]
    scaled = domain.scale

    def run(m: Machine, r: Regs) -> None:
        p = r[a] if not fixed else add(r[a], fixed)
        for index, scale, signed in parts:
            p = add(p, scaled(signed(r[index]), scale))
        r[d] = p

    return run


def offsets(i: GetElementPtr, code: FunctionCode) -> tuple[int, list[tuple[int, int, int]]]:
    """The constant part of the offset, and (register, scale, width) of the rest."""
    layout = code.image.layout
    fixed, moving = 0, []
    type: Type = i.source
    for nth, index in enumerate(i.indices):
        if nth and isinstance(type, StructType):
            field = code.image.constant(index)
            fixed += layout.field_offset(type, field)
            type = type.fields[field]
            continue
        if nth:
            assert isinstance(type, (ArrayType, VectorType))
            type = type.element
        assert isinstance(index.type, IntType)
        scale = layout.size(type)
        if isinstance(index, Reg):
            moving.append((index.index, scale, index.type.width))
        else:
            constant = code.image.constant(index)
            if constant.__class__ is int:
                fixed += to_signed(constant, index.type.width) * scale
            else:
                moving.append((code.constant(constant), scale, index.type.width))
    return fixed, moving


@prepare_instruction.register(Fence)
def _(i: Fence, code: FunctionCode, pc: int) -> Op:
    return lambda m, r: None
