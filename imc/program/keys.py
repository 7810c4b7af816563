"""Canonical forms of states: two states with the same key behave alike.

Dead registers are left out, and dynamic objects are named by how they are reached, so that neither
garbage nor the history of allocations keeps a loop from closing. A thread or object that has not
changed since an earlier state is not looked at again. Performance-critical: see scripts/bench.py.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from operator import itemgetter
from typing import Any

from imc.program.code import Image
from imc.program.concrete.integers import LOWEST
from imc.program.memory import MemoryObject
from imc.program.state import State, Thread
from imc.program.types import IntType
from imc.program.values import UNDEF, Aggregate, Fragment, Partial, Value

Key = tuple[Any, ...]
# A number for everything but the names of dynamic objects, and these objects in order.
Shape = tuple[int, tuple[int, ...]]


class StateKeys:
    """Computes keys; those of one image can be compared with one another."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._numbers = image.shapes
        self._dynamic = image.objects.dynamic

    def key(self, state: State) -> Key:
        return self.named_key(state)[0]

    def named_key(self, state: State) -> tuple[Key, list[int]]:
        """The key, and the dynamic objects in the order in which it names them."""
        naming = _Naming(self.image.domain.numeric)
        threads = [naming.named(t.key or self._thread(t)) for _, t in sorted(state.threads.items())]
        objects = self._static_objects(state, naming)
        dynamic = self._dynamic_objects(state, naming)
        return (state.exit_code, tuple(threads), objects, dynamic), naming.order

    def thread(self, thread: Thread) -> Shape:
        """What a thread's own part of the state is: where it stands, and what it can still use."""
        return thread.key or self._thread(thread)

    def shape(self, contents: MemoryObject) -> Shape:
        """What is in an object."""
        return contents.key or self._object(contents)

    def final(self, state: State, with_output: bool) -> Key:
        """What is left of a program that has ended: memory, exit code, and output if wanted.

        Where objects lie matters no more, even if the program has looked at that.
        """
        naming = _Naming(numeric=False)
        output = state.output if with_output else None
        return (state.exit_code, output, self._static_objects(state, naming))

    def _static_objects(self, state: State, naming: _Naming) -> Key:
        memory, variables = state.memory, self.image.variables
        shapes = [memory[n].key or self._object(memory[n]) for n in variables]
        parts: list[Hashable] = [naming.named(s) if s[1] else s[0] for s in shapes]
        dynamic = self.image.objects.dynamic
        others = [n for n in memory if not dynamic[n] and n not in variables]
        for number in sorted(others):
            parts.append((number, naming.named(self._object(memory[number]))))
        return tuple(parts)

    def _dynamic_objects(self, state: State, naming: _Naming) -> Key:
        """The dynamic objects that the walk has met: of which kind, whose, and what is in them."""
        if naming.numeric:  # numbers may lead to any object
            for number in sorted(state.memory):
                if self.image.objects.dynamic[number]:
                    naming.name(number)
        infos = self.image.objects.infos
        entries: list[Hashable] = []
        for number in naming.order:  # grows while we walk it
            contents = state.memory.get(number)
            if contents is None:
                entries.append(infos[number].kind)
            else:
                shape = contents.key or self._object(contents)
                entries.append((infos[number].kind, contents.owner, naming.named(shape)))
        return tuple(entries)

    # ------------------------------------------------------------------ shapes

    def _shape(self, part: Hashable, references: list[int]) -> Shape:
        return self._numbers.setdefault(part, len(self._numbers)), tuple(references)

    def _thread(self, thread: Thread) -> Shape:
        references: list[int] = []
        frames = []
        for depth, frame in enumerate(thread.frames):
            live = frame.code.live[frame.pc]
            if depth < len(thread.frames) - 1 and frame.phase == 0:
                result = thread.frames[depth + 1].result
                live = tuple(r for r in live if r != result)
            regs = frame.regs
            frames.append(
                (
                    frame.code.number,
                    frame.pc,
                    frame.phase,
                    self._value(frame.scratch, references),
                    tuple([self._value(regs[r], references) for r in live]),
                    tuple((t, b, self._value(v, references)) for t, b, v in frame.varargs),
                    tuple(sorted(frame.loops.items())) if frame.loops else (),
                )
            )
        thread.key = self._shape(
            (
                thread.id,
                thread.status,
                thread.reason,
                thread.detached,
                thread.paused,
                thread.joined,
                thread.keys,
                thread.ending,
                thread.spawned,
                self._value(thread.result, references),
                tuple(frames),
            ),
            references,
        )
        return thread.key

    def _object(self, contents: MemoryObject) -> Shape:
        references: list[int] = []
        zero = contents.fill == 0
        words: dict[int, tuple[int, int]] = {}
        cells = tuple(
            (at, n, self._value(value, references))
            for at, n, value in self._cells(contents)
            if not self._is_number(at, n, value, zero, words)
        )
        numbers = tuple(sorted(words.items()))
        contents.key = self._shape((contents.size, zero, cells, numbers), references)
        return contents.key

    def _is_number(
        self, at: int, n: int, value: Value, zero: bool, words: dict[int, tuple[int, int]]
    ) -> bool:
        """Numbers are told by aligned words: which bytes there are does not matter over zeros.

        So it does not matter either in which widths they were written.
        """
        if value.__class__ is not int or (self.image.domain.numeric and value >= LOWEST):
            return False
        while n > 0 and (value or not zero):
            word, first = divmod(at, 8)
            size = min(n, 8 - first)
            known, held = words.get(word, (0, 0))
            known |= 0 if zero else ((1 << size) - 1) << first
            words[word] = known, held | (value & ((1 << 8 * size) - 1)) << 8 * first
            at, n, value = at + size, n - size, value >> 8 * size
        return True

    def _cells(self, contents: MemoryObject) -> Iterator[tuple[int, int, Value]]:
        """The cells of an object in order, with floats as their bits: so they can be read, too."""
        split = self.image.domain.split
        for at, (n, value) in sorted(contents.cells.items(), key=itemgetter(0)):
            if value.__class__ is float:
                value = int.from_bytes(bytes(split(value, IntType(8 * n), n)), "little")
            yield at, n, value

    def _value(self, value: Value, references: list[int]) -> Hashable:
        """A value with the identity of dynamic objects taken out."""
        kind = value.__class__
        if kind is int and value >= LOWEST and self.image.domain.numeric:
            value = self.image.pointer(value)  # computed, but what others have as an address
            kind = value.__class__
        if kind is int or value is None:
            return value  # type: ignore[no-any-return]
        if kind is tuple:
            number, offset = value
            if self._dynamic[number]:
                references.append(number)
                return ("d", offset)
            return ("p", number, offset)
        if kind is float:
            return ("f", value.hex())
        if value is UNDEF:
            return "undef"
        if kind is Aggregate:
            return ("a", *(self._value(v, references) for v in value))
        if isinstance(value, Partial):
            return ("?", value.number, value.unknown)
        if isinstance(value, Fragment):
            return ("b", value.index, value.size, self._value(value.value, references))
        return (kind.__name__, value)


class _Naming:
    """Names dynamic objects in the order in which a walk over the state meets them."""

    def __init__(self, numeric: bool) -> None:
        self.numeric = numeric  # addresses are data: names must tell their numbers too
        self._names: dict[int, Hashable] = {}
        self.order: list[int] = []

    def name(self, number: int) -> Hashable:
        name = self._names.get(number)
        if name is None:
            name = (len(self.order), number) if self.numeric else len(self.order)
            self._names[number] = name
            self.order.append(number)
        return name

    def named(self, shape: Shape) -> Hashable:
        part, references = shape
        return (part, *[self.name(r) for r in references]) if references else part
