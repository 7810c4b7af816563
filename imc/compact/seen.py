"""A machine's memory as the model sees it: objects are looked up when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from imc.compact.form import BASE, SHIFT, NotCompact
from imc.compact.opcodes import UNDEF
from imc.compact.words import LOW
from imc.program.code import Image
from imc.program.memory import MemoryObject
from imc.program.values import UNDEF as UNDEFINED


@dataclass(slots=True)
class Contents:
    """An object that is there: its words, and how its bytes are cut into scalars.

    A library's own object may have fewer words than bytes: what lies behind is zero.
    """

    size: int
    words: list[int]
    layout: list[int]


@dataclass(slots=True)
class Standing:
    """What a machine knows of a thread."""

    status: int
    detached: bool
    joined: bool
    allocated: int
    extra: int
    result: int  # a word


@dataclass(slots=True)
class StandingFrame:
    """A function that is active: at which record, its locals, and in which phase.

    `words` are what the record's instruction looks at, where that goes on when a callee is done.
    """

    pc: int
    locals: list[int]
    phase: int
    words: list[int]


class View(Protocol):
    """A machine, for those who look at it."""

    @property
    def image(self) -> Image:
        """Objects and threads have the machine's own numbers in its tables."""
        ...

    def contents(self, number: int) -> Contents | None: ...

    def layout(self, number: int, size: int) -> list[int]:
        """How an object that is not there was cut into scalars before; nothing if that is open."""
        ...

    def threads(self) -> dict[int, Standing]: ...

    def frames(self, thread: int) -> list[StandingFrame]:
        """A thread's functions, the first one first."""
        ...

    def output(self) -> int: ...


class SeenMemory(dict[int, MemoryObject]):
    """The memory of a state of the model; `loaded` is what the machine has of it."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self._view = view
        self.loaded: dict[int, tuple[MemoryObject, Contents]] = {}
        self._absent: set[int] = set()

    def _load(self, number: int | None) -> bool:
        """Whether an object that has not been asked for before is there."""
        constants = self._view.image.constants
        if number is None or number in self.loaded or number in self._absent or number in constants:
            return False
        found = self._view.contents(number)
        if found is None:
            self._absent.add(number)
            return False
        made = object_of(found, len(self._view.image.objects.infos))
        self.loaded[number] = made, found
        super().__setitem__(number, made)
        return True

    def __contains__(self, number: object) -> bool:
        return super().__contains__(number) or self._load(number)  # type: ignore[arg-type]

    def __missing__(self, number: int) -> MemoryObject:
        if self._load(number):
            return self[number]
        raise KeyError(number)

    def get(self, number: int, default: MemoryObject | None = None) -> MemoryObject | None:  # type: ignore[override]
        return super().get(number, default) if number in self else default

    def pop(self, number: int, *default: MemoryObject | None) -> MemoryObject | None:  # type: ignore[override]
        if number in self:
            return super().pop(number)
        if default:
            return default[0]
        raise KeyError(number)

    def __iter__(self) -> Iterator[int]:
        raise NotCompact("all objects are looked at")

    def ended(self) -> list[int]:
        return [number for number in self.loaded if not dict.__contains__(self, number)]


def object_of(found: Contents, objects: int) -> MemoryObject:
    """An object as the model has it: scalars, and a fill; what holds the fill is no scalar.

    So it does not matter for what the model makes of it where somebody has looked already.
    """
    words, layout = found.words, found.layout
    unknown = [words[at] for at, size in enumerate(layout) if size == 0]
    fill = UNDEFINED if UNDEF in unknown else 0
    blank = UNDEF if fill is UNDEFINED else 0
    made = MemoryObject(found.size, fill)
    for at, size in enumerate(layout):
        if size > 0 and words[at] != blank:
            made.cells[at] = (size, cell(words[at], size, objects))
        elif size == 0 and words[at] != UNDEF and fill is UNDEFINED:
            made.cells[at] = (1, words[at])
    return made


def cell(word: int, size: int, objects: int) -> object:
    if word == UNDEF:
        return UNDEFINED
    if size == 8 and 0 < word >> SHIFT < objects:
        return (word >> SHIFT, (word & LOW) - BASE)
    return word
