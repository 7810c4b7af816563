"""Constant operands: literals, aggregates, addresses of globals and constant expressions."""

from __future__ import annotations

from collections.abc import Callable

from imc.frontend.ir import folding
from imc.frontend.ir.lexer import Cursor, unescape, words
from imc.frontend.ir.literals import floating, integer
from imc.frontend.ir.types import TypeTable
from imc.program.instructions import (
    Address,
    AggregateConst,
    BlockAddress,
    BytesConst,
    Const,
    Operand,
    Undef,
)
from imc.program.types import (
    I1,
    I8,
    ArrayType,
    DataLayout,
    FloatType,
    IntType,
    PtrType,
    StructType,
    Type,
    VectorType,
    is_aggregate,
)

CASTS = words(
    "addrspacecast bitcast fpext fptosi fptoui fptrunc inttoptr ptrtoaddr ptrtoint sext "
    "sitofp trunc uitofp zext"
)
BINARY = words("add and ashr lshr mul or sdiv shl srem sub udiv urem xor")
PREDICATES = words("eq ne sgt sge slt sle ugt uge ult ule")
POINTER_FLAGS = frozenset(("inbounds", "inrange", "nusw", "nuw"))
_UNSUPPORTED = words(
    "extractelement extractvalue fadd fcmp fdiv fmul fneg frem fsub insertelement insertvalue "
    "ptrauth shufflevector"
)
_FLOAT_WORDS = words("inf nan qnan snan")
_ARITHMETIC_FLAGS = frozenset(("exact", "nsw", "nuw"))


class Constants:
    """Reads the constants of one module; `symbols` are the names its globals and functions have."""

    def __init__(
        self, types: TypeTable, layout: DataLayout, symbols: set[str], ifuncs: set[str]
    ) -> None:
        self.types = types
        self.layout = layout
        self._symbols = symbols
        self._ifuncs = ifuncs

    def read(self, c: Cursor, t: Type) -> Operand:
        """The constant of type `t` at the cursor."""
        token = c.next()
        if token[0] == "@":
            c.at -= 1
            return self._address(c, t, token)
        if isinstance(t, IntType):
            value = integer(token)
            if value is not None:
                return Const(t, value % (1 << t.width))
        elif isinstance(t, FloatType):
            number = floating(token, t.kind)
            if number is not None:
                if c.peek() == "(":
                    c.skip_group()  # the payload of a NaN
                return Const(t, number)
        word = _WORDS.get(token)
        if word is not None:
            return word(self, c, t, token)
        if token[0] in "[{<" and is_aggregate(t):
            return self._aggregate(c, t, token)
        if token[:2] == 'c"' and isinstance(t, ArrayType) and t.element == I8:
            data = unescape(token[2:-1])
            if len(data) != t.count:
                raise c.error(f"a string of {len(data)} bytes for {t}")
            return BytesConst(t, data)
        c.at -= 1
        raise c.unexpected(f"a value of type {t}")

    def typed(self, c: Cursor) -> tuple[Type, Operand]:
        """A constant with its type before it, as in `i32 5`."""
        t = self.types.read(c)
        return t, self.read(c, t)

    def _address(self, c: Cursor, t: Type, _word: str) -> Operand:
        name = c.symbol()
        if name in self._ifuncs:
            raise c.unsupported(f"the indirect function (ifunc) {name} is not supported")
        if name not in self._symbols:
            raise c.error(f"@{name} is not defined")
        if not isinstance(t, PtrType):
            raise c.error(f"@{name} is a pointer, not a value of type {t}")
        return Address(t, name)

    def _boolean(self, c: Cursor, t: Type, word: str) -> Operand:
        if t != I1:
            raise c.error(f"{word} is no value of type {t}")
        return Const(t, int(word == "true"))

    def _zero(self, c: Cursor, t: Type, word: str) -> Operand:
        if word != "zeroinitializer" and not isinstance(t, PtrType):
            raise c.error(f"{word} is no value of type {t}")
        return folding.zero(t)

    def _undef(self, _c: Cursor, t: Type, _word: str) -> Operand:
        return Undef(t)

    def _aggregate(self, c: Cursor, t: Type, opening: str) -> Operand:
        packed = opening == "<" and c.accept("{")
        closing = "}" if packed or opening == "{" else "]" if opening == "[" else ">"
        elements: list[Operand] = []
        while not c.accept(closing):
            if elements:
                c.expect(",")
            elements.append(self.typed(c)[1])
        if packed:
            c.expect(">")
        assert isinstance(t, (ArrayType, StructType, VectorType))
        count = len(t.fields) if isinstance(t, StructType) else t.count
        if count != len(elements):
            raise c.error(f"{len(elements)} elements for {t}")
        return AggregateConst(t, tuple(elements))

    def _splat(self, c: Cursor, t: Type, _word: str) -> Operand:
        c.expect("(")
        _, element = self.typed(c)
        c.expect(")")
        if not isinstance(t, VectorType):
            raise c.error(f"splat is no value of type {t}")
        return folding.splat(t, element)

    def _block_address(self, c: Cursor, t: Type, _word: str) -> Operand:
        c.expect("(")
        function = c.symbol()
        c.expect(",")
        label = c.label()
        c.expect(")")
        return BlockAddress(t, function, label)

    def _element_pointer(self, c: Cursor, t: Type, _word: str) -> Operand:
        while c.peek() in POINTER_FLAGS:
            if c.next() == "inrange":
                c.skip_group()
        c.expect("(")
        source = self.types.read(c)
        c.expect(",")
        _, base = self.typed(c)
        indices: list[int] = []
        while c.accept(","):
            c.accept("inrange")
            kind, index = self.typed(c)
            if not (isinstance(index, Const) and isinstance(kind, IntType)):
                raise c.unsupported("a constant address with an index that is not a number")
            indices.append(folding.signed(int(index.value), kind.width))
        c.expect(")")
        if not isinstance(t, PtrType):
            raise c.unsupported("a constant vector of addresses")
        try:
            offset = folding.offset_of(source, indices, self.layout)
        except (TypeError, IndexError):
            raise c.error(f"the indices do not fit the type {source}") from None
        return folding.add_offset(base, offset, self.layout)

    def _cast(self, c: Cursor, t: Type, op: str) -> Operand:
        c.accept_any(_ARITHMETIC_FLAGS)
        c.expect("(")
        _, value = self.typed(c)
        c.expect("to")
        target = self.types.read(c)
        c.expect(")")
        if target != t:
            raise c.error(f"a {op} to {target} where {t} is expected")
        return folding.cast("ptrtoint" if op == "ptrtoaddr" else op, value, t, self.layout)

    def _pair(self, c: Cursor) -> tuple[Operand, Operand]:
        c.expect("(")
        _, left = self.typed(c)
        c.expect(",")
        _, right = self.typed(c)
        c.expect(")")
        return left, right

    def _binary(self, c: Cursor, t: Type, op: str) -> Operand:
        c.accept_any(_ARITHMETIC_FLAGS)
        left, right = self._pair(c)
        return folding.binary(op, t, left, right)

    def _compare(self, c: Cursor, t: Type, _word: str) -> Operand:
        predicate = c.next()
        if predicate not in PREDICATES:
            raise c.error(f"unknown comparison {predicate!r}")
        left, right = self._pair(c)
        return folding.compare(predicate, t, left, right)

    def _select(self, c: Cursor, t: Type, _word: str) -> Operand:
        c.expect("(")
        _, condition = self.typed(c)
        c.expect(",")
        _, left = self.typed(c)
        c.expect(",")
        _, right = self.typed(c)
        c.expect(")")
        return folding.select(t, condition, left, right)

    def _unsupported(self, c: Cursor, _t: Type, op: str) -> Operand:
        raise c.unsupported(f"the constant expression {op} is not supported")


_WORDS: dict[str, Callable[[Constants, Cursor, Type, str], Operand]] = {
    **dict.fromkeys(("true", "false"), Constants._boolean),
    **dict.fromkeys(("null", "zeroinitializer"), Constants._zero),
    **dict.fromkeys(("undef", "poison"), Constants._undef),
    **dict.fromkeys(("dso_local_equivalent", "no_cfi"), Constants._address),
    **dict.fromkeys(CASTS, Constants._cast),
    **dict.fromkeys(BINARY, Constants._binary),
    "blockaddress": Constants._block_address,
    "getelementptr": Constants._element_pointer,
    "icmp": Constants._compare,
    "select": Constants._select,
    "splat": Constants._splat,
    **dict.fromkeys(_UNSUPPORTED, Constants._unsupported),
}


def starts_value(token: str) -> bool:
    """Whether a value, and not an attribute before it, starts with this token."""
    if token in _WORDS or token in _FLOAT_WORDS or token[:2] == 'c"' or token[1:3] == "0x":
        return True
    return not (token[:1].isalpha() or token[:1] == '"')
