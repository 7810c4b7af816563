"""Whether a call fits the function that it comes to: types as the machine passes them.

C leaves a call undefined whose type is not the function's. What is passed alike all the same is
let through: any pointer for another one or for a number as wide, arguments that the function does
not take, a result that nobody uses, and calls without a prototype whose arguments agree.
"""

from __future__ import annotations

from imc.program.instructions import Call
from imc.program.program import Function
from imc.program.types import (
    PTR,
    ArrayType,
    DataLayout,
    FunctionType,
    IntType,
    PtrType,
    StructType,
    Type,
    VectorType,
)


def misfit(call: Call, uses_result: bool, function: Function, layout: DataLayout) -> str:
    """How a call and its function differ, in the words of both types; empty if they agree."""
    by_value = call.byval or (None,) * len(call.args)
    given = [t or a.type for a, t in zip(call.args, by_value, strict=True)]
    taken = [p.byval or p.type for p in function.params]
    copied = [t is not None for t in by_value], [p.byval is not None for p in function.params]
    agree = (
        len(given) >= len(taken)
        and all(_alike(a, p, layout) for a, p in zip(given, taken, strict=False))
        and all(a == p for a, p in zip(*copied, strict=False))
        and (not uses_result or _alike(call.type.result, function.type.result, layout))
    )
    if agree:
        return ""
    wanted = FunctionType(call.type.result, tuple(given))
    is_one = FunctionType(function.type.result, tuple(taken), function.type.varargs)
    return f"as {wanted}, but is {is_one}"


def misfit_of_start(function: Function, layout: DataLayout) -> str:
    """Why a function cannot be what a thread starts with, which is given a pointer."""
    taken = [p.byval or p.type for p in function.params]
    plain = all(p.byval is None and _alike(PTR, p.type, layout) for p in function.params)
    if len(taken) <= 1 and plain:
        return ""
    return f"as ptr (ptr), but is {FunctionType(function.type.result, tuple(taken))}"


def _alike(given: Type, taken: Type, layout: DataLayout) -> bool:
    """Whether two types are passed in the same way, and mean the same value."""
    pair = given, taken
    if any(isinstance(t, PtrType) for t in pair):
        bits = 8 * layout.pointer_bytes
        return all(isinstance(t, PtrType) or t == IntType(bits) for t in pair)
    if isinstance(given, StructType) and isinstance(taken, StructType):
        fields = zip(given.fields, taken.fields, strict=False)
        same = given.packed == taken.packed and len(given.fields) == len(taken.fields)
        return same and all(_alike(a, b, layout) for a, b in fields)
    for kind in (ArrayType, VectorType):
        if isinstance(given, kind) and isinstance(taken, kind):
            return given.count == taken.count and _alike(given.element, taken.element, layout)
    return given == taken
