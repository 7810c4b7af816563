"""Gates in the text of the IR that was verified: before and after each operation, nothing else.

Nothing is reordered, merged or invented before the gates are in; the compiler optimises afterwards,
which is sound because the gates order all conflicting accesses (see irs/native/irs.h).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from imc.errors import Unsupported
from imc.execution.native.by_value import rewrite
from imc.execution.native.copies import (
    LAYOUT,
    UNDECLARED,
    UNFORESEEN,
    Copy,
    declaration,
    layout_lists,
    layout_name,
    rewrite_copy,
    variable_layout,
    variables_of,
)
from imc.execution.native.operations import GuardCell, Operation, Operations
from imc.execution.native.wide import is_wide, rewrite_wide
from imc.frontend.library import ATOMIC_FUNCTION
from imc.frontend.link import LIBC
from imc.program.instructions import Call, Instruction, Library, Load, Return, Store
from imc.program.library import LIBRARY, Ends
from imc.program.program import Function
from imc.program.types import FloatType, IntType, PtrType, Type

ERRNO = "@__errno_location"

DECLARATIONS = {
    "irs_enter": "void @irs_enter(i32)",
    "irs_leave": "void @irs_leave()",
    "irs_enter_rarely": "void @irs_enter_rarely(i32) cold",
    "irs_leave_rarely": "void @irs_leave_rarely() cold",
    "irs_take_back": "void @irs_take_back()",
    "irs_executed": "void @irs_executed(i32)",
    "irs_at": "void @irs_at(i32)",
    "irs_atomic_begin": "void @irs_atomic_begin()",
    "irs_atomic_begin_ungated": "void @irs_atomic_begin_ungated()",
    "irs_atomic_end": "void @irs_atomic_end()",
    "irs_assume": "void @irs_assume(i32)",
    "irs_assert": "void @irs_assert(i32)",
    "irs_reach_error": "void @irs_reach_error() noreturn",
}
_DEBUG = re.compile(r", !dbg !\d+")
_ALIASING = re.compile(r", !(?:tbaa|tbaa\.struct|noalias|alias\.scope) !\d+")
_RESULT = re.compile(r"^(\s*)((?:%\S+|%\"[^\"]*\") = )?")


class Instrumented:
    """The modules of a program with gates, by name; `counted` numbers operations to be counted."""

    def __init__(self, operations: Operations, counted: Mapping[int, int]) -> None:
        self.operations = operations
        self.gated = operations.schedule is not None
        self.counted = counted
        self.copies = self._all_copies()
        self.texts = {name: self._module(name, text) for name, text in self._modules().items()}

    def _all_copies(self) -> dict[int, Copy]:
        """Copies in several steps, by the numbers of their operations."""
        gated = [o for o in self.operations.all if self.gated and o.action == "gate"]
        found = ((o.number, self.operations.copy(o)) for o in gated if any(o.function.lines))
        return {number: copy for number, copy in found if copy is not None}

    def _modules(self) -> dict[str, str]:
        """Modules that have a function or a variable of the program."""
        program = self.operations.program
        used = {f.module for f in program.functions.values() if any(f.lines)}
        used |= {program.origins[n][0] for n in program.globals if n in program.origins}
        return {name: text for name, text in program.texts.items() if name in used}

    def _module(self, name: str, text: str) -> str:
        lines = text.split("\n")
        edits = _Edits(lines, self._declared(lines))
        functions = [f for f in self.operations.program.functions.values() if f.module == name]
        events: dict[str, dict[int, Operation]] = defaultdict(dict)
        for operation in self.operations.all:
            events[operation.function.name][operation.pc] = operation
        for function in functions:
            self._function(function, events[function.name], edits)
        cells = {
            number: replace(cell, variable=self.operations.program.origins[cell.variable][1])
            for number, cell in enumerate(self.operations.cells.values())
            if self._home(cell) == name
        }
        own = [o.number for o in self.operations.all if o.function.module == name]
        lines = self._layouts(name, {n: self.copies[n] for n in own if n in self.copies})
        return self._with_own_libc(edits.text()) + _cell_constants(cells) + "\n".join((*lines, ""))

    def _layouts(self, name: str, copies: Mapping[int, Copy]) -> list[str]:
        """What the run-time has to know of memory that is copied in a module, or is its own."""
        program = self.operations.program
        lines = [line for n, copy in copies.items() for line in layout_lists(n, copy)]
        own = {v for v in variables_of(self.copies.values()) if program.origins[v][0] == name}
        elsewhere = [layout_name(v) for v in sorted(variables_of(copies.values()) - own)]
        used = [*elsewhere, UNDECLARED, UNFORESEEN] if copies else []
        lines += [f"{layout} = external constant {LAYOUT}" for layout in used]
        for variable in sorted(own):
            type, symbol = program.globals[variable].type, program.origins[variable][1]
            lines += variable_layout(variable, symbol, program.layout, type)
        return lines

    def _with_own_libc(self, text: str) -> str:
        """The bundled C library was verified, so it is what runs: beside the system's own."""
        functions = self.operations.program.functions.values()
        names = [f.name for f in functions if f.module.startswith(str(LIBC)) and any(f.lines)]
        if not names:
            return text
        called = re.compile(rf"@({'|'.join(map(re.escape, names))})\b(?![.$])")
        return "\n".join(
            line
            # What the system's library leaves in errno has to be found there.
            if ' c"' in line or (ERRNO in line and not line.startswith("define "))
            else called.sub(r"@imc.\1", line)
            for line in text.split("\n")
        )

    def _home(self, cell: GuardCell) -> str:
        """The module that defines a variable."""
        home = self.operations.program.origins.get(cell.variable)
        if home is None:
            raise Unsupported(f"a guard on '{cell.variable}' is not built natively")
        return home[0]

    def _declared(self, lines: list[str]) -> dict[str, str]:
        """The declarations of the module, by name, without their debug information."""
        found = {}
        for line in lines:
            if line.startswith("declare "):
                name = re.search(r"@([\w.$]+)\(", line)
                if name is not None:
                    found[name[1]] = re.sub(r" !dbg !\d+", "", line)
        return found

    def _function(self, function: Function, events: Mapping[int, Operation], edits: _Edits) -> None:
        for pc, i in enumerate(function.code):
            line = function.lines[pc]
            if line == 0:
                continue
            operation = events.get(pc)
            if isinstance(i, Library):
                self._library(i, operation, line, edits)
            if operation is not None:
                self._operation(operation, line, edits)

    # -------------------------------------------------------------------- library calls

    def _library(self, i: Library, operation: Operation | None, line: int, edits: _Edits) -> None:
        if operation is not None and operation.action in ("skip", "pass"):
            edits.leave_out(line)
            return
        match i.function:
            case "nondet":
                edits.replace_call(line, f"{_input(i.type, i.name)}()")
            case "assume" | "assert":
                edits.replace_condition(line, i.name, f"irs_{i.function}")
            case "error":
                edits.replace_call(line, "void @irs_reach_error()", ["irs_reach_error"])
            case "atomic_begin" | "atomic_end":
                free = operation is not None and operation.action == "free"
                self._atomic(i, f"irs_{i.function}" + "_ungated" * free, line, edits)
            case _:
                self._runtime(i, line, edits)

    def _atomic(self, i: Library, new: str, line: int, edits: _Edits) -> None:
        if not ATOMIC_FUNCTION.match(i.name):
            edits.replace_call(line, f"void @{new}()", [new])
        elif i.function == "atomic_begin":  # the whole function that is called is the section
            edits.before(line, new)
        else:
            edits.after(line, new)

    def _runtime(self, i: Library, line: int, edits: _Edits) -> None:
        function = LIBRARY[i.function]
        new = function.native.get(i.name) if self.gated or function.native_always else None
        if new is not None:
            edits.rename_call(line, i.name, new)

    # ---------------------------------------------------------------------------- gates

    def _operation(self, operation: Operation, line: int, edits: _Edits) -> None:
        i = operation.instruction
        counter = self.counted.get(operation.number)
        if counter is not None:
            edits.before(line, "irs_executed", counter)
        if not self.gated or operation.action == "skip":
            return
        if isinstance(i, Call):
            self._copies(operation, i, line, edits)
            return
        if operation.number in self.copies:
            edits.replace_copy(line, operation.number, i, self.copies[operation.number])
            return
        if isinstance(i, Load | Store) and is_wide(i, self.operations.program.layout):
            self._words(operation, i, line, edits)
            return
        several = isinstance(i, Library) and LIBRARY[i.function].phases
        if operation.action == "pass":
            for _ in range(1 + several):
                edits.before(line, "irs_enter", operation.number)
                edits.before(line, "irs_leave")
            return
        if operation.action == "free":
            if several:
                edits.before(line, "irs_at", 0xFFFF_FFFF)
            return
        if several:
            edits.before(line, "irs_at", operation.number)
            return
        suffix = "" if operation.known else "_rarely"
        atomic = isinstance(i, Library) and i.function == "atomic_begin"
        edits.before(line, f"irs_enter{suffix}", operation.number, first=True)
        if isinstance(i, Library) and LIBRARY[i.function].ends is Ends.THREAD:
            edits.before(line, "irs_take_back")  # of what it was about to do once
        if isinstance(i, Return) or _does_not_come_back(i):
            edits.before(line, f"irs_leave{suffix}")
        elif not atomic:  # the end of the section leaves
            edits.after(line, f"irs_leave{suffix}")

    def _copies(self, operation: Operation, call: Call, line: int, edits: _Edits) -> None:
        """Structs that are passed by value are read between gates, each part by itself."""
        if operation.action == "free":
            return
        layout = self.operations.program.layout
        rewritten = rewrite(edits.line(line), line, call, layout)
        edits.insert(min(filter(None, operation.function.lines)), rewritten.locals)
        suffix = "" if operation.known else "_rarely"
        for moves in rewritten.parts:
            edits.before(line, f"irs_enter{suffix}", operation.number)
            edits.insert(line, moves)
            edits.before(line, f"irs_leave{suffix}")
        edits.replace(line, rewritten.line)

    def _words(self, operation: Operation, access: Load | Store, line: int, edits: _Edits) -> None:
        """An access that is wider than a word is several, each between gates."""
        if operation.action == "free":
            return
        rewritten = rewrite_wide(edits.line(line), line, access, self.operations.program.layout)
        edits.insert(min(filter(None, operation.function.lines)), [rewritten.local])
        add = edits.insert if isinstance(access, Load) else edits.append
        suffix = "" if operation.known else "_rarely"
        for moves in rewritten.words:
            enter = edits.call(line, f"irs_enter{suffix}", operation.number)
            add(line, [enter, *moves, edits.call(line, f"irs_leave{suffix}")])
        edits.replace(line, rewritten.line)


class _Edits:
    """Changes to the lines of one module; lines are numbered from 1."""

    def __init__(self, lines: list[str], declared: Mapping[str, str]) -> None:
        self._lines = lines
        self._declared = declared
        self._changed: dict[int, str] = {}
        self._before: dict[int, list[str]] = defaultdict(list)
        self._after: dict[int, list[str]] = defaultdict(list)
        self._needed: dict[str, str] = {}

    def line(self, number: int) -> str:
        return self._changed.get(number, self._lines[number - 1])

    def _need(self, name: str, declaration: str = "") -> None:
        self._needed.setdefault(name, declaration or f"declare {DECLARATIONS[name]}")

    def call(self, number: int, function: str, argument: int | None = None) -> str:
        """A call of the run-time, in the place of a line."""
        self._need(function)
        given = "" if argument is None else f"i32 {argument}"
        return f"  call void @{function}({given}){self._debug(number)}"

    def _debug(self, number: int) -> str:
        found = _DEBUG.search(self._lines[number - 1])
        return found[0] if found else ""

    def before(
        self, number: int, function: str, argument: int | None = None, first: bool = False
    ) -> None:
        calls = self._before[number]
        calls.insert(0 if first else len(calls), self.call(number, function, argument))

    def insert(self, number: int, lines: Sequence[str]) -> None:
        """Instructions before a line, behind those that are there already."""
        self._before[number] += lines

    def replace(self, number: int, line: str) -> None:
        self._changed[number] = line

    def after(self, number: int, function: str) -> None:
        self._after[number].append(self.call(number, function))

    def append(self, number: int, lines: Sequence[str]) -> None:
        """Instructions behind a line, and behind those that are there already."""
        self._after[number] += lines

    def replace_copy(self, number: int, site: int, i: Instruction, copy: Copy) -> None:
        """The run-time copies, with a gate for each step."""
        assert isinstance(i, Library)
        result = _RESULT.match(self.line(number))
        assigned = (result[2] or "") if result is not None else ""
        debug = self._debug(number)
        lines = rewrite_copy(self.line(number), site, i, copy, assigned, debug)
        self._need(copy.performer, declaration(copy))
        self._changed[number] = "\n".join(lines)

    def leave_out(self, number: int) -> None:
        """The call is not made: its result is 0."""
        line = self.line(number)
        result = _RESULT.match(line)
        assert result is not None
        type = re.search(r"call (?:\w+ )*?(i\d+|void) ", line)
        if result[2] is None:
            self._changed[number] = ""
        else:
            self._changed[number] = f"  {result[2]}add {type[1] if type else 'i32'} 0, 0"

    def replace_call(self, number: int, call: str, needs: Collection[str] = ()) -> None:
        """Another call in the place of the line's, with the same result."""
        line = self.line(number)
        result, debug = _RESULT.match(line), _DEBUG.search(line)
        assert result is not None
        assigned = (result[2] or "") if not call.startswith("void ") else ""
        self._changed[number] = f"  {assigned}call {call}" + (debug[0] if debug else "")
        for name in needs:
            self._need(name)
        if not needs:
            name = call[call.index("@") + 1 : call.index("(")]
            self._need(name, f"declare {call}")

    def replace_condition(self, number: int, name: str, new: str) -> None:
        """A call with a truth value of any width becomes one with an i32."""
        line = self.line(number)
        call = re.search(rf"@{re.escape(name)}\(([^,)]*)", line)
        if call is None:
            raise Unsupported(f"{name} is not built natively where it is called so")
        words = call[1].split()
        value, kind = words[-1], words[0]
        zero = "null" if kind == "ptr" else "0"
        debug = _DEBUG.search(line)
        tail = debug[0] if debug else ""
        self._need(new)
        self._changed[number] = "\n".join(
            (
                f"  %irs.{number} = icmp ne {kind} {value}, {zero}{tail}",
                f"  %irs.{number}.wide = zext i1 %irs.{number} to i32{tail}",
                f"  call void @{new}(i32 %irs.{number}.wide){tail}",
            )
        )

    def rename_call(self, number: int, name: str, new: str) -> None:
        """The call of another function with the same type."""
        self._changed[number] = self.line(number).replace(f"@{name}(", f"@{new}(", 1)
        declaration = self._declared.get(name)
        if declaration is None:
            raise Unsupported(f"the program defines '{name}' itself")
        self._need(new, declaration.replace(f"@{name}(", f"@{new}("))

    def text(self) -> str:
        result: list[str] = []
        for number, line in enumerate(self._lines, 1):
            result += self._before.get(number, ())
            result.append(_ALIASING.sub("", self._changed.get(number, line)))
            result += self._after.get(number, ())
        return "\n".join((*result, *self._needed.values(), ""))


def _does_not_come_back(i: Instruction) -> bool:
    """Whether a call cannot leave its gate when it is over."""
    return isinstance(i, Library) and LIBRARY[i.function].ends in (
        Ends.FRAME,
        Ends.THREAD,
        Ends.PROGRAM,
    )


def _input(type: Type, name: str) -> str:
    """The declaration of the run-time's function that gives values of a type."""
    match type:
        case IntType(1):
            return "zeroext i1 @irs_input_i1"
        case IntType(width) if width in (8, 16, 32, 64):
            word = "truth" if name.endswith("_bool") else f"i{width}"
            return f"i{width} @irs_input_{word}"
        case FloatType(kind) if kind in ("float", "double"):
            return f"{kind} @irs_input_{kind}"
        case PtrType():
            return "ptr @irs_input_ptr"
    raise Unsupported(f"inputs of the type of {name} are not built natively")


def _cell_constants(cells: Mapping[int, GuardCell]) -> str:
    """Each in the module of its variable, which may be static."""
    return "".join(
        f"@irs_cell_{n} = constant {{ ptr, i32 }} "
        f"{{ ptr getelementptr (i8, ptr @{c.variable}, i64 {c.offset}), i32 {c.size} }}\n"
        for n, c in cells.items()
    )
