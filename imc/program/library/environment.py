"""The program's surroundings: its end, time, chance, the system."""

from __future__ import annotations

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.faults import Property
from imc.program.instructions import Library
from imc.program.library.registry import Ends, Visibility, library
from imc.program.library.verifier import arbitrary, listed
from imc.program.library.world import between, fails, fill, masked
from imc.program.machine import CALLED, EXITED, NEXT_PHASE, Machine
from imc.program.types import I32, IntType, Type
from imc.program.values import Value
from imc.program.workspace import HIDDEN_BYTES

ALWAYS = Visibility.ALWAYS
FRACTIONS = 1 << 48  # different results of drand48
MOST_CELLS = 64  # random bytes at a time


@library(
    "exit", c="exit _exit _Exit quick_exit", visible=ALWAYS, takes_terms=True, ends=Ends.PROGRAM
)
def exit_program(m: Machine, i: Library, args: list[Value]) -> Value:
    if i.name == "exit" and call_handler(m):
        return CALLED
    return m.exit(args[0] & 0xFF if args and args[0].__class__ is int else 0)


@library(
    "atexit", c="atexit", visible=ALWAYS, calls=0, calls_at_end=True, assumes=("exit-handlers",)
)
def atexit(m: Machine, i: Library, args: list[Value]) -> Value:
    place = _handlers(m)
    count = m.load_int(place, 0, 8)
    m.store_int(place, 8 * (count + 1), 8, args[0])
    m.store_int(place, 0, 8, count + 1)
    m.touch(Mode.WRITE, place, HIDDEN_BYTES, True)
    return 0


def _handlers(m: Machine) -> Value:
    """Where the functions that atexit was given are kept: a count, then the functions."""
    return m.hidden("atexit", "atexit handlers")


def call_handler(m: Machine) -> bool:
    """Calls the last function given to atexit; the thread then comes back to where it exits."""
    place = _handlers(m)
    m.touch(Mode.WRITE, place, HIDDEN_BYTES, True)
    count = m.load_int(place, 0, 8)
    if count == 0:
        return False
    m.store_int(place, 0, 8, count - 1)
    code = m.image.function_at(m.load_int(place, 8 * count, 8))
    if code is None:
        m.fault(Property.MEMORY, "an exit handler is not a function")
    m.call(code, [])
    return True


@library(
    "abort",
    c="abort",
    visible=ALWAYS,
    ends=Ends.PROGRAM,
    native={"abort": "irs_abort"},
    native_always=True,
)
def abort(m: Machine, i: Library, args: list[Value]) -> Value:
    if Property.ABORT in m.settings.properties:
        m.fault(Property.ABORT, f"{i.name or 'abort'}() is called")
    m.exit(134)
    return EXITED


@library(
    "chance", c="rand random lrand48 clock", intrinsics="readcyclecounter",
    reads_input=True, takes_terms=True, returns_positive=True,
)  # fmt: skip
def chance(m: Machine, i: Library, args: list[Value]) -> Value:
    """Any value that is not negative."""
    value = arbitrary(m, i)
    if not isinstance(i.type, IntType):
        return value
    return m.domain.bounded(value, 0, (1 << (i.type.width - 1)) - 1, 0, i.type.width)


@library("rdtsc", reads_input=True)
def rdtsc(m: Machine, i: Library, args: list[Value]) -> Value:
    """Inline assembly that reads the processor's counter: any number, in one register or two."""
    return arbitrary(m, i)


@library("any_number", c="mrand48 arc4random", reads_input=True, takes_terms=True)
def any_number(m: Machine, i: Library, args: list[Value]) -> Value:
    return arbitrary(m, i)


@library("arc4random_uniform", c="arc4random_uniform", reads_input=True)
def arc4random_uniform(m: Machine, i: Library, args: list[Value]) -> Value:
    """Less than its argument, or 0."""
    return between(m, i, 0, min(max(args[0] - 1, 0), (1 << 31) - 1))


@library("fraction", c="drand48", reads_input=True)
def fraction(m: Machine, i: Library, args: list[Value]) -> Value:
    """At least 0 and less than 1."""
    drawn = m.drawn(0, FRACTIONS - 1)
    if drawn is not None:
        return drawn / FRACTIONS
    value = m.input(i.type)
    if value is not None:
        return value
    m.image.bounds.add(f"inputs of {i.name} taken from {{0.0, 0.5}}")
    return m.choose(2) / 2


@library(
    "own_chance", c="nrand48 jrand48 erand48", visible=Visibility.MEMORY, writes=(0,),
    reads_input=True, returns_number=True,
)  # fmt: skip
def own_chance(m: Machine, i: Library, args: list[Value]) -> Value:
    """From a state of 48 bits that the program keeps; what is in it means nothing here."""
    for at in range(0, 6, 2):
        m.store_int(args[0], at, 2, 0)
    m.touch(Mode.WRITE, args[0], 6, False)
    if i.name == "erand48":
        return fraction(m, i, args)
    return chance(m, i, args) if i.name == "nrand48" else arbitrary(m, i)


@library("seed_chance", c="seed48 lcong48", visible=Visibility.MEMORY, reads=(0,))
def seed_chance(m: Machine, i: Library, args: list[Value]) -> Value:
    if i.result is not None:
        raise Unsupported(f"the result of {i.name} is not modelled", i.loc, "do not use it")
    m.touch_read(args[0], 6 if i.name == "seed48" else 14)
    return 0


@library(
    "getrandom", c="getrandom getentropy", visible=Visibility.MEMORY, writes=(0,),
    reads_input=True, returns_number=True, sleeps=True,
)  # fmt: skip
def getrandom(m: Machine, i: Library, args: list[Value]) -> Value:
    """All that was asked for, or an error; getrandom may be interrupted where that is much."""
    size = args[1]
    if size > MOST_CELLS:
        raise Unsupported(f"{i.name} of more than {MOST_CELLS} bytes is not modelled", i.loc)
    if fails(m, i):
        return masked(-1, i.type if isinstance(i.type, IntType) else I32)
    fill(m, i, args[0], size)
    return size if i.name == "getrandom" else 0


@library(
    "time", c="time", visible=Visibility.MEMORY, writes=(0,),
    reads_input=True, takes_terms=True, returns_number=True, returns_positive=True, tells_time=True,
)  # fmt: skip
def time(m: Machine, i: Library, args: list[Value]) -> Value:
    value = not_before(m, "time", chance(m, i, args), i.type)
    place = m.known(args[0])
    if place != 0:
        size = m.image.layout.pointer_bytes
        m.store_int(place, 0, size, value)
        m.touch(Mode.WRITE, place, size, False, value)
    return value


ALLOWS_NULL = "gettimeofday"  # of those that store the time


def _clock(name: str, place: int, result: int | None = None) -> None:
    """A function that stores the time, which is arbitrary, in an argument; it always succeeds."""

    def run(m: Machine, i: Library, args: list[Value]) -> Value:
        _store_seconds(m, i, args[place], args[1 - place])
        _store_rest(m, i, args[place])
        return 0 if result is None else args[result]

    def stepwise(m: Machine, i: Library, args: list[Value]) -> Value:
        frame = m.frames[-1]
        if frame.phase == 0:
            _store_seconds(m, i, args[place], args[1 - place])
            frame.phase = 1
            return NEXT_PHASE
        _store_rest(m, i, args[place])
        return 0 if result is None else args[result]

    zone = (1 - place,)  # where a time zone would be
    library(
        name, c=name, visible=Visibility.MEMORY, stepwise=stepwise, writes=(place,),
        ignores=zone, reads_input=True, tells_time=True, native_steps={name: f"irs_{name}"},
    )(run)  # fmt: skip


def not_before(m: Machine, clock: str, seconds: Value, type: Type) -> Value:
    """The time, or what the thread was told before if that is later: clocks do not run backwards.

    Of what others were told a thread knows nothing, so that looking at a clock is no event. Where
    values are unknown any time may come, since remembering it would keep trees from closing.
    """
    if m.domain.symbolic:
        return seconds
    name = f"{clock} as {m.image.threads.names[m.thread.id]} saw it"
    place = m.hidden(("clock", clock, m.thread.id), name)
    before = m.fetch(place, type)
    if m.decide(m.domain.compare("slt", type)(seconds, before)):
        return before
    m.put(place, type, seconds)
    return seconds


def _store_seconds(m: Machine, i: Library, place: Value, clock: Value) -> None:
    """Any number that is not negative, or where values are known one of a list."""
    values, size = m.settings.inputs, m.image.layout.pointer_bytes
    type = IntType(8 * size)
    stored = place != 0 or i.name != ALLOWS_NULL
    seconds = m.input(type)
    if seconds is None:
        seconds = max(values[m.choose(len(values))], 0)
        if stored:
            m.image.bounds.add(f"times of {i.name} taken from {listed(values)}")
    elif m.decide(m.domain.compare("slt", type)(seconds, 0)):
        seconds = 0
    seconds = not_before(m, f"{i.name} {clock}", seconds, type)
    if stored:
        m.store_int(place, 0, size, seconds)
        m.touch(Mode.WRITE, place, size, False)


def _store_rest(m: Machine, i: Library, place: Value) -> None:
    """Nanoseconds or microseconds, which are 0 where values are known."""
    size = m.image.layout.pointer_bytes
    if place != 0:
        most = 999_999 if i.name == "gettimeofday" else 999_999_999
        fine = m.drawn(0, most)
        if fine is None:
            fine = between(m, i, 0, most, IntType(8 * size)) if m.domain.answers else 0
        rest = m.domain.add_offset(place, size)
        m.store_int(rest, 0, size, fine)
        m.touch(Mode.WRITE, rest, size, False)


_clock("clock_gettime", 1)
_clock("gettimeofday", 0)
_clock("timespec_get", 0, 1)
