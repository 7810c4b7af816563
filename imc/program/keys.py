"""Canonical forms of states: two states with the same key behave alike.

Dead registers are left out, and dynamic objects are named by how they are reached, so that neither
garbage nor the history of allocations keeps a loop from closing. Performance-critical: see
scripts/bench.py.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from imc.program.code import Image
from imc.program.memory import MemoryObject
from imc.program.state import State, Status, Thread
from imc.program.values import UNDEF, Aggregate, Fragment, Value

Key = tuple[Any, ...]


class StateKeys:
    """Computes keys; parts that have not changed since an earlier state are looked up."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._numbers: dict[Hashable, int] = {}

    def key(self, state: State) -> Key:
        naming = _Naming(self.image)
        threads = [self._thread(t, naming) for _, t in sorted(state.threads.items())]
        objects = [
            (number, self._object(contents, naming))
            for number, contents in sorted(state.memory.items())
            if not self.image.objects[number].dynamic
        ]
        return (state.exit_code, tuple(threads), tuple(objects), self._dynamic(state, naming))

    def _dynamic(self, state: State, naming: _Naming) -> Key:
        """The dynamic objects that the walk has met: of which kind, whose, and what is in them."""
        if self.image.domain.numeric:  # numbers may lead to any object
            for number in sorted(state.memory):
                if self.image.objects[number].dynamic:
                    naming.value((number, 0))
        if not naming.order:
            return ()
        owners = {
            number: (thread.id, depth)
            for thread in state.threads.values()
            for depth, frame in enumerate(thread.frames)
            for number in frame.objects
        }
        entries = []
        for number in naming.order:  # grows while we walk it
            contents = state.memory.get(number)
            what = None if contents is None else self._object(contents, naming)
            entries.append((self.image.objects[number].kind, owners.get(number), what))
        return tuple(entries)

    def final(self, state: State, with_output: bool) -> Key:
        """What is left of a program that has ended: memory, exit code, and output if wanted."""
        naming = _Naming(self.image)
        objects = [
            (number, self._object(contents, naming))
            for number, contents in sorted(state.memory.items())
            if not self.image.objects[number].dynamic
        ]
        return (state.exit_code, state.output if with_output else None, tuple(objects))

    def _intern(self, part: Hashable) -> int:
        return self._numbers.setdefault(part, len(self._numbers))

    def _thread(self, thread: Thread, naming: _Naming) -> int:
        if thread.key is not None:
            return thread.key  # type: ignore[return-value]
        fixed = naming.count
        frames = []
        for depth, frame in enumerate(thread.frames):
            last = depth == len(thread.frames) - 1
            live = frame.code.live[frame.pc]
            if not last and frame.phase == 0:
                result = thread.frames[depth + 1].result
                live = tuple(r for r in live if r != result)
            regs = frame.regs
            frames.append(
                (
                    frame.code.number,
                    frame.pc,
                    frame.phase,
                    naming.value(frame.scratch),
                    tuple(naming.value(regs[r]) for r in live),
                    tuple((t, b, naming.value(v)) for t, b, v in frame.varargs),
                    tuple(sorted(frame.loops.items())),
                )
            )
        key = self._intern(
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
                naming.value(thread.result) if thread.status is Status.DONE else 0,
                tuple(frames),
            )
        )
        if naming.count == fixed:
            thread.key = key
        return key

    def _object(self, contents: MemoryObject, naming: _Naming) -> int:
        if contents.key is not None:
            return contents.key  # type: ignore[return-value]
        fixed = naming.count
        zero = contents.fill == 0
        cells = tuple(
            (at, n, naming.value(value))
            for at, (n, value) in sorted(contents.cells.items())
            if not (zero and value == 0 and value.__class__ is int)
        )
        key = self._intern((contents.size, zero, cells))
        if naming.count == fixed:
            contents.key = key
        return key


class _Naming:
    """Numbers dynamic objects in the order in which a walk over the state meets them."""

    def __init__(self, image: Image) -> None:
        self._infos = image.objects.infos
        self._numeric = image.domain.numeric
        self._names: dict[int, int] = {}
        self.order: list[int] = []
        self.count = 0  # dynamic pointers met so far

    def value(self, value: Value) -> Hashable:
        kind = value.__class__
        if kind is int or value is None:
            return value  # type: ignore[no-any-return]
        if kind is tuple:
            number, offset = value
            if number >= len(self._infos) or not self._infos[number].dynamic:
                return ("p", number, offset)
            self.count += 1
            name = self._names.get(number)
            if name is None:
                name = self._names[number] = len(self.order)
                self.order.append(number)
            return ("d", name, offset, number) if self._numeric else ("d", name, offset)
        if kind is float:
            return ("f", value.hex())
        if value is UNDEF:
            return "undef"
        if kind is Aggregate:
            return ("a", *(self.value(v) for v in value))
        if isinstance(value, Fragment):
            return ("b", value.index, value.size, self.value(value.value))
        return (kind.__name__, value)
