"""The types that IR text names, read into the types of the program model."""

from __future__ import annotations

import re

from imc.frontend.ir.lexer import Cursor, name_of, tokenize
from imc.program.types import (
    FLOAT_BITS,
    PTR,
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    StructType,
    Type,
    VectorType,
)

_SIMPLE: dict[str, Type] = {
    "void": VOID,
    "ptr": PTR,
    **{f"i{width}": IntType(width) for width in (1, 8, 16, 32, 64, 128)},
    **{kind: FloatType(kind) for kind in FLOAT_BITS},
}
_INT = re.compile(r"i[1-9]\d*\Z")
_MAX_WIDTH = 1 << 23  # LLVM's own limit
_MAX_LANES = 1 << 16
_OPENING = frozenset("%[{<")
_SUFFIXES = frozenset(("*", "(", "addrspace"))
_UNMODELLED = frozenset(("label", "metadata", "ppc_fp128", "target", "token", "x86_amx", "x86_mmx"))


def starts_type(token: str) -> bool:
    return (
        token in _SIMPLE
        or token[:1] in _OPENING
        or token in _UNMODELLED
        or _INT.match(token) is not None
    )


class TypeTable:
    """The named types of a module; reads any type that refers to them."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._bodies: dict[str, tuple[int, str]] = {}
        self._named: dict[str, Type] = {}
        self._open: set[str] = set()

    def define(self, name: str, body: str, line: int) -> None:
        """Remember `%name = type body`; it is read when first used."""
        self._bodies[name] = (line, body)

    def names(self) -> list[str]:
        return list(self._bodies)

    def read(self, c: Cursor) -> Type:
        """The type at the cursor, with all names in it resolved."""
        return self._read(c, resolve=True)

    def _read(self, c: Cursor, resolve: bool) -> Type:
        token = c.next()
        result = _SIMPLE.get(token)
        if result is None:
            result = self._compound(c, token, resolve)
        while (suffix := c.tokens[c.at]) in _SUFFIXES:
            c.at += 1
            if suffix == "*":
                result = PTR
            elif suffix == "(":
                result = self._function(c, result, resolve)
            else:
                c.skip_group()
        return result

    def _compound(self, c: Cursor, token: str, resolve: bool) -> Type:
        if token[0] == "%":
            name = name_of(token)
            # What a typed pointer points to may be incomplete, and is of no interest.
            return self._resolve(name, c) if resolve and c.peek() != "*" else _placeholder(name)
        if token == "[":
            count, element = self._sequence(c, resolve)
            c.expect("]")
            return ArrayType(count, element)
        if token == "<" and c.accept("{"):
            fields = self._list(c, "}", resolve)
            c.expect(">")
            return StructType(fields, packed=True)
        if token == "<":
            if c.peek() == "vscale":
                raise c.unsupported("scalable vectors are not supported")
            count, element = self._sequence(c, resolve)
            c.expect(">")
            if count > _MAX_LANES:
                raise c.error(f"a vector type of {count} elements")
            return VectorType(count, element)
        if token == "{":
            return StructType(self._list(c, "}", resolve))
        if _INT.match(token):
            return self._integer(c, int(token[1:]))
        if token in _UNMODELLED:
            raise c.unsupported(f"the type {token} is not supported")
        c.at -= 1
        raise c.unexpected("a type")

    def _integer(self, c: Cursor, width: int) -> IntType:
        if width > _MAX_WIDTH:
            raise c.error(f"an integer type of {width} bits")
        return IntType(width)

    def _sequence(self, c: Cursor, resolve: bool) -> tuple[int, Type]:
        count = c.number()
        c.expect("x")
        return count, self._read(c, resolve)

    def _list(self, c: Cursor, closing: str, resolve: bool) -> tuple[Type, ...]:
        if c.accept(closing):
            return ()
        types = [self._read(c, resolve)]
        while c.accept(","):
            types.append(self._read(c, resolve))
        c.expect(closing)
        return tuple(types)

    def _function(self, c: Cursor, result: Type, resolve: bool) -> FunctionType:
        params: list[Type] = []
        varargs = False
        while not c.accept(")"):
            if params:
                c.expect(",")
            if c.accept("..."):
                varargs = True
                c.expect(")")
                break
            params.append(self._read(c, resolve))
        return FunctionType(result, tuple(params), varargs)

    def _resolve(self, name: str, c: Cursor) -> Type:
        known = self._named.get(name)
        if known is not None:
            return known
        if name not in self._bodies:
            raise c.error(f"the type %{name} is not defined")
        if name in self._open:
            raise c.error(f"the type %{name} contains itself")
        line, body = self._bodies[name]
        inner = Cursor(tokenize(body), self.file, line)
        if inner.accept("opaque"):
            result: Type = _placeholder(name)
        else:
            self._open.add(name)
            # A typed pointer may lead back to this struct: read first with the names left open,
            # which drops all pointees, and fill in what remains.
            result = self._complete(self._read(inner, resolve=False), inner)
            self._open.remove(name)
            if isinstance(result, StructType):
                result = StructType(result.fields, result.packed, name)
        self._named[name] = result
        return result

    def _complete(self, t: Type, c: Cursor) -> Type:
        match t:
            case StructType(fields, packed, ""):
                return StructType(tuple(self._complete(f, c) for f in fields), packed)
            case StructType(name=name):
                return self._resolve(name, c)
            case ArrayType(count, element):
                return ArrayType(count, self._complete(element, c))
            case VectorType(count, element):
                return VectorType(count, self._complete(element, c))
        return t


def _placeholder(name: str) -> StructType:
    return StructType((), name=name)
