"""Barriers: how many are needed, how many have come, and who still waits."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Blocked, Property
from imc.program.instructions import Library
from imc.program.library.locking import EINVAL, field, name_of, touch
from imc.program.library.registry import Visibility, library
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.values import Value

NEEDED, ARRIVED, WAITERS = 0, 4, 8
SERIAL_THREAD = 0xFFFF_FFFF
ALWAYS = Visibility.ALWAYS


@library("barrier_init", visible=ALWAYS, writes=(0,))
def barrier_init(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[2] == 0:
        return EINVAL
    m.store_int(args[0], NEEDED, 4, args[2])
    m.store_int(args[0], ARRIVED, 4, 0)
    m.store_int(args[0], WAITERS, 16, 0)
    touch(m, args[0])
    return 0


@library("barrier_wait", visible=ALWAYS, writes=(0,), waits=True)
def barrier_wait(m: Machine, i: Library, args: list[Value]) -> Value:
    """First event: arrive. Second one: leave, once all have arrived."""
    barrier = args[0]
    frame = m.frames[-1]
    bit = 1 << m.thread.id
    needed = field(m, barrier, NEEDED, 4, "barrier")
    waiters = field(m, barrier, WAITERS, 16, "barrier")
    if frame.phase == 0:
        if m.equal(needed, 0):
            m.fault(
                Property.LOCK,
                f"barrier '{name_of(m, barrier)}' is used while not initialised",
            )
        arrived = m.load_int(barrier, ARRIVED, 4) + 1
        last = m.equal(arrived, needed)
        m.store_int(barrier, ARRIVED, 4, 0 if last else arrived)
        m.store_int(barrier, WAITERS, 16, 0 if last else waiters | bit)
        # Who comes last shows in the return value, and in who has to wait for the next round.
        touch(m, barrier, Mode.WRITE if last or i.result is not None else Mode.ARRIVE)
        m.note = "arrives last" if last else "arrives"
        frame.phase = 1
        frame.scratch = SERIAL_THREAD if last and i.result is not None else 0
        return NEXT_PHASE
    if waiters & bit:
        raise Blocked("barrier", barrier)
    touch(m, barrier, Mode.READ)
    m.note = "leaves"
    result, frame.scratch = frame.scratch, None
    return result
