"""Local instructions as Python code: each stretch of records becomes one function.

A unit begins where a thread may come to and runs up to a visible operation, a call or a return, or
until it has grown long. Registers are Python variables in it. At its ends it writes back those that
hold something for others; what is part of a state is logged first. It answers the pc that follows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imc.compact import opcodes as op
from imc.compact.form import CompactProgram
from imc.compact.liveness import live_at, reads
from imc.compact.local import RARE
from imc.compact.numbers import SLOW_BINARY, WIDE_ADD, WIDE_SUB
from imc.compact.opcodes import COMPARISONS, UNDEF

if TYPE_CHECKING:
    from imc.compact.machine import CompactMachine

Unit = Callable[["CompactMachine", list[int], list[int], int], int]
MOST_RECORDS = 60  # of a unit; a branch has two copies of what follows it
NEAR = 1 << 32  # numbers below are no addresses
SIMPLE = {op.MUL: "*", op.AND: "&", op.OR: "|", op.XOR: "^"}


class Translator:
    """Makes units of a program's code, when they are asked for."""

    def __init__(self, form: CompactProgram) -> None:
        self.form = form
        self.live = live_at(form)
        self.functions: dict[str, object] = {f"local{n}": f for n, f in RARE.items()}
        self.functions |= {f"binary{n}": f for n, f in SLOW_BINARY.items()}

    def unit(self, pc: int) -> Unit:
        writer = _Writer(self)
        writer.records(pc, {}, set(), 1)
        text = "\n".join(["def unit(m, r, log, part):", *writer.lines])
        space: dict[str, object] = dict(self.functions)
        exec(compile(text, f"<compact code at {pc}>", "exec"), space)
        found: Unit = space["unit"]  # type: ignore[assignment]
        return found


class _Writer:
    """One unit in the making. `held`: registers that are in variables, `unsaved`: only there."""

    def __init__(self, translator: Translator) -> None:
        self.form = translator.form
        self.live = translator.live
        self.lines: list[str] = []
        self.left = MOST_RECORDS
        first = self.form.value + 1  # of what a function returns, but for the first register
        self.returned = set(range(first, first + self.form.returned - 1))

    def line(self, text: str, depth: int) -> None:
        self.lines.append("    " * depth + text)

    # ------------------------------------------------------------- registers

    def get(self, register: int, held: dict[int, str], depth: int) -> str:
        """An expression for a register: a number, or a variable."""
        constant = self.form.registers[register]
        if constant != UNDEF:
            return str(constant)
        if register not in held:
            held[register] = f"v{register}"
            self.line(f"v{register} = r[{register}]", depth)
        return held[register]

    def put(
        self, register: int, value: str, held: dict[int, str], unsaved: set[int], depth: int
    ) -> None:
        name = f"v{register}"
        held[register] = name
        if register < self.form.persistent:
            self.line(f"{name} = {value}", depth)
            self.line(f"log += (part, {register}, r[{register}])", depth)
            self.line(f"r[{register}] = {name}", depth)
        else:
            self.line(f"{name} = {value}", depth)
            unsaved.add(register)

    def save(self, registers: set[int], unsaved: set[int], depth: int) -> None:
        for register in sorted(registers & unsaved):
            self.line(f"r[{register}] = v{register}", depth)
        unsaved -= registers

    # --------------------------------------------------------------- records

    def leave(self, pc: int, unsaved: set[int], depth: int) -> None:
        """The end of the unit, on the way to a pc."""
        self.save({t for t in unsaved if self.live[pc] >> t & 1}, unsaved, depth)
        self.line(f"return {pc}", depth)

    def records(self, pc: int, held: dict[int, str], unsaved: set[int], depth: int) -> None:
        """The code from a pc on."""
        while True:
            opcode, d, a, b, c = self.form.record(pc)
            if opcode >= op.VISIBLE or self.left <= 0 or depth > 12:
                self.leave(pc, unsaved, depth)
                return
            self.left -= 1
            if opcode == op.JUMP:
                if b:
                    self.line(f"m.jump_back({pc})", depth)
                    self.leave(a, unsaved, depth)
                    return
                pc = a
            elif opcode == op.BRANCH:
                self.branch(pc, self.get(a, held, depth), b, c, held, unsaved, depth)
                return
            elif opcode == op.CALL:
                self.save(set(unsaved), unsaved, depth)
                self.line(f"log += (part, {d}, r[{d}])", depth)
                self.line(f"r[{d}] = {pc + 1}", depth)
                self.line(f"return {a}", depth)
                return
            elif opcode == op.RETURN:
                value = self.get(b, held, depth)
                self.save(self.returned, unsaved, depth)
                self.line(f"m.at = {pc}", depth)
                self.line(f"return m.leave(r, {value}, {a}, {c}, {d})", depth)
                return
            elif opcode in (op.SWITCH, op.DISPATCH, op.PERFORM, op.RESUME):
                self.save(set(unsaved), unsaved, depth)
                self.line(f"m.at = {pc}", depth)
                self.line(f"return local{opcode}(m, r, {d}, {a}, {b}, {c})", depth)
                return
            else:
                self.plain(pc, held, unsaved, depth)
                if opcode in (op.FAIL, op.STUCK):
                    return
                pc += 1

    def branch(
        self,
        pc: int,
        condition: str,
        then: int,
        other: int,
        held: dict[int, str],
        unsaved: set[int],
        depth: int,
    ) -> None:
        self.line(f"if {condition} > 0:", depth)
        self.records(then, held.copy(), unsaved.copy(), depth + 1)
        self.line(f"if {condition} == 0:", depth)
        self.records(other, held.copy(), unsaved.copy(), depth + 1)
        self.line(f"m.at = {pc}", depth)
        self.line(f"m.decide({condition})", depth)

    def plain(self, pc: int, held: dict[int, str], unsaved: set[int], depth: int) -> None:
        """A record that the next one follows."""
        opcode, d, a, b, c = self.form.record(pc)
        at = f"m.at = {pc}"
        if opcode in RARE:
            self.save(set(reads(self.form, pc)), unsaved, depth)
            self.line(at, depth)
            call = f"local{opcode}(m, r, {d}, {a}, {b}, {c})"
            if d < 0:
                self.line(call, depth)
            else:
                if opcode == op.EXCHANGE:
                    held.pop(d + 1, None)
                self.put(d, call, held, unsaved, depth)
            return
        x = self.get(a, held, depth)
        if opcode == op.MOVE:
            self.put(d, x, held, unsaved, depth)
        elif opcode == op.LOAD:
            self.line(at, depth)
            self.put(d, f"m.peek({x}, {c})", held, unsaved, depth)
        elif opcode == op.OFFSET:
            self.line(f"p = {x} + {b}", depth)
            self.line(f"if {x} < {NEAR} or p >> 32 != {x} >> 32:", depth)
            self.line(f"    {at}; p = m.moved({x}, {b})", depth)
            self.put(d, "p", held, unsaved, depth)
        elif opcode == op.SEXT:
            high = (1 << c) - (1 << b)
            self.put(d, f"{x} | {high} if {x} >= {1 << (b - 1)} else {x}", held, unsaved, depth)
        elif opcode == op.TRUNC:
            mask = (1 << c) - 1
            self.put(d, f"{x} & {mask} if {x} >= 0 else -1", held, unsaved, depth)
        elif opcode == op.SELECT:
            y, z = self.get(b, held, depth), self.get(c, held, depth)
            self.line(at, depth)
            self.put(d, f"{x} if m.decide({z}) else {y}", held, unsaved, depth)
        else:
            y = self.get(b, held, depth)
            if opcode == op.STORE:
                self.line(f"{at}; m.poke({x}, {c}, {y})", depth)
            elif opcode in (op.INDEX, op.INDEX32):
                wide = opcode == op.INDEX
                self.line(
                    f"p = {x} + {y} * {c} if 0 <= {y} < {1 << 31} and {x} >= 0 else -1", depth
                )
                self.line(f"if {x} < {NEAR} or p >> 32 != {x} >> 32:", depth)
                self.line(f"    {at}; p = m.indexed({x}, {y}, {c}, {wide})", depth)
                self.put(d, "p", held, unsaved, depth)
            else:
                self.put(d, self.binary(opcode, x, y, c, at, depth), held, unsaved, depth)

    def binary(self, opcode: int, x: str, y: str, bits: int, at: str, depth: int) -> str:
        """Arithmetic: at once for plain numbers, by a function for the rest."""
        defined = f"{x} >= 0 <= {y}"
        if opcode in COMPARISONS:
            flip = f" ^ {1 << (bits - 1)}" if opcode in (op.SLT, op.SLE) else ""
            test = f"{x}{flip} {COMPARISONS[opcode]} {y}{flip}"
            return f"(1 if {test} else 0) if {defined} else -1"
        mask = (1 << bits) - 1
        if opcode in (op.ADD, op.SUB) and bits < 64:
            sign = "+" if opcode == op.ADD else "-"
            return f"({x} {sign} {y}) & {mask} if {defined} else -1"
        self.line(at, depth)
        if opcode == op.ADD:
            near = f"0 <= {x} < {NEAR} > {y} >= 0"
            return f"{x} + {y} if {near} else binary{WIDE_ADD}(m, {x}, {y}, 64)"
        if opcode == op.SUB:
            near = f"0 <= {y} <= {x} < {NEAR}"
            return f"{x} - {y} if {near} else binary{WIDE_SUB}(m, {x}, {y}, 64)"
        slow = f"binary{opcode}(m, {x}, {y}, {bits})"
        if opcode in SIMPLE:
            return f"{x} {SIMPLE[opcode]} {y} & {mask} if {defined} else {slow}"
        return slow
