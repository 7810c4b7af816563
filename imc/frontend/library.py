"""Which C function means what: names of libc, pthreads, <threads.h> and of verifiers."""

from __future__ import annotations

import re

from imc.program.library.mathematics import FUNCTIONS as MATH

_SAME = {
    "mutex": "init destroy lock trylock timedlock unlock",
    "mutexattr": "init settype gettype",
    "rwlock": "init rdlock wrlock tryrdlock trywrlock unlock",
    "spin": "init lock trylock unlock",
    "cond": "init wait timedwait signal broadcast",
    "barrier": "init wait",
}

NAMES: dict[str, str] = {
    **{f"pthread_{kind}_{op}": f"{kind}_{op}" for kind, ops in _SAME.items() for op in ops.split()},
    "pthread_create": "thread_create", "pthread_join": "thread_join", "pthread_exit": "thread_exit",
    "pthread_self": "thread_self", "pthread_equal": "thread_equal", "pthread_detach": "thread_detach",
    "pthread_once": "once", "call_once": "once",
    "pthread_mutex_clocklock": "mutex_timedlock", "pthread_cond_clockwait": "cond_timedwait",
    "pthread_rwlock_timedrdlock": "rwlock_tryrdlock", "pthread_rwlock_timedwrlock": "rwlock_trywrlock",
    "pthread_attr_init": "attr_init", "pthread_attr_setdetachstate": "attr_setdetachstate",
    "pthread_key_create": "thread_key_create", "pthread_setspecific": "thread_setspecific",
    "pthread_getspecific": "thread_getspecific",
    "thrd_create": "thrd_create", "thrd_join": "thrd_join", "thrd_exit": "thread_exit",
    "thrd_current": "thread_self", "thrd_equal": "thread_equal", "thrd_detach": "thread_detach",
    "mtx_init": "mtx_init", "mtx_lock": "mutex_lock", "mtx_trylock": "mutex_trylock",
    "mtx_timedlock": "mutex_timedlock", "mtx_unlock": "mutex_unlock",
    "cnd_init": "cond_init", "cnd_wait": "cond_wait", "cnd_timedwait": "cond_timedwait",
    "cnd_signal": "cond_signal", "cnd_broadcast": "cond_broadcast",
    "tss_create": "thread_key_create", "tss_set": "thread_setspecific", "tss_get": "thread_getspecific",
    "sem_init": "sem_init", "sem_wait": "sem_wait", "sem_trywait": "sem_trywait",
    "sem_timedwait": "sem_trywait", "sem_post": "sem_post", "sem_getvalue": "sem_getvalue",
    "sem_destroy": "sem_destroy",
    "malloc": "malloc", "calloc": "calloc", "realloc": "realloc", "free": "free", "cfree": "free",
    "aligned_alloc": "aligned_alloc", "memalign": "aligned_alloc", "posix_memalign": "posix_memalign",
    "valloc": "malloc", "alloca": "malloc", "reallocarray": "external",
    "memcpy": "memcpy", "memmove": "memmove", "memset": "memset",
    "__memcpy_chk": "memcpy", "__memmove_chk": "memmove", "__memset_chk": "memset",
    "printf": "printf", "fprintf": "fprintf", "vprintf": "vprintf", "vfprintf": "vfprintf",
    "sprintf": "sprintf", "snprintf": "snprintf", "vsprintf": "vsprintf", "vsnprintf": "vsnprintf",
    "puts": "puts", "fputs": "fputs", "putchar": "putchar", "fputc": "fputc", "putc": "fputc",
    "putchar_unlocked": "putchar", "fwrite": "fwrite", "perror": "perror", "getchar": "getchar",
    "scanf": "scanf", "__isoc99_scanf": "scanf", "__isoc23_scanf": "scanf", "fgets": "fgets",
    "exit": "exit", "_exit": "exit", "_Exit": "exit", "quick_exit": "exit", "exit_group": "exit",
    "atexit": "atexit", "abort": "abort", "__assert_fail": "assert_fail", "__assert": "assert_fail",
    "__assert_perror_fail": "assert_fail", "__assert_rtn": "assert_fail",
    "rand": "chance", "random": "chance", "lrand48": "chance", "time": "chance", "clock": "chance",
    "clock_gettime": "clock_read", "gettimeofday": "clock_read", "timespec_get": "clock_read",
    "modf": "math_modf", "frexp": "math_frexp",
    **{f"{l}{r}{t}": "math_lround" for l in ("l", "ll") for r in ("round", "rint") for t in ("", "f")},
    "__atomic_load": "atomic_load", "__atomic_store": "atomic_store",
    "__atomic_exchange": "atomic_exchange", "__atomic_compare_exchange": "atomic_compare_exchange",
}  # fmt: skip

# Return zero, do nothing that the model could see.
for _name in (
    "pthread_attr_destroy pthread_attr_setstacksize pthread_attr_setscope pthread_attr_setschedpolicy "
    "pthread_attr_setschedparam pthread_attr_setinheritsched pthread_attr_setguardsize "
    "pthread_mutexattr_destroy pthread_mutexattr_setpshared pthread_mutexattr_setprotocol "
    "pthread_mutexattr_setprioceiling pthread_mutexattr_setrobust pthread_condattr_init "
    "pthread_condattr_destroy pthread_condattr_setclock pthread_condattr_setpshared "
    "pthread_cond_destroy pthread_rwlock_destroy pthread_rwlockattr_init pthread_rwlockattr_destroy "
    "pthread_rwlockattr_setkind_np pthread_spin_destroy pthread_barrier_destroy "
    "pthread_barrierattr_init pthread_barrierattr_destroy pthread_setconcurrency "
    "pthread_setname_np pthread_setaffinity_np pthread_key_delete pthread_testcancel "
    "pthread_setcancelstate pthread_setcanceltype pthread_yield sched_yield thrd_yield thrd_sleep "
    "sleep usleep nanosleep clock_nanosleep srand srandom srand48 fflush setvbuf setbuf fclose "
    "mtx_destroy cnd_destroy tss_delete getenv setlocale "
    "flockfile funlockfile"
).split():
    NAMES[_name] = "nothing"

for _name in MATH:
    for _suffix in ("", "f", "l"):
        NAMES[_name + _suffix] = f"math.{_name}"
NAMES.update({"fmin": "math.minnum", "fmax": "math.maxnum", "fminf": "math.minnum", "fmaxf": "math.maxnum"})

# Meant by name even where the program defines a body: SV-COMP's conventions.
VERIFIER: dict[str, str] = {
    "reach_error": "error", "__VERIFIER_error": "error", "__VERIFIER_assume": "assume",
    "assume_abort_if_not": "assume", "__CPROVER_assume": "assume", "__ESBMC_assume": "assume",
    "__VERIFIER_atomic_begin": "atomic_begin", "__VERIFIER_atomic_end": "atomic_end",
    "__CPROVER_atomic_begin": "atomic_begin", "__CPROVER_atomic_end": "atomic_end",
    "__ESBMC_atomic_begin": "atomic_begin", "__ESBMC_atomic_end": "atomic_end",
    "__CPROVER_assert": "assert", "__ESBMC_assert": "assert", "__VERIFIER_assert": "assert",
}  # fmt: skip
# With a body of the program's own, the body is what counts.
OVERRIDABLE = frozenset(["__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert"])

NONDET = re.compile(r"^(__VERIFIER_nondet_|nondet_|__CPROVER_nondet)")
ATOMIC_FUNCTION = re.compile(r"^__VERIFIER_atomic_(?!begin$|end$)")

REFUSED: dict[str, str] = {
    "fork": "processes are not modelled; use threads",
    "vfork": "processes are not modelled; use threads",
    "execve": "processes are not modelled",
    "setjmp": "non-local jumps are not modelled; return error codes instead",
    "_setjmp": "non-local jumps are not modelled; return error codes instead",
    "__sigsetjmp": "non-local jumps and pthread_cleanup_push are not modelled",
    "longjmp": "non-local jumps are not modelled; return error codes instead",
    "pthread_cancel": "cancellation is not modelled; end the thread by a flag",
    "pthread_kill": "signals are not modelled",
    "sem_open": "named semaphores are not modelled; use sem_init",
    "__pthread_register_cancel": "pthread_cleanup_push is not modelled",
}

_INTRINSICS: dict[str, str] = {
    "memcpy": "memcpy", "memmove": "memmove", "memset": "memset", "memcpy.inline": "memcpy",
    "memset.inline": "memset",
    "va_start": "va_start", "va_end": "va_end", "va_copy": "va_copy",
    "stacksave": "stacksave", "stackrestore": "stackrestore",
    "lifetime.start": "lifetime_start", "lifetime.end": "lifetime_end",
    "threadlocal.address": "thread_local_address",
    "expect": "copy", "expect.with.probability": "copy", "launder.invariant.group": "copy",
    "strip.invariant.group": "copy", "ptr.annotation": "copy", "annotation": "copy", "ssa.copy": "copy",
    "arithmetic.fence": "copy",
    "assume": "nothing", "prefetch": "nothing", "donothing": "nothing", "sideeffect": "nothing",
    "var.annotation": "nothing", "invariant.start": "nothing", "invariant.end": "nothing",
    "experimental.noalias.scope.decl": "nothing", "is.constant": "nothing", "frameaddress": "nothing",
    "returnaddress": "nothing", "get.rounding": "nothing", "readcyclecounter": "chance",
    "objectsize": "minus_one", "trap": "trap", "debugtrap": "trap", "ubsantrap": "trap",
    "ctpop": "ctpop", "ctlz": "ctlz", "cttz": "cttz", "bswap": "bswap", "bitreverse": "bitreverse",
    "fshl": "funnel_left", "fshr": "funnel_right", "abs": "abs",
    "smax": "smax", "smin": "smin", "umax": "umax", "umin": "umin", "is.fpclass": "is_fpclass",
    **{f"{s}{op}.with.overflow": f"{s}{op}_overflow" for s in "su" for op in ("add", "sub", "mul")},
    **{f"{s}{op}.sat": f"{s}{op}_sat" for s in "su" for op in ("add", "sub")},
    **{name: f"math.{name}" for name in MATH},
    "modf": "math_modf", "frexp": "math_frexp", "lround": "math_lround", "llround": "math_lround",
    "lrint": "math_lround", "llrint": "math_lround", "roundeven": "math.rint", "minimumnum": "math.minnum", "maximumnum": "math.maxnum",
}  # fmt: skip


def meaning(name: str, defined: bool) -> str | None:
    """The library function behind a C name, or None when the program or nobody defines it."""
    if name in VERIFIER and not (defined and name in OVERRIDABLE):
        return VERIFIER[name]
    if NONDET.match(name) and not defined:
        return "nondet"
    if defined:
        return None
    if name.startswith("llvm."):
        return _intrinsic(name.removeprefix("llvm."))
    return NAMES.get(name.removeprefix("__builtin_"))


def _intrinsic(name: str) -> str | None:
    """Intrinsics carry their types as suffixes: llvm.memcpy.p0.p0.i64."""
    while name:
        if name in _INTRINSICS:
            return _INTRINSICS[name]
        name = name.rpartition(".")[0]
    return None
