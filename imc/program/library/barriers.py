"""Barriers: how many are needed, how many have come, and who still waits."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Blocked, Property
from imc.program.instructions import Library
from imc.program.library.attributes import read_attributes
from imc.program.library.locking import EINVAL, bit_of, check, field, name_of, touch
from imc.program.library.registry import Role, Visibility, library
from imc.program.machine import NEXT_PHASE, Machine
from imc.program.values import Value

NEEDED, WAITERS, BYTES = 0, 4, 16  # a set of who has arrived: all in the 20 bytes of a barrier
SERIAL_THREAD = 0xFFFF_FFFF
ALWAYS = Visibility.ALWAYS


@library(
    "barrier_init", c="pthread_barrier_init",
    visible=ALWAYS, role=Role.BEGIN, writes=(0,), reads=(1,),
    native={"pthread_barrier_init": "irs_pthread_barrier_init"},
)  # fmt: skip
def barrier_init(m: Machine, i: Library, args: list[Value]) -> Value:
    read_attributes(m, args, 1, "barriers")
    if args[2] == 0:
        return EINVAL
    check(m, args[0], "barrier")
    m.store_int(args[0], NEEDED, 4, args[2])
    m.store_int(args[0], WAITERS, BYTES, 0)
    touch(m, args[0], "barrier")
    return 0


@library(
    "barrier_wait", c="pthread_barrier_wait", verb="barrier",
    visible=ALWAYS, role=Role.MEET, phases=True, writes=(0,), waits=True,
    native={"pthread_barrier_wait": "irs_pthread_barrier_wait"},
)  # fmt: skip
def barrier_wait(m: Machine, i: Library, args: list[Value]) -> Value:
    """First event: arrive. Second one: leave, once all have arrived."""
    barrier = args[0]
    frame = m.frames[-1]
    bit = bit_of(m, 8 * BYTES)
    needed = field(m, barrier, NEEDED, 4, "barrier")
    waiters = field(m, barrier, WAITERS, BYTES, "barrier")
    if frame.phase == 0:
        if m.equal(needed, 0):
            m.fault(
                Property.LOCK,
                f"barrier '{name_of(m, barrier)}' is used while not initialised",
            )
        last = m.equal((waiters | bit).bit_count(), needed)
        m.store_int(barrier, WAITERS, BYTES, 0 if last else waiters | bit)
        # Who comes last shows in the return value, and in who has to wait for the next round.
        touch(m, barrier, "barrier", Mode.WRITE if last or i.result is not None else Mode.ARRIVE)
        m.note = "arrives last" if last else "arrives"
        frame.phase = 1
        frame.scratch = SERIAL_THREAD if last and i.result is not None else 0
        return NEXT_PHASE
    if waiters & bit:
        raise Blocked("barrier", barrier)
    touch(m, barrier, "barrier", Mode.READ)
    m.note = "leaves"
    result, frame.scratch = frame.scratch, None
    return result
