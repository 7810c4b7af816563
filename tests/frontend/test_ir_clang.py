"""What the bundled compiler writes today can be read, for both data models."""

from __future__ import annotations

import subprocess
import sys

import pytest

from imc.frontend.ir.module import Module
from imc.frontend.ir.reader import read_module
from imc.program.instructions import Alloca, Call, Reg

FLAGS = (
    "-S -emit-llvm -g -O1 -Xclang -disable-llvm-passes -fno-discard-value-names "
    "-fno-sanitize=undefined -w"
)
PROGRAM = r"""
struct node { int value; struct node *next; unsigned low : 3, high : 7; };
struct big { long a, b, c, d; };
typedef struct { int x, y; } point;
static struct node head = { 1, &head, 2, 3 };
char *names[2] = { "a\"\\", "b" };
char **second = &names[1];
_Atomic int hits;
_Thread_local double own = 0.1;
long double wide = 3.14L;
point origin;

static int next(void) { static int calls; return ++calls; }
long sum(struct big b) { return b.a + b.d; }
int pick(int x) {
    switch (x) { case 1: return 2; case -5: return next(); default: return head.next->value; }
}
int (*chosen)(int) = pick;
int jump(int i) {
    static void *table[] = { &&a, &&b };
    goto *table[i];
a:  return 1;
b:  return 2;
}
int all(int n, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, n);
    int first = __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return first;
}
int main(int argc, char **argv) {
    int vla[argc];
    struct big b = { 1, 2, 3, 4 };
    vla[0] = argc > 2 && chosen(argc) ? (int)sum(b) : -1;
    __c11_atomic_fetch_add(&hits, 1, __ATOMIC_SEQ_CST);
    __asm__ volatile("" ::: "memory");
    return vla[0] + jump(1) + all(1, 2.5) + (wide > own) + origin.y;
}
"""


@pytest.fixture(scope="module", params=["x86_64-linux-gnu", "x86-linux-gnu"])
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Module:
    folder = tmp_path_factory.mktemp("ir")
    (folder / "prog.c").write_text(PROGRAM)
    subprocess.run(
        [sys.executable, "-m", "ziglang", "cc", *FLAGS.split(), "-target", request.param, "prog.c"],
        cwd=folder,
        check=True,
    )
    return read_module((folder / "prog.ll").read_text(), "prog.ll")


def test_operands_agree_with_registers(module: Module) -> None:
    for function in module.functions.values():
        phis = [phi for block in function.blocks for phi in block.phis]
        defined = {p.register for p in function.params}
        for instruction in (*phis, *function.code):
            if instruction.result is not None:
                assert instruction.result not in defined
                defined.add(instruction.result)
            for operand in instruction.operands():
                if isinstance(operand, Reg):
                    assert function.registers[operand.index].type == operand.type
        assert defined == set(range(len(function.registers)))


def test_names(module: Module) -> None:
    assert module.globals["next.calls"].source_name == "next.calls"
    assert str(module.globals["head"].loc) == "prog.c:5"
    main = module.functions["main"]
    assert str(main.loc) == "prog.c:32"
    locals_ = {i.name for i in main.code if isinstance(i, Alloca)}
    assert {"argc", "argv", "vla", "b"} <= locals_
    assert not any("dbg" in str(i.callee) for i in main.code if isinstance(i, Call))
    assert all(i.loc for i in main.code if isinstance(i, Call))


def test_types_agree_with_layout(module: Module) -> None:
    pointer = module.layout.pointer_bytes
    node = module.struct_types["struct.node"]
    assert [f[:2] for f in node.fields] == [
        (0, "value"),
        (pointer, "next"),
        (2 * pointer, "low"),
        (2 * pointer, "high"),
    ]
    assert module.struct_types["struct.point"].name == "point"
    for variable in module.globals.values():
        if variable.source_type is not None:
            assert variable.source_type.size == module.layout.size(variable.type)
