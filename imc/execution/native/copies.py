"""Copies of shared memory in several steps: what the run-time has to know of the memory.

The events of a copy are its pieces, and what these are depends on how the memory was declared. Of
variables the run-time knows it by their addresses; of any other memory it must be the same whatever
a pointer leads to, or the copy is not built.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from imc.execution.native.call_text import call_operands
from imc.program.analysis.addresses import AbstractObject
from imc.program.analysis.sharing import Sharing
from imc.program.instructions import Alloca, Const, Library, Operand, Reg
from imc.program.library import LIBRARY
from imc.program.program import Function
from imc.program.types import ArrayType, DataLayout, IntType, Type

UNDECLARED, UNFORESEEN = "@irs_undeclared", "@irs_unforeseen"  # see irs/native/copies.c
LAYOUT = "{ ptr, i64, i64, ptr }"
WIDEST = 16  # that is moved at once
LARGEST = 1 << 16  # of what is described byte by byte

Scalars = tuple[int, ...]  # at each offset, the size of the scalar that begins there, or 0


@dataclass(frozen=True, slots=True)
class Reached:
    """What a pointer of a copy may lead to: variables, and anything else of one layout."""

    variables: tuple[str, ...]
    other: Scalars | None  # None: it was not declared
    foreseen: bool  # whether there is anything else

    @property
    def is_declared(self) -> bool:
        """Whether it decides what the pieces are, whatever is at the other end of the copy."""
        return self.other is not None or not self.foreseen


ANYTHING = Reached((), None, True)


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy, or a fill, that the run-time performs: who does it, and its pointers' memory."""

    performer: str
    memories: tuple[Reached, ...]


def copy_of(sharing: Sharing, function: Function, i: Library) -> Copy | None:
    """How a copy in several steps is built; None if that is not possible."""
    entry = LIBRARY[i.function]
    if not entry.native_pieces:
        return None
    size = i.args[2].value if isinstance(i.args[2], Const) else None
    target, *sources = (
        _memory(sharing, function, i.args[k], size) for k in (*entry.writes, *entry.reads)
    )
    if any(source is not None and source.is_declared for source in sources):
        target = ANYTHING
    memories = tuple(memory for memory in (target, *sources) if memory is not None)
    return Copy(entry.native_pieces, memories) if len(memories) == 1 + len(sources) else None


def _memory(
    sharing: Sharing, function: Function, pointer: Operand, size: float | None
) -> Reached | None:
    program = sharing.program
    variables, others = [], set()
    for thing in sharing.pointers.of(function.name, pointer):
        variable = program.globals.get(thing.function) if thing.kind == "global" else None
        if variable is None:
            others.add(_other(sharing, thing, _is_made_by(pointer, function, thing), size))
        elif variable.thread_local or scalars(program.layout, variable.type) is None:
            return None
        else:
            variables.append(variable.name)
    if len(others) > 1 or False in others:
        return None
    other = next(iter(others), None)
    return Reached(
        tuple(sorted(variables)), other if isinstance(other, tuple) else None, bool(others)
    )


def _other(
    sharing: Sharing, thing: AbstractObject, is_start: bool, size: float | None
) -> Scalars | bool:
    """The layout of memory that is no variable; True if it was not declared, False if unknown."""
    functions, layout = sharing.program.functions, sharing.program.layout
    code = functions[thing.function].code if thing.function in functions else ()
    maker = code[thing.pc] if 0 <= thing.pc < len(code) else None
    if isinstance(maker, Library):
        return LIBRARY[maker.function].returns_aligned
    if not isinstance(maker, Alloca):
        return False
    # A copy of all of it begins where it begins.
    single = isinstance(maker.count, Const) and maker.count.value == 1
    whole = single and size == layout.size(maker.type)
    found = scalars(layout, maker.type) if is_start or whole else None
    return found if found is not None else False


def _is_made_by(pointer: Operand, function: Function, thing: AbstractObject) -> bool:
    maker = function.code[thing.pc] if thing.function == function.name and thing.pc >= 0 else None
    return isinstance(pointer, Reg) and maker is not None and maker.result == pointer.index


def scalars(layout: DataLayout, type: Type) -> Scalars | None:
    """What memory of a type is made of, again and again; None if that is too much to be told."""
    while isinstance(type, ArrayType):
        type = type.element
    size = max(layout.size(type), 1)
    if size > LARGEST:
        return None
    found = (layout.scalar_at(type, at) or 0 for at in range(size))
    return tuple(n if n <= WIDEST else 0 for n in found)


# ------------------------------------------------------------------------ in the text of the IR


def rewrite_copy(
    line: str, site: int, i: Library, copy: Copy, result: str, debug: str
) -> list[str]:
    """The lines that take the place of the call at an operation with this number."""
    texts = [line[start:end] for start, end in call_operands(line)]
    lines, given = [], []
    for nth, type in enumerate(i.arg_types[:3]):
        text = texts[nth]
        wanted = 64 if nth == 2 else 32
        if isinstance(type, IntType) and type.width != wanted:
            lines.append(f"  %irs.copied.{site}.{nth} = zext i{type.width} {text} to i{wanted}")
            text = f"%irs.copied.{site}.{nth}"
        given.append(f"i{wanted} {text}" if isinstance(type, IntType) else f"ptr {text}")
    lists = [f"ptr {list_name(site, nth)}" for nth in range(len(copy.memories))]
    call = ", ".join([f"i32 {site}", *given, *lists])
    lines.append(f"  call void @{copy.performer}({call}){debug}")
    if result:
        lines.append(f"  {result}getelementptr i8, ptr {texts[0]}, i64 0{debug}")
    return lines


def declaration(copy: Copy) -> str:
    """Of who performs it."""
    middle = "ptr" if len(copy.memories) == 2 else "i32"
    lists = ", ".join(["ptr"] * len(copy.memories))
    return f"declare void @{copy.performer}(i32, ptr, {middle}, i64, {lists})"


def list_name(site: int, nth: int) -> str:
    return f"@irs.layouts.{site}.{nth}"


def layout_name(variable: str) -> str:
    return f'@"irs.layout.{variable}"'


def layout_lists(site: int, copy: Copy) -> list[str]:
    """The constants that tell of a copy's memory; those of variables are where these are."""
    lines = []
    for nth, memory in enumerate(copy.memories):
        name = list_name(site, nth)
        last = UNDECLARED if memory.foreseen else UNFORESEEN
        if memory.other is not None:
            lines += _layout(f"{name}.other", "null", 0, memory.other, "private ")
            last = f"{name}.other"
        entries = [*(layout_name(v) for v in memory.variables), last]
        elements = ", ".join(f"ptr {entry}" for entry in entries)
        lines.append(f"{name} = private constant [{len(entries)} x ptr] [{elements}]")
    return lines


def variable_layout(variable: str, symbol: str, layout: DataLayout, type: Type) -> list[str]:
    """The constant that tells of a variable, for the module that defines it."""
    told = scalars(layout, type)
    assert told is not None
    name = layout_name(variable)
    return _layout(name, f"@{symbol}", layout.size(type), told, "")


def _layout(name: str, base: str, size: int, told: Scalars, linkage: str) -> list[str]:
    data = f'{name[:-1]}.scalars"' if name.endswith('"') else f"{name}.scalars"
    elements = ", ".join(f"i8 {n}" for n in told)
    return [
        f"{data} = private constant [{len(told)} x i8] [{elements}]",
        f"{name} = {linkage}constant {LAYOUT} "
        f"{{ ptr {base}, i64 {size}, i64 {len(told)}, ptr {data} }}",
    ]


def variables_of(copies: Iterable[Copy]) -> set[str]:
    return {name for copy in copies for memory in copy.memories for name in memory.variables}
