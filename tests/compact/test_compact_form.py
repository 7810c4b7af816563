"""The form itself: what it refuses and where, that it is ints, and its arithmetic."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace

import pytest

from imc.compact import opcodes as op
from imc.compact.flatten import flatten
from imc.compact.form import CompactProgram, NotCompact, Origin
from imc.compact.machine import CompactMachine
from imc.compact.numbers import updated
from imc.compact.translate import Translator
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.concrete import ConcreteDomain
from imc.program.concrete.partial import BITWISE, partial_binary
from imc.program.interpreter import Interpreter
from imc.program.settings import Settings
from imc.program.types import IntType
from imc.program.values import UNDEF, Partial

ROOT = Path(__file__).resolve().parents[2]
HEAD = "#include <pthread.h>\n#include <stdio.h>\n#include <string.h>\nint g;\n"

REFUSED = {
    "jumps": (
        "#include <setjmp.h>\njmp_buf b; int main(void) {\n if (setjmp(b)) return 1; return 0; }",
        7,
    ),
    "recursion through the library": (
        "pthread_once_t o;\nvoid s(void);\nvoid c(void) { s(); }\n"
        "void s(void) {\n pthread_once(&o, c); }\nint main(void) { s(); }",
        9,
    ),
}


def interpreter(source: str, tmp_path: Path, settings: Settings | None = None) -> Interpreter:
    path = tmp_path / "program.c"
    path.write_text(source)
    return Interpreter(load_program([path], cache=NO_CACHE), settings)


@pytest.mark.parametrize("what", REFUSED)
def test_what_has_no_form_is_refused_with_its_place(what: str, tmp_path: Path) -> None:
    source, line = REFUSED[what]
    with pytest.raises(NotCompact) as refused:
        flatten(interpreter(HEAD + source, tmp_path).image)
    assert refused.value.loc is not None and refused.value.loc.line == line
    assert refused.value.reason


def test_numbers_are_taken_apart_and_joined(tmp_path: Path) -> None:
    source = "union { int i; char c[4]; } u;\nint main(void) { u.i = 258; return u.c[1]; }"
    image = interpreter(source, tmp_path).image
    machine = CompactMachine(flatten(image), image)
    machine.start()
    machine.step(0)
    assert machine.exit_code[0] == 1


def test_an_address_over_several_scalars_is_left_to_the_model(tmp_path: Path) -> None:
    source = "union { int i[2]; int *p; } u;\nint main(void) { u.i[1] = 1; u.p = u.i; return 0; }"
    image = interpreter(source, tmp_path).image
    with pytest.raises(NotCompact):
        CompactMachine(flatten(image), image).start()


def test_recursion_that_is_too_deep_is_left_to_the_model(tmp_path: Path) -> None:
    source = "int f(int n) { return n ? f(n - 1) : 5; }\nint main(void) { return f(N); }"
    for depth, has_form in ((7, True), (8, False)):
        image = interpreter(source.replace("N", str(depth)), tmp_path).image
        machine = CompactMachine(flatten(image), image)
        if has_form:
            machine.start()
            machine.step(0)
            assert machine.exit_code[0] == 5
        else:
            with pytest.raises(NotCompact):
                machine.start()


def test_bounded_loops_need_the_model(tmp_path: Path) -> None:
    image = interpreter("int main(void) { return 0; }", tmp_path, Settings(loop_bound=3)).image
    with pytest.raises(NotCompact):
        flatten(image)


def test_the_form_is_machine_integers() -> None:
    program = load_program([ROOT / "examples" / "peterson.c"])
    form = flatten(Interpreter(program).image)
    arrays = form.arrays()
    assert len(arrays["code"]) == op.WIDTH * len(arrays["sites"])
    assert len(arrays["cells"]) == len(arrays["layout"]) == len(arrays["cells_defined"])
    assert list(arrays["code"]) == form.code
    defined = zip(arrays["registers"], arrays["registers_defined"], strict=True)
    assert [v if known else op.UNDEF for v, known in defined] == form.registers
    assert all(code in op.NAMES for code in form.code[:: op.WIDTH])
    assert "VISIBLE_STORE" in form.listing()


def test_large_numbers_fit(tmp_path: Path) -> None:
    source = "long g; int main(void) { switch (g) { case -1: return 1; default: return 2; } }"
    form = flatten(interpreter(source, tmp_path).image)
    assert (1 << 64) - 1 in form.arrays()["tables"]


def test_the_same_program_has_the_same_form() -> None:
    program = load_program([ROOT / "examples" / "prodcons.c"])
    one, other = (flatten(Interpreter(program).image).arrays() for _ in range(2))
    assert one == other


# ------------------------------------------------------------------ arithmetic

BINARY = {
    "add": op.ADD, "sub": op.SUB, "mul": op.MUL, "and": op.AND, "or": op.OR, "xor": op.XOR,
    "shl": op.SHL, "lshr": op.LSHR, "ashr": op.ASHR, "udiv": op.UDIV, "urem": op.UREM,
    "sdiv": op.SDIV, "srem": op.SREM,
}  # fmt: skip
COMPARED = {"eq": op.EQ, "ne": op.NE, "slt": op.SLT, "sle": op.SLE, "ult": op.ULT, "ule": op.ULE}
MACHINE = SimpleNamespace(
    image=SimpleNamespace(objects=SimpleNamespace(infos=[])),
    decide=bool,
    at=0,
    thread=0,
    place=lambda thread, at: None,
)


def values(bits: int, rng: random.Random) -> list[int]:
    top = 1 << bits
    edges = [0, 1, 2, top // 2 - 1, top // 2, top - 2, top - 1]
    return [*(v % top for v in edges), *(rng.randrange(top) for _ in range(6)), op.UNDEF]


def computed(opcode: int, bits: int, x: int, y: int) -> int:
    """What a unit of one operation leaves in register 2."""
    form = CompactProgram(
        code=[opcode, 2, 0, 1, bits, op.EXIT, -1, 2, 0, 0],
        sites=[0, 0],
        persistent=3,
        registers=[op.UNDEF] * 3,
        where=[Origin("f", 0, "binary", None)],
    )
    registers = [x, y, 0]
    log: list[int] = []
    assert Translator(form).unit(0)(MACHINE, registers, log, 7) == 1
    assert log == [7, 2, 0]
    return registers[2]


@pytest.mark.parametrize("bits", [1, 8, 32, 64])
@pytest.mark.parametrize("name", [*BINARY, *COMPARED])
def test_arithmetic_is_the_model_s(name: str, bits: int) -> None:
    domain, rng = ConcreteDomain(), random.Random(f"{name} {bits}")
    exact = (domain.binary if name in BINARY else domain.compare)(name, IntType(bits))
    for x in values(bits, rng):
        for y in rng.sample(values(bits, rng), 6):
            unfit = y in (0, op.UNDEF) or (y == (1 << bits) - 1 and x == 1 << (bits - 1))
            if unfit and name[1:] in ("div", "rem"):
                continue  # a fault
            given = tuple(UNDEF if v == op.UNDEF else v for v in (x, y))
            partly = name in BITWISE and UNDEF in given
            expected = partial_binary(name, *given, bits) if partly else exact(*given)
            if isinstance(expected, Partial):
                with pytest.raises(NotCompact, match="partly undefined"):
                    computed(BINARY[name], bits, x, y)
                continue
            found = computed({**BINARY, **COMPARED}[name], bits, x, y)
            assert found == (op.UNDEF if expected is UNDEF else expected), (x, y)


@pytest.mark.parametrize("kind", range(11))
def test_updates_stay_in_their_width(kind: int) -> None:
    rng = random.Random(kind)
    for bits in (8, 32, 64):
        for _ in range(50):
            old, value = rng.randrange(1 << bits), rng.randrange(1 << bits)
            assert 0 <= updated(MACHINE, kind, old, value, bits) < 1 << bits


def test_arguments_survive_where_a_long_stretch_of_code_is_cut(tmp_path: Path) -> None:
    """Units end after so many records: also between the arguments of a call and the call."""
    for length in range(20, 40):
        sums = "".join(f" x += {n};" for n in range(length))
        source = (
            "int g; static int f(int i, int j) { return i + j; }\n"
            f"int main(void) {{ int x = 1;{sums} g = f(x, x); return 0; }}"
        )
        image = interpreter(source, tmp_path).image
        machine = CompactMachine(flatten(image), image)
        machine.start()
        assert machine.fault is None
        assert machine.step(0) == 0
        expected = 2 * (1 + sum(range(length)))
        assert machine.cells[machine.first[image.symbols["g"]]] == expected, length
