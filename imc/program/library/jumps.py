"""Jumps out of functions, within a thread: setjmp and longjmp, and what pthread_cleanup_push is.

A buffer says where its thread stood: how many frames it had, in which function and where. The jump
drops the frames above, and `setjmp` is answered once more. In the C library's headers, handlers of
pthread_cleanup_push are such places, too, which a thread comes to on its way out.
"""

from __future__ import annotations

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.faults import Property
from imc.program.instructions import Library
from imc.program.library.once import running, take_back
from imc.program.library.registry import Ends, Visibility, library
from imc.program.machine import CALLED, Machine
from imc.program.types import PTR
from imc.program.values import Value

FIELDS = 4  # of a buffer: thread, frames, function, place; 8 bytes each
NATIVELY = "run the schedule on Python threads"


@library(
    "setjmp", c="setjmp _setjmp __sigsetjmp", visible=Visibility.MEMORY, writes=(0,),
    tells_threads_apart=True, returns_twice=True,
)  # fmt: skip
def setjmp(m: Machine, i: Library, args: list[Value]) -> Value:
    frame = m.frames[-1]
    fields = (m.thread.id + 1, len(m.frames), frame.code.number, frame.pc)
    for nth, value in enumerate(fields):
        m.store_int(args[0], 8 * nth, 8, value)
    m.touch(Mode.WRITE, args[0], 8 * FIELDS, False)
    return 0


@library(
    "longjmp", c="longjmp _longjmp siglongjmp", visible=Visibility.ALWAYS, reads=(0,),
    ends=Ends.FRAME,
    refused_natively=dict.fromkeys(("longjmp", "_longjmp", "siglongjmp"), NATIVELY),
)  # fmt: skip
def longjmp(m: Machine, i: Library, args: list[Value]) -> Value:
    value = args[1] or 1
    m.touch_read(args[0], 8 * FIELDS)
    return _jump(m, i, args[0], value, False)


def _jump(m: Machine, i: Library, buffer: Value, value: Value, ends: bool) -> Value:
    """Goes back to where the buffer was filled, or stops there on the way to the thread's end."""
    if m.atomic:
        raise Unsupported("a jump out of an atomic section is not modelled", i.loc)
    thread, depth, function, pc = (m.load_int(buffer, 8 * nth, 8) for nth in range(FIELDS))
    if thread != m.thread.id + 1:
        m.fault(Property.MEMORY, "longjmp to a place that this thread has not set")
    target = m.frames[depth - 1] if depth <= len(m.frames) else None
    if target is None or target.code.number != function:
        m.fault(Property.MEMORY, "longjmp to a function that has returned")
    if ends:
        take_back(m, m.frames[depth - 1 :])
    elif any(running(m.frames[depth - 1 :])):
        raise Unsupported("a jump out of a once routine is not modelled", i.loc)
    for frame in m.frames[depth:]:
        for number in frame.objects:
            m.end_local(number, True)
    del m.frames[depth:]
    target.phase, target.scratch = 0, None
    target.pc = pc + 1
    result = target.code.function.code[pc].result
    if result is not None:
        target.regs[result] = value
    return CALLED


# ------------------------------------------------------- handlers of pthread_cleanup_push


def _handlers(m: Machine) -> Value:
    """Where a thread's own are kept: a count, then the buffers."""
    owner = m.image.threads.names[m.thread.id]
    return m.hidden(("cleanup", m.thread.id), f"cleanup handlers of {owner}")


@library(
    "cleanup_push", c="__pthread_register_cancel", visible=Visibility.ALWAYS, publishes=(0,),
    tells_threads_apart=True, native={"__pthread_register_cancel": "irs_cleanup_push"},
)  # fmt: skip
def cleanup_push(m: Machine, i: Library, args: list[Value]) -> Value:
    place = _handlers(m)
    count = m.load_int(place, 0, 8) + 1
    m.store(m.domain.add_offset(place, 8 * count), PTR, args[0])
    m.store_int(place, 0, 8, count)
    m.touch(Mode.WRITE, place, 8 * (count + 1), True)
    return 0


@library(
    "cleanup_pop", c="__pthread_unregister_cancel", ignores=(0,), tells_threads_apart=True,
    native={"__pthread_unregister_cancel": "irs_cleanup_pop"},
)  # fmt: skip
def cleanup_pop(m: Machine, i: Library, args: list[Value]) -> Value:
    place = _handlers(m)
    count = m.load_int(place, 0, 8)
    if count == 0:
        m.fault(Property.LOCK, "pthread_cleanup_pop without a handler")
    m.store_int(place, 0, 8, count - 1)
    return 0


def call_cleanup(m: Machine, i: Library) -> bool:
    """As a thread ends, goes to its last handler; whether there was one."""
    if m.image.objects.find(("cleanup", m.thread.id)) not in m.memory:
        return False
    place = _handlers(m)
    count = m.load_int(place, 0, 8)
    m.touch(Mode.WRITE, place, 8 * (count + 1), True)
    if count == 0:
        return False
    m.store_int(place, 0, 8, count - 1)
    buffer = m.load(m.domain.add_offset(place, 8 * count), PTR)
    m.touch_read(buffer, 8 * FIELDS)
    _jump(m, i, buffer, 1, True)
    return True
