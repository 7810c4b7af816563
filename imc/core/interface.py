"""core.h in ctypes: structures, constants and the types of functions."""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_int, c_int64, c_void_p
from enum import IntEnum

VERSION = 3
Numbers = POINTER(c_int64)
NOTHING = Numbers()  # null
Tick = CFUNCTYPE(c_int, c_void_p)
Ask = CFUNCTYPE(c_int64, c_void_p, Numbers, c_int64, Numbers, c_int64)
AskLivelock = CFUNCTYPE(c_int, c_void_p, Numbers, c_int64, c_int64)


class Array(Structure):
    _fields_ = (("at", Numbers), ("length", c_int64))


ARRAYS = (
    "code", "sites", "functions", "tables", "operands", "objects", "live", "arguments",
    "registers", "registers_defined", "cells", "cells_defined", "layout", "arguments_defined",
    "scalars", "kinds", "functions_known", "inputs", "settings", "notes", "properties",
)  # fmt: skip


class Form(Structure):
    _fields_ = tuple((name, Array) for name in ARRAYS)


class Step(IntEnum):
    """How a step ends."""

    MOVED = 0
    BLOCKED = 1
    FAULTY = 2
    NEEDS_CHOICE = 3
    NOT_COMPACT = 4
    OUT_OF_SIGHT = 5
    OUT_OF_MEMORY = 6


class Algorithm(IntEnum):
    COUNT = 0
    STATES = 1
    SOURCE = 2
    OPTIMAL = 3
    AWAIT = 4
    EXECUTION_GRAPHS = 5


PURE, AWAITS, GRAPH, TRACES, LAPOR = 1, 2, 4, 8, 16  # flags of a request


class SearchEnd(IntEnum):
    """How a search ends."""

    DONE = 0
    FAULT = 1
    DEADLOCK = 2
    STOPPED = 3
    STEPS = 4
    EXECUTIONS = 5
    STATES_LIMIT = 6
    MEMORY = 7
    REFUSED = 8
    UNSEEN = 9
    ENDLESS = 10
    RESTS = 11


class CoreRequest(Structure):
    _fields_ = (
        ("algorithm", c_int64),
        ("flags", c_int64),
        ("most_steps", c_int64),
        ("most_executions", c_int64),
        ("most_states", c_int64),
        ("most_bytes", c_int64),
        ("rest_at", c_int64),
        ("tick", Tick),
        ("livelock", AskLivelock),
        ("whom", c_void_p),
    )


FIGURES = (
    "end", "complete", "blocked", "endless", "traces", "duplicates", "states", "redundant",
    "race_checks", "dependency_checks", "final_states", "events", "may_hang", "bytes", "steps",
    "work", "expected_millis",
)  # fmt: skip


class CoreResult(Structure):
    _fields_ = tuple((name, c_int64) for name in FIGURES)


def declare(library: ctypes.CDLL) -> None:
    """Tells ctypes what the functions take and answer."""
    core = c_void_p
    signatures: dict[str, tuple[object, tuple[object, ...]]] = {
        "core_version": (c_int64, ()),
        "core_new": (core, (POINTER(Form),)),
        "core_free": (None, (core,)),
        "core_run": (c_int64, (core, POINTER(CoreRequest), POINTER(CoreResult))),
        "core_progress": (None, (core, POINTER(CoreResult))),
        "core_trace": (c_int64, (core, Numbers, c_int64)),
        "core_bounds": (c_int64, (core,)),
        "core_bound": (c_int64, (core, c_int64, Numbers, c_int64)),
        "core_refusal": (c_int64, (core, Numbers)),
        "core_start": (c_int64, (core, Numbers, c_int64)),
        "core_step": (c_int64, (core, c_int64, Numbers, c_int64)),
        "core_mark": (c_int64, (core,)),
        "core_undo": (None, (core, c_int64)),
        "core_running": (c_int64, (core, Numbers)),
        "core_parent": (c_int64, (core, c_int64, Numbers)),
        "core_state": (c_int64, (core,)),
        "core_event": (c_int64, (core, Numbers, c_int64)),
        "core_host": (c_int64, (core, Ask, c_void_p)),
        "core_object": (c_int64, (core, c_int64, Numbers, c_int64)),
        "core_layout": (c_int64, (core, c_int64, c_int64, Numbers, c_int64)),
        "core_identity": (c_int64, (core, c_int64, Numbers, c_int64)),
        "core_objects": (c_int64, (core,)),
        "core_threads": (c_int64, (core, Numbers, c_int64)),
        "core_frames": (c_int64, (core, c_int64, Numbers, c_int64)),
        "core_output": (c_int64, (core,)),
        "core_part": (c_int64, (core, c_int64, Numbers, Numbers, c_int64)),
    }
    for name, (answer, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = answer, list(arguments)
