from __future__ import annotations

import pytest

from imc.errors import SourceLoc, Unsupported
from imc.frontend.ir.reader import read_module
from imc.program.instructions import (
    Address,
    Alloca,
    AtomicRmw,
    Binary,
    Call,
    Cast,
    Compare,
    CompareExchange,
    CondBranch,
    Const,
    ExtractElement,
    ExtractValue,
    Fence,
    Freeze,
    GetElementPtr,
    IndirectBranch,
    InlineAsm,
    InsertElement,
    InsertValue,
    Instruction,
    Jump,
    Load,
    Negate,
    Phi,
    Reg,
    Return,
    Select,
    ShuffleVector,
    Store,
    Switch,
    Undef,
    Unreachable,
    VaArg,
    Zero,
)
from imc.program.program import Function
from imc.program.types import (
    I1,
    I8,
    I32,
    I64,
    PTR,
    VOID,
    FloatType,
    FunctionType,
    IntType,
    StructType,
    Type,
    VectorType,
)

DOUBLE = FloatType("double")
V4 = VectorType(4, I32)
A, B, P, V, D = Reg(0, I32), Reg(1, I32), Reg(2, PTR), Reg(3, V4), Reg(4, DOUBLE)


def function(lines: str) -> Function:
    text = f"""
%struct.S = type {{ i32, ptr }}
@g = global i32 0
declare void @ext(i32)
declare i32 @printf(ptr, ...)
define void @f(i32 %a, i32 %b, ptr %p, <4 x i32> %v, double %d) {{
entry:
{lines}
}}
"""
    return read_module(text, "f.ll").functions["f"]


def one(line: str) -> Instruction:
    return function(f"  {line}\n  ret void").blocks[0].body[0]


def result_type(line: str) -> Type:
    return function(f"  %r = {line}\n  ret void").registers[-1].type


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%r = add i32 %a, %b", Binary(op="add", type=I32, left=A, right=B, result=5)),
        (
            "%r = sub nuw nsw i32 %a, -1",
            Binary(
                op="sub",
                type=I32,
                left=A,
                right=Const(I32, 2**32 - 1),
                flags=frozenset(("nsw", "nuw")),
                result=5,
            ),
        ),
        (
            "%r = sdiv exact i32 %a, 4",
            Binary(
                op="sdiv",
                type=I32,
                left=A,
                right=Const(I32, 4),
                flags=frozenset(("exact",)),
                result=5,
            ),
        ),
        ("%r = or disjoint i32 %a, %b", Binary(op="or", type=I32, left=A, right=B, result=5)),
        (
            "%r = fmul nnan contract double %d, 2.0e+00",
            Binary(op="fmul", type=DOUBLE, left=D, right=Const(DOUBLE, 2.0), result=5),
        ),
        ("%r = fneg double %d", Negate(type=DOUBLE, value=D, result=5)),
        (
            "%r = icmp samesign ult i32 %a, %b",
            Compare(predicate="ult", type=I32, left=A, right=B, result=5),
        ),
        (
            "%r = fcmp fast une double %d, 0.0",
            Compare(predicate="une", type=DOUBLE, left=D, right=Const(DOUBLE, 0.0), result=5),
        ),
        (
            "%r = zext nneg i32 %a to i64",
            Cast(op="zext", value=A, source=I32, target=I64, result=5),
        ),
        (
            "%r = ptrtoaddr ptr %p to i64",
            Cast(op="ptrtoint", value=P, source=PTR, target=I64, result=5),
        ),
        (
            "%r = select i1 true, i32 %a, i32 %b",
            Select(type=I32, condition=Const(I1, 1), left=A, right=B, result=5),
        ),
        ("%r = freeze i32 %a", Freeze(type=I32, value=A, result=5)),
        (
            "%r = alloca i8, i32 %a, align 16",
            Alloca(type=I8, count=A, name="r", result=5),
        ),
        (
            "%x.addr = alloca %struct.S, align 8",
            Alloca(
                type=StructType((I32, PTR), name="struct.S"),
                count=Const(I32, 1),
                name="x",
                result=5,
            ),
        ),
        ("%r = load i32, ptr %p, align 4", Load(type=I32, pointer=P, result=5)),
        (
            '%r = load atomic volatile i32, ptr %p syncscope("agent") acquire, align 4',
            Load(type=I32, pointer=P, ordering="acquire", volatile=True, result=5),
        ),
        (
            "store volatile i32 7, ptr @g, align 4",
            Store(type=I32, value=Const(I32, 7), pointer=Address(PTR, "g"), volatile=True),
        ),
        (
            "store atomic i32 %a, ptr %p release, align 4",
            Store(type=I32, value=A, pointer=P, ordering="release"),
        ),
        (
            "%r = atomicrmw volatile umax ptr %p, i32 %a acq_rel, align 4",
            AtomicRmw(op="umax", type=I32, pointer=P, value=A, ordering="acq_rel", result=5),
        ),
        (
            "%r = cmpxchg weak volatile ptr %p, i32 %a, i32 %b acquire monotonic, align 4",
            CompareExchange(
                type=I32, pointer=P, expected=A, new=B, weak=True, ordering="acquire", result=5
            ),
        ),
        ("fence seq_cst", Fence(ordering="seq_cst")),
        (
            "%r = getelementptr inbounds nuw %struct.S, ptr %p, i32 0, i32 1",
            GetElementPtr(
                source=StructType((I32, PTR), name="struct.S"),
                pointer=P,
                indices=(Const(I32, 0), Const(I32, 1)),
                result=5,
            ),
        ),
        (
            "%r = extractvalue { i32, [2 x i32] } undef, 1, 0",
            ExtractValue(
                type=(
                    agg := read_module("@x = external global { i32, [2 x i32] }", "")
                    .globals["x"]
                    .type
                ),
                aggregate=Undef(agg),
                path=(1, 0),
                result=5,
            ),
        ),
        (
            "%r = insertvalue { i32, [2 x i32] } zeroinitializer, i32 %a, 0",
            InsertValue(type=agg, aggregate=Zero(agg), value=A, path=(0,), result=5),
        ),
        (
            "%r = extractelement <4 x i32> %v, i32 2",
            ExtractElement(type=V4, vector=V, index=Const(I32, 2), result=5),
        ),
        (
            "%r = insertelement <4 x i32> %v, i32 %a, i64 1",
            InsertElement(type=V4, vector=V, value=A, index=Const(I64, 1), result=5),
        ),
        (
            "%r = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 3, i32 undef>",
            ShuffleVector(type=V4, left=V, right=Undef(V4), mask=(3, -1), result=5),
        ),
        ("%r = va_arg ptr %p, double", VaArg(type=DOUBLE, pointer=P, result=5)),
    ],
)
def test_instruction(line: str, expected: Instruction) -> None:
    assert one(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("icmp eq i32 %a, %b", I1),
        ("icmp eq <4 x i32> %v, %v", VectorType(4, I1)),
        ("cmpxchg ptr %p, i32 %a, i32 %b seq_cst seq_cst", StructType((I32, I1))),
        ("extractvalue { i32, [2 x i8] } undef, 1, 0", I8),
        ("extractelement <4 x i32> %v, i32 2", I32),
        ("shufflevector <4 x i32> %v, <4 x i32> %v, <2 x i32> zeroinitializer", VectorType(2, I32)),
        ("getelementptr i8, ptr %p, <4 x i32> %v", VectorType(4, PTR)),
        ("alloca i32", PTR),
        ("trunc i32 %a to i7", IntType(7)),
    ],
)
def test_type_of_result(line: str, expected: Type) -> None:
    assert result_type(line) == expected


def test_fence_of_one_thread_has_no_effect() -> None:
    body = function('  fence syncscope("singlethread") acquire\n  ret void').blocks[0].body
    assert body == (Return(),)


@pytest.mark.parametrize(
    "line",
    [
        "call void @ext(i32 %a)",
        "tail call void @ext(i32 noundef %a) #3",
        "musttail call fastcc void @ext(i32 range(i32 0, 2) %a)",
        'notail call cc 10 void @ext(i32 "k"="v" signext %a) nounwind [ "x"(i32 1, ptr %p) ]',
    ],
)
def test_call(line: str) -> None:
    signature = FunctionType(VOID, (I32,))
    assert one(line) == Call(callee=Address(PTR, "ext"), type=signature, args=(A,))


def test_call_with_variable_arguments() -> None:
    call = one("%r = call i32 (ptr, ...) @printf(ptr noundef nonnull @g, double %d)")
    assert call == Call(
        callee=Address(PTR, "printf"),
        type=FunctionType(I32, (PTR,), varargs=True),
        args=(Address(PTR, "g"), D),
        result=5,
    )


def test_call_through_pointer() -> None:
    call = one("%r = call nnan nofpclass(nan inf) double %p(ptr dereferenceable(8) null)")
    assert call == Call(
        callee=P, type=FunctionType(DOUBLE, (PTR,)), args=(Const(PTR, 0),), result=5
    )


def test_call_with_words_as_values() -> None:
    call = one("call void %p(float nofpclass(nan) nan, i1 zeroext true, ptr nonnull poison)")
    assert isinstance(call, Call)
    assert call.args[1:] == (Const(I1, 1), Undef(PTR))


def test_call_that_copies_a_struct() -> None:
    call = one("call void @ext(i32 1, ptr noundef byval(%struct.S) align 8 captures(none) %p)")
    assert isinstance(call, Call)
    assert call.byval == (None, StructType((I32, PTR), name="struct.S"))
    assert call.args == (Const(I32, 1), P)


def test_metadata_arguments_are_left_out() -> None:
    call = one('call void @ext(i32 %a, metadata !"round.dynamic", metadata !{i32 1, i32 2})')
    assert isinstance(call, Call)
    assert call.args == (A,)
    assert call.type.params == (I32,)


def test_inline_assembly() -> None:
    asm = one(r'%r = call i32 asm sideeffect "mov $1\0A, $0", "=r,r,~{memory}"(i32 %a) #1')
    constraints = "=r,r,~{memory}"
    assert asm == InlineAsm(template="mov $1\n, $0", constraints=constraints, args=(A,), result=5)
    barrier = one('call void asm sideeffect "", "~{memory}"(), !srcloc !4')
    assert barrier == InlineAsm(template="", constraints="~{memory}")


def test_control_flow() -> None:
    f = function("""
  br i1 true, label %loop, label %"odd name"
loop:                                    ; preds = %entry
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  switch i32 %n, label %end [
    i32 1, label %loop
    i32 -2, label %end
  ]
"odd name":
  indirectbr ptr %p, [label %loop, label %end]
end:
  br label %dead
dead:
  unreachable
""")
    entry, loop, odd, end, dead = f.blocks
    assert entry.body == (CondBranch(condition=Const(I1, 1), then="loop", otherwise="odd name"),)
    assert loop.phis == (
        Phi(type=I32, incoming=((Const(I32, 0), "entry"), (Reg(6, I32), "loop")), result=5),
    )
    assert loop.body[1] == Switch(
        type=I32,
        value=Reg(6, I32),
        cases=((1, "loop"), (2**32 - 2, "end")),
        default="end",
    )
    assert odd.label == "odd name"
    assert odd.body == (IndirectBranch(address=P, labels=("loop", "end")),)
    assert end.body == (Jump(target="dead"),)
    assert dead.body == (Unreachable(),)


def test_values_and_blocks_without_names() -> None:
    text = """
define i32 @f(i32 %0, i32) {
  %3 = add i32 %0, %1
  br label %4
4:
  %5 = phi i32 [ %3, %2 ], [ %6, %4 ]
  %6 = add i32 %5, 1
  br label %4
  ret i32 %6
}
"""
    f = read_module(text, "f.ll").functions["f"]
    assert [block.label for block in f.blocks] == ["2", "4", "7"]
    assert [r.name for r in f.registers] == ["0", "1", "3", "5", "6"]
    assert f.blocks[1].phis[0].incoming == ((Reg(2, I32), "2"), (Reg(4, I32), "4"))
    assert f.blocks[2].body == (Return(value=Reg(4, I32)),)


def test_typed_pointers() -> None:
    text = """
%struct.node = type { i32, %struct.node*, [2 x %struct.node]*, %struct.node (%struct.node)* }
%struct.pair = type { %struct.node, %opaque* }
%opaque = type opaque
@list = global %struct.node* null
declare i32 @printf(i8*, ...)
define i8* (i32)* @f(%struct.pair* byval(%struct.pair) %x, i32 (i8*, ...)** %fp) {
  %y = getelementptr inbounds %struct.pair, %struct.pair* %x, i32 0, i32 0, i32 1
  %z = load %struct.node*, %struct.node** %y, align 8
  store %struct.node* %z, %struct.node** @list, align 8
  %g = load i32 (i8*, ...)*, i32 (i8*, ...)** %fp
  %r = call i32 (i8*, ...) %g(i8* bitcast (%struct.node** @list to i8*), i32 1)
  %n = call %struct.node* bitcast (i32 (i8*, ...)* @printf to %struct.node* (i32)*)(i32 3)
  ret i8* (i32)* null
}
"""
    f = read_module(text, "f.ll").functions["f"]
    node = StructType((I32, PTR, PTR, PTR), name="struct.node")
    assert f.type == FunctionType(PTR, (PTR, PTR))
    assert f.params[0].byval == StructType((node, PTR), name="struct.pair")
    assert [r.type for r in f.registers[2:]] == [PTR, PTR, PTR, I32, PTR]
    varargs, direct = f.blocks[0].body[4:6]
    assert isinstance(varargs, Call)
    assert isinstance(direct, Call)
    assert varargs.type == FunctionType(I32, (PTR,), varargs=True)
    assert varargs.args[0] == Address(PTR, "list")
    assert direct.callee == Address(PTR, "printf")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("invoke void @ext(i32 1)\n    to label %0 unwind label %0\n0:", "exception handling"),
        ("%r = landingpad { ptr, i32 } cleanup", "exception handling"),
        ("resume ptr null", "exception handling"),
        ('callbr void asm "", ""() to label %x []', "asm goto"),
        ("%r = load <vscale x 4 x i32>, ptr %p", "scalable vectors"),
        ('%r = load target("spirv.Image"), ptr %p', "type target"),
    ],
)
def test_unsupported(line: str, message: str) -> None:
    with pytest.raises(Unsupported, match=message) as caught:
        one(line)
    assert caught.value.loc == SourceLoc("f.ll", 8)
