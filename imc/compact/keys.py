"""States that come again on a path, and what is left of a program at its end.

The model compares states up to the names of dynamic objects and without garbage. Here a state has
two keys: a coarse one, which equal states share whatever the names, and a fine one, which only
equal states share. Where just the coarse one comes again, the model has to say. A thread that has
not moved is not looked at again.
"""

from __future__ import annotations

from collections.abc import Hashable

from imc.compact.form import ROOT, SHIFT, NotCompact
from imc.compact.machine import CompactMachine
from imc.compact.memory import GONE
from imc.compact.opcodes import ATOMIC_BEGIN, DETACH, JOIN, SPAWN, WIDTH
from imc.compact.visible import ABSENT, RUNNING
from imc.program.analysis.loops import has_visible_loop, inside_loops

NEAR = 1 << SHIFT  # numbers below are no addresses
ADDRESS = -3  # stands for any of them

Part = tuple[int, int]  # of a state: coarse and fine, as numbers


class Keys:
    """The states on the path of a depth-first search."""

    def __init__(self, machine: CompactMachine) -> None:
        self.machine = machine
        form, sharing = machine.form, machine.image.sharing
        loops = inside_loops(sharing) if has_visible_loop(sharing) else frozenset()
        sites = [form.where[site] for site in form.sites]
        self._inside = [(site.function, site.pc) in loops for site in sites]
        self._numbers: dict[tuple[int, ...], int] = {}
        self._threads: list[dict[int, Part]] = [{}]  # what is known of them, for each level
        self._on_path: dict[Hashable, list[int]] = {}
        self._path: list[Hashable | None] = []

    def enter(self) -> bool:
        """The state after a step is next on the path; whether it is new there."""
        threads = self._threads[-1].copy()
        self._forget_changed(threads)
        self._threads.append(threads)
        if not self._may_come_again():
            self._path.append(None)
            return True
        coarse, fine = self._keys(threads)
        known = self._on_path.get(coarse)
        if known is None:
            self._on_path[coarse] = fine
            self._path.append(coarse)
            return True
        if fine != known:
            raise NotCompact("states that may be the same but for the names of objects")
        if any(self.machine.paused):
            raise NotCompact("a loop over inputs that lets nobody else move")
        self._path.append(None)
        return False

    def leave(self) -> None:
        self._threads.pop()
        coarse = self._path.pop()
        if coarse is not None:
            del self._on_path[coarse]

    def final(self) -> Hashable:
        """What is left of a program that has ended: its exit code and its globals."""
        m = self.machine
        cells = (*m.cells[m.form.variables : m.form.statics], *self._kept(), m.output[0])
        if cells and max(cells) >= NEAR and any(map(self._is_dynamic, cells)):
            raise NotCompact("an address of a dynamic object is left in a global")
        return m.exit_code[0], cells, self._hidden()

    # ------------------------------------------------------------------- parts

    def _may_come_again(self) -> bool:
        """Whether some thread is in a loop, and does not start or join another one next."""
        m = self.machine
        for thread, status in enumerate(m.status):
            if status == RUNNING and self._inside[m.pcs[thread]]:
                opcode = m.opcode_of(thread)
                if opcode != SPAWN and not (opcode == JOIN and self._joins(thread)):
                    return True
        return False

    def _joins(self, thread: int) -> bool:
        """Whether a join that comes next can only go on by joining: that is never undone."""
        m = self.machine
        other = m.regs[thread][m.code[m.pcs[thread]][1]] - 1
        if not 0 <= other < len(m.status) or other == thread or m.status[other] == ABSENT:
            return False
        return not m.detached[other] and not m.is_joined[other]

    def _forget_changed(self, threads: dict[int, Part]) -> None:
        m = self.machine
        threads.pop(m.mover, None)
        for thread in (*m.spawned, *m.joined):
            threads.pop(thread, None)
        if m.form.code[WIDTH * m.origin] in (DETACH, ATOMIC_BEGIN):  # of any thread
            threads.clear()

    def _keys(self, threads: dict[int, Part]) -> tuple[Hashable, list[int]]:
        m = self.machine
        coarse: list[int] = [m.exit_code[0], *self._hidden()]
        fine = coarse.copy()
        for thread in m.present():
            part = threads.get(thread)
            if part is None:
                part = threads[thread] = self._thread(thread)
            coarse.append(part[0])
            fine.append(part[1])
        cells = [*m.cells[m.form.variables : m.form.statics], *self._kept()]
        fine += cells
        if cells and max(cells) >= NEAR:
            cells = [n if n < NEAR else ADDRESS for n in cells]
        for number in m.made:
            if m.limits[number] != GONE:
                first = m.first[number]
                fine.append(number)
                fine += m.cells[first : first + m.limits[number]]
        return (*coarse, *cells), fine

    def _thread(self, thread: int) -> Part:
        """A thread's own part: where it is, and what its frames hold that is still looked at."""
        m = self.machine
        numbers = [thread, *(part[thread] for part in m.part_of_state)]
        if m.status[thread] == RUNNING:
            tables, live, regs = m.form.tables, m.form.live, m.regs[thread]
            pc = m.pcs[thread]
            while pc != ROOT - 1:
                at = live[pc]
                numbers += [regs[register] for register in tables[at + 1 : at + 1 + tables[at]]]
                pc = numbers[-1] - 1  # where the caller stands
        fine = coarse = self._number(numbers)
        if max(numbers) >= NEAR:
            coarse = self._number([n if n < NEAR else ADDRESS for n in numbers])
        return coarse, fine

    def _number(self, numbers: list[int]) -> int:
        return self._numbers.setdefault(tuple(numbers), len(self._numbers))

    def _kept(self) -> list[int]:
        """What threads' own variables and the library's places hold."""
        m, found = self.machine, []
        for number in sorted(m.kept):
            if m.limits[number] != GONE:
                first = m.first[number]
                cells = m.cells[first : first + m.limits[number]]
                held = [(at, word) for at, word in enumerate(cells) if word]
                if held or m.image.objects[number].kind == "tls":
                    found += [number, len(held), *(n for pair in held for n in pair)]
        return found

    def _hidden(self) -> tuple[int, ...]:
        m = self.machine
        return tuple([n for n in m.places if m.limits[n] != GONE])

    def _is_dynamic(self, value: int) -> bool:
        objects = self.machine.image.objects
        number = value >> SHIFT
        return 0 < number < len(objects.infos) and objects.dynamic[number]
