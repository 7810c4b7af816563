"""Which memory is shared, and so which instructions are visible events.

An object is shared when two threads may access it while both run and one of the accesses writes.
What main does before it starts the first thread does not count. Everything is over-approximated:
a private access taken for an event costs time, a shared one taken for private would be unsound.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from imc.program.analysis.addresses import AbstractObject
from imc.program.analysis.cancelling import Cancelling
from imc.program.analysis.pointsto import ARGUMENTS, PointsTo
from imc.program.analysis.promotion import LIFETIME, SCOPE, promotable
from imc.program.instructions import (
    AtomicRmw,
    Call,
    CompareExchange,
    Instruction,
    Library,
    Load,
    Operand,
    Reg,
    Return,
    Store,
)
from imc.program.library import LIBRARY, Ends, Visibility
from imc.program.program import Function, Program
from imc.records import record

Site = tuple[str, int]
END_OF_THREAD = "imc_thread_end"  # defined by the bundled C library


@record
class ThreadClass:
    """All threads that start in one function; `many` when there may be more than one."""

    entry: str
    many: bool


@record
class MemoryUse:
    """What an instruction does with memory: a pointer that it reads or writes through."""

    pointer: Operand
    writes: bool


class Sharing:
    """The result of the analysis for one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.pointers = PointsTo(program)
        self.jumps = any(_jumps(i) for _, _, i in program.instructions())
        self.classes = self._thread_classes()
        self.runs = self._functions_of_classes()
        self.cancelling = Cancelling(program, self.runs, len(self.classes))
        self.concurrent = self._after_first_spawn()
        self.writers: dict[AbstractObject, frozenset[int]] = {}  # by class, while threads run
        self.shared = self._shared_objects()
        self._visible: dict[str, frozenset[int]] = {}

    def visible_in(self, function: str) -> frozenset[int]:
        """Program counters of the function's visible instructions."""
        known = self._visible.get(function)
        if known is None:
            f = self.program.functions[function]
            promoted = promotable(f, self.program.layout)
            known = frozenset(
                pc for pc, i in enumerate(f.code) if self._is_visible(f, i, promoted, pc)
            )
            self._visible[function] = known
        return known

    def _is_visible(
        self, function: Function, i: Instruction, promoted: frozenset[int], pc: int
    ) -> bool:
        if isinstance(i, Return):
            return function.name == self.program.entry or self._ends_shared_locals(function, pc)
        if isinstance(i, Library) and i.function == "stackrestore":
            return self._ends_shared_locals(function, pc)
        if isinstance(i, Library):
            visibility = LIBRARY[i.function].visible
            if visibility is Visibility.CANCELLABLE:
                return self.cancelling.may_act_in(function.name)
            if visibility is not Visibility.MEMORY:
                return visibility is Visibility.ALWAYS
        if (function.name, pc) not in self.concurrent:
            return False
        again = self.jumps or _in_cycle(function, pc)
        if isinstance(i, Library) and i.function == SCOPE and not again:
            return False  # the local is new
        for use in memory_uses(i):
            if isinstance(use.pointer, Reg) and use.pointer.index in promoted:
                return False
            if self.may_be_shared(function.name, use.pointer):
                return True
        return any(thing in self.shared for thing, _ in self._reached(function, i))

    def may_be_shared(self, function: str, pointer: Operand) -> bool:
        """Whether a pointer may lead to memory that other threads use."""
        return not self.shared.isdisjoint(self.pointers.of(function, pointer))

    def private_globals(self, entry: str) -> list[str]:
        """Variables that only threads with this entry write, and nobody else uses."""
        number = next((n for n, c in enumerate(self.classes) if c.entry == entry), None)
        return [
            thing.function
            for thing, writers in self.writers.items()
            if thing.kind == "global" and thing not in self.shared and writers == {number}
        ]

    def shows_steps(self, function: str, i: Library) -> bool:
        """Whether others can see how far a visible call has come."""
        spec = LIBRARY[i.function]
        return spec.stepwise is not None and (
            not spec.stepwise_if_written
            or any(self.may_be_shared(function, i.args[k]) for k in spec.writes if k < len(i.args))
        )

    @cached_property
    def shared_thread_locals(self) -> frozenset[str]:
        """Variables of which a thread may use another one's instance."""
        names = (thing.function for thing in self.shared if thing.kind == "global")
        return frozenset(name for name in names if self.program.globals[name].thread_local)

    # ---------------------------------------------------------------- threads

    def _thread_classes(self) -> list[ThreadClass]:
        sites: dict[str, list[Site]] = defaultdict(list)
        for function, pc, i in self.program.instructions():
            if isinstance(i, Library) and LIBRARY[i.function].spawns:
                for callee in self.pointers.callees[function.name, pc]:
                    sites[callee].append((function.name, pc))
        classes = [ThreadClass(self.program.entry, False)]
        for entry, places in sites.items():
            many = len(places) > 1 or any(self._repeats(site, frozenset()) for site in places)
            classes.append(ThreadClass(entry, many))
        return classes

    def _repeats(self, site: Site, above: frozenset[str]) -> bool:
        """Whether a place in the code may be reached more than once in a run."""
        name, pc = site
        function = self.program.functions[name]
        if name in above or self.jumps or _in_cycle(function, pc):
            return True
        callers = [s for s, callees in self.pointers.callees.items() if name in callees]
        if name == self.program.entry:
            return bool(callers)
        if any(_calls_at_end(self.program, s) for s in callers):
            return True  # a destructor runs in every thread
        return len(callers) != 1 or self._repeats(callers[0], above | {name})

    def _functions_of_classes(self) -> dict[str, set[int]]:
        """For each function, the classes of threads that may run it."""
        runs: dict[str, set[int]] = defaultdict(set)
        handlers = self._exit_handlers()
        for number, thread in enumerate(self.classes):
            work = [thread.entry, *handlers]  # whichever thread exits runs the handlers
            while work:
                name = work.pop()
                if number in runs[name]:
                    continue
                runs[name].add(number)
                function = self.program.functions[name]
                for pc, i in enumerate(function.code):
                    if isinstance(i, Library) and LIBRARY[i.function].spawns:
                        continue
                    work.extend(self.pointers.callees.get((name, pc), ()))
        return runs

    def _exit_handlers(self) -> set[str]:
        """Functions that run when a program or a thread ends."""
        return (self.program.functions.keys() & {END_OF_THREAD}) | {
            callee
            for function, pc, i in self.program.instructions()
            if isinstance(i, Library) and LIBRARY[i.function].calls_at_end
            for callee in self.pointers.callees.get((function.name, pc), ())
        }

    def _after_first_spawn(self) -> set[Site]:
        """Places that may be reached when more than one thread exists."""
        reached: set[Site] = set()
        spawning = self._spawning_functions()
        whole: set[str] = set()
        work: list[Site] = []

        def enter(name: str) -> None:
            if name not in whole and not self.program.functions[name].is_declaration:
                whole.add(name)
                work.append((name, 0))

        for thread in self.classes[1:]:
            enter(thread.entry)
        for handler in self._exit_handlers() if spawning else ():
            enter(handler)
        for name in spawning:
            function = self.program.functions[name]
            for pc, i in enumerate(function.code):
                if _spawns(i):
                    work.append((name, pc))
                elif self.pointers.callees.get((name, pc), set()) & spawning:
                    work.extend((name, to) for to in successors(function, pc))
        while work:
            site = work.pop()
            if site in reached:
                continue
            reached.add(site)
            name, pc = site
            for callee in self.pointers.callees.get(site, ()):
                enter(callee)
            work.extend((name, to) for to in successors(self.program.functions[name], pc))
        return reached

    def _spawning_functions(self) -> set[str]:
        """Functions that may start a thread, themselves or by a call."""
        spawning = {f.name for f, _, i in self.program.instructions() if _spawns(i)}
        changed = True
        while changed:
            changed = False
            for (name, pc), callees in self.pointers.callees.items():
                calls = not _spawns(self.program.functions[name].code[pc])
                if name not in spawning and calls and callees & spawning:
                    spawning.add(name)
                    changed = True
        return spawning

    # ---------------------------------------------------------------- objects

    def _shared_objects(self) -> frozenset[AbstractObject]:
        reachable = self._reachable_by_others()
        readers: dict[AbstractObject, set[int]] = defaultdict(set)
        writers: dict[AbstractObject, set[int]] = defaultdict(set)
        for function, pc, i in self.program.instructions():
            if (function.name, pc) not in self.concurrent:
                continue
            for thing, writes in self._reached(function, i):
                readers[thing] |= self.runs[function.name]
                if writes:
                    writers[thing] |= self.runs[function.name]
            for use in memory_uses(i):
                for thing in self.pointers.of(function.name, use.pointer):
                    readers[thing] |= self.runs[function.name]
                    if use.writes:
                        writers[thing] |= self.runs[function.name]
        for thing in reachable:
            is_local = thing.kind == "stack" and thing.pc != ARGUMENTS
            if is_local and self._ends_concurrently(thing.function):
                readers[thing] |= self.runs[thing.function]
                writers[thing] |= self.runs[thing.function]
            if thing.kind == "global" and self.program.globals[thing.function].thread_local:
                if readers[thing]:  # it dies with its thread, whoever that is
                    readers[thing] |= set(range(len(self.classes)))
                writers[thing] |= readers[thing]
        shared = set()
        self.writers = {thing: frozenset(found) for thing, found in writers.items() if found}
        for thing in reachable:
            users = readers[thing]
            several = len(users) > 1 or any(self.classes[c].many for c in users)
            if several and writers[thing]:
                shared.add(thing)
        return frozenset(shared)

    def _reached(self, function: Function, i: Instruction) -> Iterator[tuple[AbstractObject, bool]]:
        """What a library function uses by following pointers, and whether it writes to it."""
        if isinstance(i, Library) and LIBRARY[i.function].reads_reachable:
            writes = LIBRARY[i.function].writes_reachable
            roots = {o for arg in i.args for o in self.pointers.of(function.name, arg)}
            for thing in self._closure(roots):
                variable = self.program.globals.get(thing.function)
                constant = thing.kind == "global" and variable is not None and variable.constant
                yield thing, writes and not constant and thing.kind != "function"

    def _ends_shared_locals(self, function: Function, pc: int) -> bool:
        """Whether returning takes away memory that other threads may still use."""
        return (function.name, pc) in self.concurrent and any(
            thing.kind == "stack" and thing.function == function.name for thing in self.shared
        )

    def _ends_concurrently(self, name: str) -> bool:
        """Whether a function may return, and its locals die, while other threads run."""
        function = self.program.functions[name]
        returns = any(
            (name, pc) in self.concurrent
            and (
                (isinstance(i, Return) and name != self.program.entry)
                or (isinstance(i, Library) and i.function == "stackrestore")
            )
            for pc, i in enumerate(function.code)
        )
        return returns or not self.runs[name].isdisjoint(self._exiting_classes())

    def _exiting_classes(self) -> set[int]:
        """Classes of threads that may drop functions while others run: by pthread_exit or a jump,
        or because they are cancelled."""
        return {
            number
            for function, pc, i in self.program.instructions()
            if isinstance(i, Library)
            if i.cancellable or LIBRARY[i.function].ends in (Ends.THREAD, Ends.FRAME)
            if (function.name, pc) in self.concurrent
            for number in self.runs[function.name]
        }

    def _reachable_by_others(self) -> set[AbstractObject]:
        """Objects whose address another thread may have: globals, and what escapes to threads."""
        roots: set[AbstractObject] = set()
        for name, variable in self.program.globals.items():
            if not variable.thread_local and not (variable.constant and variable.initializer):
                roots.add(AbstractObject("global", name))
            elif variable.constant:
                roots |= self.pointers.contents(AbstractObject("global", name))
        for function, _, i in self.program.instructions():
            if isinstance(i, Library):
                spec = LIBRARY[i.function]
                if spec.spawns and spec.passes is not None:
                    roots |= self.pointers.of(function.name, i.args[spec.passes])
        roots |= self.pointers.published()
        return {t for t in self._closure(roots) if t.kind != "function"}

    def _closure(self, roots: set[AbstractObject]) -> set[AbstractObject]:
        """The objects and all that they lead to."""
        reached: set[AbstractObject] = set()
        work = list(roots)
        while work:
            thing = work.pop()
            if thing not in reached:
                reached.add(thing)
                work.extend(self.pointers.contents(thing))
        return reached


def memory_uses(i: Instruction) -> list[MemoryUse]:
    """The pointers an instruction accesses memory through."""
    match i:
        case Load():
            return [MemoryUse(i.pointer, False)]
        case Store() | AtomicRmw() | CompareExchange():
            return [MemoryUse(i.pointer, True)]
        case Call():
            byval = i.byval or (None,) * len(i.args)
            return [
                MemoryUse(a, False) for a, b in zip(i.args, byval, strict=True) if b is not None
            ]
        case Library(function=function) if function in LIFETIME:
            return [MemoryUse(i.args[-1], True)]
        case Library():
            spec = LIBRARY[i.function]
            uses = [MemoryUse(i.args[k], False) for k in spec.reads if k < len(i.args)]
            return uses + [MemoryUse(i.args[k], True) for k in spec.writes if k < len(i.args)]
    return []


def successors(function: Function, pc: int) -> list[int]:
    block = function.block_of[pc]
    if pc + 1 < function.starts[block.label] + len(block.body):
        return [pc + 1]
    return [function.starts[label] for label in block.terminator.targets()]


def _calls_at_end(program: Program, site: Site) -> bool:
    i = program.functions[site[0]].code[site[1]]
    return isinstance(i, Library) and LIBRARY[i.function].calls_with_specific


def _jumps(i: Instruction) -> bool:
    """Whether the thread goes on elsewhere, which no function's control flow tells."""
    return isinstance(i, Library) and LIBRARY[i.function].ends is Ends.FRAME


def _spawns(i: Instruction) -> bool:
    return isinstance(i, Library) and LIBRARY[i.function].spawns


def _in_cycle(function: Function, pc: int) -> bool:
    work, seen = successors(function, pc), set()
    while work:
        at = work.pop()
        if at == pc:
            return True
        if at not in seen:
            seen.add(at)
            work.extend(successors(function, at))
    return False
