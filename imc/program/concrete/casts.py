"""Conversions between integers, floats and pointers."""

from __future__ import annotations

import math
from typing import Protocol

from imc.program.domain import Unary
from imc.program.faults import FaultRaised, Property
from imc.program.types import FloatType, IntType, Type
from imc.program.values import (
    UNDEF,
    Fragment,
    Value,
    float_from_bytes,
    float_to_bytes,
    round_float,
    to_signed,
)


class Addresses(Protocol):
    """What the casts must know of addresses."""

    pointer_bits: int

    def number(self, value: Value) -> Value: ...


def make_cast(op: str, source: Type, target: Type, addresses: Addresses) -> Unary:
    number = addresses.number
    match op:
        case "zext" | "inttoptr" | "ptrtoint" | "addrspacecast":
            if op == "ptrtoint" and isinstance(target, IntType):
                return _truncate(target.width, addresses)
            return lambda a: a
        case "trunc":
            assert isinstance(target, IntType)
            return _truncate(target.width, addresses)
        case "sext":
            assert isinstance(source, IntType) and isinstance(target, IntType)
            half, high = (
                1 << (source.width - 1),
                (1 << target.width) - (1 << source.width),
            )
            return lambda a: a | high if a.__class__ is int and a >= half else a
        case "fptrunc" | "fpext":
            assert isinstance(target, FloatType)
            final = target
            return lambda a: round_float(a, final)
        case "sitofp" | "uitofp":
            assert isinstance(source, IntType) and isinstance(target, FloatType)
            width, kind, is_signed = source.width, target, op == "sitofp"
            return lambda a: round_float(
                float(to_signed(number(a), width) if is_signed else number(a)), kind
            )
        case "fptosi" | "fptoui":
            assert isinstance(target, IntType)
            return _float_to_int(target.width, op == "fptosi")
        case "bitcast":
            return _bitcast(source, target)
    raise FaultRaised(Property.MEMORY, f"cast '{op}' is not supported")


def _truncate(width: int, addresses: Addresses) -> Unary:
    mask = (1 << width) - 1

    def truncate(a: Value) -> Value:
        if a.__class__ is int:
            return a & mask
        if width >= addresses.pointer_bits or (width == 8 and isinstance(a, Fragment)):
            return a
        number = addresses.number(a)
        return number & mask if number.__class__ is int else UNDEF

    return truncate


def _float_to_int(width: int, is_signed: bool) -> Unary:
    low, high = (
        (-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else (0, (1 << width) - 1)
    )

    def convert(a: float) -> Value:
        if math.isnan(a) or math.isinf(a):
            return UNDEF
        n = int(a)
        return n & ((1 << width) - 1) if low <= n <= high else UNDEF

    return convert


def _bitcast(source: Type, target: Type) -> Unary:
    if isinstance(source, FloatType) and isinstance(target, IntType):
        kind = source.kind
        return lambda a: int.from_bytes(float_to_bytes(a, kind), "little")
    if isinstance(source, IntType) and isinstance(target, FloatType):
        size, to = source.width // 8, target.kind
        return lambda a: float_from_bytes(a.to_bytes(size, "little"), to)
    return lambda a: a
