"""pthread_once and call_once: the routine runs in the thread that comes first, the others wait."""

from __future__ import annotations

from collections.abc import Iterator

from imc.program.events import Mode
from imc.program.faults import Blocked, Property
from imc.program.instructions import Library
from imc.program.library.locking import field, touch
from imc.program.library.registry import Visibility, library
from imc.program.machine import CALLED, Machine
from imc.program.state import Frame
from imc.program.values import Value

RUNNING, DONE = 1, 2
GOES_ON = 1  # the phase in which the routine runs


@library(
    "once", c="pthread_once call_once",
    visible=Visibility.ALWAYS, phases=True, writes=(0,), calls=1, waits=True,
    native={"pthread_once": "irs_pthread_once", "call_once": "irs_call_once"},
)  # fmt: skip
def once(m: Machine, i: Library, args: list[Value]) -> Value:
    control, routine = args
    frame = m.frames[-1]
    if frame.phase == 0:
        state = field(m, control, 0, 4, "once control")
        if m.equal(state, DONE):
            touch(m, control, "once control", Mode.READ)
            return 0
        if m.equal(state, RUNNING):
            raise Blocked("initialisation", control)
        code = m.image.function_at(routine)
        if code is None:
            m.fault(Property.MEMORY, "the once routine is not a function")
        m.store_int(control, 0, 4, RUNNING)
        touch(m, control, "once control")
        frame.phase = GOES_ON  # on return, the thread stands at this instruction again
        m.call(code, [])
        return CALLED
    m.store_int(control, 0, 4, DONE)
    touch(m, control, "once control")
    return 0


def running(frames: list[Frame]) -> Iterator[tuple[Frame, Library]]:
    """Calls whose routines have begun and are not over."""
    for frame in frames:
        i = frame.code.function.code[frame.pc]
        if isinstance(i, Library) and i.function == "once" and frame.phase == GOES_ON:
            yield frame, i


def take_back(m: Machine, frames: list[Frame]) -> None:
    """A thread ends inside of a routine: as in glibc, it is as if nobody had called it."""
    for frame, i in running(frames):
        control = frame.regs[frame.code.operand(i.args[0])]
        m.store_int(control, 0, 4, 0)
        touch(m, control, "once control")
