"""What the model knows about library functions: how they run, and what they do with pointers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from imc.program.values import Value

if TYPE_CHECKING:
    from imc.program.instructions import Library
    from imc.program.machine import Machine

Run = Callable[["Machine", "Library", list[Value]], Value]


class Visibility(Enum):
    """When a call is an event."""

    LOCAL = "local"  # never
    MEMORY = "memory"  # when a pointer it is given may lead to shared memory
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """A library function. Arguments are numbered from 0."""

    name: str
    run: Run
    visible: Visibility = Visibility.LOCAL
    stepwise: Run | None = None  # used instead of `run` where the call is visible
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    reads_reachable: bool = False  # reads whatever its arguments lead to
    copies: tuple[tuple[int, int], ...] = ()  # (to, from)
    returns_heap: bool = False  # a new object
    calls: int | None = None  # argument that is a function it calls, in this thread or a new one
    passes: int | None = None  # argument that it hands to that function
    calls_with_specific: bool = False  # it hands over thread-specific data
    spawns: bool = False
    reads_input: bool = False  # the environment chooses the result
    takes_terms: bool = False  # its arguments may be terms; others are told numbers
    waits: bool = False  # it may be unable to go on until another thread has moved


LIBRARY: dict[str, LibraryFunction] = {}


def library(
    *names: str,
    visible: Visibility = Visibility.LOCAL,
    stepwise: Run | None = None,
    reads: tuple[int, ...] = (),
    writes: tuple[int, ...] = (),
    reads_reachable: bool = False,
    copies: tuple[tuple[int, int], ...] = (),
    returns_heap: bool = False,
    calls: int | None = None,
    passes: int | None = None,
    calls_with_specific: bool = False,
    spawns: bool = False,
    reads_input: bool = False,
    takes_terms: bool = False,
    waits: bool = False,
) -> Callable[[Run], Run]:
    """Registers a function under its names in the model."""

    def register(run: Run) -> Run:
        for name in names:
            LIBRARY[name] = LibraryFunction(
                name=name,
                run=run,
                visible=visible,
                stepwise=stepwise,
                reads=reads,
                writes=writes,
                reads_reachable=reads_reachable,
                copies=copies,
                returns_heap=returns_heap,
                calls=calls,
                passes=passes,
                calls_with_specific=calls_with_specific,
                spawns=spawns,
                reads_input=reads_input,
                takes_terms=takes_terms,
                waits=waits,
            )
        return run

    return register
