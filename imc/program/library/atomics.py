"""Atomic operations that clang leaves to the library: objects too large for an instruction.

The place itself is read or written at once. What is copied to or from it (the new value, the value
expected, where the old one goes) is ordinary memory, which is read before and written after that.
Where others may use that too, every word of it is an event of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.instructions import Library
from imc.program.library.registry import Run, Visibility, library
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.values import UNDEF, Aggregate, Fragment, Partial, Value

Cells = Value  # what `Machine.gather` has brought
Outputs = list[tuple[int, Cells]]  # arguments, and what is to be written there
# What happens at once, given what was read before: the result, and what is to be written after it.
Action = Callable[[Machine, list[Value], dict[int, Cells]], tuple[Value, Outputs]]
WORD = 8


def _load(m: Machine, args: list[Value], given: dict[int, Cells]) -> tuple[Value, Outputs]:
    size, place = args[:2]
    held = m.gather(place, size)
    m.touch(Mode.READ, place, size, True)
    return UNDEF, [(2, held)]


def _store(m: Machine, args: list[Value], given: dict[int, Cells]) -> tuple[Value, Outputs]:
    size, place = args[:2]
    m.give(place, size, given[2])
    m.touch(Mode.WRITE, place, size, True)
    return UNDEF, []


def _exchange(m: Machine, args: list[Value], given: dict[int, Cells]) -> tuple[Value, Outputs]:
    size, place = args[:2]
    held = m.gather(place, size)
    m.give(place, size, given[2])
    m.touch(Mode.WRITE, place, size, True)
    return UNDEF, [(3, held)]


def _compare_exchange(
    m: Machine, args: list[Value], given: dict[int, Cells]
) -> tuple[Value, Outputs]:
    size, place = args[:2]
    held = m.gather(place, size)
    pairs = list(zip(_bytes(m, held, size), _bytes(m, given[2], size), strict=True))
    same = all(mine == its for mine, its in pairs)
    if not any(_differ(mine, its) for mine, its in pairs):
        both = [byte for pair in pairs for byte in pair]
        if any(byte is UNDEF or byte.__class__ is Partial for byte in both):
            raise Unsupported(
                "a large atomic object is compared, and not all of it is defined",
                m.place(),
                "set all of it by memset first",
            )
        if m.domain.symbolic and not same and any(isinstance(byte, Fragment) for byte in both):
            raise Unsupported("a large atomic object is compared, and its value is not known")
    if same:
        m.give(place, size, given[3])
    m.touch(Mode.WRITE if same else Mode.READ, place, size, True)
    return int(same), [] if same else [(2, held)]


def _differ(one: Value, other: Value) -> bool:
    """Whether two bytes are known not to be the same."""
    return one.__class__ is int and other.__class__ is int and one != other


def _bytes(m: Machine, cells: Cells, size: int) -> list[Value]:
    return m.buffer(size, cells).read_bytes(0, size, m.domain)


def _at_once(action: Action, inputs: tuple[int, ...]) -> Run:
    def run(m: Machine, i: Library, args: list[Value]) -> Value:
        result, outputs = action(m, args, {k: _read(m, args, k) for k in inputs})
        for k, cells in outputs:
            _write(m, args, k, 0, args[0], cells)
        return result

    return run


def _read(m: Machine, args: list[Value], k: int) -> Cells:
    m.touch(Mode.READ, args[k], args[0], False)
    return m.gather(args[k], args[0])


def _write(m: Machine, args: list[Value], k: int, at: int, size: int, cells: Cells) -> None:
    place = m.domain.add_offset(args[k], at)
    m.give(place, size, cells)
    m.touch(Mode.WRITE, place, size, False)


def _stepwise(action: Action, inputs: tuple[int, ...]) -> Run:
    def run(m: Machine, i: Library, args: list[Value]) -> Value:
        frame, size = m.frames[-1], args[0]

        def is_shared(k: int) -> bool:
            return m.image.sharing.may_be_shared(frame.code.function.name, i.args[k])

        words = [(at, min(WORD, size - at)) for at in range(0, size, WORD)]
        reads = [(k, at, n) for k in inputs if is_shared(k) for at, n in words]
        if frame.phase < len(reads):
            k, at, n = reads[frame.phase]
            place = m.domain.add_offset(args[k], at)
            m.touch(Mode.READ, place, n, False)
            word = Aggregate((k, at, m.gather(place, n)))
            frame.scratch = Aggregate((*(frame.scratch or ()), word))
        elif frame.phase == len(reads):
            given = {k: _joined(k, frame.scratch) for k in inputs if is_shared(k)}
            given |= {k: _read(m, args, k) for k in inputs if not is_shared(k)}
            result, outputs = action(m, args, given)
            later = []
            for k, cells in outputs:
                if is_shared(k):
                    later += [
                        Aggregate((k, at, n, _part(m, cells, size, at, n))) for at, n in words
                    ]
                else:
                    _write(m, args, k, 0, size, cells)
            frame.scratch = Aggregate((result, *later))
        else:
            k, at, n, cells = frame.scratch[frame.phase - len(reads)]
            _write(m, args, k, at, n, cells)
        frame.phase += 1
        if frame.phase < len(reads) + len(frame.scratch or ()) or frame.phase <= len(reads):
            return NEXT_PHASE
        result, frame.scratch = frame.scratch[0], None
        return result

    return run


def _joined(k: int, words: Value) -> Cells:
    """What was read word by word of an argument."""
    return Aggregate(
        Aggregate((at + offset, n, value))
        for number, at, cells in words or ()
        if number == k
        for offset, n, value in cells
    )


def _part(m: Machine, cells: Cells, size: int, at: int, n: int) -> Cells:
    part = m.buffer(n, ())
    part.copy_range(0, m.buffer(size, cells), at, n, m.domain)
    return Aggregate(Aggregate((k, length, v)) for k, (length, v) in sorted(part.cells.items()))


def _add(
    name: str,
    action: Action,
    inputs: tuple[int, ...],
    writes: tuple[int, ...],
    copies: tuple[tuple[int, int], ...],
) -> None:
    library(
        f"atomic_{name}",
        c=f"__atomic_{name}",
        visible=Visibility.MEMORY,
        stepwise=_stepwise(action, inputs),
        reads=(1, *inputs),
        writes=writes,
        copies=copies,
        returns_number=True,
        native_steps={f"__atomic_{name}": f"irs_atomic_{name}"},
    )(_at_once(action, inputs))


_add("load", _load, (), (2,), ((2, 1),))
_add("store", _store, (2,), (1,), ((1, 2),))
_add("exchange", _exchange, (2,), (1, 3), ((1, 2), (3, 1)))
_add("compare_exchange", _compare_exchange, (2, 3), (1, 2), ((1, 3), (2, 1)))
