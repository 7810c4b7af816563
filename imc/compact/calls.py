"""What calls of the library become: records for those that have a compact form."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from imc.compact import opcodes as op
from imc.compact.form import NotCompact
from imc.program.analysis.lifetimes import local_of
from imc.program.analysis.promotion import LIFETIME, SCOPE
from imc.program.calling import misfit_of_start
from imc.program.faults import Property
from imc.program.instructions import Library, Reg, is_null
from imc.program.library.conditions import may_wake
from imc.program.library.locking import DESTROYERS, EBUSY, EXTENTS, SIZES, status
from imc.program.machine import Machine
from imc.program.state import State
from imc.program.types import IntType, PtrType

if TYPE_CHECKING:
    from imc.compact.function import FunctionLowering

Lowered = Callable[["FunctionLowering", Library], None]
LIBRARY_CALLS: dict[str, Lowered] = {}


def lowers(*names: str) -> Callable[[Lowered], Lowered]:
    def register(lowered: Lowered) -> Lowered:
        for name in names:
            LIBRARY_CALLS[name] = lowered
        return lowered

    return register


def _on_object(opcode: int, second: int | None = None) -> Lowered:
    """An operation on the object that the first argument points to, and another argument."""

    def lowered(f: FunctionLowering, i: Library) -> None:
        b = f.use(i.args[second], i) if second is not None else 0
        f.emit(opcode, f.result(i), f.use(i.args[0], i), b)

    return lowered


def _destroy(extent: int, size: int) -> Lowered:
    return lambda f, i: f.emit(op.DESTROY, f.result(i), f.use(i.args[0], i), extent, size)


LIBRARY_CALLS.update(
    mutex_destroy=_on_object(op.MUTEX_DESTROY),
    mutex_lock=_on_object(op.MUTEX_LOCK),
    mutex_unlock=_on_object(op.MUTEX_UNLOCK),
    spin_init=_on_object(op.SPIN_INIT),
    spin_lock=_on_object(op.SPIN_LOCK),
    spin_trylock=_on_object(op.SPIN_TRYLOCK),
    spin_unlock=_on_object(op.SPIN_UNLOCK),
    cond_signal=_on_object(op.COND_SIGNAL),
    cond_broadcast=_on_object(op.COND_BROADCAST),
    sem_init=_on_object(op.SEM_INIT, 2),
    sem_wait=_on_object(op.SEM_WAIT),
    sem_post=_on_object(op.SEM_POST),
    thread_detach=_on_object(op.DETACH),
)


for _what, (_destroyer, _) in DESTROYERS.items():
    LIBRARY_CALLS[_destroyer] = _destroy(EXTENTS[_what][8], SIZES[_what][8])


def _without_attributes(i: Library) -> None:
    """Attributes are read, which is an access of its own."""
    if len(i.args) > 1 and not is_null(i.args[1]):
        raise NotCompact("an object is made with attributes", i.loc)


@lowers("cond_init")
def cond_init(f: FunctionLowering, i: Library) -> None:
    _without_attributes(i)
    f.emit(op.COND_INIT, f.result(i), f.use(i.args[0], i))


@lowers("cond_wait")
def cond_wait(f: FunctionLowering, i: Library) -> None:
    wakes = may_wake(i, f.image.settings.wakeups)
    f.emit(op.COND_WAIT, f.result(i), f.use(i.args[0], i), f.use(i.args[1], i), wakes)


@lowers("barrier_init")
def barrier_init(f: FunctionLowering, i: Library) -> None:
    _without_attributes(i)
    f.emit(op.BARRIER_INIT, f.result(i), f.use(i.args[0], i), f.use(i.args[2], i))


@lowers("barrier_wait")
def barrier_wait(f: FunctionLowering, i: Library) -> None:
    f.emit(op.BARRIER_WAIT, f.result(i), f.use(i.args[0], i), i.result is not None)


@lowers("mutex_init", "mtx_init")
def mutex_init(f: FunctionLowering, i: Library) -> None:
    other = f.use(i.args[1], i)
    b, c = (other, -1) if i.function == "mutex_init" else (-1, other)
    f.emit(op.MUTEX_INIT, f.result(i), f.use(i.args[0], i), b, c)


@lowers("mutex_trylock")
def mutex_trylock(f: FunctionLowering, i: Library) -> None:
    f.emit(op.MUTEX_TRYLOCK, f.result(i), f.use(i.args[0], i), 0, status(i, EBUSY))


@lowers("mutexattr_init", "mutexattr_settype")
def mutex_attributes(f: FunctionLowering, i: Library) -> None:
    if f.visible:
        raise NotCompact("attributes of mutexes that are shared", i.loc)
    kind = f.constant(0) if i.function == "mutexattr_init" else f.use(i.args[1], i)
    f.emit(op.STORE, 0, f.use(i.args[0], i), kind, 4)
    f.emit(op.MOVE, f.result(i), f.constant(0))


# --------------------------------------------------------------------- threads


@lowers("thread_create", "thrd_create")
def thread_create(f: FunctionLowering, i: Library) -> None:
    start = f.program.codes.get(getattr(i.args[-2], "symbol", ""))
    if start is not None and misfit_of_start(start.function, f.image.layout):
        raise NotCompact("a thread that starts with a function of another type", i.loc)
    handle, *attributes, routine, argument = (f.use(a, i) for a in i.args)
    table = f.program.table(f.result(i), attributes[0] if attributes else f.constant(0))
    f.emit(op.SPAWN, table, handle, routine, argument)


@lowers("thread_join", "thrd_join")
def thread_join(f: FunctionLowering, i: Library) -> None:
    size = 8 if i.function == "thread_join" else 4
    f.emit(op.JOIN, f.result(i), f.use(i.args[0], i), f.use(i.args[1], i), size)


@lowers("thread_exit")
def thread_exit(f: FunctionLowering, i: Library) -> None:
    result = f.use(i.args[0], i) if i.args else f.constant(0)
    f.emit(op.THREAD_EXIT, -1, result, 0, f.number)


@lowers("thread_self")
def thread_self(f: FunctionLowering, i: Library) -> None:
    f.emit(op.SELF, f.result(i))


@lowers("exit")
def exit_program(f: FunctionLowering, i: Library) -> None:
    if f.program.exit_handlers:
        raise NotCompact("exit handlers", i.loc)
    code = f.use(i.args[0], i) if i.args else f.constant(0)
    f.emit(op.EXIT, -1, code, i.name == "exit")


@lowers("abort")
def abort(f: FunctionLowering, i: Library) -> None:
    f.emit(op.ABORT, -1, f.text(f"{i.name or 'abort'}() is called"))


# ------------------------------------------------------------------- verifiers


@lowers("assume", "assert")
def assume(f: FunctionLowering, i: Library) -> None:
    f.emit(op.ASSUME if i.function == "assume" else op.ASSERT, -1, f.use(i.args[0], i))
    if i.result is not None:
        f.emit(op.MOVE, f.result(i), f.constant(0))


@lowers("error")
def error(f: FunctionLowering, i: Library) -> None:
    f.emit(op.FAIL, -1, f.text(f"{i.name or 'error'}() is reached"), _assertion(f))


@lowers("assert_fail")
def assert_fail(f: FunctionLowering, i: Library) -> None:
    """The text is a literal, so that it is known now."""
    pointer = None if isinstance(i.args[0], Reg) else f.image.constant(i.args[0])
    if pointer.__class__ is not tuple or pointer[0] not in f.image.constants:
        raise NotCompact("the text of an assertion is not a literal", i.loc)
    text = Machine(f.image, State()).read_string(pointer).decode(errors="replace")
    f.emit(op.FAIL, -1, f.text(f"assertion '{text}' failed"), _assertion(f))


def _assertion(f: FunctionLowering) -> int:
    return f.text(Property.ASSERTION.value)


@lowers("atomic_begin")
def atomic_begin(f: FunctionLowering, i: Library) -> None:
    f.emit(op.ATOMIC_BEGIN)


@lowers("atomic_end")
def atomic_end(f: FunctionLowering, i: Library) -> None:
    f.emit(op.ATOMIC_END)


@lowers("nondet")
def nondet(f: FunctionLowering, i: Library) -> None:
    if isinstance(i.type, IntType) and i.type.width <= 64:
        boolean = i.type.width == 1 or i.name.endswith("_bool")
        f.emit(op.INPUT, f.result(i), 2 if boolean else 1, i.type.width)
    elif isinstance(i.type, PtrType):
        f.emit(op.INPUT, f.result(i), 0)
    else:
        raise NotCompact("an input that is no integer", i.loc)


@lowers("trap")
def trap(f: FunctionLowering, i: Library) -> None:
    f.emit(op.FAIL, -1, f.text("a trap instruction is reached"), f.text(Property.ABORT.value))


@lowers("unreachable")
def unreachable(f: FunctionLowering, i: Library) -> None:
    f.emit(op.STUCK, -1, f.text("unreachable code"))


@lowers("nothing", "copy", "sleep")
def copy(f: FunctionLowering, i: Library) -> None:
    if i.result is not None:
        value = f.use(i.args[0], i) if i.function == "copy" else f.constant(0)
        f.emit(op.MOVE, f.result(i), value)


# ---------------------------------------------------------------------- memory


@lowers(*LIFETIME)
def lifetime(f: FunctionLowering, i: Library) -> None:
    if f.visible:
        raise NotCompact("a local that others can see begins or ends with its block", i.loc)
    pointer, local = i.args[-1], local_of(f.function, i.args[-1])
    if isinstance(pointer, Reg) and pointer.index in f.code.promoted:
        if i.function == SCOPE:
            f.emit(op.FORGET, f.reg(pointer.index))
    elif local is not None and i.function == SCOPE:
        f.emit(op.BEGIN, -1, f.use(pointer, i), f.image.layout.size(local.type))
    elif local is not None:
        f.emit(op.END, -1, f.use(pointer, i))


@lowers("malloc", "calloc")
def malloc(f: FunctionLowering, i: Library) -> None:
    a, b = f.use(i.args[0], i), -1
    if i.function == "calloc":
        b = f.use(i.args[1], i)
    f.emit(op.HEAP, f.result(i), a, b, i.function == "calloc")


@lowers("free")
def free(f: FunctionLowering, i: Library) -> None:
    f.emit(op.VISIBLE_FREE if f.visible else op.FREE, f.result(i), f.use(i.args[0], i))


@lowers("memset", "memcpy", "memmove")
def fill_or_copy(f: FunctionLowering, i: Library) -> None:
    if f.visible:
        raise NotCompact("memory that others can see is copied or filled", i.loc)
    a, b, c = (f.use(argument, i) for argument in i.args[:3])
    f.emit(op.FILL if i.function == "memset" else op.COPY, f.result(i), a, b, c)
