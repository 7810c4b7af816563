"""How programs are run: which properties count, and what bounds the run."""

from __future__ import annotations

from dataclasses import dataclass

from imc.program.faults import DEFAULT_PROPERTIES, Property


@dataclass(frozen=True, slots=True)
class Settings:
    """Every bound that is hit is named with the verdict."""

    properties: frozenset[Property] = DEFAULT_PROPERTIES
    loop_bound: int | None = None
    max_threads: int | None = None  # threads beyond are not created; None stops at thread_limit
    inputs: tuple[int, ...] = (0, 1, 2)  # what a nondeterministic integer may be
    spurious_wakeups: bool = False
    independent_adds: bool = False  # atomic additions commute if nobody looks at the old value
    arguments: tuple[str, ...] = ()  # argv[1:]
    stdin: bytes = b""
    thread_limit: int = 64
    stack_limit: int = 4000
    local_limit: int = 20_000_000
    allocation_limit: int = 1 << 30  # malloc of more than this returns NULL
