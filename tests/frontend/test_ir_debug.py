from __future__ import annotations

from imc.errors import SourceLoc
from imc.frontend.ir.module import Module
from imc.frontend.ir.reader import read_module
from imc.program.instructions import Alloca
from imc.program.program import SourceType

CODE = """
%struct.node = type { i32, ptr, i16, [3 x [4 x i8]], %union.anon }
%struct.node.7 = type { i32 }
%struct.named_t = type { i32 }
%union.anon = type { i32 }
@counter = internal global i32 0, align 4, !dbg !10
@f.calls = internal global i32 0, align 4, !dbg !12
@list = global %struct.node zeroinitializer, !dbg !14
@.str = private constant [2 x i8] c"a\\00", !dbg !16
@plain = global i32 0
declare !dbg !40 ptr @malloc(i64)
define internal i32 @f.1(i32 %x) !dbg !20 {
entry:
  %x.addr = alloca i32, align 4
  %0 = alloca i32, align 4
  %tmp = alloca i32, align 4
  store i32 %x, ptr %x.addr, align 4
    #dbg_declare(ptr %x.addr, !21, !DIExpression(), !22)
    #dbg_value(i32 1, !24, !DIExpression(), !22)
  call void @llvm.dbg.declare(metadata { %struct.node, i32 }* %0, metadata !24, metadata !9)
  %1 = load i32, ptr %x.addr, align 4, !dbg !22, !tbaa !99
  %2 = add i32 %1, 1, !dbg !23
  %3 = add i32 %2, 1, !dbg !25
  ret i32 %3, !dbg !26
}
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "clang, name: x")
!2 = !DIFile(filename: "prog.c", directory: "/home/me/here")
!3 = !DIFile(filename: "include/stdlib.h", directory: "/usr")
!4 = !DIFile(filename: "/abs/part.h", directory: "/home/me/here")
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!7 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!10 = !DIGlobalVariableExpression(var: !11, expr: !DIExpression())
!11 = distinct !DIGlobalVariable(name: "counter", scope: !1, file: !2, line: 3, type: !60)
!12 = !DIGlobalVariableExpression(var: !13, expr: !DIExpression())
!13 = distinct !DIGlobalVariable(name: "calls", scope: !27, file: !2, line: 8, type: !5)
!14 = !DIGlobalVariableExpression(var: !15, expr: !DIExpression())
!15 = distinct !DIGlobalVariable(name: "list", scope: !1, file: !2, line: 5, type: !64)
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(scope: null, file: !2, line: 9, type: !18)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 16, elements: !19)
!19 = !{!28}
!20 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 7, type: !41, unit: !1)
!21 = !DILocalVariable(name: "amount", arg: 1, scope: !20, file: !2, line: 7, type: !5)
!22 = !DILocation(line: 9, column: 3, scope: !20)
!23 = !DILocation(line: 0, scope: !27)
!24 = !DILocalVariable(name: "old", scope: !20, file: !2, line: 7, type: !5)
!25 = !DILocation(line: 12, scope: !29)
!26 = distinct !DILocation(line: 4, column: 1, scope: !30, inlinedAt: !22)
!27 = distinct !DILexicalBlock(scope: !20, file: !2, line: 8, column: 5)
!28 = !DISubrange(count: 2)
!29 = !DILexicalBlockFile(scope: !27, file: !4, discriminator: 0)
!30 = distinct !DISubprogram(name: "g", scope: !3, file: !3, line: 1)
!40 = !DISubprogram(name: "malloc", scope: !3, file: !3, line: 553, type: !41)
!41 = !DISubroutineType(types: !42)
!42 = !{!5, !63, null}
!60 = !DIDerivedType(tag: DW_TAG_typedef, name: "count_t", file: !2, line: 1, baseType: !61)
!61 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !62)
!62 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !6)
!63 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !64, size: 64)
!64 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", size: 320, elements: !65)
!65 = !{!66, !67, !68, !69, !70, !71, !72}
!66 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !64, baseType: !5, size: 32)
!67 = !DIDerivedType(tag: DW_TAG_member, name: "next", baseType: !63, size: 64, offset: 64)
!68 = !DIDerivedType(tag: DW_TAG_member, name: "b1", baseType: !6, size: 3, offset: 128, \
flags: DIFlagPublic | DIFlagBitField, extraData: i64 128)
!69 = !DIDerivedType(tag: DW_TAG_member, name: "b2", baseType: !6, size: 7, offset: 131, \
flags: DIFlagBitField, extraData: i64 128)
!70 = !DIDerivedType(tag: DW_TAG_member, name: "name", baseType: !73, size: 96, offset: 144)
!71 = !DIDerivedType(tag: DW_TAG_member, name: "call", baseType: !77, size: 64, offset: 256)
!72 = !DIDerivedType(tag: DW_TAG_member, baseType: !80, size: 32, offset: 320)
!73 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 96, elements: !74)
!74 = !{!75, !76}
!75 = !DISubrange(count: 3)
!76 = !DISubrange(count: 4)
!77 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !41, size: 64)
!78 = !DIDerivedType(tag: DW_TAG_typedef, name: "named_t", file: !2, line: 1, baseType: !79)
!79 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !2, size: 32, elements: !83)
!80 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !2, size: 32, elements: !81)
!81 = !{!82, !84}
!82 = !DIDerivedType(tag: DW_TAG_member, name: "i", baseType: !5, size: 32)
!83 = !{!82}
!84 = !DIDerivedType(tag: DW_TAG_member, name: "color", baseType: !85, size: 32)
!85 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "color", baseType: !6, size: 32, \
elements: !86)
!86 = !{}
"""
INT = SourceType("int", 4)
UNSIGNED = SourceType("unsigned int", 4, signed=False)


def module() -> Module:
    return read_module(CODE, "a.ll")


def test_functions() -> None:
    f, malloc = module().functions["f.1"], module().functions["malloc"]
    assert (f.source_name, f.loc) == ("f", SourceLoc("prog.c", 7))
    assert (malloc.source_name, malloc.loc) == ("malloc", SourceLoc("/usr/include/stdlib.h", 553))


def test_locations() -> None:
    locs = [i.loc for i in module().functions["f.1"].code]
    here = SourceLoc("prog.c", 9, 3)
    assert locs[:4] == [None] * 4
    assert locs[4:] == [
        here,
        here,  # line 0: that of the instruction before
        SourceLoc("/abs/part.h", 12),
        SourceLoc("/usr/include/stdlib.h", 4, 1),
    ]


def test_names_of_local_variables() -> None:
    code = module().functions["f.1"].code
    assert [i.name for i in code if isinstance(i, Alloca)] == ["amount", "old", "tmp"]
    assert len(code) == 8


def test_global_variables() -> None:
    g = module().globals
    assert (g["counter"].source_name, g["counter"].loc) == ("counter", SourceLoc("prog.c", 3))
    assert g["counter"].source_type == UNSIGNED
    assert g["f.calls"].source_name == "f.calls"
    assert g[".str"].source_name == ".str"
    assert g[".str"].source_type == SourceType("char[2]", 2, element=SourceType("char", 1), count=2)
    assert (g["plain"].source_name, g["plain"].source_type, g["plain"].loc) == ("plain", None, None)


def test_struct() -> None:
    node = module().globals["list"].source_type
    assert node is not None
    assert (node.name, node.size) == ("struct node", 40)
    assert [(offset, name, kind.name, kind.size) for offset, name, kind in node.fields] == [
        (0, "v", "int", 4),
        (8, "next", "struct node *", 8),
        (16, "b1", "unsigned int", 1),
        (16, "b2", "unsigned int", 2),
        (18, "name", "char[3][4]", 12),
        (32, "call", "int (*)(struct node *, ...)", 8),
        (40, "", "union", 4),
    ]
    assert node.path(18 + 4 + 2) == ".name[1][2]"
    assert node.path(40) == ".i"
    color = node.fields[6][2].fields[1][2]
    assert color == SourceType("enum color", 4, signed=False)


def test_struct_types() -> None:
    types = module().struct_types
    assert set(types) == {"struct.node", "struct.node.7", "struct.named_t"}
    assert types["struct.node"] is types["struct.node.7"]
    assert types["struct.named_t"] == SourceType("named_t", 4, fields=((0, "i", INT),))


def test_cyclic_types_end() -> None:
    text = """
@x = global i32 0, !dbg !0
@y = global i32 0, !dbg !2
!0 = !DIGlobalVariable(name: "x", scope: null, type: !1)
!1 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !1)
!2 = !DIGlobalVariable(name: "y", scope: !3, type: !9)
!3 = !DILexicalBlock(scope: !4)
"""
    globals_ = read_module(text, "a.ll").globals
    assert globals_["x"].source_name == "x"
    assert globals_["y"].source_type == SourceType("", 0)
