"""A program as flat arrays of ints: what a machine needs to run it, in any language.

`code` has records of WIDTH ints (see opcodes.py). A thread has one register file: first the
registers that are part of a state, then those that hold nothing between two steps, then constants;
functions have their registers at fixed places; one that calls itself is there several times. Memory
is one array of cells, a cell for each byte of each object. A scalar lives in the cell of its first
byte, and `layout` tells how many bytes it has: 0 where nobody has looked yet, INSIDE in the cells
behind its first one. So a load is a look-up; where an access is cut in another way, numbers are
taken apart or joined.

A pointer is a number: object n, at byte k, is n * 2**32 + 2**16 + k, as in the model, where C code
asks for it. What has no form here (floats, structs in registers, …) raises NotCompact; the model
runs such programs.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from imc.compact.opcodes import NAMES, UNDEF, WIDTH
from imc.errors import SourceLoc
from imc.program.types import Type
from imc.records import record

SHIFT, BASE = 32, 1 << 16  # where an object lies, as a number
INSIDE = -1  # in a layout: a byte of a scalar, but not its first one
MOST_OBJECTS = 1 << 18  # of a machine that tells addresses by their numbers
ROOT = -1  # the return address of a thread's first function
# The ints of a function.
FUNCTION_WIDTH = 5
OBJECT, FIRST_PC, PARAMETER, LINK, LOCALS = range(FUNCTION_WIDTH)


class NotCompact(Exception):
    """The program needs the model; `loc` is where."""

    def __init__(self, reason: str, loc: SourceLoc | None = None) -> None:
        super().__init__(f"{loc}: {reason}" if loc else reason)
        self.reason = reason
        self.loc = loc


@record
class Origin:
    """An instruction of the model: reports speak of it, no machine needs it."""

    function: str
    pc: int
    operation: str
    loc: SourceLoc | None
    name: str = ""  # of a local that it makes, or of the input that it reads


@dataclass(slots=True, eq=False)
class CompactProgram:
    """The form. `sites[pc]` is the number in `where` of the instruction that a record belongs to.

    The records of a function lie together. `functions` has for each one: its object, its first pc,
    the registers of its parameter and of its return address, and the place in `tables` of its
    locals (how many, then their registers). `operands[site]` is such a place too: registers that a
    visible instruction looks at (how many, then register * 2, + 1 where it may be an integer of 64
    bits). `live[pc]` is one as well, for records that threads or callers stand at: what the frame
    still needs (how many, then registers, the last one with the return address).
    """

    code: list[int] = field(default_factory=list)
    sites: list[int] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)
    tables: list[int] = field(default_factory=list)
    operands: list[int] = field(default_factory=list)
    entry: int = 0  # the function that main is
    end_of_thread: int = -1  # the function that a thread ends with, if it has more to do
    persistent: int = 0  # registers that are part of a state
    registers: list[int] = field(default_factory=list)  # what a new thread's hold
    objects: list[int] = field(default_factory=list)  # object, first cell, bytes, constant
    cells: list[int] = field(default_factory=list)
    layout: list[int] = field(default_factory=list)
    live: list[int] = field(default_factory=list)
    variables: int = 0  # the first cell behind those of constants
    statics: int = 0  # the first cell behind those of variables
    arguments: list[int] = field(default_factory=list)  # of main: register and value of each
    allocated: int = 0  # objects that main has made before it starts
    parameters: list[list[int]] = field(default_factory=list)  # registers of each function's
    where: list[Origin] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    late: list[list[int]] = field(default_factory=list)  # of each, registers of late locals
    late_sites: set[tuple[str, int]] = field(default_factory=set)  # where these are made
    shapes: list[tuple[tuple[Type, bool], ...]] = field(default_factory=list)  # of more arguments
    value: int = 0  # the first register of what a function returns
    returned: int = 1  # how many of them there are
    far_numbers: bool = False  # some constant is a number that looks like an address

    def arrays(self) -> dict[str, array[int]]:
        """All of it but the words, as machine integers; undefined values are told apart."""
        found = {
            name: array("q", getattr(self, name))
            for name in ("code", "sites", "functions", "operands", "objects", "live", "arguments")
        }
        found["tables"] = array("Q", self.tables)
        for name in ("registers", "cells"):
            values = getattr(self, name)
            found[name] = array("Q", [0 if v == UNDEF else v for v in values])
            found[f"{name}_defined"] = array("b", [v != UNDEF for v in values])
        found["layout"] = array("b", self.layout)
        found["scalars"] = array(
            "q", [self.entry, self.persistent, self.variables, self.statics, self.allocated]
        )
        return found

    def note_number(self, value: int) -> None:
        """A number of the program, which some machines could take for an address."""
        self.far_numbers = self.far_numbers or 0 < value >> SHIFT < MOST_OBJECTS

    def record(self, pc: int) -> tuple[int, int, int, int, int]:
        op, d, a, b, c = self.code[WIDTH * pc : WIDTH * (pc + 1)]
        return op, d, a, b, c

    def function(self, number: int) -> list[int]:
        return self.functions[FUNCTION_WIDTH * number : FUNCTION_WIDTH * (number + 1)]

    def listing(self) -> str:
        """The code as text, for those who look for mistakes."""
        lines = []
        for pc in range(len(self.sites)):
            op, *fields = self.record(pc)
            site = self.where[self.sites[pc]]
            words = " ".join(map(str, fields))
            lines.append(f"{pc:5} {NAMES[op]:<16} {words:<24} {site.function}:{site.pc}")
        return "\n".join(lines)
