"""The line that declares or begins a function."""

from __future__ import annotations

from imc.frontend.ir.attributes import linkage_of, read_attributes, skip_metadata, skip_to_type
from imc.frontend.ir.debug import DebugInfo
from imc.frontend.ir.lexer import Cursor, name_of
from imc.frontend.ir.types import TypeTable
from imc.program.program import Function, Parameter, Register
from imc.program.types import FunctionType


def read_signature(c: Cursor, types: TypeTable, debug: DebugInfo) -> Function:
    """The function that a `define` or `declare` line announces, without its blocks."""
    c.next()
    words = skip_to_type(c)
    result = types.read(c)
    name = c.symbol()
    registers, params, varargs = _parameters(c, types)
    described = debug.function(c.metadata("!dbg"))
    return Function(
        name=name,
        type=FunctionType(result, tuple(p.type for p in params), varargs),
        params=tuple(params),
        registers=registers,
        source_name=described.name or name,
        loc=described.loc,
        linkage=linkage_of(words),
    )


def _parameters(c: Cursor, types: TypeTable) -> tuple[list[Register], list[Parameter], bool]:
    """Registers and types of the parameters, and whether more may follow."""
    registers: list[Register] = []
    params: list[Parameter] = []
    varargs = False
    unnamed = 0
    c.expect("(")
    while not c.accept(")"):
        if c.tokens[c.at - 1] != "(":
            c.expect(",")
        if c.accept("..."):
            varargs = True
            continue
        if c.accept("metadata"):
            skip_metadata(c)
            continue
        t = types.read(c)
        byval = read_attributes(c, types)
        name = name_of(c.next()) if c.peek()[:1] == "%" else str(unnamed)
        unnamed += name.isdecimal()
        params.append(Parameter(len(params), t, byval))
        registers.append(Register(name, t))
    return registers, params, varargs
