"""Calls that change nothing a program computes with: sleeping, names of threads."""

from __future__ import annotations

from imc.program.instructions import Library
from imc.program.library.locking import read_time
from imc.program.library.registry import Visibility, library
from imc.program.machine import Machine
from imc.program.values import Value

MEMORY = Visibility.MEMORY
ALL = tuple(range(8))  # arguments


@library(
    "nothing",
    c="pthread_setconcurrency pthread_testcancel pthread_yield sched_yield "
    "thrd_yield srand srandom srand48 __CPROVER_fence",
    intrinsics="assume prefetch donothing sideeffect var.annotation invariant.start invariant.end "
    "x86.sse2.pause x86.sse2.mfence experimental.noalias.scope.decl is.constant "
    "frameaddress returnaddress get.rounding",
    takes_terms=True,
    ignores=ALL,
)
def nothing(m: Machine, i: Library, args: list[Value]) -> Value:
    return 0


@library(
    "sleep", c="sleep usleep", sleeps=True, takes_terms=True, ignores=(0,),
    native_cancellable={"sleep": "irs_sleep", "usleep": "irs_usleep"},
)  # fmt: skip
def sleep(m: Machine, i: Library, args: list[Value]) -> Value:
    return 0


@library(
    "nanosleep", c="nanosleep thrd_sleep", visible=MEMORY, reads=(0,), ignores=(1,), sleeps=True,
    native_cancellable={"nanosleep": "irs_nanosleep", "thrd_sleep": "irs_thrd_sleep"},
)  # fmt: skip
def nanosleep(m: Machine, i: Library, args: list[Value]) -> Value:
    """Nobody interrupts it, so what would be left of the time is not told."""
    read_time(m, args[0])
    return 0


@library(
    "clock_nanosleep", c="clock_nanosleep", visible=MEMORY, reads=(2,), ignores=(3,), sleeps=True,
    native_cancellable={"clock_nanosleep": "irs_clock_nanosleep"},
)  # fmt: skip
def clock_nanosleep(m: Machine, i: Library, args: list[Value]) -> Value:
    read_time(m, args[2])
    return 0


# --------------------------------------------------------------------- threads


@library("setname", c="pthread_setname_np", visible=MEMORY, reads=(1,))
def setname(m: Machine, i: Library, args: list[Value]) -> Value:
    m.pass_string(args[1])
    return 0


@library("setaffinity", c="pthread_setaffinity_np", visible=MEMORY, reads=(2,))
def setaffinity(m: Machine, i: Library, args: list[Value]) -> Value:
    m.touch_read(args[2], args[1])
    return 0
