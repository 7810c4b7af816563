"""Circles of threads that wait for each other's ends, before a detach opens them.

A thread that waits in pthread_join waits until the other one has ended, whether or not that is
detached meanwhile: by POSIX a detach wakes nobody, and with glibc it does not. Only a join that
comes after the detach fails. A join is one event, so executions have just the latter; at the end of
each it is asked who would wait for whom if detaches had not happened yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

from imc.explorer.execution import Execution
from imc.explorer.semantics import Semantics
from imc.program.ends import circle_fault
from imc.program.events import Event
from imc.program.faults import Fault
from imc.program.instructions import Library

DETACH = "thread_detach"
MOST_TOGETHER = 6  # detaches of which all choices are left out; of more, one or all


def detaches(semantics: Semantics) -> bool:
    """Whether the program detaches threads at all."""
    return any(
        isinstance(i, Library) and i.function == DETACH
        for function in semantics.image.program.functions.values()
        for i in function.code
    )


def broken_circle(execution: Execution) -> tuple[Fault, list[Event]] | None:
    """A circle that threads had been in before detaches, and the events that lead there."""
    semantics = execution.semantics
    found = [k for k, event in enumerate(execution.events) if _is_detach(execution, event)]
    for chosen in _choices(found):
        kept = [
            k for k, past in enumerate(execution.past) if not any(past >> d & 1 for d in chosen)
        ]
        state = execution.rerun(0, kept)
        fault = circle_fault(semantics.interpreter, state, semantics.moves(state))
        if fault is not None:
            return fault, [execution.start.event, *(execution.events[k] for k in kept)]
    return None


def _is_detach(execution: Execution, event: Event) -> bool:
    instruction = execution.semantics.image.program.functions[event.function].code[event.pc]
    return isinstance(instruction, Library) and instruction.function == DETACH


def _choices(found: list[int]) -> Iterator[tuple[int, ...]]:
    sizes = range(1, len(found) + 1) if len(found) <= MOST_TOGETHER else (1, len(found))
    return chain.from_iterable(combinations(found, size) for size in sizes)
