"""Instructions and operands of the program model: LLVM's, with library calls given a meaning.

Everything here is immutable. Registers are numbered per function; control-flow targets are block
labels. A `Call` to a function that the concurrency library knows is replaced by a `Library`
instruction when the program is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, fields

from imc.errors import SourceLoc
from imc.program.types import FunctionType, IntType, Type
from imc.records import record

# ---------------------------------------------------------------- operands


@record
class Reg:
    """The value of a register of the running function."""

    index: int
    type: Type


@record
class Const:
    """A scalar constant: ints are unsigned modulo their width, null is 0."""

    type: Type
    value: int | float


@record
class Undef:
    """`undef` or `poison`."""

    type: Type


@record
class Zero:
    """`zeroinitializer` of an aggregate."""

    type: Type


@record
class AggregateConst:
    """A struct, array or vector constant, one operand per element."""

    type: Type
    elements: tuple[Operand, ...]


@record
class BytesConst:
    """An array of i8, as in a string literal."""

    type: Type
    data: bytes


@record
class Address:
    """The address of a global variable or function plus a constant offset; `type` may be an int."""

    type: Type
    symbol: str
    offset: int = 0


@record
class BlockAddress:
    """The address of a basic block (GNU computed goto)."""

    type: Type
    function: str
    label: str


@record
class ConstExpr:
    """A constant expression that does not fold to one of the above: `op` as in the instruction."""

    type: Type
    op: str
    operands: tuple[Operand, ...]


Operand = (
    Reg | Const | Undef | Zero | AggregateConst | BytesConst | Address | BlockAddress | ConstExpr
)


def is_null(operand: Operand) -> bool:
    """Whether an operand is the null pointer, or another zero."""
    return isinstance(operand, Zero) or (isinstance(operand, Const) and operand.value == 0)


# ------------------------------------------------------------ instructions

_names: dict[type, tuple[str, ...]] = {}  # of an instruction's fields


@record(kw_only=True)
class Instruction:
    """Base: `result` is the register that receives the value, if there is one."""

    result: int | None = None
    loc: SourceLoc | None = field(default=None, compare=False)

    def operands(self) -> Iterator[Operand]:
        """All operands, in order."""
        kind = self.__class__
        if kind not in _names:
            _names[kind] = tuple(f.name for f in fields(kind))
        for name in _names[kind]:
            yield from _operands(getattr(self, name))


def _operands(value: object) -> Iterator[Operand]:
    if isinstance(value, Operand):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _operands(item)


@record(kw_only=True)
class Binary(Instruction):
    """Integer (`add`, `sdiv`, `xor`, …) and float (`fadd`, …) arithmetic, on scalars or vectors."""

    op: str
    type: Type
    left: Operand
    right: Operand
    flags: frozenset[str] = frozenset()  # of nsw, nuw, exact


@record(kw_only=True)
class Negate(Instruction):
    """`fneg`."""

    type: Type
    value: Operand


@record(kw_only=True)
class Compare(Instruction):
    """`icmp` (eq, ne, slt, ult, …) and `fcmp` (oeq, ult, …); `type` is the operands' type."""

    predicate: str
    type: Type
    left: Operand
    right: Operand


@record(kw_only=True)
class Cast(Instruction):
    """`trunc`, `zext`, `sext`, `fptosi`, …, `ptrtoint`, `inttoptr`, `bitcast`, `addrspacecast`."""

    op: str
    value: Operand
    source: Type
    target: Type


@record(kw_only=True)
class Select(Instruction):
    type: Type
    condition: Operand
    left: Operand
    right: Operand


@record(kw_only=True)
class Freeze(Instruction):
    type: Type
    value: Operand


@record(kw_only=True)
class Alloca(Instruction):
    """A local object of `count` elements of `type`; `name` is the source variable's, if known."""

    type: Type
    count: Operand
    name: str = ""


@record(kw_only=True)
class Load(Instruction):
    type: Type
    pointer: Operand
    ordering: str = ""  # empty when not atomic
    volatile: bool = False


@record(kw_only=True)
class Store(Instruction):
    type: Type
    value: Operand
    pointer: Operand
    ordering: str = ""
    volatile: bool = False


@record(kw_only=True)
class AtomicRmw(Instruction):
    """`op` is LLVM's: xchg, add, sub, and, nand, or, xor, max, min, umax, umin, fadd, fsub, …"""

    op: str
    type: Type
    pointer: Operand
    value: Operand
    ordering: str = "seq_cst"


@record(kw_only=True)
class CompareExchange(Instruction):
    """The result is the pair (old value, whether it was exchanged)."""

    type: Type
    pointer: Operand
    expected: Operand
    new: Operand
    weak: bool = False
    ordering: str = "seq_cst"


@record(kw_only=True)
class Fence(Instruction):
    ordering: str = "seq_cst"


@record(kw_only=True)
class GetElementPtr(Instruction):
    source: Type
    pointer: Operand
    indices: tuple[Operand, ...]


@record(kw_only=True)
class ExtractValue(Instruction):
    type: Type  # of the aggregate
    aggregate: Operand
    path: tuple[int, ...]


@record(kw_only=True)
class InsertValue(Instruction):
    type: Type
    aggregate: Operand
    value: Operand
    path: tuple[int, ...]


@record(kw_only=True)
class ExtractElement(Instruction):
    type: Type
    vector: Operand
    index: Operand


@record(kw_only=True)
class InsertElement(Instruction):
    type: Type
    vector: Operand
    value: Operand
    index: Operand


@record(kw_only=True)
class ShuffleVector(Instruction):
    type: Type  # of both inputs
    left: Operand
    right: Operand
    mask: tuple[int, ...]  # -1 where the element is undefined


@record(kw_only=True)
class VaArg(Instruction):
    type: Type
    pointer: Operand


@record(kw_only=True)
class Call(Instruction):
    """A call of a defined function (`callee` an Address) or through a pointer.

    `byval[i]` is the type that argument i is copied as, or None.
    """

    callee: Operand
    type: FunctionType
    args: tuple[Operand, ...]
    byval: tuple[Type | None, ...] = ()


@record(kw_only=True)
class Library(Instruction):
    """A call whose meaning the model itself gives: `function` is a key of the library."""

    function: str
    args: tuple[Operand, ...]
    type: Type  # of the result
    arg_types: tuple[Type, ...] = ()
    name: str = ""  # as written in the source
    by_value: tuple[int, ...] = ()  # arguments of which a copy is passed, not their address
    unguarded: bool = False  # a wait on a condition that is not in a loop that tests again
    cancellable: bool = False  # the thread may be cancelled here, instead of going on


@record(kw_only=True)
class InlineAsm(Instruction):
    """Inline assembly: what is left of it in a program hands a value through."""

    template: str
    constraints: str = ""
    args: tuple[Operand, ...] = ()
    intel: bool = False  # in Intel's syntax, with operands the other way round


@record(kw_only=True)
class Phi(Instruction):
    """Only at the start of a block; executed as part of the jump into it."""

    type: Type
    incoming: tuple[tuple[Operand, str], ...]


# ------------------------------------------------------------- terminators


@record(kw_only=True)
class Terminator(Instruction):
    def targets(self) -> tuple[str, ...]:
        """Labels of the blocks that may run next."""
        return ()


@record(kw_only=True)
class Jump(Terminator):
    target: str

    def targets(self) -> tuple[str, ...]:
        return (self.target,)


@record(kw_only=True)
class CondBranch(Terminator):
    condition: Operand
    then: str
    otherwise: str

    def targets(self) -> tuple[str, ...]:
        return (self.then, self.otherwise)


@record(kw_only=True)
class Switch(Terminator):
    type: IntType
    value: Operand
    cases: tuple[tuple[int, str], ...]
    default: str

    def targets(self) -> tuple[str, ...]:
        return (*(label for _, label in self.cases), self.default)


@record(kw_only=True)
class IndirectBranch(Terminator):
    address: Operand
    labels: tuple[str, ...]

    def targets(self) -> tuple[str, ...]:
        return self.labels


@record(kw_only=True)
class Return(Terminator):
    value: Operand | None = None


@record(kw_only=True)
class Unreachable(Terminator):
    pass
