"""Gates in the text of the IR that was verified: before and after each operation, nothing else.

Nothing is reordered, merged or invented before the gates are in; the compiler optimises afterwards,
which is sound because the gates order all conflicting accesses (see irs/native/irs.h).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from imc.errors import Unsupported
from imc.execution.native.by_value import rewrite
from imc.execution.native.copies import (
    LAYOUT,
    UNDECLARED,
    UNFORESEEN,
    Copy,
    layout_lists,
    layout_name,
    variable_layout,
    variables_of,
)
from imc.execution.native.edits import Edits
from imc.execution.native.operations import GuardCell, Operation, Operations
from imc.execution.native.steps import Steps
from imc.execution.native.wide import is_wide, rewrite_wide
from imc.frontend.library import ATOMIC_FUNCTION
from imc.frontend.link import LIBC
from imc.program.instructions import Call, Instruction, Library, Load, Return, Store
from imc.program.library import LIBRARY, Ends, Visibility
from imc.program.program import Function
from imc.program.types import FloatType, IntType, PtrType, Type

NO_SITE = 0xFFFF_FFFF  # IRS_NONE: no gate
ERRNO = "@__errno_location"


class Instrumented:
    """The modules of a program with gates, by name; `counted` numbers operations to be counted."""

    def __init__(self, operations: Operations, counted: Mapping[int, int]) -> None:
        self.operations = operations
        self.gated = operations.schedule is not None
        self.counted = counted
        self.copies = self._all_copies()
        self.steps = self._all_steps()
        self.texts = {name: self._module(name, text) for name, text in self._modules().items()}

    def _all_copies(self) -> dict[int, Copy]:
        """Copies in several steps, by the numbers of their operations."""
        found = ((o.number, self.operations.copy(o)) for o in self._with_gates())
        return {number: copy for number, copy in found if copy is not None}

    def _all_steps(self) -> dict[int, Steps]:
        """Other calls in several steps, in the same way."""
        found = ((o.number, self.operations.steps(o)) for o in self._with_gates())
        return {number: steps for number, steps in found if steps is not None}

    def _with_gates(self) -> list[Operation]:
        gated = [o for o in self.operations.all if self.gated and o.action == "gate"]
        return [o for o in gated if any(o.function.lines)]

    def _modules(self) -> dict[str, str]:
        """Modules that have a function or a variable of the program."""
        program = self.operations.program
        used = {f.module for f in program.functions.values() if any(f.lines)}
        used |= {program.origins[n][0] for n in program.globals if n in program.origins}
        return {name: text for name, text in program.texts.items() if name in used}

    def _module(self, name: str, text: str) -> str:
        lines = text.split("\n")
        edits = Edits(lines, self._declared(lines))
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

    def _function(self, function: Function, events: Mapping[int, Operation], edits: Edits) -> None:
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

    def _library(self, i: Library, operation: Operation | None, line: int, edits: Edits) -> None:
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

    def _atomic(self, i: Library, new: str, line: int, edits: Edits) -> None:
        if not ATOMIC_FUNCTION.match(i.name):
            edits.replace_call(line, f"void @{new}()", [new])
        elif i.function == "atomic_begin":  # the whole function that is called is the section
            edits.before(line, new)
        else:
            edits.after(line, new)

    def _runtime(self, i: Library, line: int, edits: Edits) -> None:
        function = LIBRARY[i.function]
        new = function.native.get(i.name) if self.gated or function.native_always else None
        if self.gated and self.operations.sharing.cancelling.cancels:
            new = function.native_cancellable.get(i.name, new)
        if new is not None:
            edits.rename_call(line, i.name, new)

    # ---------------------------------------------------------------------------- gates

    def _operation(self, operation: Operation, line: int, edits: Edits) -> None:
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
        if operation.number in self.steps:
            assert isinstance(i, Library)
            edits.replace_steps(line, operation.number, i.name, self.steps[operation.number])
            return
        if isinstance(i, Load | Store) and is_wide(i, self.operations.program.layout):
            self._words(operation, i, line, edits)
            return
        several = isinstance(i, Library) and LIBRARY[i.function].phases
        if isinstance(i, Library) and LIBRARY[i.function].visible is Visibility.CANCELLABLE:
            site = NO_SITE if operation.action == "free" else operation.number
            edits.ahead(line, "irs_cancellation_point", site)
            return
        if operation.action == "pass":
            for _ in range(1 + several):
                edits.before(line, "irs_enter", operation.number)
                edits.before(line, "irs_leave")
            return
        several = several or (isinstance(i, Library) and i.cancellable)
        if operation.action == "free":
            if several:
                edits.before(line, "irs_at", NO_SITE)
            return
        if several:
            edits.before(line, "irs_at", operation.number)
            return
        suffix = "" if operation.known else "_rarely"
        atomic = isinstance(i, Library) and i.function == "atomic_begin"
        edits.before(line, f"irs_enter{suffix}", operation.number, first=True)
        if isinstance(i, Library) and LIBRARY[i.function].ends is Ends.THREAD:
            edits.before(line, "irs_begin_exit")  # takes back what it was about to do once
        if isinstance(i, Return) or _does_not_come_back(i):
            edits.before(line, f"irs_leave{suffix}")
        elif isinstance(i, Library) and LIBRARY[i.function].returns_twice:
            edits.after_first_return(line)
        elif not atomic:  # the end of the section leaves
            edits.after(line, f"irs_leave{suffix}")

    def _copies(self, operation: Operation, call: Call, line: int, edits: Edits) -> None:
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

    def _words(self, operation: Operation, access: Load | Store, line: int, edits: Edits) -> None:
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
