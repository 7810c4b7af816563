"""A whole program: functions with flat code, global variables, and their source names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from imc.errors import SourceLoc
from imc.program.assumptions import Assumption
from imc.program.instructions import Instruction, Operand, Phi, Terminator
from imc.program.types import DataLayout, FunctionType, Type
from imc.records import record


@record
class Register:
    """A register's name (as in the IR, or empty) and type."""

    name: str
    type: Type


@record
class Block:
    """Phis, then straight-line instructions, the last of which is a terminator.

    `lines` says for each instruction of the body which line of its module's text it was read from,
    0 where it was made by us.
    """

    label: str
    phis: tuple[Phi, ...]
    body: tuple[Instruction, ...]
    lines: tuple[int, ...] = ()

    @property
    def terminator(self) -> Terminator:
        last = self.body[-1]
        assert isinstance(last, Terminator)
        return last


@record
class SourceType:
    """What a variable looks like in the source: enough to name the cell at an offset.

    `fields` are (offset, name, type) of a struct or union; `element` is an array's element.
    """

    name: str
    size: int
    fields: tuple[tuple[int, str, SourceType], ...] = ()
    element: SourceType | None = None
    count: int = 0
    signed: bool = True

    def leaf(self, offset: int) -> SourceType | None:
        """The scalar at `offset`, if the type knows it."""
        if self.element is not None:
            return self.element.leaf(offset % self.element.size) if self.element.size else None
        for at, _, kind in self.fields:
            if at <= offset < at + max(kind.size, 1):
                return kind.leaf(offset - at)
        return None if self.fields else self

    def path(self, offset: int, outermost: bool = False) -> str:
        """The source path of the cell at `offset`: "[3].head", or "" for the whole.

        With `outermost`, the path ends at a library's struct, as a lock's should.
        """
        if self.element is not None and self.element.size:
            index, rest = divmod(offset, self.element.size)
            return f"[{index}]{self.element.path(rest, outermost)}"
        if outermost and offset == 0 and self.name in LIBRARY_TYPES:
            return ""
        for at, name, kind in self.fields:
            if at <= offset < at + max(kind.size, 1):
                return (f".{name}" if name else "") + kind.path(offset - at, outermost)
        return f"+{offset}" if offset else ""


LIBRARY_TYPES = frozenset(
    [
        "mtx_t", "cnd_t", "once_flag", "sem_t",
        "pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t", "pthread_barrier_t",
        "pthread_spinlock_t", "pthread_once_t",
    ]
)  # fmt: skip


@record
class GlobalVariable:
    """A global or static variable. `initializer` is None for an undefined external one."""

    name: str
    type: Type
    initializer: Operand | None
    constant: bool = False
    thread_local: bool = False
    source_name: str = ""
    source_type: SourceType | None = field(default=None, compare=False)
    loc: SourceLoc | None = field(default=None, compare=False)
    linkage: str = ""  # internal, private, external, weak, common, …
    alias: bool = False  # an alias of the address in `initializer`


@record
class Parameter:
    register: int
    type: Type
    byval: Type | None = None


@dataclass(eq=False)
class Function:
    """A function: parameters, registers and blocks; `code` is the flat form that engines run."""

    name: str
    type: FunctionType
    params: tuple[Parameter, ...] = ()
    registers: list[Register] = field(default_factory=list)
    blocks: tuple[Block, ...] = ()  # empty for a declaration; the first one is the entry
    source_name: str = ""
    loc: SourceLoc | None = None
    linkage: str = ""
    module: str = ""  # whose text it was read from

    @property
    def is_declaration(self) -> bool:
        return not self.blocks

    @cached_property
    def code(self) -> tuple[Instruction, ...]:
        """All instructions but the phis; a program counter is an index into this."""
        return tuple(i for block in self.blocks for i in block.body)

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The line of the module's text that each program counter was read from, or 0."""
        return tuple(line for block in self.blocks for line in block.lines)

    @cached_property
    def starts(self) -> dict[str, int]:
        """Program counter of each block's first instruction."""
        starts, at = {}, 0
        for block in self.blocks:
            starts[block.label] = at
            at += len(block.body)
        return starts

    @cached_property
    def block_of(self) -> tuple[Block, ...]:
        """The block that each program counter lies in."""
        return tuple(block for block in self.blocks for _ in block.body)

    @cached_property
    def by_label(self) -> dict[str, Block]:
        return {block.label: block for block in self.blocks}


@dataclass(eq=False)
class Program:
    """What the front end hands to every engine."""

    name: str
    layout: DataLayout
    functions: dict[str, Function]
    globals: dict[str, GlobalVariable]
    entry: str = "main"
    digest: str = ""  # hash of the linked code and data, wherever they come from
    function_hashes: dict[str, str] = field(default_factory=dict)  # to say what differs
    variable_hashes: dict[str, str] = field(default_factory=dict)
    struct_types: dict[str, SourceType] = field(default_factory=dict)  # by LLVM's name
    assumptions: tuple[Assumption, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)  # the IR of each module
    origins: dict[str, tuple[str, str]] = field(default_factory=dict)  # a module, a name there
    libraries: tuple[str, ...] = ()  # flags that executables of it are linked with

    def instructions(self) -> Iterator[tuple[Function, int, Instruction]]:
        """Every instruction of every defined function, with its program counter."""
        for function in self.functions.values():
            for pc, instruction in enumerate(function.code):
                yield function, pc, instruction
