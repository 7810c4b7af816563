"""From the program model to the compact form, or NotCompact with the reason and the place."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from imc.compact import opcodes as op
from imc.compact.calls import LIBRARY_CALLS
from imc.compact.form import BASE, SHIFT, CompactProgram, NotCompact, Site
from imc.compact.initial import lay_out
from imc.program.code import FunctionCode, Image, reads_input
from imc.program.faults import Property
from imc.program.instructions import (
    Address,
    Alloca,
    AtomicRmw,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    CompareExchange,
    CondBranch,
    Const,
    ExtractValue,
    Fence,
    Freeze,
    GetElementPtr,
    Instruction,
    Library,
    Load,
    Operand,
    Reg,
    Return,
    Select,
    Store,
    Switch,
    Unreachable,
)
from imc.program.library import LIBRARY
from imc.program.program import Function
from imc.program.semantics.addresses import offsets
from imc.program.types import IntType, PtrType, StructType, Type
from imc.program.values import UNDEF, Value

BINARY = {
    "add": op.ADD, "sub": op.SUB, "mul": op.MUL, "and": op.AND, "or": op.OR, "xor": op.XOR,
    "shl": op.SHL, "lshr": op.LSHR, "ashr": op.ASHR, "udiv": op.UDIV, "urem": op.UREM,
    "sdiv": op.SDIV, "srem": op.SREM,
}  # fmt: skip
COMPARE = {"eq": op.EQ, "ne": op.NE, "slt": op.SLT, "sle": op.SLE, "ult": op.ULT, "ule": op.ULE}
SWAPPED = {"sgt": op.SLT, "sge": op.SLE, "ugt": op.ULT, "uge": op.ULE}
UPDATES = ("xchg", "add", "sub", "and", "or", "xor", "nand", "max", "min", "umax", "umin")


def lower(image: Image) -> CompactProgram:
    """The program of an image, with its settings; raises NotCompact."""
    settings = image.settings
    if image.layout.pointer_bytes != 8:
        raise NotCompact("pointers of 32 bits")
    if image.has_thread_locals:
        raise NotCompact("thread-local variables")
    if settings.loop_bound is not None or settings.max_threads is not None:
        raise NotCompact("loops or threads are bounded")
    if Property.TERMINATION in settings.properties:
        raise NotCompact("loops are to end")
    if Property.UNINITIALISED not in settings.properties:
        raise NotCompact("uninitialised memory is read as zero")
    return Lowering(image).run()


def width(type: Type, where: Instruction) -> int:
    """The bits of a scalar that fits a register."""
    if isinstance(type, PtrType):
        return 64
    if isinstance(type, IntType) and type.width <= 64:
        return type.width
    raise NotCompact(f"a value of type {type}", where.loc)


class Lowering:
    """One program on its way; registers and records are numbered as they come."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.form = CompactProgram()
        self.names = self._reachable()
        self.codes = {name: image.code(name) for name in self.names}
        self.numbers = {name: n for n, name in enumerate(self.names)}
        self.registers: dict[tuple[str, int], int] = {}
        self.links: dict[str, int] = {}
        self._constants: dict[int, int] = {}
        self._entries: dict[str, int] = {}
        self._fixups: list[tuple[int, str]] = []  # places in the code that name a function

    def run(self) -> CompactProgram:
        form = self.form
        for name in self.names:
            self._number_persistent(name)
        form.persistent = len(form.registers)
        self.value = self.temporary()  # what a function returns
        self.nowhere = [self.temporary(), self.temporary()][0]  # results that nobody wants
        for name in self.names:
            FunctionLowering(self, self.codes[name]).run()
        for at, name in self._fixups:
            form.code[at] = self._entries[name]
        form.entry = self.numbers[self.image.program.entry]
        main = self.codes[self.image.program.entry].function
        lay_out(self.image, form, [self.register(main, p.register) for p in main.params])
        return form

    # -------------------------------------------------------------- functions

    def _reachable(self) -> list[str]:
        """Functions that may run, main first; none may be entered while it is active."""
        program, callees = self.image.program, self.image.sharing.pointers.callees
        order: list[str] = []
        done: set[str] = set()

        def visit(name: str, above: tuple[str, ...]) -> None:
            function = program.functions[name]
            if name in above:
                raise NotCompact(f"'{name}' calls itself", function.loc)
            if name in done:
                return
            done.add(name)
            order.append(name)
            for pc, i in enumerate(function.code):
                spawns = isinstance(i, Library) and LIBRARY[i.function].spawns
                for callee in sorted(callees.get((name, pc), ())):
                    if callee == program.entry:
                        raise NotCompact("main is called", i.loc)
                    if spawns:
                        later.append(callee)
                    else:
                        visit(callee, (*above, name))

        later = [program.entry]
        while later:
            visit(later.pop(0), ())
        # A function can be reached by several ways, and only be seen to call itself by one.
        for name in order:
            self._refuse_circles(name)
        return order

    def _refuse_circles(self, start: str) -> None:
        callees, functions = self.image.sharing.pointers.callees, self.image.program.functions
        work, seen = [start], set()
        while work:
            name = work.pop()
            for pc, i in enumerate(functions[name].code):
                if isinstance(i, Call):
                    for callee in callees.get((name, pc), ()):
                        if callee == start:
                            raise NotCompact(f"'{start}' calls itself", i.loc)
                        if callee not in seen:
                            seen.add(callee)
                            work.append(callee)

    def _number_persistent(self, name: str) -> None:
        """Gives numbers to what a function's frame still holds where a thread may rest."""
        code = self.codes[name]
        kept: set[int] = set()
        for pc, i in enumerate(code.function.code):
            if pc in code.visible or reads_input(i):
                kept.update(code.live[pc])
            if isinstance(i, Call):
                kept.update(code.live[pc + 1])
            if isinstance(i, Alloca) and i.result is not None and i.result not in code.promoted:
                kept.add(i.result)
        for register in sorted(kept):
            self._number(code.function, register)
        self.links[name] = self.temporary()

    def _number(self, function: Function, register: int) -> int:
        known = self.registers.get((function.name, register))
        if known is None:
            known = self.registers[function.name, register] = self.temporary()
            if isinstance(function.registers[register].type, StructType):
                self.temporary()  # a pair
        return known

    def register(self, function: Function, register: int) -> int:
        return self._number(function, register)

    def temporary(self) -> int:
        self.form.registers.append(op.UNDEF)
        return len(self.form.registers) - 1

    def constant(self, value: int) -> int:
        if value not in self._constants:
            self._constants[value] = self.temporary()
            self.form.registers[-1] = value
        return self._constants[value]

    def enter(self, name: str, parameter: int, locals: int) -> None:
        """A function begins with the next record."""
        self._entries[name] = len(self.form.sites)
        number = self.image.symbols[name]
        self.form.functions += [number, len(self.form.sites), parameter, self.links[name], locals]

    def refer(self, name: str) -> None:
        """The `a` of the next record is the first pc of a function."""
        self._fixups.append((len(self.form.code) + 2, name))

    def table(self, *values: int) -> int:
        at = len(self.form.tables)
        self.form.tables += values
        return at


class FunctionLowering:
    """One function, instruction by instruction."""

    def __init__(self, program: Lowering, code: FunctionCode) -> None:
        self.program = program
        self.form = program.form
        self.image = code.image
        self.code = code
        self.function = code.function
        self.link = program.links[code.function.name]
        self.number = program.numbers[code.function.name]
        self._labels: dict[str, int] = {}
        self._fixups: list[tuple[int, str]] = []  # places in the code that name a block
        self._edges: list[tuple[int, int, str, str]] = []  # place, pc, from, to
        self.pc = 0
        self.site = 0

    def run(self) -> None:
        function = self.function
        if any(p.byval for p in function.params) or function.type.varargs:
            raise NotCompact("structs or any number of arguments are passed", function.loc)
        locals = self._locals()
        parameter = self.reg(function.params[0].register) if function.params else -1
        self.program.enter(
            function.name, parameter, self.program.table(len(locals), *map(self.reg, locals))
        )
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
        entry = len(self.function.blocks[0].body)
        quiet = True
        for pc, i in enumerate(self.function.code):
            if (
                isinstance(i, Alloca)
                and i.result is not None
                and i.result not in self.code.promoted
            ):
                if pc >= entry or not quiet or not isinstance(i.count, Const):
                    raise NotCompact("a local of no fixed size or place", i.loc)
                found.append(i.result)
            elif pc in self.code.visible or isinstance(i, (Call, Library)):
                quiet = False
        return found

    # ---------------------------------------------------------------- records

    def emit(self, opcode: int, d: int = -1, a: int = 0, b: int = 0, c: int = 0) -> None:
        self.form.code += (opcode, d, a, b, c)
        self.form.sites.append(self.site)

    def reg(self, register: int) -> int:
        return self.program.register(self.function, register)

    def constant(self, value: int) -> int:
        return self.program.constant(value)

    def use(self, operand: Operand, where: Instruction) -> int:
        """The register that an operand is found in."""
        if isinstance(operand, Reg):
            if isinstance(self.function.registers[operand.index].type, StructType):
                raise NotCompact("a struct in a register", where.loc)
            width(operand.type, where)
            return self.reg(operand.index)
        return self.constant(self.known(self.image.constant(operand), where))

    def known(self, value: Value, where: Instruction) -> int:
        if value is UNDEF:
            return op.UNDEF
        if value.__class__ is tuple:
            number: int = (value[0] << SHIFT) + BASE + value[1]
            if number >> SHIFT != value[0]:
                raise NotCompact("an address far outside of its object", where.loc)
            return number
        if value.__class__ is not int or value < 0 or value >> 64:
            raise NotCompact("a constant that is no number of 64 bits", where.loc)
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
            Site(self.function.name, self.pc, code.names[self.pc], code.locs[self.pc], name)
        )
        self.form.operands.append(-1)
        handler = HANDLERS.get(type(i))
        if handler is None:
            raise NotCompact(f"the instruction '{type(i).__name__.lower()}'", i.loc)
        if self.pc in code.visible:
            looked = list(self._looked_at(i))
            self.form.operands[-1] = self.program.table(len(looked), *looked)
        handler(self, i)

    def _looked_at(self, i: Instruction) -> Iterator[int]:
        for operand in i.operands():
            wide = isinstance(operand.type, IntType) and operand.type.width == 64
            yield 2 * self.use(operand, i) + wide

    @property
    def visible(self) -> bool:
        return self.pc in self.code.visible

    def binary(self, i: Binary) -> None:
        bits = width(i.type, i)
        d, a, b = self.result(i), self.use(i.left, i), self.use(i.right, i)
        opcode = BINARY.get(i.op)
        if opcode is None:
            raise NotCompact(f"the operation '{i.op}'", i.loc)
        if Property.OVERFLOW in self.image.settings.properties and i.flags & {"nsw", "nuw"}:
            if i.op in ("add", "sub", "mul", "shl"):
                flags = 128 * ("nsw" in i.flags) + 256 * ("nuw" in i.flags)
                self.emit(op.OVERFLOWS, -1, a, b, bits + flags + (opcode << 10))
        self.emit(opcode, d, a, b, bits)

    def compare(self, i: Compare) -> None:
        bits = width(i.type, i)
        d, a, b = self.result(i), self.use(i.left, i), self.use(i.right, i)
        if i.predicate in SWAPPED:
            self.emit(SWAPPED[i.predicate], d, b, a, bits)
        else:
            self.emit(COMPARE[i.predicate], d, a, b, bits)

    def cast(self, i: Cast) -> None:
        source, target = width(i.source, i), width(i.target, i)
        d, a = self.result(i), self.use(i.value, i)
        if i.op in ("trunc", "ptrtoint") and target < 64:
            self.emit(op.TRUNC, d, a, 0, target)
        elif i.op == "sext":
            self.emit(op.SEXT, d, a, source, target)
        elif i.op in ("zext", "inttoptr", "ptrtoint", "bitcast", "addrspacecast", "trunc"):
            self.emit(op.MOVE, d, a)
        else:
            raise NotCompact(f"the cast '{i.op}'", i.loc)

    def select(self, i: Select) -> None:
        width(i.type, i)
        a, b, c = (self.use(o, i) for o in (i.left, i.right, i.condition))
        self.emit(op.SELECT, self.result(i), a, b, c)

    def freeze(self, i: Freeze) -> None:
        self.emit(op.FREEZE, self.result(i), self.use(i.value, i))

    def alloca(self, i: Alloca) -> None:
        assert i.result is not None
        if i.result in self.code.promoted:
            self.emit(op.FORGET, self.reg(i.result))
            return
        assert isinstance(i.count, Const)
        size = int(i.count.value) * self.image.layout.size(i.type)
        self.emit(op.ALLOCATE, self.reg(i.result), size)

    def load(self, i: Load) -> None:
        width(i.type, i)
        d, a = self.result(i), self.use(i.pointer, i)
        if self._is_promoted(i):
            self.emit(op.MOVE, d, a)
            return
        size = self.image.layout.store_size(i.type)
        self.emit(op.VISIBLE_LOAD if self.visible else op.LOAD, d, a, bool(i.ordering), size)

    def store(self, i: Store) -> None:
        width(i.type, i)
        a, b = self.use(i.pointer, i), self.use(i.value, i)
        if self._is_promoted(i):
            self.emit(op.MOVE, a, b)
            return
        size = self.image.layout.store_size(i.type)
        self.emit(op.VISIBLE_STORE if self.visible else op.STORE, bool(i.ordering), a, b, size)

    def _is_promoted(self, i: Load | Store) -> bool:
        return isinstance(i.pointer, Reg) and i.pointer.index in self.code.promoted

    def update(self, i: AtomicRmw) -> None:
        bits, size = width(i.type, i), self.image.layout.store_size(i.type)
        if i.op not in UPDATES:
            raise NotCompact(f"the atomic operation '{i.op}'", i.loc)
        adds = self.image.settings.independent_adds and i.op in ("add", "sub")
        commutes = adds and self.code.unused(i.result)
        table = self.program.table(UPDATES.index(i.op), size, bits, commutes)
        opcode = op.VISIBLE_UPDATE if self.visible else op.UPDATE
        self.emit(opcode, self.result(i), self.use(i.pointer, i), self.use(i.value, i), table)

    def exchange(self, i: CompareExchange) -> None:
        width(i.type, i)
        size = self.image.layout.store_size(i.type)
        table = self.program.table(self.use(i.new, i), size)
        opcode = op.VISIBLE_EXCHANGE if self.visible else op.EXCHANGE
        self.emit(opcode, self.result(i), self.use(i.pointer, i), self.use(i.expected, i), table)

    def extract(self, i: ExtractValue) -> None:
        if not isinstance(i.aggregate, Reg) or len(i.path) != 1 or i.path[0] > 1:
            raise NotCompact("a struct in a register", i.loc)
        makers = [k for k in self.function.code if k.result == i.aggregate.index]
        if not all(isinstance(k, CompareExchange) for k in makers) or not makers:
            raise NotCompact("a struct in a register", i.loc)
        self.emit(op.MOVE, self.result(i), self.reg(i.aggregate.index) + i.path[0])

    def fence(self, i: Fence) -> None:
        pass

    def element(self, i: GetElementPtr) -> None:
        d, a = self.result(i), self.use(i.pointer, i)
        fixed, moving = offsets(i, self.code)
        if fixed or not moving:
            self.emit(op.OFFSET, d, a, fixed)
            a = d
        for index, scale, bits in moving:
            if index >= len(self.function.registers):
                raise NotCompact("an index that is an address", i.loc)
            b = self.reg(index)
            if bits not in (32, 64):
                wide = self.program.temporary()
                self.emit(op.SEXT, wide, b, bits, 64)
                b, bits = wide, 64
            self.emit(op.INDEX32 if bits == 32 else op.INDEX, d, a, b, scale)
            a = d

    # ------------------------------------------------------------------- jumps

    def _jump(self, field: int, label: str) -> None:
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
        moves = []
        for phi in self.function.by_label[target].phis:
            for operand, origin in phi.incoming:
                if origin == source and phi.result is not None:
                    moves.append((self.reg(phi.result), self.use(operand, phi)))
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
        self.emit(op.JUMP, -1, 0, self.function.starts[target] <= pc)
        self._fixups.append((len(self.form.code) - op.WIDTH + 2, target))

    def _is_here(self, site: Site) -> bool:
        return site.function == self.function.name and site.pc == self.pc

    def branch(self, i: Branch) -> None:
        self.emit(op.JUMP, -1, 0, self.function.starts[i.target] <= self.pc)
        self._jump(2, i.target)

    def cond_branch(self, i: CondBranch) -> None:
        self.emit(op.BRANCH, -1, self.use(i.condition, i))
        self._jump(3, i.then)
        self._jump(4, i.otherwise)

    def switch(self, i: Switch) -> None:
        cases = dict(reversed(i.cases))
        table = self.program.table(len(cases), *[0] * (2 * len(cases) + 1))
        self.emit(op.SWITCH, -1, self.use(i.value, i), table)
        targets = [*((value, cases[value]) for value in cases), (None, i.default)]
        for n, (value, label) in enumerate(targets):
            # Each way begins with a jump of its own, so that the table names records only.
            place = table + 2 * n + (1 if value is None else 2)
            if value is not None:
                self.form.tables[table + 2 * n + 1] = value
            self.form.tables[place] = len(self.form.sites)
            self.emit(op.JUMP, -1, 0, self.function.starts[label] <= self.pc)
            self._jump(2, label)

    def ret(self, i: Return) -> None:
        value = self.constant(op.UNDEF) if i.value is None else self.use(i.value, i)
        if self.function.name == self.image.program.entry:
            self.emit(op.EXIT, -1, value, 1)
            return
        opcode = op.VISIBLE_RETURN if self.visible else op.RETURN
        self.emit(opcode, self.program.value, self.link, value, self.number)

    def unreachable(self, i: Unreachable) -> None:
        before = self.function.code[self.pc - 1] if self.pc else None
        block = self.function.block_of[self.pc]
        if isinstance(before, (Library, Call)) and before in block.body:
            self.emit(op.STUCK, -1, self.text("a function that does not return"))
        else:
            text = self.text("code that the program calls unreachable is reached")
            self.emit(op.FAIL, -1, text, self.text(Property.ABORT.value))

    # ------------------------------------------------------------------- calls

    def call(self, i: Call) -> None:
        if not isinstance(i.callee, Address) or i.callee.symbol not in self.program.codes:
            raise NotCompact("a call through a pointer", i.loc)
        callee = self.program.codes[i.callee.symbol].function
        if len(callee.params) != len(i.args) or any(i.byval) or i.callee.offset:
            raise NotCompact("a call with other arguments than parameters", i.loc)
        for parameter, argument in zip(callee.params, i.args, strict=True):
            given = self.use(argument, i)
            self.emit(op.MOVE, self.program.register(callee, parameter.register), given)
        self.program.refer(callee.name)
        self.emit(op.CALL, self.program.links[callee.name])
        if i.result is not None:
            self.emit(op.MOVE, self.reg(i.result), self.program.value)

    def library(self, i: Library) -> None:
        lowered = LIBRARY_CALLS.get(i.function)
        if lowered is None:
            raise NotCompact(f"the function '{i.name or i.function}'", i.loc)
        lowered(self, i)


HANDLERS: dict[type[Instruction], Callable[[FunctionLowering, Instruction], None]] = {
    Binary: FunctionLowering.binary,  # type: ignore[dict-item]
    Compare: FunctionLowering.compare,  # type: ignore[dict-item]
    Cast: FunctionLowering.cast,  # type: ignore[dict-item]
    Select: FunctionLowering.select,  # type: ignore[dict-item]
    Freeze: FunctionLowering.freeze,  # type: ignore[dict-item]
    Alloca: FunctionLowering.alloca,  # type: ignore[dict-item]
    Load: FunctionLowering.load,  # type: ignore[dict-item]
    Store: FunctionLowering.store,  # type: ignore[dict-item]
    AtomicRmw: FunctionLowering.update,  # type: ignore[dict-item]
    CompareExchange: FunctionLowering.exchange,  # type: ignore[dict-item]
    ExtractValue: FunctionLowering.extract,  # type: ignore[dict-item]
    Fence: FunctionLowering.fence,  # type: ignore[dict-item]
    GetElementPtr: FunctionLowering.element,  # type: ignore[dict-item]
    Branch: FunctionLowering.branch,  # type: ignore[dict-item]
    CondBranch: FunctionLowering.cond_branch,  # type: ignore[dict-item]
    Switch: FunctionLowering.switch,  # type: ignore[dict-item]
    Return: FunctionLowering.ret,  # type: ignore[dict-item]
    Unreachable: FunctionLowering.unreachable,  # type: ignore[dict-item]
    Call: FunctionLowering.call,  # type: ignore[dict-item]
    Library: FunctionLowering.library,  # type: ignore[dict-item]
}
