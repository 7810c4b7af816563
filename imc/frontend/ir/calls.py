"""Calls of functions and of inline assembly."""

from __future__ import annotations

from imc.frontend.ir.attributes import read_attributes, skip_metadata, skip_to_type
from imc.frontend.ir.statement import Read, Statement, StatementReader
from imc.program.instructions import Call, InlineAsm, Operand
from imc.program.types import PTR, FunctionType, Type

_ASM_FLAGS = frozenset(("alignstack", "sideeffect", "unwind"))


def _call(s: Statement, op: str) -> Read:
    if op != "call":
        s.expect("call")
    skip_to_type(s)
    t = s.type()
    result = t.result if isinstance(t, FunctionType) else t
    if s.accept("asm"):
        return _assembly(s), result
    callee = s.value(PTR)
    types, args, byval = _arguments(s)
    _skip_bundles(s)
    return Call(
        callee=callee,
        type=t if isinstance(t, FunctionType) else FunctionType(t, types),
        args=args,
        byval=byval if any(byval) else (),
        result=s.result,
        loc=s.loc,
    ), result


def _assembly(s: Statement) -> InlineAsm:
    s.accept_any(_ASM_FLAGS)
    intel = s.accept("inteldialect")
    s.accept_any(_ASM_FLAGS)
    template = s.string()
    s.expect(",")
    constraints = s.string()
    _, args, _ = _arguments(s)
    _skip_bundles(s)
    return InlineAsm(
        template=template,
        constraints=constraints,
        args=args,
        intel=bool(intel),
        result=s.result,
        loc=s.loc,
    )


def _arguments(
    s: Statement,
) -> tuple[tuple[Type, ...], tuple[Operand, ...], tuple[Type | None, ...]]:
    """Types, values and `byval` types of the arguments; metadata arguments are left out."""
    types: list[Type] = []
    args: list[Operand] = []
    byval: list[Type | None] = []
    s.expect("(")
    while not s.accept(")"):
        if s.tokens[s.at - 1] != "(":
            s.expect(",")
        if s.accept("..."):  # of a thunk: passes on the variable arguments
            continue
        if s.accept("metadata"):
            skip_metadata(s)
            continue
        t = s.type()
        byval.append(read_attributes(s, s.scope.types))
        types.append(t)
        args.append(s.value(t))
    return tuple(types), tuple(args), tuple(byval)


def _skip_bundles(s: Statement) -> None:
    """Step over the attributes and operand bundles that end a call."""
    while s.peek() not in ("", ","):
        if s.peek() in ("(", "["):
            s.skip_group()
        else:
            s.next()


READERS: dict[str, StatementReader] = dict.fromkeys(("call", "tail", "musttail", "notail"), _call)
