"""pthread_once and call_once: the routine runs in the thread that comes first, the others wait."""

from __future__ import annotations

from imc.program.events import Mode
from imc.program.faults import Blocked, Property
from imc.program.instructions import Library
from imc.program.library.locking import field, touch
from imc.program.library.registry import Visibility, library
from imc.program.machine import CALLED, Machine
from imc.program.values import Value

RUNNING, DONE = 1, 2


@library("once", visible=Visibility.ALWAYS, writes=(0,), calls=1, waits=True)
def once(m: Machine, i: Library, args: list[Value]) -> Value:
    control, routine = args
    frame = m.frames[-1]
    if frame.phase == 0:
        state = field(m, control, 0, 4, "once control")
        if m.equal(state, DONE):
            touch(m, control, Mode.READ)
            return 0
        if m.equal(state, RUNNING):
            raise Blocked("initialisation", control)
        code = m.image.function_at(routine)
        if code is None:
            m.fault(Property.MEMORY, "the once routine is not a function")
        m.store_int(control, 0, 4, RUNNING)
        touch(m, control)
        frame.phase = 1  # on return, the thread stands at this instruction again
        m.call(code, [])
        return CALLED
    m.store_int(control, 0, 4, DONE)
    touch(m, control)
    return 0
