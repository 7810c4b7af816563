from __future__ import annotations

import math

import pytest

from imc.errors import Unsupported, UserError
from imc.frontend.ir.reader import read_module
from imc.program.instructions import (
    Address,
    AggregateConst,
    BlockAddress,
    BytesConst,
    Const,
    ConstExpr,
    Operand,
    Undef,
    Zero,
)
from imc.program.types import (
    I1,
    I8,
    I32,
    I64,
    PTR,
    ArrayType,
    FloatType,
    IntType,
    StructType,
    VectorType,
)

GLOBALS = """
%struct.S = type { i8, i32, [4 x i16] }
@s = global %struct.S zeroinitializer
@names = global [2 x ptr] zeroinitializer
define void @f() {
  br label %a
a:
  ret void
}
"""
S = StructType((I8, I32, ArrayType(4, IntType(16))), name="struct.S")


def value(text: str) -> Operand | None:
    return read_module(f"{GLOBALS}@x = global {text}\n", "f.ll").globals["x"].initializer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i32 5", 5),
        ("i32 -5", 2**32 - 5),
        ("i8 255", 255),
        ("i1 true", 1),
        ("i1 false", 0),
        ("i8 u0xff", 255),
        ("i8 s0xff", 255),
        ("i128 -1", 2**128 - 1),
        ("ptr null", 0),
        ("i32 zeroinitializer", 0),
        ("ptr zeroinitializer", 0),
    ],
)
def test_integers(text: str, expected: int) -> None:
    constant = value(text)
    assert isinstance(constant, Const)
    assert constant.value == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("double 1.500000e+00", 1.5),
        ("double -3.0", -3.0),
        ("float 0x3FB99999A0000000", 0.10000000149011612),
        ("double 0x7FF0000000000000", math.inf),
        ("double 0xFFF0000000000000", -math.inf),
        ("x86_fp80 0xK4000C8F5C28F5C28F5C3", 3.14),
        ("x86_fp80 0xK7FFF8000000000000000", math.inf),
        ("x86_fp80 0xK7FFEFFFFFFFFFFFFFFFF", math.inf),
        ("x86_fp80 0xKBFFF8000000000000000", -1.0),
        ("half 0xH3C00", 1.0),
        ("half 0xH0001", 2.0**-24),
        ("bfloat 0xR4049", 3.140625),
        ("fp128 0xL00000000000000004000000000000000", 2.0),
        ("fp128 f0x40000000000000000000000000000000", 2.0),
        ("float f0x3F800000", 1.0),
        ("float +inf", math.inf),
        ("double -inf", -math.inf),
        ("double zeroinitializer", 0.0),
    ],
)
def test_floats(text: str, expected: float) -> None:
    constant = value(text)
    assert isinstance(constant, Const)
    assert constant.value == expected
    assert isinstance(constant.value, float)


@pytest.mark.parametrize(
    "text", ["double 0x7FF8000000000000", "x86_fp80 0xK7FFFC000000000000000", "float +nan(0x1)"]
)
def test_nan(text: str) -> None:
    constant = value(text)
    assert isinstance(constant, Const)
    assert math.isnan(constant.value)


def test_aggregates() -> None:
    one, two = Const(I32, 1), Const(I32, 2)
    assert value("%struct.S zeroinitializer") == Zero(S)
    assert value("[2 x i32] [i32 1, i32 2]") == AggregateConst(ArrayType(2, I32), (one, two))
    assert value("[0 x i32] []") == AggregateConst(ArrayType(0, I32), ())
    assert value("{ i32, i1 } { i32 1, i1 true }") == AggregateConst(
        StructType((I32, I1)), (one, Const(I1, 1))
    )
    assert value("<{ i8, i32 }> <{ i8 1, i32 2 }>") == AggregateConst(
        StructType((I8, I32), packed=True), (Const(I8, 1), two)
    )
    assert value("<2 x i32> <i32 1, i32 2>") == AggregateConst(VectorType(2, I32), (one, two))
    assert value("<2 x i32> splat (i32 2)") == AggregateConst(VectorType(2, I32), (two, two))
    assert value(r'[6 x i8] c"a\22\\;\0A\00"') == BytesConst(ArrayType(6, I8), b'a"\\;\n\0')
    assert value("i32 undef") == Undef(I32)
    assert value("ptr poison") == Undef(PTR)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ptr @s", Address(PTR, "s")),
        ("ptr getelementptr (i8, ptr @s, i64 5)", Address(PTR, "s", 5)),
        (
            "ptr getelementptr inbounds nuw (%struct.S, ptr @s, i64 1, i32 2, i64 3)",
            Address(PTR, "s", 16 + 8 + 6),
        ),
        ("ptr getelementptr inrange(-8, 8) (i32, ptr @s, i32 -1)", Address(PTR, "s", -4)),
        (
            "i8** getelementptr inbounds ([2 x i8*], [2 x i8*]* @names, i64 0, inrange i64 1)",
            Address(PTR, "names", 8),
        ),
        (
            "i8** bitcast (i8* getelementptr (i8, i8* bitcast ([2 x i8*]* @names to i8*), i64 8) "
            "to i8**)",
            Address(PTR, "names", 8),
        ),
        ("i64 ptrtoint (ptr getelementptr (i8, ptr @s, i64 4) to i64)", Address(I64, "s", 4)),
        (
            "ptr inttoptr (i64 add (i64 ptrtoint (ptr @s to i64), i64 -1) to ptr)",
            Address(PTR, "s", -1),
        ),
        ("i32 ptrtoint (ptr @s to i32)", ConstExpr(I32, "ptrtoint", (Address(PTR, "s"),))),
        ("i64 ptrtoint (ptr getelementptr (%struct.S, ptr null, i32 1) to i64)", Const(I64, 16)),
        (
            "i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @s, i64 9) to i64), "
            "i64 ptrtoint (ptr @s to i64))",
            Const(I64, 9),
        ),
        (
            "i64 sub (i64 ptrtoint (ptr @s to i64), i64 ptrtoint (ptr @names to i64))",
            ConstExpr(I64, "sub", (Address(I64, "s"), Address(I64, "names"))),
        ),
        ("i32 trunc (i64 sub nsw (i64 3, i64 5) to i32)", Const(I32, 2**32 - 2)),
        ("i32 sext (i8 -1 to i32)", Const(I32, 2**32 - 1)),
        ("i32 zext (i8 -1 to i32)", Const(I32, 255)),
        ("i32 sdiv (i32 -7, i32 2)", Const(I32, 2**32 - 3)),
        ("i32 srem (i32 -7, i32 2)", Const(I32, 2**32 - 1)),
        ("i32 udiv (i32 7, i32 0)", ConstExpr(I32, "udiv", (Const(I32, 7), Const(I32, 0)))),
        ("i32 shl (i32 3, i32 31)", Const(I32, 2**31)),
        ("i32 ashr (i32 -8, i32 1)", Const(I32, 2**32 - 4)),
        ("i1 icmp slt (i32 -1, i32 1)", Const(I1, 1)),
        ("i1 icmp ult (i32 -1, i32 1)", Const(I1, 0)),
        (
            "i1 icmp eq (ptr @s, ptr null)",
            ConstExpr(I1, "icmp eq", (Address(PTR, "s"), Const(PTR, 0))),
        ),
        ("i32 select (i1 icmp eq (ptr @s, ptr @s), i32 1, i32 2)", Const(I32, 1)),
        ("float bitcast (i32 1065353216 to float)", Const(FloatType("float"), 1.0)),
        ("i64 bitcast (double 1.0 to i64)", Const(I64, 0x3FF0000000000000)),
        ("ptr addrspacecast (ptr addrspace(1) @s to ptr)", Address(PTR, "s")),
        ("ptr blockaddress(@f, %a)", BlockAddress(PTR, "f", "a")),
        (
            "ptr getelementptr (i8, ptr blockaddress(@f, %a), i64 -1)",
            ConstExpr(PTR, "getelementptr", (BlockAddress(PTR, "f", "a"), Const(I64, 2**64 - 1))),
        ),
        ("ptr dso_local_equivalent @f", Address(PTR, "f")),
        ("ptr no_cfi @f", Address(PTR, "f")),
    ],
)
def test_expressions(text: str, expected: Operand) -> None:
    assert value(text) == expected


def test_pointers_of_four_bytes() -> None:
    text = """
target datalayout = "e-m:e-p:32:32-p270:32:32-i64:64-S128"
@names = global [2 x ptr] zeroinitializer
@x = global i32 ptrtoint (ptr getelementptr ([2 x ptr], ptr @names, i32 0, i32 1) to i32)
"""
    module = read_module(text, "f.ll")
    assert module.layout.pointer_bytes == 4
    assert module.globals["x"].initializer == Address(I32, "names", 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("i32 @s", "is a pointer, not a value of type i32"),
        ("ptr @nowhere", "@nowhere is not defined"),
        ("i32 1.5", "expected a value of type i32, found '1.5'"),
        ("i32 null", "null is no value of type i32"),
        ("i32 true", "true is no value of type i32"),
        ("[2 x i32] [i32 1]", r"1 elements for \[2 x i32\]"),
        ('[2 x i8] c"abc"', "a string of 3 bytes"),
        ("ptr getelementptr (i32, ptr @s, i32 0, i32 1)", "indices do not fit"),
        ("ptr getelementptr (%struct.S, ptr @s, i32 0, i32 9)", "indices do not fit"),
        ("i32 trunc (i64 1 to i16)", "a trunc to i16 where i32 is expected"),
        ("half 0xH12345", "expected a value of type half"),
        ("i32 5 6", "expected the end of the definition, found '6'"),
        ("%struct.T zeroinitializer", "the type %struct.T is not defined"),
    ],
)
def test_malformed(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        value(text)


def test_unsupported_expression() -> None:
    with pytest.raises(Unsupported, match="extractelement"):
        value("i32 extractelement (<2 x i32> zeroinitializer, i32 0)")
