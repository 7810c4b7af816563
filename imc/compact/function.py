"""One function on its way to the compact form: its records, registers and jumps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from imc.compact import aggregates, control, instructions  # noqa: F401 (they register themselves)
from imc.compact import opcodes as op
from imc.compact.dispatch import lower_instruction
from imc.compact.form import BASE, SHIFT, NotCompact, Origin
from imc.compact.performing import check_performable, lower_performed
from imc.compact.words import count, to_words
from imc.program.code import reads_input
from imc.program.instructions import Alloca, Instruction, Library, Operand, Reg
from imc.program.types import IntType, Type, is_aggregate
from imc.program.values import UNDEF, Value

if TYPE_CHECKING:
    from imc.compact.flatten import Flattening


class FunctionLowering:
    """One function, instruction by instruction."""

    def __init__(self, program: Flattening, copy: str) -> None:
        self.copy = copy
        self.code = code = program.codes[copy]
        self.program = program
        self.form = program.form
        self.image = code.image
        self.function = code.function
        self.link = program.links[copy]
        self.number = program.numbers[copy]
        self.late = program.late[copy]
        self._labels: dict[str, int] = {}
        self._fixups: list[tuple[int, str]] = []  # places in the code that name a block
        self._edges: list[tuple[int, int, str, str]] = []  # place, pc, from, to
        self.pc = 0
        self.site = 0

    def run(self) -> None:
        function = self.function
        if function.type.varargs and self.is_started_by_others():
            raise NotCompact("any number of arguments are passed", function.loc)
        copies = [p.register for p in function.params if p.byval]
        if copies and self.program.starts_thread(function.name):
            raise NotCompact("a thread starts with a struct", function.loc)
        locals = [*map(self.reg, copies + self._locals()), *self.late.places.values()]
        self.form.parameters.append([k for p in function.params for k in self.slots(p.register)])
        self.form.late.append(list(self.late.places.values()))
        parameter = self.reg(function.params[0].register) if function.params else -1
        self.program.enter(self.copy, parameter, self.program.table(len(locals), *locals))
        for block in function.blocks:
            self._labels[block.label] = len(self.form.sites)
            for self.pc in range(
                function.starts[block.label], function.starts[block.label] + len(block.body)
            ):
                self._instruction(function.code[self.pc])
        while self._edges:
            self._edge(*self._edges.pop())
        for at, label in self._fixups:
            self.form.code[at] = self._labels[label]

    def _locals(self) -> list[int]:
        """Registers of locals in memory, which must be made before anything can happen."""
        found = []
        for pc, i in enumerate(self.function.code):
            is_early = isinstance(i, Alloca) and pc not in self.late.places
            if is_early and i.result is not None and i.result not in self.code.promoted:
                found.append(i.result)
        return found

    def calls_back_to_itself(self) -> bool:
        """Whether the call here is part of a circle."""
        name, callees = self.function.name, self.image.sharing.pointers.callees
        called = callees.get((name, self.pc), ())
        return any(self.program.circles.together(name, callee) for callee in called)

    def is_started_by_others(self) -> bool:
        """Whether a function is called where nothing is known of more arguments than it has."""
        name = self.function.name
        return name == self.image.program.entry or self.program.starts_thread(name)

    # ---------------------------------------------------------------- records

    def emit(self, opcode: int, d: int = -1, a: int = 0, b: int = 0, c: int = 0) -> None:
        self.form.code += (opcode, d, a, b, c)
        self.form.sites.append(self.site)
        self.form.live.append(-1)

    def reg(self, register: int) -> int:
        return self.program.register(self.copy, register)

    def constant(self, value: int) -> int:
        return self.program.constant(value)

    def use(self, operand: Operand, where: Instruction) -> int:
        """The register that an operand is found in."""
        if isinstance(operand, Reg):
            if is_aggregate(self.function.registers[operand.index].type):
                raise NotCompact("a struct in a register", where.loc)
            return self.reg(operand.index)
        if self.image.thread_local_symbol(operand) is not None:
            raise NotCompact("the address of a thread-local variable", where.loc)
        return self.constant(self.known(self.image.constant(operand), where, operand.type))

    def words(self, operand: Operand, where: Instruction) -> list[int]:
        """The registers of an operand's scalars."""
        if isinstance(operand, Reg):
            return self.slots(operand.index)
        if not is_aggregate(operand.type):
            return [self.use(operand, where)]
        return [self.constant(w) for w in to_words(self.image.constant(operand), operand.type)]

    def slots(self, register: int) -> list[int]:
        """The registers of the scalars of a value."""
        first, type = self.reg(register), self.function.registers[register].type
        return [first + k for k in range(count(type) if is_aggregate(type) else 1)]

    def results(self, i: Instruction) -> list[int]:
        return [] if i.result is None else self.slots(i.result)

    def move(self, to: list[int], given: list[int]) -> None:
        for d, a in zip(to, given, strict=True):
            self.emit(op.MOVE, d, a)

    def known(self, value: Value, where: Instruction, type: Type) -> int:
        if value is UNDEF:
            return op.UNDEF
        if value.__class__ is float:
            return to_words(value, type)[0]
        if value.__class__ is tuple:
            number: int = (value[0] << SHIFT) + BASE + value[1]
            if number >> SHIFT != value[0]:
                raise NotCompact("an address far outside of its object", where.loc)
            return number
        if value.__class__ is not int or value < 0 or value >> 64:
            raise NotCompact("a constant that is no number of 64 bits", where.loc)
        self.form.note_number(value)
        return int(value)

    def result(self, i: Instruction) -> int:
        return self.program.nowhere if i.result is None else self.reg(i.result)

    def text(self, text: str) -> int:
        if text not in self.form.texts:
            self.form.texts.append(text)
        return self.form.texts.index(text)

    # ----------------------------------------------------------- instructions

    def _instruction(self, i: Instruction) -> None:
        name = i.name if isinstance(i, Library) else ""
        if isinstance(i, Alloca) and i.result is not None:
            name = i.name or self.function.registers[i.result].name or "local"
        self.site = len(self.form.where)
        code = self.code
        self.form.where.append(
            Origin(self.function.name, self.pc, code.names[self.pc], code.locs[self.pc], name)
        )
        self.form.operands.append(-1)
        if self.pc in code.visible:
            looked = list(self._looked_at(i))
            self.form.operands[-1] = self.program.table(len(looked), *looked)
        first = len(self.form.sites)
        self._lower(i)
        if self.pc in code.visible or reads_input(i):
            self.form.live[first] = self.live_table(self.pc)

    def _lower(self, i: Instruction) -> None:
        """Its records; where it has none of its own, one for the model."""
        records, fixups = len(self.form.sites), len(self._fixups)
        edges, calls = len(self._edges), self.program.calls_so_far()
        try:
            lower_instruction(i, self)
        except NotCompact as why:
            check_performable(i, self.code.promoted, why)
            del self.form.code[op.WIDTH * records :], self.form.sites[records:]
            del self.form.live[records:], self._fixups[fixups:], self._edges[edges:]
            self.program.forget_calls(calls)
            lower_performed(i, self)

    def live_table(self, pc: int, without: int | None = None) -> int:
        """A table of what the frame needs at a pc, and its return address."""
        registers = []
        for register in self.code.live[pc]:
            if register != without:
                registers += self.slots(register)
        registers += self.late.arguments
        return self.program.table(len(registers) + 1, *registers, self.link)

    def _looked_at(self, i: Instruction) -> Iterator[int]:
        for operand in i.operands():
            if is_aggregate(operand.type) or self.image.thread_local_symbol(operand) is not None:
                continue
            wide = isinstance(operand.type, IntType) and operand.type.width == 64
            if isinstance(operand, Reg) or not _is_large(self.image.constant(operand)):
                yield 2 * self.use(operand, i) + wide

    @property
    def visible(self) -> bool:
        return self.pc in self.code.visible

    # ------------------------------------------------------------------- jumps

    def leads_back(self, label: str) -> bool:
        return self.function.starts[label] <= self.pc

    def serves(self, label: str) -> bool:
        """Whether a jump begins another round of a loop that nothing leads out of."""
        return self.leads_back(label) and self.function.starts[label] in self.code.services

    def jump(self, field: int, label: str) -> None:
        """A field of the last record is where a block begins, or what fills its phis first."""
        at = len(self.form.code) - op.WIDTH + field
        source = self.function.block_of[self.pc].label
        back = self.function.starts[label] <= self.pc
        if self.function.by_label[label].phis or (back and self.form.code[-op.WIDTH] != op.JUMP):
            self._edges.append((at, self.pc, source, label))
        else:
            self._fixups.append((at, label))

    def _edge(self, at: int, pc: int, source: str, target: str) -> None:
        self.pc = pc
        self.form.code[at] = len(self.form.sites)
        moves: list[tuple[int, int]] = []
        for phi in self.function.by_label[target].phis:
            for operand, origin in phi.incoming:
                if origin == source and phi.result is not None:
                    to, given = self.slots(phi.result), self.words(operand, phi)
                    moves += zip(to, given, strict=True)
                    break
        self.site = next(
            n for n in range(len(self.form.where) - 1, -1, -1) if self._is_here(self.form.where[n])
        )
        if len(moves) > 1:  # all at once: one may read what another one writes
            held = [(d, self.program.temporary()) for d, _ in moves]
            for (_, a), (_, kept) in zip(moves, held, strict=True):
                self.emit(op.MOVE, kept, a)
            moves = held
        for d, a in moves:
            self.emit(op.MOVE, d, a)
        self.emit(op.JUMP, -1, 0, self.leads_back(target), self.serves(target))
        self._fixups.append((len(self.form.code) - op.WIDTH + 2, target))

    def _is_here(self, site: Origin) -> bool:
        return site.function == self.function.name and site.pc == self.pc


def _is_large(value: Value) -> bool:
    """A number that no register holds: it is no address either."""
    return value.__class__ is int and not 0 <= value < 1 << 64
