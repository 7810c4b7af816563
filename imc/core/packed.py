"""A compact program as the core takes it: arrays of 64 bits, and what its engines have to know."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable

from imc.compact.form import CompactProgram, NotCompact
from imc.compact.opcodes import UNDEF
from imc.core.interface import ARRAYS, NOTHING, Array, Form, Numbers
from imc.program.analysis.assuming import before_assumptions
from imc.program.analysis.loops import inside_loops
from imc.program.code import FunctionCode, Image
from imc.program.faults import Property
from imc.program.instructions import (
    Binary,
    Cast,
    Compare,
    CondBranch,
    Freeze,
    Instruction,
    Jump,
    Library,
    Load,
    Reg,
    Select,
    Store,
    Switch,
)
from imc.program.library import LIBRARY

PROPERTIES = {kind: 1 << n for n, kind in enumerate(Property)}  # in the order of core's form.h
KINDS = {"global": 1, "constant": 2, "function": 3, "stack": 4, "heap": 5, "tls": 6, "library": 7}
WORD = (1 << 64) - 1
# Notes about records.
IN_LOOP, BEGINS, COMPUTES, LOADS, HARMLESS, WAITS, FIXED, OBSTRUCTED, ASSUMES = (
    1 << n for n in range(9)
)
CANNOT_GO_WRONG = ("add", "sub", "mul", "and", "or", "xor")


class Packed:
    """Arrays that live as long as this does."""

    def __init__(self, form: CompactProgram, image: Image) -> None:
        if form.far_numbers:
            raise NotCompact("a constant that looks like an address")
        settings = image.settings
        self._kept: list[array[int]] = []
        given: dict[str, Iterable[int]] = {
            "code": form.code,
            "sites": form.sites,
            "functions": form.functions,
            "tables": form.tables,
            "operands": form.operands,
            "objects": form.objects,
            "live": form.live,
            "arguments": [0 if v == UNDEF else v for v in form.arguments],
            "arguments_defined": [v != UNDEF for v in form.arguments[1::2]],
            "registers": [0 if v == UNDEF else v for v in form.registers],
            "registers_defined": [v != UNDEF for v in form.registers],
            "cells": [0 if v == UNDEF else v for v in form.cells],
            "cells_defined": [v != UNDEF for v in form.cells],
            "layout": form.layout,
            "scalars": [
                form.entry, form.persistent, form.variables, form.statics, form.allocated,
                form.end_of_thread,
            ],
            "kinds": [KINDS.get(info.kind, 0) for info in image.objects.infos],
            "functions_known": sorted(image.functions),
            "inputs": settings.inputs,
            "settings": [
                sum(PROPERTIES[kind] for kind in settings.properties),
                settings.thread_limit,
                image.layout.largest,
            ],
            "notes": _notes(form, image),
            "properties": [_property(text) for text in form.texts],
        }  # fmt: skip
        self.form = Form(**{name: self._array(given[name]) for name in ARRAYS})

    def _array(self, numbers: Iterable[int]) -> Array:
        kept = array("Q", [n & WORD for n in numbers])
        self._kept.append(kept)
        if not kept:
            return Array(NOTHING, 0)
        pointer = (ctypes.c_int64 * len(kept)).from_buffer(kept)
        return Array(ctypes.cast(pointer, Numbers), len(kept))


def _property(text: str) -> int:
    return PROPERTIES[Property(text)] if text in list(Property) else 0


def _notes(form: CompactProgram, image: Image) -> list[int]:
    """What engines want to know of each record; see the bits in the core's form.h."""
    inside, assuming = inside_loops(image.sharing), before_assumptions(image.sharing)
    of_site = []
    for site in form.where:
        code = image.code(site.function)
        note = _note(code, code.function.code[site.pc])
        place = site.function, site.pc
        of_site.append(note | IN_LOOP * (place in inside) | ASSUMES * (place in assuming))
    notes = []
    last = -1
    for number in form.sites:
        note = of_site[number]
        if number > last:  # records of edges belong to instructions that came before
            left_out = of_site[last + 1 : number]  # instructions without records
            note |= BEGINS | (OBSTRUCTED if any(not n & COMPUTES for n in left_out) else 0)
            last = number
        notes.append(note)
    return notes


def _note(code: FunctionCode, i: Instruction) -> int:
    if isinstance(i, Library):
        return WAITS if LIBRARY[i.function].waits else 0
    if isinstance(i, Load | Store):
        if isinstance(i.pointer, Reg) and i.pointer.index in code.promoted:
            return COMPUTES | FIXED
        return (LOADS if isinstance(i, Load) else 0) | FIXED
    if isinstance(i, Cast):
        return COMPUTES | HARMLESS if i.op in ("trunc", "zext", "sext", "bitcast") else 0
    if isinstance(i, Binary):
        return COMPUTES | (HARMLESS if i.op in CANNOT_GO_WRONG else 0)
    if isinstance(i, Jump | Compare | CondBranch | Freeze | Select | Switch):
        return COMPUTES | HARMLESS
    return 0
