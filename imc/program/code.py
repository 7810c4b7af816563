"""Programs made ready to run: every function as a list of closures, every global in memory.

A function is prepared twice: `local` stops at visible instructions, `full` runs them. Constants are
kept behind the registers of a frame, so that every operand is an index.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from functools import cached_property
from typing import TYPE_CHECKING

from imc.errors import SourceLoc, Unsupported
from imc.program.analysis.exchanges import exchanges
from imc.program.analysis.liveness import live_registers, unused
from imc.program.analysis.loops import loops
from imc.program.analysis.moves import tolerant
from imc.program.analysis.promotion import promotable
from imc.program.analysis.services import services
from imc.program.analysis.shapes import Shapes
from imc.program.analysis.sharing import END_OF_THREAD, Sharing
from imc.program.domain import BinaryOp, Domain
from imc.program.events import Mode
from imc.program.instructions import (
    Address,
    AggregateConst,
    BlockAddress,
    BytesConst,
    Call,
    Const,
    ConstExpr,
    Instruction,
    Library,
    Operand,
    Reg,
    Undef,
    Zero,
)
from imc.program.library import LIBRARY
from imc.program.library.specific import BEGUN, ends_later
from imc.program.machine import PAUSE, STOP
from imc.program.memory import MemoryObject
from imc.program.objects import ObjectInfo, ObjectTable, ThreadTable
from imc.program.program import Function, GlobalVariable, Program
from imc.program.semantics import Op, prepare
from imc.program.settings import Settings
from imc.program.state import Frame
from imc.program.types import FloatType, IntType, StructType, Type, is_aggregate
from imc.program.values import UNDEF, Aggregate, BlockRef, Value, settled
from imc.program.watch import Watch

if TYPE_CHECKING:
    from imc.program.machine import Machine


Site = tuple[str, int]  # a function, and the number of an instruction in it
VARIABLE_ARGUMENT = -1_000_000  # the place where copies of variable arguments are made


def _stop(machine: Machine, regs: list[Value]) -> int:
    return STOP


def _pause(machine: Machine, regs: list[Value]) -> int:
    return PAUSE


class FunctionCode:
    """A function ready to run."""

    def __init__(self, image: Image, function: Function, number: int) -> None:
        self.image = image
        self.function = function
        self.number = number
        self.promoted = promotable(function, image.layout)
        self.tolerant = tolerant(function)
        self.proto: list[Value] = [UNDEF] * len(function.registers)
        self._pool: dict[object, int] = {}
        self.visible = image.sharing.visible_in(function.name)
        self.casts = image.sharing.pointers.casts
        self.full: list[Op] = [prepare(self, pc, i) for pc, i in enumerate(function.code)]
        self.local: list[Op] = [
            _stop if pc in self.visible else _pause if reads_input(i) else op
            for pc, (i, op) in enumerate(zip(function.code, self.full, strict=True))
        ]
        self.names = [operation_name(i) for i in function.code]
        self.locs: list[SourceLoc | None] = [i.loc for i in function.code]
        self.live = live_registers(function, self.promoted)
        self._params = [p.register for p in function.params]

    @cached_property
    def services(self) -> frozenset[int]:
        """Where loops begin that nothing leads out of."""
        return services(self.function)

    @cached_property
    def loops(self) -> list[frozenset[int]]:
        """The outermost loops."""
        return loops(self.function)

    @cached_property
    def exchanges(self) -> frozenset[int]:
        """Where threads may hand something to each other, here or in what is called."""
        return self.image.exchanges.get(self.function.name, frozenset())

    def unused(self, register: int | None) -> bool:
        """Whether nobody looks at the value of a register."""
        return unused(self.function, self.promoted, register)

    def frame(self, args: list[Value]) -> Frame:
        """A new activation."""
        regs = self.proto.copy()
        for register, value in zip(self._params, args, strict=False):
            regs[register] = value if register in self.tolerant else settled(value)
        return Frame(self, regs)

    def copy_site(self, nth: int) -> tuple[str, Site]:
        """Name and place of the copy of an argument that is passed by value."""
        params = self.function.params
        if nth >= len(params):
            return "variable argument", (self.function.name, VARIABLE_ARGUMENT - nth)
        register = params[nth].register
        return self.function.registers[register].name, (self.function.name, -1 - register)

    def operand(self, operand: Operand) -> int:
        """Where a frame holds the operand: a register, or a constant behind the registers."""
        if isinstance(operand, Reg):
            return operand.index
        return self.constant(self.image.constant(operand))

    def constant(self, value: Value) -> int:
        key = (
            value.__class__,
            repr(value),
        )  # 0, 0.0, -0.0 and False are different constants
        index = self._pool.get(key)
        if index is None:
            index = self._pool[key] = len(self.proto)
            self.proto.append(value)
        return index


def reads_input(instruction: Instruction) -> bool:
    """Whether the environment chooses the result: then the step ends, so that loops can close."""
    return isinstance(instruction, Library) and LIBRARY[instruction.function].reads_input


def operation_name(instruction: Instruction) -> str:
    if isinstance(instruction, Library):
        return instruction.name or instruction.function
    if isinstance(instruction, Call):
        return "copy"  # of a struct that is passed by value: no other call is an event
    return type(instruction).__name__.lower()


class Image:
    """A program loaded for running in a domain."""

    def __init__(
        self, program: Program, domain: Domain, settings: Settings, sharing: Sharing
    ) -> None:
        self.program = program
        self.domain = domain
        self.settings = settings
        self.sharing = sharing
        self.layout = program.layout
        domain.pointer_bits = 8 * program.layout.pointer_bytes
        self.objects = ObjectTable()
        self.threads = ThreadTable()
        self.functions: dict[int, str] = {}
        self.symbols: dict[str, int] = {}
        self.constants: dict[int, MemoryObject] = {}
        self.variables: dict[int, MemoryObject] = {}
        self.bounds: set[str] = set()  # limits that some run has hit
        self.watch = Watch()
        self.deadline: float | None = None  # of time.monotonic()
        self.computes_until: float | None = None  # of time.process_time()
        self.shapes: dict[Hashable, int] = {}  # parts of states that StateKeys has numbered
        self.words = Shapes(program, sharing.pointers)
        self._code: dict[str, FunctionCode] = {}
        self._equality: dict[int, BinaryOp] = {}
        self._load()

    def told(
        self, kind: str, name: str, site: Site, size: int, loc: SourceLoc | None, type: Type | None
    ) -> ObjectInfo:
        """What reports say about an object that the program makes at a place of its code."""
        if kind != "heap":
            return ObjectInfo(kind, name, loc, self.words.local(type), type)
        record = self.words.record(site, size)
        if record is not None and record.name:
            name = record.name + (f" (line {loc.line})" if loc is not None else "")
        return ObjectInfo(kind, name, loc, self.words.heap(site, size), type)

    def thread_end(self, machine: Machine) -> bool:
        """Lets a thread that ends do what it still has to; whether that was anything."""
        thread = machine.thread
        if END_OF_THREAD not in self.program.functions or not ends_later(machine):
            return False
        thread.ending = thread.ending or BEGUN
        machine.call(self.code(END_OF_THREAD), [])
        return True

    @cached_property
    def exchanges(self) -> dict[str, frozenset[int]]:
        return exchanges(self.sharing)

    @cached_property
    def ends_visibly(self) -> bool:
        """Whether the end of a thread can be an event of its own."""
        return END_OF_THREAD in self.program.functions and (
            self.shares_thread_locals
            or self.sharing.cancelling.ends_matter
            or any(
                isinstance(i, Library) and i.function == "thread_setspecific"
                for _, _, i in self.program.instructions()
            )
        )

    @cached_property
    def shares_thread_locals(self) -> bool:
        """Whether a thread may use another one's variable, and so notice when it ends."""
        return bool(self.sharing.shared_thread_locals)

    def out_of_time(self) -> bool:
        if self.computes_until is not None and time.process_time() >= self.computes_until:
            return True
        return self.deadline is not None and time.monotonic() >= self.deadline

    def equality(self, width: int) -> BinaryOp:
        if width not in self._equality:
            self._equality[width] = self.domain.compare("eq", IntType(width))
        return self._equality[width]

    def code(self, name: str) -> FunctionCode:
        code = self._code.get(name)
        if code is None:
            function = self.program.functions[name]
            if function.is_declaration:
                raise Unsupported(f"the function '{name}' has no body", function.loc)
            code = self._code[name] = FunctionCode(self, function, len(self._code))
        return code

    def code_number(self, number: int) -> FunctionCode:
        """The function whose code has a number."""
        return next(code for code in self._code.values() if code.number == number)

    def pointer(self, number: int) -> Value:
        """The pointer that an integer stands for, if it was made from one."""
        pointer = self.domain.pointer(number)
        known = pointer.__class__ is tuple and pointer[0] < len(self.objects.infos)
        return pointer if known else number

    def function_at(self, pointer: Value) -> FunctionCode | None:
        """The function that a pointer calls, if it is one."""
        if pointer.__class__ is not tuple or pointer[1] != 0 or pointer[0] not in self.functions:
            return None
        return self.code(self.functions[pointer[0]])

    # ---------------------------------------------------------------- globals

    def _load(self) -> None:
        for name, function in self.program.functions.items():
            number = self.objects.intern(
                ("function", name), ObjectInfo("function", name, function.loc)
            )
            self.functions[number] = name
            self.symbols[name] = number
        for name, variable in self.program.globals.items():
            if not variable.alias:
                self.symbols[name] = self._intern(variable)
        for variable in self.program.globals.values():
            if variable.thread_local or variable.alias:
                continue
            home = self.constants if self._is_constant(variable) else self.variables
            home[self.symbols[variable.name]] = self.initial(variable)

    def _is_constant(self, variable: GlobalVariable) -> bool:
        return variable.constant and variable.initializer is not None

    def _intern(self, variable: GlobalVariable) -> int:
        kind = (
            "tls"
            if variable.thread_local
            else "constant"
            if self._is_constant(variable)
            else "global"
        )
        name = variable.source_name or variable.name
        return self.objects.intern(
            ("global", variable.name),
            ObjectInfo(kind, name, variable.loc, variable.source_type, variable.type),
        )

    def initial(self, variable: GlobalVariable) -> MemoryObject:
        """The variable's first contents."""
        memory = MemoryObject(self.layout.size(variable.type), 0)
        if variable.initializer is not None:
            self._initialise(memory, 0, variable.initializer)
        return memory

    def _initialise(self, memory: MemoryObject, offset: int, value: Operand) -> None:
        match value:
            case Zero() | Undef():
                return
            case BytesConst(_, data):
                for i, byte in enumerate(data):
                    if byte:
                        memory.write(offset + i, 1, byte, self.domain)
            case AggregateConst(type, elements):
                for (at, _), element in zip(self.layout.elements(type), elements, strict=True):
                    self._initialise(memory, offset + at, element)
            case _:
                constant = self.constant(value)
                memory.write(offset, self.layout.store_size(value.type), constant, self.domain)

    def thread_local(self, name: str, thread: int, machine: Machine) -> Value:
        """The address of a thread's own instance of a thread-local variable."""
        number = self.thread_local_number(name, thread)
        if number not in machine.memory:
            machine.memory[number] = self.initial(self.program.globals[name])
            machine.owned.add(number)
        return (number, 0)

    def thread_local_number(self, name: str, thread: int) -> int:
        info = self.objects[self.symbols[name]]
        return self.objects.intern(("tls", name, thread), info)

    @cached_property
    def has_thread_locals(self) -> bool:
        return any(variable.thread_local for variable in self.program.globals.values())

    def drop_thread_locals(self, thread: int, machine: Machine) -> None:
        """The thread's own variables end with it, in an event if others may use them."""
        for name, variable in self.program.globals.items():
            if variable.thread_local:
                info = self.objects[self.symbols[name]]
                number = self.objects.intern(("tls", name, thread), info)
                if number in machine.memory:
                    size = max(machine.memory[number].size, 1)
                    if name in self.sharing.shared_thread_locals:
                        machine.touch(Mode.WRITE, (number, 0), size, True)
                    machine.release(number)

    # -------------------------------------------------------------- constants

    def constant(self, operand: Operand) -> Value:
        match operand:
            case Const(_, value):
                return value
            case Undef():
                return UNDEF
            case Zero(type):
                return self._zero(type)
            case AggregateConst(_, elements):
                return Aggregate(self.constant(e) for e in elements)
            case BytesConst(_, data):
                return Aggregate(data)
            case Address(_, symbol, offset):
                base = self._symbol(symbol)
                return self.domain.add_offset(base, offset)
            case BlockAddress(_, _, label):
                return BlockRef(label)
            case ConstExpr(type, op, operands):
                values = [self.constant(o) for o in operands]
                if len(values) == 2:
                    return self.domain.binary(op, type)(*values)
                return self.domain.cast(op, operands[0].type, type)(values[0])
        raise TypeError(f"not a constant: {operand}")

    def _symbol(self, symbol: str) -> Value:
        variable = self.program.globals.get(symbol)
        if variable is not None and variable.alias and variable.initializer is not None:
            return self.constant(variable.initializer)
        return (self.symbols[symbol], 0)

    def _zero(self, type: Type) -> Value:
        if isinstance(type, FloatType):
            return 0.0
        if is_aggregate(type):
            parts = (
                type.fields
                if isinstance(type, StructType)
                else [t for _, t in self.layout.elements(type)]
            )
            return Aggregate(self._zero(t) for t in parts)
        return 0

    def thread_local_symbol(self, operand: Operand) -> str | None:
        """The name of the thread-local variable that an operand is the address of."""
        if not isinstance(operand, Address):
            return None
        variable = self.program.globals.get(operand.symbol)
        return operand.symbol if variable is not None and variable.thread_local else None

    # ---------------------------------------------------------- program start

    def main_arguments(self, machine: Machine) -> list[Value]:
        """argc, argv and an empty environment, laid out in memory as the system would."""
        machine.thread = machine.state.threads[0]
        words = [self.program.name, *self.settings.arguments]
        pointer = self.layout.pointer_bytes
        table = machine.allocate("stack", pointer * (len(words) + 2), 0, "argv", ("main", -1))
        for i, word in enumerate(words):
            data = word.encode("utf-8", "surrogateescape") + b"\0"
            text = machine.allocate("stack", len(data), 0, f"argv[{i}]", ("main", -2 - i))
            machine.write_bytes(text, data)
            machine.store_int(table, i * pointer, pointer, text)
        return [len(words), table, (table[0], pointer * len(words))]
