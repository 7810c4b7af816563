"""What steps do to memory and to threads, seen by watching the machine that runs them.

A step is its operation and the local code behind it. Which cells each of them reads and writes is
taken from the run itself, whatever function did it, and not only from what its event tells of.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from imc.program.code import Image, Site
from imc.program.events import Event, Mode
from imc.program.instructions import Library
from imc.program.library import LIBRARY, Visibility
from imc.program.machine import Outcome
from imc.program.memory import MemoryObject
from imc.program.state import Frame, State
from imc.program.values import UNDEF, Pointer, Value
from imc.terms.places import Places
from imc.terms.steps import Expansion, Move, Oracle, Stepper, SymbolicMachine

Extent = tuple[int, int, int]  # an object, and the bytes of it from here to there


@dataclass(slots=True)
class TouchedCells:
    """Parts of memory that were read, and written."""

    reads: set[Extent] = field(default_factory=set)
    writes: set[Extent] = field(default_factory=set)


@dataclass(slots=True)
class Footprint:
    """What one way of a step has done."""

    operation: TouchedCells = field(default_factory=TouchedCells)
    local: TouchedCells = field(default_factory=TouchedCells)
    only_memory: bool = False  # the operation did nothing else, and went on to what follows it
    result: Value = 0  # of the operation, where somebody can look at it
    synchronises: bool = False  # it is the library's, on objects whose contents are its own affair
    atomic: bool = False  # the rest of the step belongs to the operation
    foreign: bool = False  # somewhere it has left the program

    def absorb(self, other: Footprint) -> None:
        """Lets it stand for another way too: what either does may be done."""
        for mine, theirs in ((self.operation, other.operation), (self.local, other.local)):
            mine.reads |= theirs.reads
            mine.writes |= theirs.writes
        self.only_memory &= other.only_memory
        self.synchronises &= other.synchronises
        self.atomic |= other.atomic
        self.foreign |= other.foreign
        if self.result != other.result:
            self.result = UNDEF


class Watched(dict[int, MemoryObject]):
    """The objects of a step; those that are taken out whole are noted."""

    def __init__(self, objects: dict[int, MemoryObject]) -> None:
        super().__init__(objects)
        self.taken: set[int] = set()

    def __getitem__(self, number: int) -> MemoryObject:
        self.taken.add(number)
        return super().__getitem__(number)


class WatchingMachine(SymbolicMachine):
    """Runs a step and writes its footprint."""

    def __init__(self, image: Image, state: State, choices: tuple[int, ...] = ()) -> None:
        super().__init__(image, state, choices)
        self.watched = self.memory = state.memory = Watched(self.memory)
        self.footprint = Footprint()
        self._cells = self.footprint.local  # of a program's start, which is no operation
        self._writes = False  # whether a cell is being found, and not read

    def operate(self, frame: Frame) -> bool:
        instruction = frame.code.function.code[frame.pc]
        library = instruction if isinstance(instruction, Library) else None
        depth, registers = len(self.frames), frame.regs.copy()
        before = self._other_than_memory(frame)
        self._cells = self.footprint.operation
        goes_on = super().operate(frame)
        self._cells = self.footprint.local
        found = self.footprint
        found.atomic = self.atomic > 0
        if library is not None and len(self.frames) == depth:
            found.synchronises = LIBRARY[library.function].visible is Visibility.ALWAYS
            found.only_memory = self._other_than_memory(frame) == before and all(
                new is old or n == library.result
                for n, (old, new) in enumerate(zip(registers, frame.regs, strict=True))
            )
            if library.result is not None and goes_on:
                found.result = frame.regs[library.result]
        return goes_on

    def _other_than_memory(self, frame: Frame) -> object:
        """All that an operation could change besides what memory and registers hold."""
        own, state = self.thread, self.state
        others = {number: id(t) for number, t in state.threads.items() if t is not own}
        effects = (self.spawned, self.joined, self.exits, self.leaves, self.atomic)
        thread = (
            own.status, own.allocated, own.spawned, own.inputs, own.detached, own.joined, own.keys,
            own.ending, id(own.result), len(frame.objects),
        )  # fmt: skip
        return others, effects, thread, state.exit_code, state.output, set(self.memory)

    def target(self, pointer: Value, size: int) -> MemoryObject:
        found = super().target(pointer, size)
        if not self._writes:
            self._cells.reads.add(_extent(pointer, size, found))
        return found

    def place_of(self, pointer: Value, size: int) -> Pointer:
        """That bytes are there is not what they hold; whoever reads them does so afterwards."""
        before, self._writes = self._writes, True
        try:
            return super().place_of(pointer, size)
        finally:
            self._writes = before

    def writable(self, pointer: Value, size: int) -> MemoryObject:
        self._writes = True
        try:
            found = super().writable(pointer, size)
        finally:
            self._writes = False
        self._cells.writes.add(_extent(pointer, size, found))
        return found

    def _local_state(self, target: int) -> object:
        taken = self.watched.taken.copy()
        found = super()._local_state(target)
        self.watched.taken = taken  # it is the machine that looks here, and not the program
        return found

    def finished(self, event: Event) -> Footprint:
        """The footprint of the step that has just been made."""
        found = self.footprint
        found.foreign = event.leaves
        for access in event.accesses:
            extent = (access.object, access.offset, access.offset + access.size)
            cells = found.operation
            (cells.reads if access.mode is Mode.READ else cells.writes).add(extent)
        for number in self.watched.taken & self.watched.keys():
            found.local.reads.add((number, 0, self.watched[number].size))
        return found


def _extent(pointer: Value, size: int, contents: MemoryObject) -> Extent:
    """The bytes that an access may concern: all of an object, if its offset is not known."""
    number, offset = pointer
    if offset.__class__ is not int:
        return number, 0, contents.size
    return number, offset, offset + size


class WatchingStepper(Stepper):
    """Expands threads, and keeps the footprint of each way that the last step could go."""

    machine = WatchingMachine

    def __init__(self, places: Places) -> None:
        super().__init__(places)
        self.footprints: dict[Event, Footprint] = {}

    def expand(self, state: State, thread: int, oracle: Oracle) -> Expansion:
        self.footprints = {}
        return super().expand(state, thread, oracle)

    def _move(self, machine: SymbolicMachine, outcome: Outcome, before: State | None) -> Move:
        assert isinstance(machine, WatchingMachine)
        self.footprints[outcome.event] = machine.finished(outcome.event)
        outcome.state.memory = dict(machine.memory)
        return super()._move(machine, outcome, before)

    def _merge(self, move: Move, other: Move) -> None:
        self.footprints[move.event].absorb(self.footprints.pop(other.event))
        super()._merge(move, other)


class Extents:
    """Bytes of objects, and who they are of."""

    def __init__(self) -> None:
        self._by_object: dict[int, dict[Extent, Site]] = {}

    def add(self, extents: Iterable[Extent], site: Site) -> None:
        for extent in extents:
            self._by_object.setdefault(extent[0], {}).setdefault(extent, site)

    def objects(self) -> set[int]:
        return set(self._by_object)

    def meets(self, others: Extents) -> tuple[Site, Site] | None:
        """Who has a byte in common with whom, if anybody has."""
        for number in self._by_object.keys() & others._by_object.keys():
            for (_, begin, end), site in self._by_object[number].items():
                for (_, from_, to), other in others._by_object[number].items():
                    if begin < to and from_ < end:
                        return site, other
        return None
