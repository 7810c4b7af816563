"""The operations of a program that can be events, and what a schedule wants done at each."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from imc.errors import SourceLoc, Unsupported, UserError
from imc.execution.native.copies import Copy, copy_of
from imc.execution.native.steps import Steps, steps_of
from imc.program.analysis.sharing import Sharing
from imc.program.code import reads_input
from imc.program.instructions import Instruction, Library
from imc.program.library import LIBRARY
from imc.program.program import LIBRARY_TYPES, Function, Program
from imc.schedule.files import demand_same_program
from irs.native.tables import Sites
from irs.plan import site_text
from irs.schedule import Branch, Guard, Schedule

CONSTRUCTORS = "\n@llvm.global_ctors = "
FORM = "3"  # raised when executables and tables of before no longer fit together


@dataclass(frozen=True, slots=True)
class Operation:
    """An instruction that can be an event; `known` if the schedule has events there."""

    number: int
    function: Function
    pc: int
    action: str
    known: bool
    text: str

    @property
    def instruction(self) -> Instruction:
        return self.function.code[self.pc]

    @property
    def loc(self) -> SourceLoc | None:
        return self.instruction.loc or self.function.loc


@dataclass(frozen=True, slots=True)
class GuardCell:
    """A part of a global variable that a guard looks at."""

    variable: str
    offset: int
    size: int


class Operations:
    """All operations of a program under a schedule; None: without one, nothing is gated."""

    def __init__(
        self,
        program: Program,
        schedule: Schedule | None,
        describe: Callable[[Sharing, str, int], str],
    ) -> None:
        self.program = program
        self.schedule = schedule
        self.sharing = Sharing(program)
        self._describe = describe
        self.all = self._collect()
        self.cells: dict[Guard, GuardCell] = {}
        if schedule is not None:
            self._check_program(schedule)
            self.check(schedule)
            self._find_cells(schedule)

    def _collect(self) -> list[Operation]:
        sites = self.schedule.sites if self.schedule is not None else ()
        known = {(site.function, site.pc): site for site in sites}
        found: list[Operation] = []
        for _, function in sorted(self.program.functions.items()):  # in whatever order files come
            visible = self.sharing.visible_in(function.name)
            for pc, i in enumerate(function.code):
                if pc in visible or reads_input(i):
                    site = known.get((function.name, pc))
                    text = site_text(site) if site is not None else self._text(function, pc)
                    action = site.action if site is not None else "gate"
                    number, listed = len(found), site is not None
                    found.append(Operation(number, function, pc, action, listed, text))
        return found

    def _text(self, function: Function, pc: int) -> str:
        loc = function.code[pc].loc
        place = f" ({loc.file}:{loc.line})" if loc else f" (in {function.name})"
        return self._describe(self.sharing, function.name, pc) + place

    @property
    def sites(self) -> Sites:
        """The schedule's sites by the numbers of the operations."""
        assert self.schedule is not None
        numbers = {(o.function.name, o.pc): o.number for o in self.all}
        return Sites(
            [o.text for o in self.all],
            [numbers[s.function, s.pc] for s in self.schedule.sites],
            {guard: n for n, guard in enumerate(self.cells)},
        )

    @property
    def digest(self) -> bytes:
        """What tables have to fit to: the program, and what was done with its operations."""
        actions = [(o.number, o.action) for o in self.all if o.action != "gate"]
        places = [(o.function.name, o.pc) for o in self.all]
        parts = (FORM, self.program.digest, places, actions, list(self.cells.values()))
        return hashlib.sha256(repr(parts).encode()).digest()

    # -------------------------------------------------------------------- what is not supported

    def check(self, schedule: Schedule) -> None:
        """Refuses a schedule that has events at operations which are not built."""
        events = {event.site for section in schedule.sections for event in section.events}
        used = {(schedule.sites[n].function, schedule.sites[n].pc) for n in events}
        for operation in self.all:
            self._check_operation(operation, (operation.function.name, operation.pc) in used)

    def _check_program(self, schedule: Schedule) -> None:
        demand_same_program(self.program, schedule)
        if self.program.layout.pointer_bytes != 8:
            raise UserError("only programs of the LP64 data model are built", hint="use --64")
        if sum(CONSTRUCTORS in text for text in self.program.texts.values()) > 1:
            raise UserError(
                "constructors of several files are not built natively: their order is the linker's",
                hint="run the schedule on Python threads",
            )
        known = {(o.function.name, o.pc) for o in self.all}
        for site in schedule.sites:
            if (site.function, site.pc) not in known:
                raise UserError(f"the program has no event at {site.function}, {site.pc}")
        for function, _, i in self.program.instructions():
            if isinstance(i, Library) and _runs_at_exit(i):
                raise _unsupported("exit handlers are", i.loc or function.loc)

    def _check_operation(self, operation: Operation, used: bool) -> None:
        i = operation.instruction
        if operation.function.lines[operation.pc] == 0:
            raise _unsupported(
                f"calls of '{operation.function.name}' through a pointer are", operation.loc
            )
        if not used:
            return
        if not isinstance(i, Library):
            return
        if (
            operation.action != "free"
            and self.shows_steps(operation)
            and not self._is_built(operation)
        ):
            where = "" if operation.loc else f" in '{operation.function.name}'"
            raise _unsupported(f"{operation.text}{where} in several steps is", operation.loc)
        if i.name in LIBRARY[i.function].refused_natively:
            way_out = LIBRARY[i.function].refused_natively[i.name]
            raise Unsupported(f"{i.name} is not built natively", i.loc, way_out)

    def shows_steps(self, operation: Operation) -> bool:
        """Whether it is a call that others can see in the middle of."""
        i, name = operation.instruction, operation.function.name
        return (
            isinstance(i, Library)
            and operation.pc in self.sharing.visible_in(name)
            and self.sharing.shows_steps(name, i)
        )

    def copy(self, operation: Operation) -> Copy | None:
        """How a copy that others can see in the middle of is built, if it can be."""
        i = operation.instruction
        if not isinstance(i, Library) or not self.shows_steps(operation):
            return None
        return copy_of(self.sharing, operation.function, i)

    def steps(self, operation: Operation) -> Steps | None:
        """How any other call that others can see in the middle of is built, if it can be."""
        i = operation.instruction
        if not isinstance(i, Library) or not self.shows_steps(operation):
            return None
        return steps_of(self.sharing, operation.function, i)

    def _is_built(self, operation: Operation) -> bool:
        return self.copy(operation) is not None or self.steps(operation) is not None

    # ------------------------------------------------------------------------------ guards

    def _find_cells(self, schedule: Schedule) -> None:
        for section in schedule.sections:
            if isinstance(section.next, Branch):
                for case in section.next.cases:
                    if case.guard is not None and case.guard != ("stopped",):
                        self._add_cell(case.guard)

    def _add_cell(self, guard: Guard) -> None:
        match guard:
            case ("=", ("memory", "global", str(name), int(offset)) as place, int()):
                variable = self.program.globals.get(name)
                if variable is not None and not variable.thread_local and not variable.alias:
                    size = self._size(name, offset)
                    if size is not None:
                        self.cells[place] = GuardCell(name, offset, size)
                        return
        raise UserError(
            f"the schedule asks for {_words(guard)}, which cannot be seen natively",
            hint="run it on Python threads",
        )

    def _size(self, name: str, offset: int) -> int | None:
        """How many bytes a guard looks at; None where the library's own form is not the model's."""
        variable = self.program.globals[name]
        if variable.source_type is not None and variable.source_type.name in LIBRARY_TYPES:
            return None
        return self.program.layout.scalar_at(variable.type, offset)


def _runs_at_exit(i: Library) -> bool:
    function = LIBRARY[i.function]
    return function.calls_at_end and not function.calls_with_specific


def _words(guard: Guard) -> str:
    return " ".join(map(_words, guard)) if isinstance(guard, tuple) else str(guard)


def _unsupported(what: str, loc: SourceLoc | None) -> Unsupported:
    return Unsupported(f"{what} not built natively", loc, "run the schedule on Python threads")
