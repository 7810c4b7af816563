"""Races of a complete execution, and how executions begin in which they go the other way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from imc.explorer.execution import Execution, covered, looked_at
from imc.explorer.semantics import footprint
from imc.explorer.wakeup import Planned
from imc.program.dependence import conflict, dependence
from imc.program.events import Access, Event, Mode
from imc.program.faults import Blocked

Reversal = tuple[int, list[Planned]]  # how many events stay, and what follows them instead


def reversals(execution: Execution, blocked: dict[int, Blocked]) -> Iterator[Reversal]:
    """All of them; `blocked` are the threads that cannot move at the end."""
    may_wait = execution.semantics.may_wait
    for position, event in enumerate(execution.events):
        if may_wait(event):
            yield from _waiting(execution, event, event.accesses, position)
        else:
            for first in execution.races[position]:
                if not _reads_input(execution, first):
                    yield from _plain(execution, first, position)
    end = len(execution)
    if end and execution.events[-1].exits:
        end -= 1
    for thread, why in blocked.items():
        if why.what != "end of thread":
            event = standing(execution, thread, footprint(why))
            yield from _waiting(execution, event, event.accesses, end)
    yield from _cut_off(execution)


def standing(execution: Execution, thread: int, accesses: tuple[Access, ...]) -> Event:
    """The event that a thread is kept from."""
    state = execution.state.threads[thread]
    frame = state.frames[-1]
    name = frame.code.function.name
    return Event(thread, state.events, name, frame.pc, frame.code.names[frame.pc], accesses)


def _plain(execution: Execution, first: int, second: int) -> Iterator[Reversal]:
    """The second event instead of the first; it never waits."""
    chosen = execution.not_after(first)
    event = execution.events[second]
    if _depends_on_order(execution, event):
        outcomes = execution.probe(first, chosen, event.thread, second, event.accesses)
        assert not isinstance(outcomes, Blocked)
        for outcome in outcomes:
            yield first, _sequence(execution, chosen, outcome.event)
    else:
        yield first, _sequence(execution, chosen, event)


def _reads_input(execution: Execution, position: int) -> bool:
    """Whether an event was paused at an input: nobody else moves before it goes on."""
    return execution.states[position].threads[execution.events[position].thread].paused


def _depends_on_order(execution: Execution, event: Event) -> bool:
    """Whether the event might touch other things, or choose otherwise, in another order.

    A load does if it decides whether its thread ends, and the thread's own variables with it.
    """
    if event.operation == "load":
        return execution.semantics.image.has_thread_locals
    return event.operation != "store"


def _sequence(execution: Execution, chosen: list[int], last: Event) -> list[Planned]:
    """The chosen events and the last one, which happens after those it depends on."""
    past = execution.past
    sequence = [Planned(execution.events[k], 1 << k, past[k]) for k in chosen]
    before = 0
    for planned in sequence:
        if dependence(planned.event, last) is not None:
            before |= planned.past
    sequence.append(Planned(last, 1 << len(past), before))
    return sequence


def _waiting(
    execution: Execution, event: Event, accesses: tuple[Access, ...], position: int
) -> Iterator[Reversal]:
    """An event that may have to wait, before events that conflict with it, the latest first.

    It conflicts with those, too, that decide about its waiting where it would look elsewhere.
    """
    own = execution.own_past(event.thread)
    if position < len(execution) and execution.events[position] is event:
        own = execution.own[position]
    looked, known = list(accesses), len(accesses)
    ahead = iter(execution.touching(accesses))
    while (first := next(ahead, None)) is not None:
        if first >= position or own >> first & 1:
            continue
        if not _conflict(execution.events[first].accesses, looked):
            continue
        inserted = False
        for chosen, last in _enabling(execution, event, looked, position, first, own):
            inserted = True
            yield first, _sequence(execution, chosen, last)
        if inserted and _orders_all(execution.events[first].accesses, looked):
            return
        if len(looked) > known:
            known = len(looked)
            ahead = iter([k for k in execution.touching(looked) if k < first])


def _conflict(some: Iterable[Access], others: Iterable[Access]) -> bool:
    return any(conflict(a, b) for a in some for b in others)


def _orders_all(some: tuple[Access, ...], accesses: Iterable[Access]) -> bool:
    """Whether whatever conflicts with the accesses conflicts with some of these as well."""
    return all(
        any(
            a.mode is Mode.WRITE
            and a.object == b.object
            and a.offset <= b.offset
            and b.offset + b.size <= a.offset + a.size
            for a in some
        )
        for b in accesses
    )


def _enabling(
    execution: Execution, event: Event, looked: list[Access], position: int, first: int, own: int
) -> Iterator[tuple[list[int], Event]]:
    """Largest choices of events that do not happen after the first, and let the event happen.

    Where it has to wait, what it waits for is added to what it has looked at.
    """
    work = [execution.not_after(first)]
    seen = set()
    found: list[frozenset[int]] = []
    while work:
        chosen = work.pop(0)
        key = frozenset(chosen)
        if key in seen or any(key <= larger for larger in found):
            continue
        seen.add(key)
        outcomes = execution.probe(first, chosen, event.thread, position, looked)
        if not isinstance(outcomes, Blocked):
            found.append(key)
            yield from ((chosen, outcome.event) for outcome in outcomes)
            continue
        looked.extend(a for a in looked_at(outcomes) if not covered((a,), looked))
        work.extend(_without_one(execution, looked, chosen, own))


def _without_one(
    execution: Execution, accesses: list[Access], chosen: list[int], own: int
) -> Iterator[list[int]]:
    """The choices without one of the last events that conflict, and without what follows it.

    What the thread itself needs to come so far (`own`) stays.
    """
    conflicting = [k for k in chosen if _conflict(execution.events[k].accesses, accesses)]
    past = execution.past
    for k in conflicting:
        last = not any(past[later] >> k & 1 for later in conflicting if later != k)
        if last and not own >> k & 1:
            yield [j for j in chosen if not past[j] >> k & 1]


def _cut_off(execution: Execution) -> Iterator[Reversal]:
    """Where the program has ended as a whole, others could have gone on before that."""
    if not execution.events or not execution.events[-1].exits:
        return
    last = len(execution) - 1
    state = execution.states[last]
    for thread in execution.semantics.running(state):
        if thread == execution.events[last].thread:
            continue
        try:
            outcomes = execution.semantics.successors(state, thread)
        except Blocked:
            continue
        for outcome in outcomes:
            yield last, [Planned(replace(outcome.event), 1, 0)]
