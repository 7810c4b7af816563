"""What addresses move by: the symbol of an unknown offset counts such strides, not bytes.

So an address that lives across a step still tells that it leads to an element, and not between two.
"""

from __future__ import annotations

from math import gcd

from imc.program.code import FunctionCode
from imc.program.instructions import GetElementPtr
from imc.program.semantics.addresses import offsets
from imc.program.types import VectorType

WIDEST = 8  # bytes of a number or an address: what is larger is accessed in parts of these


def strides(code: FunctionCode) -> list[int]:
    """Of each register, what divides all that is added to an address where it gets its value."""
    found = [1] * len(code.function.registers)
    for i in code.function.code:
        if isinstance(i, GetElementPtr) and not isinstance(i.pointer.type, VectorType):
            fixed, moving = offsets(i, code)
            if i.result is not None:
                found[i.result] = gcd(WIDEST, fixed, *(scale for _, scale, _ in moving))
    return found
