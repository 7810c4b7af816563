"""Weak names that nobody defines: their address is null, and no object is there."""

from __future__ import annotations

from imc.frontend.ir.module import Module
from imc.frontend.library import REFUSED, meaning
from imc.frontend.link import rewrite_addresses
from imc.program.instructions import Address, BlockAddress, Const, Operand
from imc.program.program import Function, GlobalVariable

UNDEFINED = "extern_weak"  # how LLVM calls what may stay undefined


def without_undefined(module: Module) -> list[Function | GlobalVariable]:
    """Puts null in the place of such names; what they were. What the model knows is there."""
    functions = [f for f in module.functions.values() if f.is_declaration]
    variables = [v for v in module.globals.values() if v.initializer is None]
    unknown = [f for f in functions if meaning(f.name, False) is None and f.name not in REFUSED]
    weak: list[Function | GlobalVariable] = [*unknown, *variables]
    found = {thing.name: thing for thing in weak if thing.linkage == UNDEFINED}
    if found:
        rewrite_addresses(module, lambda a: _null(a) if _name(a) in found else a)
        for name in found:
            module.functions.pop(name, None)
            module.globals.pop(name, None)
    return list(found.values())


def _name(address: Address | BlockAddress) -> str:
    return address.symbol if isinstance(address, Address) else address.function


def _null(address: Address | BlockAddress) -> Operand:
    return Const(address.type, address.offset if isinstance(address, Address) else 0)
