"""Instructions that access memory, make addresses, or take aggregates apart."""

from __future__ import annotations

from imc.frontend.ir.constants import POINTER_FLAGS
from imc.frontend.ir.lexer import words
from imc.frontend.ir.statement import Read, Statement, StatementReader
from imc.frontend.ir.types import starts_type
from imc.program.instructions import (
    Alloca,
    AtomicRmw,
    CompareExchange,
    Const,
    ExtractValue,
    Fence,
    GetElementPtr,
    InsertValue,
    Load,
    Operand,
    Store,
    VaArg,
)
from imc.program.types import (
    I1,
    I32,
    PTR,
    VOID,
    ArrayType,
    StructType,
    Type,
    VectorType,
)

_RMW = words(
    "xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin fmaximum fminimum "
    "uinc_wrap udec_wrap usub_cond usub_sat"
)
_ALLOCA_FLAGS = frozenset(("inalloca", "swifterror"))


def _alloca(s: Statement, _op: str) -> Read:
    s.accept_any(_ALLOCA_FLAGS)
    t = s.type()
    count: Operand = Const(I32, 1)
    if s.peek() == "," and starts_type(s.tokens[s.at + 1]):
        s.at += 1
        count = s.operand()
    name = s.scope.variables.get(s.name)
    if name is None:
        name = "" if s.name.isdecimal() else s.name.removesuffix(".addr")
    return Alloca(type=t, count=count, name=name, result=s.result, loc=s.loc), PTR


def _load(s: Statement, _op: str) -> Read:
    atomic, volatile = s.accept("atomic"), s.accept("volatile")
    t = s.type()
    s.expect(",")
    pointer = s.operand()
    ordering = _ordering(s) if atomic else ""
    return Load(
        type=t, pointer=pointer, ordering=ordering, volatile=volatile, result=s.result, loc=s.loc
    ), t


def _store(s: Statement, _op: str) -> Read:
    atomic, volatile = s.accept("atomic"), s.accept("volatile")
    t, value = s.typed()
    s.expect(",")
    pointer = s.operand()
    ordering = _ordering(s) if atomic else ""
    return Store(
        type=t, value=value, pointer=pointer, ordering=ordering, volatile=volatile, loc=s.loc
    ), VOID


def _ordering(s: Statement) -> str:
    ordering = s.ordering()
    if not ordering:
        raise s.unexpected("a memory ordering")
    return ordering


def _atomic_rmw(s: Statement, _op: str) -> Read:
    s.accept("volatile")
    op = s.next()
    if op not in _RMW:
        raise s.error(f"unknown atomic operation {op!r}")
    pointer = s.operand()
    s.expect(",")
    t, value = s.typed()
    ordering = _ordering(s)
    return AtomicRmw(
        op=op, type=t, pointer=pointer, value=value, ordering=ordering, result=s.result, loc=s.loc
    ), t


def _compare_exchange(s: Statement, _op: str) -> Read:
    weak = s.accept("weak")
    s.accept("volatile")
    pointer = s.operand()
    s.expect(",")
    t, expected = s.typed()
    s.expect(",")
    new = s.operand()
    ordering = _ordering(s)
    s.ordering()  # of a failed exchange: the model has one ordering for both
    return CompareExchange(
        type=t,
        pointer=pointer,
        expected=expected,
        new=new,
        weak=weak,
        ordering=ordering,
        result=s.result,
        loc=s.loc,
    ), StructType((t, I1))


def _fence(s: Statement, _op: str) -> Read:
    single = s.peek() == "syncscope" and '"singlethread"' in s.tokens
    ordering = _ordering(s)
    # A fence of one thread orders it against its own signal handlers only.
    return None if single else (Fence(ordering=ordering, loc=s.loc), VOID)


def _element_pointer(s: Statement, _op: str) -> Read:
    while s.peek() in POINTER_FLAGS:
        if s.next() == "inrange":
            s.skip_group()
    source = s.type()
    s.expect(",")
    t, pointer = s.typed()
    result: Type = t
    indices = []
    while s.peek() == "," and s.tokens[s.at + 1][:1] != "!":
        s.at += 1
        t, index = s.typed()
        if isinstance(t, VectorType):
            result = VectorType(t.count, PTR)
        indices.append(index)
    return GetElementPtr(
        source=source, pointer=pointer, indices=tuple(indices), result=s.result, loc=s.loc
    ), result


def _extract_value(s: Statement, _op: str) -> Read:
    t, aggregate = s.typed()
    path = s.path()
    return ExtractValue(type=t, aggregate=aggregate, path=path, result=s.result, loc=s.loc), _part(
        s, t, path
    )


def _insert_value(s: Statement, _op: str) -> Read:
    t, aggregate = s.typed()
    s.expect(",")
    value = s.operand()
    path = s.path()
    _part(s, t, path)
    return InsertValue(
        type=t, aggregate=aggregate, value=value, path=path, result=s.result, loc=s.loc
    ), t


def _part(s: Statement, t: Type, path: tuple[int, ...]) -> Type:
    """The type of the part of an aggregate that a path leads to."""
    for index in path:
        match t:
            case StructType(fields) if index < len(fields):
                t = fields[index]
            case ArrayType(count, element) if index < count:
                t = element
            case _:
                raise s.error(f"{t} has no element {index}")
    return t


def _va_arg(s: Statement, _op: str) -> Read:
    pointer = s.operand()
    s.expect(",")
    t = s.type()
    return VaArg(type=t, pointer=pointer, result=s.result, loc=s.loc), t


READERS: dict[str, StatementReader] = {
    "alloca": _alloca,
    "load": _load,
    "store": _store,
    "atomicrmw": _atomic_rmw,
    "cmpxchg": _compare_exchange,
    "fence": _fence,
    "getelementptr": _element_pointer,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
    "va_arg": _va_arg,
}
