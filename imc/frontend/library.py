"""Which C function means what: names of libc, pthreads, <threads.h> and of verifiers."""

from __future__ import annotations

import re

from imc.program.library.mathematics import FUNCTIONS as MATH


def _names(table: str) -> dict[str, str]:
    """Reads "meaning: name name …" lines into name → meaning."""
    result = {}
    for line in table.strip().splitlines():
        meaning, _, names = line.partition(":")
        result.update(dict.fromkeys(names.split(), meaning.strip()))
    return result


NAMES = _names("""
thread_create: pthread_create
thread_join: pthread_join
thrd_create: thrd_create
thrd_join: thrd_join
thread_exit: pthread_exit thrd_exit
thread_self: pthread_self thrd_current
thread_equal: pthread_equal thrd_equal
thread_detach: pthread_detach thrd_detach
thread_key_create: pthread_key_create tss_create
thread_setspecific: pthread_setspecific tss_set
thread_getspecific: pthread_getspecific tss_get
attr_init: pthread_attr_init
attr_setdetachstate: pthread_attr_setdetachstate
once: pthread_once call_once
mutex_init: pthread_mutex_init
mtx_init: mtx_init
mutex_destroy: pthread_mutex_destroy mtx_destroy
mutex_lock: pthread_mutex_lock mtx_lock
mutex_trylock: pthread_mutex_trylock mtx_trylock
mutex_timedlock: pthread_mutex_timedlock pthread_mutex_clocklock mtx_timedlock
mutex_unlock: pthread_mutex_unlock mtx_unlock
mutexattr_init: pthread_mutexattr_init
mutexattr_settype: pthread_mutexattr_settype
mutexattr_gettype: pthread_mutexattr_gettype
rwlock_init: pthread_rwlock_init
rwlock_rdlock: pthread_rwlock_rdlock
rwlock_wrlock: pthread_rwlock_wrlock
rwlock_tryrdlock: pthread_rwlock_tryrdlock pthread_rwlock_timedrdlock
rwlock_trywrlock: pthread_rwlock_trywrlock pthread_rwlock_timedwrlock
rwlock_unlock: pthread_rwlock_unlock
spin_init: pthread_spin_init
spin_lock: pthread_spin_lock
spin_trylock: pthread_spin_trylock
spin_unlock: pthread_spin_unlock
cond_init: pthread_cond_init cnd_init
cond_wait: pthread_cond_wait cnd_wait
cond_timedwait: pthread_cond_timedwait pthread_cond_clockwait cnd_timedwait
cond_signal: pthread_cond_signal cnd_signal
cond_broadcast: pthread_cond_broadcast cnd_broadcast
barrier_init: pthread_barrier_init
barrier_wait: pthread_barrier_wait
sem_init: sem_init
sem_wait: sem_wait
sem_trywait: sem_trywait sem_timedwait sem_clockwait
sem_post: sem_post
sem_getvalue: sem_getvalue
destroy: sem_destroy pthread_cond_destroy pthread_rwlock_destroy pthread_spin_destroy cnd_destroy
destroy: pthread_barrier_destroy
malloc: malloc valloc alloca __builtin_alloca
calloc: calloc
realloc: realloc
free: free cfree
aligned_alloc: aligned_alloc memalign
posix_memalign: posix_memalign
memcpy: memcpy __memcpy_chk
memmove: memmove __memmove_chk
memset: memset __memset_chk
printf: printf
fprintf: fprintf
vprintf: vprintf
vfprintf: vfprintf
sprintf: sprintf
snprintf: snprintf
vsprintf: vsprintf
vsnprintf: vsnprintf
puts: puts
fputs: fputs
putchar: putchar putchar_unlocked
fputc: fputc putc
fwrite: fwrite
perror: perror
getchar: getchar
scanf: scanf __isoc99_scanf __isoc23_scanf
sscanf: sscanf __isoc99_sscanf __isoc23_sscanf
fgets: fgets
exit: exit _exit _Exit quick_exit
atexit: atexit
abort: abort
assert_fail: __assert_fail __assert __assert_perror_fail __assert_rtn
chance: rand random lrand48 time clock
clock_read: clock_gettime gettimeofday timespec_get
math_modf: modf
math_frexp: frexp
math_lround: lround lroundf llround llroundf lrint lrintf llrint llrintf
math.minnum: fmin fminf
math.maxnum: fmax fmaxf
atomic_load: __atomic_load
atomic_store: __atomic_store
atomic_exchange: __atomic_exchange
atomic_compare_exchange: __atomic_compare_exchange
nothing: pthread_attr_destroy pthread_attr_setstacksize pthread_attr_setscope
nothing: pthread_attr_setschedpolicy pthread_attr_setschedparam pthread_attr_setinheritsched
nothing: pthread_attr_setguardsize pthread_mutexattr_destroy pthread_mutexattr_setpshared
nothing: pthread_mutexattr_setprotocol pthread_mutexattr_setprioceiling pthread_mutexattr_setrobust
nothing: pthread_condattr_init pthread_condattr_destroy pthread_condattr_setclock
nothing: pthread_condattr_setpshared
nothing: pthread_rwlockattr_init pthread_rwlockattr_destroy pthread_rwlockattr_setkind_np
nothing: pthread_barrierattr_init
nothing: pthread_barrierattr_destroy pthread_setconcurrency pthread_setname_np
nothing: pthread_setaffinity_np pthread_key_delete pthread_testcancel pthread_setcancelstate
nothing: pthread_setcanceltype pthread_yield sched_yield thrd_yield thrd_sleep sleep usleep
nothing: __CPROVER_fence
nothing: nanosleep clock_nanosleep srand srandom srand48 fflush setvbuf setbuf fclose
nothing: tss_delete flockfile funlockfile
""") | {name + suffix: f"math.{name}" for name in MATH for suffix in ("", "f", "l")}

# Meant by name even where the program defines a body: SV-COMP's conventions.
VERIFIER = _names("""
error: reach_error __VERIFIER_error
assume: __VERIFIER_assume assume_abort_if_not __CPROVER_assume __ESBMC_assume
assert: __VERIFIER_assert __CPROVER_assert __ESBMC_assert __goblint_check assert
atomic_begin: __VERIFIER_atomic_begin __CPROVER_atomic_begin __ESBMC_atomic_begin
atomic_end: __VERIFIER_atomic_end __CPROVER_atomic_end __ESBMC_atomic_end
""")
# With a body of the program's own, the body is what counts.
OVERRIDABLE = frozenset(name for name, meaning in VERIFIER.items() if meaning == "assert")

NONDET = re.compile(r"^(__VERIFIER_nondet_|nondet_|__CPROVER_nondet)")
ATOMIC_FUNCTION = re.compile(r"^__VERIFIER_atomic_(?!begin$|end$)")

_JUMPS = "non-local jumps are not modelled; return error codes instead"
REFUSED: dict[str, str] = {
    "fork": "processes are not modelled; use threads",
    "vfork": "processes are not modelled; use threads",
    "execve": "processes are not modelled",
    "setjmp": _JUMPS,
    "_setjmp": _JUMPS,
    "longjmp": _JUMPS,
    "__sigsetjmp": "non-local jumps and pthread_cleanup_push are not modelled",
    "pthread_cancel": "cancellation is not modelled; end the thread by a flag",
    "pthread_kill": "signals are not modelled",
    "sem_open": "named semaphores are not modelled; use sem_init",
    "__pthread_register_cancel": "pthread_cleanup_push is not modelled",
}

_INTRINSICS = (
    _names("""
memcpy: memcpy memcpy.inline
memmove: memmove
memset: memset memset.inline
va_start: va_start
va_end: va_end
va_copy: va_copy
stacksave: stacksave
stackrestore: stackrestore
lifetime_start: lifetime.start
lifetime_end: lifetime.end
thread_local_address: threadlocal.address
copy: expect expect.with.probability launder.invariant.group strip.invariant.group
copy: ptr.annotation annotation ssa.copy arithmetic.fence
nothing: assume prefetch donothing sideeffect var.annotation invariant.start invariant.end
nothing: x86.sse2.pause x86.sse2.mfence experimental.noalias.scope.decl is.constant
nothing: frameaddress returnaddress get.rounding
chance: readcyclecounter
minus_one: objectsize
trap: trap debugtrap ubsantrap
ctpop: ctpop
ctlz: ctlz
cttz: cttz
bswap: bswap
bitreverse: bitreverse
funnel_left: fshl
funnel_right: fshr
abs: abs
smax: smax
smin: smin
umax: umax
umin: umin
is_fpclass: is.fpclass
math_modf: modf
math_frexp: frexp
math_lround: lround llround lrint llrint
math.rint: roundeven
math.minnum: minimumnum
math.maxnum: maximumnum
""")
    | {f"{s}{op}.with.overflow": f"{s}{op}_overflow" for s in "su" for op in ("add", "sub", "mul")}
    | {f"{s}{op}.sat": f"{s}{op}_sat" for s in "su" for op in ("add", "sub")}
    | {name: f"math.{name}" for name in MATH}
)


def meaning(name: str, defined: bool) -> str | None:
    """The library function behind a C name, or None when the program or nobody defines it."""
    if name in VERIFIER and not (defined and name in OVERRIDABLE):
        return VERIFIER[name]
    if defined:
        return None
    if NONDET.match(name):
        return "nondet"
    if name.startswith("llvm."):
        return _intrinsic(name.removeprefix("llvm."))
    return NAMES.get(name)


def _intrinsic(name: str) -> str | None:
    """Intrinsics carry their types as suffixes: llvm.memcpy.p0.p0.i64."""
    while name:
        if name in _INTRINSICS:
            return _INTRINSICS[name]
        name = name.rpartition(".")[0]
    return None
