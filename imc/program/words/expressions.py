"""Addresses in the program's own words, from the code that computes them: `queue->head`."""

from __future__ import annotations

from imc.program.instructions import (
    Address,
    Alloca,
    Binary,
    Cast,
    Const,
    GetElementPtr,
    Instruction,
    Library,
    Load,
    Operand,
    Reg,
)
from imc.program.program import Function, Program, SourceType
from imc.program.types import ArrayType, IntType, StructType, Type
from imc.program.values import to_signed

_SIGNS = {"add": "+", "sub": "-", "mul": "*", "srem": "%", "urem": "%", "sdiv": "/", "udiv": "/"}


class Expressions:
    """Renders the operands of one function as C-like text."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program = program
        self.function = function
        self.layout = program.layout
        self._definitions: dict[int, Instruction] = {
            i.result: i for b in function.blocks for i in (*b.phis, *b.body) if i.result is not None
        }
        self._params = {p.register: function.registers[p.register].name for p in function.params}

    def place(self, pointer: Operand) -> str:
        """The variable that a pointer leads to."""
        text = self.value(pointer)
        return text[1:] if text.startswith("&") else f"*{text}"

    def value(self, operand: Operand, depth: int = 0) -> str:
        """An expression for the operand's value; "…" where it gets too long."""
        if depth > 8:
            return "…"
        match operand:
            case Const(type, value):
                if isinstance(type, IntType) and isinstance(value, int):
                    return str(to_signed(value, type.width))
                return "NULL" if value == 0 else str(value)
            case Address(_, symbol, offset):
                return self._symbol(symbol, offset)
            case Reg(index, _):
                return self._register(index, depth + 1)
        return "…"

    def _variable(self, symbol: str) -> str:
        variable = self.program.globals.get(symbol)
        return symbol if variable is None else f"&{variable.source_name or symbol}"

    def _symbol(self, symbol: str, offset: int) -> str:
        variable = self.program.globals.get(symbol)
        known = variable is not None and variable.source_type is not None
        return self._variable(symbol) + (variable.source_type.path(offset, True) if known else "")  # type: ignore[union-attr]

    def _register(self, index: int, depth: int) -> str:
        i = self._definitions.get(index)
        match i:
            case Alloca():
                return f"&{i.name or self.function.registers[index].name}"
            case Load():
                return self.place(i.pointer) if depth < 8 else "…"
            case Cast():
                return self.value(i.value, depth)
            case Binary():
                sign = _SIGNS.get(i.op, i.op)
                return f"{self.value(i.left, depth)} {sign} {self.value(i.right, depth)}"
            case GetElementPtr():
                return self._element(i, depth)
            case Library() if i.function == "thread_local_address":
                return self.value(i.args[0], depth)
            case Library():
                return f"{i.name}()"
        return self._params.get(index) or self.function.registers[index].name or "…"

    def _element(self, i: GetElementPtr, depth: int) -> str:
        whole = isinstance(i.pointer, Address) and i.pointer.offset == 0
        base = self._variable(i.pointer.symbol) if whole else self.value(i.pointer, depth)  # type: ignore[union-attr]
        direct = base.startswith("&")
        text = base[1:] if direct else base
        type: Type = i.source
        for nth, index in enumerate(i.indices):
            if nth == 0:
                if isinstance(index, Const) and index.value == 0:
                    continue
                text, direct = f"{text}[{self.value(index, depth)}]", True
                continue
            if isinstance(type, StructType):
                assert isinstance(index, Const) and isinstance(index.value, int)
                text += ("." if direct else "->") + self._field(type, index.value)
                type, direct = type.fields[index.value], True
            else:
                text, direct = (
                    f"{text if direct else f'(*{text})'}[{self.value(index, depth)}]",
                    True,
                )
                assert isinstance(type, ArrayType)
                type = type.element
        return f"&{text}"

    def _field(self, type: StructType, index: int) -> str:
        source: SourceType | None = self.program.struct_types.get(type.name)
        if source is not None:
            path = source.path(self.layout.field_offset(type, index), True)
            if path.startswith("."):
                return path[1:].split(".")[0].split("[")[0]
        return f"field{index}"
