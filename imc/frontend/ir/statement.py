"""One instruction's line while it is read: its tokens, and the names it may refer to."""

from __future__ import annotations

from collections.abc import Callable

from imc.errors import SourceLoc, Unsupported
from imc.frontend.ir.constants import Constants
from imc.frontend.ir.lexer import Cursor, name_of, words
from imc.frontend.ir.types import TypeTable
from imc.program.instructions import Instruction, Operand, Reg
from imc.program.types import Type
from imc.records import record

FAST_MATH = words("afn arcp contract fast ninf nnan nsz reassoc")
ORDERINGS = words("unordered monotonic acquire release acq_rel seq_cst")


@record
class Scope:
    """What the instructions of a function can refer to.

    `variables` are the source's names for the stack objects that registers point to.
    """

    file: str
    types: TypeTable
    constants: Constants
    registers: dict[str, int]
    variables: dict[str, str]


class Statement(Cursor):
    """A cursor over one instruction; `name` is its result's name in the IR."""

    __slots__ = ("loc", "name", "result", "scope")

    def __init__(self, tokens: list[str], line: int, scope: Scope) -> None:
        super().__init__(tokens, scope.file, line)
        self.scope = scope
        self.loc: SourceLoc | None = None
        self.name = ""
        self.result: int | None = None
        if tokens[1] == "=":
            self.name = name_of(tokens[0])
            self.result = scope.registers[self.name]
            self.at = 2

    def unsupported(self, message: str) -> Unsupported:
        """Names the place in the source, if that is known, rather than in the IR."""
        if self.loc is None:
            return super().unsupported(message)
        return Unsupported(message, self.loc, f"line {self.line} of {self.file}")

    def type(self) -> Type:
        return self.scope.types.read(self)

    def value(self, t: Type) -> Operand:
        """An operand whose type is known."""
        token = self.tokens[self.at]
        if token[:1] != "%":
            return self.scope.constants.read(self, t)
        index = self.scope.registers.get(name_of(token))
        if index is None:
            raise self.error(f"{token} is not defined in this function")
        self.at += 1
        return Reg(index, t)

    def typed(self) -> tuple[Type, Operand]:
        """An operand with its type before it."""
        t = self.scope.types.read(self)
        return t, self.value(t)

    def operand(self) -> Operand:
        """An operand with its type before it, of which only the value matters."""
        return self.value(self.scope.types.read(self))

    def target(self) -> str:
        """A block to jump to: `label %name`."""
        self.expect("label")
        return self.label()

    def ordering(self) -> str:
        """A memory ordering, if one is next, after an optional synchronisation scope."""
        if self.accept("syncscope"):
            self.skip_group()
        return self.next() if self.peek() in ORDERINGS else ""

    def path(self) -> tuple[int, ...]:
        """Constant indices `, 0, 1` up to the end of the operands."""
        indices = []
        while self.peek() == "," and self.tokens[self.at + 1].isdecimal():
            self.at += 1
            indices.append(self.number())
        return tuple(indices)


# An instruction with the type of its result; None for an instruction without an effect.
Read = tuple[Instruction, Type] | None
StatementReader = Callable[[Statement, str], Read]
