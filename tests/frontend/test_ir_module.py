from __future__ import annotations

import pytest

from imc.errors import Unsupported, UserError
from imc.frontend.ir.reader import read_module
from imc.program.instructions import Address, Const, Zero
from imc.program.program import Parameter
from imc.program.types import I32, PTR, VOID, ArrayType, FunctionType, StructType


def test_globals() -> None:
    module = read_module(
        """
; a comment
source_filename = "a.c"
module asm ".globl x"
$pick = comdat any
@plain = dso_local global i32 1, align 4
@hidden = internal unnamed_addr constant [2 x i32] zeroinitializer, section "a,b", align 8
@outside = external dso_local global i32, align 4
@maybe = extern_weak global i32
@own = internal thread_local(initialexec) global i32 0
@far = weak_odr hidden local_unnamed_addr addrspace(1) externally_initialized \
global i32 2 #0, comdat($pick)
@"odd \\22name\\22" = common global i32 0, no_sanitize_address
@0 = private constant i32 3
attributes #0 = { "a"="b" }
""",
        "a.ll",
    )
    g = module.globals
    assert g["plain"].initializer == Const(I32, 1)
    assert (g["plain"].linkage, g["plain"].constant) == ("external", False)
    assert g["hidden"].initializer == Zero(ArrayType(2, I32))
    assert (g["hidden"].linkage, g["hidden"].constant) == ("internal", True)
    assert g["outside"].initializer is None
    assert (g["maybe"].initializer, g["maybe"].linkage) == (None, "extern_weak")
    assert g["own"].thread_local
    assert g["far"].initializer == Const(I32, 2)
    assert g["far"].linkage == "weak_odr"
    assert g['odd "name"'].linkage == "common"
    assert g["0"].source_name == "0"
    assert module.name == "a.ll"


def test_aliases() -> None:
    module = read_module(
        """
@v = global [2 x i32] zeroinitializer
@second = dso_local alias i32, ptr getelementptr ([2 x i32], ptr @v, i32 0, i32 1)
@g = weak alias void (), ptr @f
@h = alias void (), bitcast (void (...)* @f to void ()*)
define void @f() {
  ret void
}
""",
        "a.ll",
    )
    second, g, h = (module.globals[name] for name in ("second", "g", "h"))
    assert (second.alias, second.initializer) == (True, Address(PTR, "v", 4))
    assert (g.alias, g.type, g.linkage) == (True, FunctionType(VOID, ()), "weak")
    assert g.initializer == h.initializer == Address(PTR, "f")


def test_indirect_functions_are_unsupported_when_used() -> None:
    text = "@f = ifunc void (), ptr @choose\ndeclare ptr @choose()\n"
    assert list(read_module(text, "a.ll").functions) == ["choose"]
    with pytest.raises(Unsupported, match="indirect function"):
        read_module(text + "@p = global ptr @f\n", "a.ll")


def test_functions() -> None:
    module = read_module(
        """
%struct.S = type <{ i8, i32 }>
declare !dbg !3 noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #1
declare i32 @printf(ptr noundef, ...) #2
declare void @llvm.dbg.declare(metadata, metadata, metadata) #3
declare void @llvm.assume(i1 noundef)
define internal fastcc zeroext range(i8 0, 2) i8 @f(ptr sret(%struct.S) align 4 %r, \
ptr noundef byval(%struct.S) align 8 %0, i32 noundef %"a b") unnamed_addr #0 section ".x" \
comdat align 16 personality ptr @p !dbg !7 {
  ret i8 0
}
""",
        "a.ll",
    )
    assert list(module.functions) == ["malloc", "printf", "llvm.assume", "f"]
    assert module.functions["malloc"].is_declaration
    assert module.functions["printf"].type == FunctionType(I32, (PTR,), varargs=True)
    f = module.functions["f"]
    assert f.linkage == "internal"
    assert [r.name for r in f.registers] == ["r", "0", "a b"]
    packed = StructType((module.functions["f"].type.result, I32), packed=True, name="struct.S")
    assert f.params == (Parameter(0, PTR), Parameter(1, PTR, packed), Parameter(2, I32))
    assert f.blocks[0].label == "1"


def test_special_globals_keep_their_names() -> None:
    module = read_module(
        """
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] \
[{ i32, ptr, ptr } { i32 65535, ptr @f, ptr null }]
@llvm.used = appending global [1 x ptr] [ptr @f], section "llvm.metadata"
declare void @f()
""",
        "a.ll",
    )
    assert list(module.globals) == ["llvm.global_ctors", "llvm.used"]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ('target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64"', 8),
        ('target datalayout = "e-m:e-p:32:32-p270:32:32-p272:64:64-i64:64"', 4),
        ('target datalayout = "e-m:e-p:64:64"\ntarget triple = "i386-linux-gnu"', 8),
        ('target triple = "i686-pc-linux-gnu"', 4),
        ('target triple = "x86_64-pc-linux-gnu"', 8),
    ],
)
def test_size_of_pointers(text: str, size: int) -> None:
    assert read_module(text, "a.ll").layout.pointer_bytes == size


@pytest.mark.parametrize(
    "text", ["int main(void) { return 0; }", "#include <stdio.h>", "BC\xc0\xde5\x14\0", "{}", "<a>"]
)
def test_text_that_is_not_ir(text: str) -> None:
    with pytest.raises(UserError, match=r"a\.c:2: not LLVM IR") as caught:
        read_module("\n" + text, "a.c")
    assert "\n" not in str(caught.value)


def test_empty_text() -> None:
    with pytest.raises(UserError, match="the file is empty"):
        read_module(" \n", "a.ll")


def test_big_endian() -> None:
    with pytest.raises(Unsupported, match="big-endian"):
        read_module('target datalayout = "E-m:e-i64:64"', "a.ll")


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("  %x = frobnicate i32 1\n  ret void", 2, "unknown instruction 'frobnicate'"),
        ("  %x = add i32 1", 2, "',' missing"),
        ("  %x = add i32 1, %y", 2, "%y is not defined"),
        ("  %x = add i32 1, 2 3", 2, "expected the end of the instruction, found '3'"),
        ("  %x = add i32 1, 2\n  %x = add i32 1, 2\n  ret void", 3, "%x is defined twice"),
        ("  br label %away", 2, "the block %away is not defined"),
        ("a:\n  br label %a\na:\n  ret void", 4, "the block %a is defined twice"),
        ("  %x = add i32 1, 2", 2, "has no terminator"),
        ("  %x = store i32 1, ptr null\n  ret void", 2, "store has no result"),
        ("  %x = load atomic i32, ptr null, align 4", 2, "expected a memory ordering"),
        ("  %x = icmp near i32 1, 2", 2, "unknown comparison 'near'"),
        ("  %x = atomicrmw frob ptr null, i32 1 seq_cst", 2, "unknown atomic operation"),
        ("  %x = extractvalue { i32 } undef, 3", 2, "has no element 3"),
        ("  %x = load [4 y i8], ptr null", 2, "expected 'x', found 'y'"),
        ("  call void @f(", 2, "the line ends too early"),
        ("  %x = freeze i32 1\n  %y = phi i32 [ 0, %0 ]\n  ret void", 3, "a phi after other"),
        ("  switch float 1.0, label %0 [\n  ]", 2, "a switch on float"),
        ("  %x = load i99999999, ptr null", 2, "an integer type of 99999999 bits"),
        ("", 1, "has no blocks"),
    ],
)
def test_malformed_function(body: str, line: int, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        read_module(f"define void @f() {{\n{body}\n}}\n", "a.ll")
    assert str(caught.value).startswith(f"a.ll:{line}: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("define void @f() {\n  ret void\n", "a.ll:1: the function that begins here has no end"),
        ("define void @f()\n{\n", "expected '{'"),
        ("define void {\n  ret void\n}", "expected a global name"),
        ("declare void @f()\ndeclare void @f()", "a.ll:2: @f is defined twice"),
        ("@x = global i32 0\n@x = global i32 0", "a.ll:2: @x is defined twice"),
        ("@x = global\n", "the line ends too early"),
        ("%t = { i32 }", "definition of a type"),
        ("%t = type { %t }\n@x = global %t zeroinitializer", "%t contains itself"),
        ("@x = global " + "{" * 5000, "nested too deeply"),
        ("@x = global i32 " + "1" * 5000, "number in the IR is too long"),
        ("target triple = x", "expected a quoted string"),
    ],
)
def test_malformed_module(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_module(text, "a.ll")
