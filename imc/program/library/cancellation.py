"""Cancellation of threads, in its deferred form.

A request stays with its thread until that comes to a cancellation point with cancellation enabled.
Only programs that cancel threads have such points: the front end puts one before calls that POSIX
names, as an event of its own. A wait for a condition variable, a semaphore or the end of a thread
looks for a request, too, as long as it cannot go on. So a thread that has begun to wait may still
go on with what it has waited for, as POSIX leaves open. Where POSIX only permits a function to be a
cancellation point, or glibc does not keep to POSIX, the environment chooses.

On its way out a thread calls its cleanup handlers, and no request disturbs it any more.
"""

from __future__ import annotations

import re

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.faults import Blocked
from imc.program.instructions import Library
from imc.program.library.jumps import call_cleanup
from imc.program.library.locking import EINVAL
from imc.program.library.once import take_back
from imc.program.library.registry import Visibility, library
from imc.program.machine import CALLED, Machine
from imc.program.types import I32
from imc.program.values import Value

MEMORY = Visibility.MEMORY
ENABLED, DISABLED = 0, 1
DEFERRED, ASYNCHRONOUS = 0, 1
EXITING = 4  # behind the state of a thread: whether it is on its way out
POINT, POSSIBLE_POINT = POINTS = ("cancellation_point", "possible_cancellation_point")
WRITTEN = "pthread_testcancel"  # what a point is like in C

# What POSIX says of functions by their names in C (2.9.5.2, also of its edition of 2024), with
# those that glibc has instead of them or besides. Waits for condition variables and for ends of
# threads are not among them: glibc lets them go on with what has come meanwhile, whatever was asked
# for before, so they look for themselves.
_REQUIRED = """
    accept accept4 clock_nanosleep close connect creat fdatasync fsync mq_receive mq_send
    mq_timedreceive mq_timedsend msgrcv msgsnd msync nanosleep open openat pause poll ppoll pread
    preadv pselect pthread_testcancel pwrite pwritev read readv recv recvfrom recvmsg select
    sem_clockwait sem_timedwait sem_wait send sendmsg sendto sigpause sigsuspend sigtimedwait
    sigwait sigwaitinfo sleep tcdrain thrd_sleep usleep wait waitid waitpid write writev
"""
_PERMITTED = """
    access aio_suspend asctime asctime_r chmod chown closedir closelog ctime ctime_r dlclose dlopen
    dprintf err errx faccessat fchmod fchmodat fchown fchownat fclose fcntl fdopen fdopendir fflush
    fgetc fgetpos fgets flock fopen fprintf fputc fputs fread freopen fscanf fseek fseeko fsetpos
    fstat fstatat ftell ftello ftruncate ftw futimens fwrite getaddrinfo getc getchar getcwd
    getdelim getentropy getgrnam gethostname getline getlogin getnameinfo getopt getopt_long
    getopt_long_only getpwnam getrandom glob ioctl link linkat localtime localtime_r lockf lseek
    lstat mkdir mkdirat mkfifo mkfifoat mkstemp mktime nftw opendir openlog pclose perror popen
    posix_fadvise posix_fallocate posix_madvise printf pthread_clockjoin_np pthread_rwlock_rdlock
    pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_wrlock pthread_timedjoin_np
    putc putchar puts readdir readlink readlinkat remove rename renameat rewind rewinddir rmdir
    scanf semop setbuf setvbuf stat strerror strerror_r strftime symlink symlinkat sync syslog
    tmpfile truncate ttyname tzset ungetc unlink unlinkat utimensat utimes vdprintf verr verrx
    vfprintf vfscanf vprintf vscanf vwarn vwarnx warn warnx
"""
REQUIRED, PERMITTED = frozenset(_REQUIRED.split()), frozenset(_PERMITTED.split())
_VARIANT = re.compile(r"^__isoc\d\d_|^__(?=\w+_chk$)|_chk$|64$|_unlocked$")  # of glibc's


def point_before(name: str, known: bool) -> str | None:
    """The cancellation point that a C function is; of one that nobody knows, it may be one."""
    name = _VARIANT.sub("", name)
    if name in REQUIRED:
        return POINT
    return POSSIBLE_POINT if name in PERMITTED or not known else None


# ------------------------------------------------------------------------- requests


def _request_of(m: Machine, thread: int) -> Value:
    return m.hidden(("cancel", thread), m.image.threads.names[thread])


def request(m: Machine, i: Library, thread: int) -> None:
    """Asks a thread to end."""
    if not m.image.sharing.cancelling.may_be_cancelled(thread):
        raise Unsupported(
            "the main thread is cancelled by a handle that is not from pthread_self", i.loc
        )
    place = _request_of(m, thread)
    m.store_int(place, 0, 4, 1)
    m.touch(Mode.WRITE, place, 4, True)


def is_possible(m: Machine, i: Library) -> bool:
    """Whether a request would be granted here."""
    if not i.cancellable or not m.image.sharing.cancelling.may_be_cancelled(m.thread.id):
        return False
    state = _own(m, "cancel state")
    enabled = m.equal(m.fetch(state, I32), ENABLED)
    return enabled and m.equal(m.fetch((state[0], EXITING), I32), 0)


def is_requested(m: Machine, i: Library) -> bool:
    """Whether the thread is to end here."""
    if not is_possible(m, i):
        return False
    place = _request_of(m, m.thread.id)
    m.touch(Mode.READ, place, 4, True)
    return not m.equal(m.load_int(place, 0, 4), 0)


def give_up(m: Machine, i: Library, why: Blocked) -> Value:
    """What becomes of a thread that cannot go on: it is cancelled, or has to wait."""
    if is_requested(m, i):
        return act(m, i)
    why.stable = not is_possible(m, i)
    raise why


def act(m: Machine, i: Library) -> Value:
    """The thread ends as it was asked to."""
    m.note = "is cancelled"
    m.thread.result = (1 << 8 * m.image.layout.pointer_bytes) - 1  # PTHREAD_CANCELED
    return leave(m, i)


def leave(m: Machine, i: Library) -> Value:
    """On its way out a thread calls the handlers of pthread_cleanup_push."""
    if m.image.sharing.cancelling.cancels:
        m.put((_own(m, "cancel state")[0], EXITING), I32, 1)
    if call_cleanup(m, i):
        return CALLED
    take_back(m, m.frames)
    for frame in m.frames:
        for number in frame.objects:
            m.end_local(number, True)
    m.frames.clear()
    return CALLED


# ------------------------------------------------------------------------- points


@library(POINT, visible=Visibility.CANCELLABLE)
def cancellation_point(m: Machine, i: Library, args: list[Value]) -> Value:
    return act(m, i) if is_requested(m, i) else 0


@library(POSSIBLE_POINT, visible=Visibility.CANCELLABLE)
def possible_cancellation_point(m: Machine, i: Library, args: list[Value]) -> Value:
    return act(m, i) if is_requested(m, i) and m.choose(2) else 0


# ------------------------------------------------------------- what threads say of themselves


def _own(m: Machine, what: str) -> Value:
    """What the running thread has set: nobody else looks at it."""
    return m.hidden((what, m.thread.id), f"{what} of {m.image.threads.names[m.thread.id]}")


@library(
    "cancel_state", c="pthread_setcancelstate", visible=MEMORY, writes=(1,),
    native={"pthread_setcancelstate": "irs_set_cancel_state"},
)  # fmt: skip
def cancel_state(m: Machine, i: Library, args: list[Value]) -> Value:
    return _exchange(m, "cancel state", args)


@library(
    "cancel_type", c="pthread_setcanceltype", visible=MEMORY, writes=(1,),
    native={"pthread_setcanceltype": "irs_set_cancel_type"},
)  # fmt: skip
def cancel_type(m: Machine, i: Library, args: list[Value]) -> Value:
    if args[0] == ASYNCHRONOUS and m.image.sharing.cancelling.may_be_cancelled(m.thread.id):
        raise Unsupported(
            "asynchronous cancellation is not modelled", i.loc,
            "use PTHREAD_CANCEL_DEFERRED, and pthread_testcancel where the thread may end",
        )  # fmt: skip
    return _exchange(m, "cancel type", args)


def _exchange(m: Machine, what: str, args: list[Value]) -> Value:
    """What the thread has set before is told."""
    if args[0] not in (ENABLED, DISABLED):
        return EINVAL
    place = _own(m, what)
    old = m.fetch(place, I32)
    m.put(place, I32, args[0])
    if args[1] != 0:
        m.store(args[1], I32, old)
        m.touch(Mode.WRITE, args[1], 4, False, old)
    return 0
