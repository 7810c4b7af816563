"""What the model's semantics has made of one instruction, as words: for machines to take over.

Numbers of objects and threads are the machine's own. Machines apply it in the order of the fields:
new objects first, then what is written, then what has ended, then the thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Comes(IntEnum):
    """What comes after the instruction."""

    NEXT = 0  # the next one
    AGAIN = 1  # the same one, in another phase
    CALLS = 2  # a function, and then the next instruction
    CALLS_BACK = 3  # a function, and then the same instruction
    ENDS = 4  # the end of the thread
    EXITS = 5  # the end of the program
    WAITS = 6  # nothing has changed
    CHOICE = 7  # nothing has changed: the environment is asked
    FAULT = 8
    STICKS = 9


@dataclass(slots=True)
class Performed:
    """One instruction's effects."""

    comes: Comes = Comes.NEXT
    results: list[int] = field(default_factory=list)  # words
    chosen: int = 0
    wanted: int = 0  # of how many alternatives one is to be chosen
    # Objects that are new to the table: kind, thread, two numbers of the identity.
    known: list[tuple[int, int, int, int]] = field(default_factory=list)
    # Objects that begin: number, bytes, whether filled with zeros, depth of their frame.
    made: list[tuple[int, int, int, int]] = field(default_factory=list)
    written: list[tuple[int, int, int, int]] = field(default_factory=list)  # number, offset, size
    filled: list[tuple[int, int, int, int]] = field(default_factory=list)  # number, offset, bytes
    ended: list[int] = field(default_factory=list)
    accesses: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    hidden_reads: list[int] = field(default_factory=list)  # objects used out of sight
    hidden_writes: list[int] = field(default_factory=list)
    acquired: list[int] = field(default_factory=list)
    allocated: int = 0  # how many objects the thread has made
    extra: int = 0  # what else the thread has, as a number
    joined: list[int] = field(default_factory=list)  # threads
    result: int | None = None  # of the thread
    phase: int = 0
    scratch: int = 0
    output: int = 0  # what the program has printed, as a number
    note: int = 0  # a text
    tries: bool = False
    wakes: bool = False
    leaves: bool = False
    invents: str = ""
    effect: bool = False  # on the world, or by it: output, an input, something made up
    bounded: int = 0  # the limits that were hit, as a number
    code: int = 0  # with which the program ends
    called: int = -1  # the number of a function
    arguments: list[tuple[int, int]] = field(default_factory=list)  # its registers, and their words
    # Why the thread waits, sticks, or has gone wrong.
    what: str = ""
    kind: str = ""
    pointer: int | None = None
    holder: int | None = None
    stable: bool = True
    sticks_at_bound: bool = False
