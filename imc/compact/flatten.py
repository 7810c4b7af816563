"""From the program model to the compact form, or NotCompact with the reason and the place."""

from __future__ import annotations

from imc.compact import opcodes as op
from imc.compact.circles import Circles, copy_of, depth_of
from imc.compact.form import CompactProgram, NotCompact
from imc.compact.function import FunctionLowering
from imc.compact.initial import lay_out
from imc.compact.late import Late, Shape, words_of
from imc.compact.performing import comes_back
from imc.compact.words import count
from imc.errors import Unsupported
from imc.program.analysis.sharing import END_OF_THREAD
from imc.program.code import Image, reads_input
from imc.program.faults import Property
from imc.program.instructions import Alloca, Call, Instruction, Library, Return
from imc.program.library import LIBRARY
from imc.program.types import Type, is_aggregate


def flatten(image: Image) -> CompactProgram:
    """The program of an image, with its settings; raises NotCompact."""
    settings = image.settings
    if image.layout.pointer_bytes != 8:
        raise NotCompact("pointers of 32 bits")
    if settings.loop_bound is not None or settings.max_threads is not None:
        raise NotCompact("loops or threads are bounded")
    if Property.TERMINATION in settings.properties:
        raise NotCompact("loops are to end")
    if Property.UNINITIALISED not in settings.properties:
        raise NotCompact("uninitialised memory is read as zero")
    try:
        return Flattening(image).run()
    except Unsupported as why:  # by the model itself, if that is ever executed
        raise NotCompact(why.message, why.loc) from why


def slots(type: Type) -> int:
    """How many registers hold a value."""
    return count(type) if is_aggregate(type) else 1


class Flattening:
    """One program on its way; registers and records are numbered as they come."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.form = CompactProgram()
        self.names = self._reachable()
        functions = image.program.functions
        self.circles = Circles(functions, self.names, self._callees)
        self.copies = [*self.names, *self._further_copies()]
        if self.circles.copies and image.settings.stack_limit < len(self.copies):
            raise NotCompact("recursion is bounded")
        self.codes = {copy: image.code(copy.partition("\0")[0]) for copy in self.copies}
        self.exit_handlers = self._exit_handlers()
        self.calls_back = any(map(self._calls_back, self.names))
        self.numbers = {copy: n for n, copy in enumerate(self.copies)}
        self.registers: dict[tuple[str, int], int] = {}
        self.links: dict[str, int] = {}
        self.late: dict[str, Late] = {}
        self._most_words = self._words_of_calls()
        self._constants: dict[int, int] = {}
        self._entries: dict[str, int] = {}
        self._fixups: list[tuple[int, str]] = []  # places in the code that name a function

    def run(self) -> CompactProgram:
        form = self.form
        for copy in self.copies:
            self._number_persistent(copy)
        form.persistent = len(form.registers)
        self.value = self.temporary()  # what a function returns
        self.form.returned = max(slots(code.function.type.result) for code in self.codes.values())
        for _ in range(1, self.form.returned):
            self.temporary()
        self.form.value = self.value
        self.nowhere = [self.temporary(), self.temporary()][0]  # results that nobody wants
        for copy in self.copies:
            FunctionLowering(self, copy).run()
        for at, name in self._fixups:
            form.code[at] = self._entries[name]
        form.entry = self.numbers[self.image.program.entry]
        form.end_of_thread = self.numbers.get(END_OF_THREAD, -1)
        entry = self.image.program.entry
        parameters = self.codes[entry].function.params
        lay_out(self.image, form, [self.register(entry, p.register) for p in parameters])
        return form

    # -------------------------------------------------------------- functions

    def _reachable(self) -> list[str]:
        """Functions that may run, main first."""
        program, callees = self.image.program, self.image.sharing.pointers.callees
        order = [program.entry]
        if self.image.ends_visibly:
            order.append(END_OF_THREAD)
        for name in order:  # grows while we walk it
            for pc, i in enumerate(program.functions[name].code):
                for callee in sorted(callees.get((name, pc), ())):
                    if callee == program.entry:
                        raise NotCompact("main is called", i.loc)
                    if callee not in order:
                        order.append(callee)
        return order

    def _further_copies(self) -> list[str]:
        """Of functions that call themselves, beside the first ones."""
        copies = self.circles.copies
        return [copy_of(name, n) for name in copies for n in range(1, copies[name])]

    def callee(self, caller: str, name: str) -> str | None:
        """The copy of a function that a copy calls; None if it would be too deep."""
        if not self.circles.together(caller.partition("\0")[0], name):
            return name
        deeper = copy_of(name, depth_of(caller) + 1)
        return deeper if deeper in self.numbers else None

    def _exit_handlers(self) -> list[str]:
        """Functions that the end of the program may call."""
        callees, found = self.image.sharing.pointers.callees, set[str]()
        for name in self.names:
            for pc, i in enumerate(self.image.program.functions[name].code):
                if isinstance(i, Library) and LIBRARY[i.function].calls_at_end:
                    found.update(callees.get((name, pc), ()))
        return sorted(found)

    def starts_thread(self, name: str) -> bool:
        """Whether a thread may begin with a function."""
        callees, functions = self.image.sharing.pointers.callees, self.image.program.functions
        return any(
            isinstance(i, Library)
            and LIBRARY[i.function].spawns
            and name in callees.get((caller, pc), ())
            for caller in self.names
            for pc, i in enumerate(functions[caller].code)
        )

    def _calls_back(self, name: str) -> bool:
        """Whether the library may call functions of the program inside of a function."""
        code = self.image.program.functions[name].code
        return any(
            isinstance(i, Library) and LIBRARY[i.function].phases and comes_back(i) for i in code
        )

    def _callees(self, name: str, pc: int, i: Instruction) -> list[str]:
        """Functions that an instruction may call, in its own thread."""
        found = list(self.image.sharing.pointers.callees.get((name, pc), ()))
        if comes_back(i) and (isinstance(i, Library) or name == self.image.program.entry):
            found += self._exit_handlers()
        return found

    def _number_persistent(self, copy: str) -> None:
        """Gives numbers to what a function's frame still holds where a thread may rest."""
        code = self.codes[copy]
        kept: set[int] = set()
        for pc, i in enumerate(code.function.code):
            if pc in code.visible or reads_input(i):
                kept.update(code.live[pc])
            if isinstance(i, Call) or (comes_back(i) and not isinstance(i, Return)):
                kept.update(code.live[pc + 1])
            if comes_back(i):
                kept.update(code.live[pc])
            if isinstance(i, Alloca) and i.result is not None and i.result not in code.promoted:
                kept.add(i.result)
        kept.update(p.register for p in code.function.params if p.byval)
        for register in sorted(kept):
            self.register(copy, register)
        self.late[copy] = Late(self, copy)
        name = code.function.name
        self.form.late_sites.update((name, pc) for pc in self.late[copy].places)
        self.links[copy] = self.temporary()

    def register(self, copy: str, register: int) -> int:
        """The first register that holds what a register of a function does."""
        known = self.registers.get((copy, register))
        if known is None:
            known = self.registers[copy, register] = self.temporary()
            for _ in range(1, slots(self.codes[copy].function.registers[register].type)):
                self.temporary()
        return known

    def temporary(self) -> int:
        self.form.registers.append(op.UNDEF)
        return len(self.form.registers) - 1

    def constant(self, value: int) -> int:
        if value not in self._constants:
            self._constants[value] = self.temporary()
            self.form.registers[-1] = value
        return self._constants[value]

    def enter(self, copy: str, parameter: int, locals: int) -> None:
        """A function begins with the next record."""
        self._entries[copy] = len(self.form.sites)
        number = self.image.symbols[self.codes[copy].function.name]
        self.form.functions += [number, len(self.form.sites), parameter, self.links[copy], locals]

    def calls_so_far(self) -> int:
        return len(self._fixups)

    def forget_calls(self, count: int) -> None:
        """The records of later calls are given up."""
        del self._fixups[count:]

    def refer(self, copy: str) -> None:
        """The `a` of the next record is the first pc of a function."""
        self._fixups.append((len(self.form.code) + 2, copy))

    def most_words(self, name: str) -> int:
        """How many registers the variable arguments of a function take at most."""
        return self._most_words.get(name, 0)

    def _words_of_calls(self) -> dict[str, int]:
        found: dict[str, int] = {}
        functions, callees = self.image.program.functions, self.image.sharing.pointers.callees
        for name in self.names:
            for pc, i in enumerate(functions[name].code):
                for callee in callees.get((name, pc), ()) if isinstance(i, Call) else ():
                    assert isinstance(i, Call)
                    function = functions[callee]
                    if function.type.varargs:
                        more = words_of(a.type for a in i.args[len(function.params) :])
                        found[callee] = max(found.get(callee, 0), more)
        return found

    def shape(self, shape: Shape) -> int:
        """The number of a list of types."""
        if shape not in self.form.shapes:
            self.form.shapes.append(shape)
        return self.form.shapes.index(shape)

    def table(self, *values: int) -> int:
        at = len(self.form.tables)
        self.form.tables += values
        return at
