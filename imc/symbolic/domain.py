"""The symbolic domain: integers that may be pySMT bit-vector terms over the program's inputs.

Whatever is known stays a Python int and is computed by the concrete domain; terms appear only where
an input has flowed. An i1 is a bit-vector of width one.
"""

from __future__ import annotations

from collections.abc import Callable

from pysmt.environment import Environment
from pysmt.fnode import FNode

from imc.errors import Unsupported
from imc.program.concrete import ConcreteDomain
from imc.program.domain import BinaryOp, Unary
from imc.program.types import FloatType, IntType, Type
from imc.program.values import UNDEF, Value


class SymbolicDomain(ConcreteDomain):
    """Bit-precise terms; all state is in the pySMT environment that it is given."""

    def __init__(self, environment: Environment | None = None) -> None:
        super().__init__()
        self.environment = environment or Environment()
        self.manager = self.environment.formula_manager

    def input(self, name: str, type: Type) -> Value:
        """A fresh unknown, the same for the same name."""
        if not isinstance(type, IntType):
            return None
        return self.manager.Symbol(name, self.environment.type_manager.BVType(type.width))

    def condition(self, value: Value) -> FNode:
        """An i1 as a formula."""
        return self.manager.Equals(self._term(value, 1), self.manager.BV(1, 1))

    def _term(self, value: Value, width: int) -> FNode:
        if isinstance(value, FNode):
            return value
        if value.__class__ is int:
            return self.manager.BV(value % (1 << width), width)
        raise Unsupported("a pointer or an undefined value meets a symbolic one")

    def _simplified(self, term: FNode) -> Value:
        term = self.environment.simplifier.simplify(term)
        return term.constant_value() if term.is_bv_constant() else term

    def _bit(self, formula: FNode) -> FNode:
        return self.manager.Ite(formula, self.manager.BV(1, 1), self.manager.BV(0, 1))

    # ------------------------------------------------------------ arithmetic

    def binary(self, op: str, type: Type) -> BinaryOp:
        concrete = super().binary(op, type)
        if isinstance(type, FloatType):
            return concrete
        assert isinstance(type, IntType)
        m, width = self.manager, type.width
        make: Callable[[FNode, FNode], FNode] = {
            "add": m.BVAdd, "sub": m.BVSub, "mul": m.BVMul, "and": m.BVAnd, "or": m.BVOr,
            "xor": m.BVXor, "udiv": m.BVUDiv, "urem": m.BVURem, "sdiv": m.BVSDiv, "srem": m.BVSRem,
            "shl": m.BVLShl, "lshr": m.BVLShr, "ashr": m.BVAShr,
        }[op]  # fmt: skip

        def binary(a: Value, b: Value) -> Value:
            if isinstance(a, FNode) or isinstance(b, FNode):
                if a is UNDEF or b is UNDEF:
                    return UNDEF
                return self._simplified(make(self._term(a, width), self._term(b, width)))
            return concrete(a, b)

        return binary

    def overflows(self, op: str, type: Type, flags: frozenset[str]) -> BinaryOp:
        concrete = super().overflows(op, type, flags)
        assert isinstance(type, IntType)
        m, width = self.manager, type.width
        make = {"add": m.BVAdd, "sub": m.BVSub, "mul": m.BVMul, "shl": m.BVLShl}[op]

        def differs(a: Value, b: Value, extend: Callable[[FNode, int], FNode]) -> FNode:
            """Whether the result in twice the width is another number."""
            x, y = self._term(a, width), self._term(b, width)
            wide = make(extend(x, width), extend(y, width))
            return m.NotEquals(wide, extend(m.BVExtract(wide, 0, width - 1), width))

        def overflow(a: Value, b: Value) -> Value:
            if not (isinstance(a, FNode) or isinstance(b, FNode)):
                return concrete(a, b)
            cases = []
            if "nsw" in flags:
                cases.append(differs(a, b, m.BVSExt))
            if "nuw" in flags:
                cases.append(differs(a, b, m.BVZExt))
            return self._simplified(self._bit(m.Or(cases)))

        return overflow

    def compare(self, predicate: str, type: Type) -> BinaryOp:
        concrete = super().compare(predicate, type)
        if isinstance(type, FloatType):
            return concrete
        m, width = self.manager, type.width if isinstance(type, IntType) else 64
        make: Callable[[FNode, FNode], FNode] = {
            "eq": m.Equals, "ne": m.NotEquals,
            "ult": m.BVULT, "ule": m.BVULE, "ugt": m.BVUGT, "uge": m.BVUGE,
            "slt": m.BVSLT, "sle": m.BVSLE, "sgt": m.BVSGT, "sge": m.BVSGE,
        }[predicate]  # fmt: skip

        def compare(a: Value, b: Value) -> Value:
            if isinstance(a, FNode) or isinstance(b, FNode):
                if a is UNDEF or b is UNDEF:
                    return UNDEF
                formula = make(self._term(a, width), self._term(b, width))
                return self._simplified(self._bit(formula))
            return concrete(a, b)

        return compare

    def signed(self, width: int) -> Unary:
        concrete = super().signed(width)

        def signed(a: Value) -> Value:
            if isinstance(a, FNode):
                raise Unsupported("a symbolic index is not supported yet")
            return concrete(a)

        return signed

    def truth(self, value: Value) -> bool | None:
        return None if isinstance(value, FNode) else super().truth(value)

    # ------------------------------------------------------------------ casts

    def cast(self, op: str, source: Type, target: Type) -> Unary:
        concrete = super().cast(op, source, target)
        m = self.manager

        def cast(a: Value) -> Value:
            if not isinstance(a, FNode):
                return concrete(a)
            if op in ("bitcast", "inttoptr", "ptrtoint"):
                return a
            if not (isinstance(source, IntType) and isinstance(target, IntType)):
                raise Unsupported(f"the cast '{op}' of a symbolic value is not supported yet")
            if op == "trunc":
                return self._simplified(m.BVExtract(a, 0, target.width - 1))
            extend = m.BVZExt if op == "zext" else m.BVSExt
            return self._simplified(extend(a, target.width - source.width))

        return cast

    # ----------------------------------------------------------------- memory

    def split(self, value: Value, type: Type, size: int) -> list[Value]:
        if not isinstance(value, FNode):
            return super().split(value, type, size)
        width = value.bv_width()
        wide = self.manager.BVZExt(value, 8 * size - width) if width < 8 * size else value
        return [
            self._simplified(self.manager.BVExtract(wide, 8 * k, 8 * k + 7)) for k in range(size)
        ]

    def join(self, data: list[Value], type: Type) -> Value:
        if not any(isinstance(byte, FNode) for byte in data):
            return super().join(data, type)
        if any(byte is UNDEF for byte in data):
            return UNDEF
        term = self._term(data[-1], 8)
        for byte in reversed(data[:-1]):
            term = self.manager.BVConcat(term, self._term(byte, 8))
        if isinstance(type, IntType) and type.width < 8 * len(data):
            term = self.manager.BVExtract(term, 0, type.width - 1)
        return self._simplified(term)
