"""Files by their names and descriptors: any file may be there or not, with any contents.

Nothing is remembered of files: another process may change them between any two calls. What a call
brings is an input, so an error that depends on it is one; how much it brings is bounded.
"""

from __future__ import annotations

from typing import Any

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.faults import Property
from imc.program.instructions import Library
from imc.program.library.heap import OWN, release_whole
from imc.program.library.registry import Role, Run, Visibility, library
from imc.program.library.strings import ERRNO, set_errno
from imc.program.library.world import (
    FILE_BYTES,
    MOST_READ,
    any_byte,
    between,
    fails,
    file_size,
    fill,
    masked,
    set_any_error,
    truth,
)
from imc.program.machine import Machine
from imc.program.types import I32, IntType
from imc.program.values import Value

MEMORY = Visibility.MEMORY
DESCRIPTORS = (3, 1023)
EINVAL = 22
PAGE = 4096
MOST_MAPPED = 1 << 62
STREAMS_OPEN = ("streams-open",)
ANONYMOUS = 0x20  # a flag of mmap
STAT_BYTES, SIZE_AT, MODE_AT = 144, 48, 24  # of a struct stat, LP64
STAT_FIELDS = tuple((at, 4 if 24 <= at < 40 else 8) for at in
                    (0, 8, 16, 24, 28, 32, *range(40, 120, 8)))  # fmt: skip
MODES = (0o100644, 0o040755)  # a file, a directory: tried where values are known
OUTSIDE: dict[str, Any] = {
    "visible": MEMORY,
    "reads_input": True,
    "role": Role.HIDE,
    "sleeps": True,
}


def signed_most(type: IntType) -> int:
    return (1 << type.width - 1) - 1


def minus_one(i: Library) -> int:
    return masked(-1, i.type if isinstance(i.type, IntType) else I32)


def succeeds(m: Machine, i: Library) -> bool:
    """Whether a call does what it is asked; where nobody looks at that, it does."""
    m.leaves = True
    if i.result is None and ERRNO not in m.image.program.globals:
        return True
    return not fails(m, i)


def numbers(m: Machine, i: Library, args: list[Value], *others: int) -> list[Value]:
    """The arguments as numbers, but for others, such as a descriptor, which nothing depends on."""
    widths = [t.width if isinstance(t, IntType) else 64 for t in i.arg_types]
    return [
        arg if k in others else m.known(arg, width)
        for k, (arg, width) in enumerate(zip(args, widths, strict=True))
    ]


def read_names(m: Machine, args: list[Value], texts: tuple[int, ...]) -> None:
    for k in texts:
        if args[k] != 0:
            m.pass_string(args[k])


# ------------------------------------------------------------- calls that only tell


def _told(texts: tuple[int, ...], low: int = 0, high: int = 0) -> Run:
    """A call that reads names, and brings a number or -1."""

    def run(m: Machine, i: Library, args: list[Value]) -> Value:
        read_names(m, args, texts)
        if not succeeds(m, i):
            return minus_one(i)
        return low if low == high else between(m, i, low, high)

    return run


def _add(
    c: str, texts: tuple[int, ...] = (), low: int = 0, high: int = 0, takes_terms: bool = True,
    assumes: tuple[str, ...] = (),
) -> None:  # fmt: skip
    for name in c.split():
        library(
            f"file.{name}", c=name, reads=texts, returns_number=True,
            takes_terms=takes_terms and not texts, assumes=assumes, **OUTSIDE,
        )(_told(texts, low, high))  # fmt: skip


_add("open open64 creat creat64", (0,), *DESCRIPTORS, assumes=STREAMS_OPEN)
_add("openat openat64", (1,), *DESCRIPTORS, assumes=STREAMS_OPEN)
_add("dup dup2 dup3 epoll_create epoll_create1 eventfd inotify_init socket", (),
     *DESCRIPTORS, assumes=STREAMS_OPEN)  # fmt: skip
_add("unlink remove chdir rmdir mkdir access chmod truncate truncate64 mkfifo chroot", (0,))
_add("rename link symlink", (0, 1))
_add("unlinkat mkdirat faccessat", (1,))
_add("close fsync fdatasync ftruncate ftruncate64 fchmod fchdir flock lockf listen shutdown")
_add("fcntl fcntl64", (), 0, (1 << 31) - 1)


@library(
    "file.lseek", c="lseek lseek64", takes_terms=True, **OUTSIDE
)  # fmt: skip
def lseek(m: Machine, i: Library, args: list[Value]) -> Value:
    """Some place in the file; behind its end is one, too."""
    if not succeeds(m, i):
        return minus_one(i)
    assert isinstance(i.type, IntType)
    return between(m, i, 0, FILE_BYTES if m.draws else signed_most(i.type), i.type)


@library("file.umask", c="umask", reads_input=True, takes_terms=True)
def umask(m: Machine, i: Library, args: list[Value]) -> Value:
    return between(m, i, 0, 0o777)


@library("file.sync", c="sync", takes_terms=True, role=Role.HIDE, sleeps=True)
def sync(m: Machine, i: Library, args: list[Value]) -> Value:
    m.leaves = True
    return 0


@library(
    "file.pipe", c="pipe pipe2", writes=(0,), assumes=STREAMS_OPEN, **OUTSIDE
)  # fmt: skip
def pipe(m: Machine, i: Library, args: list[Value]) -> Value:
    if not succeeds(m, i):
        return minus_one(i)
    for at in (0, 4):
        m.store_int(args[0], at, 4, between(m, i, *DESCRIPTORS))
    m.touch(Mode.WRITE, args[0], 8, False)
    return 0


# ------------------------------------------------------------------ reading, writing


@library(
    "file.read", c="read pread pread64 recv", writes=(1,), returns_number=True, takes_terms=True,
    assumes=("small-files",),
    native={"read": "irs_read", "pread": "irs_pread", "pread64": "irs_pread", "recv": "irs_recv"},
    **OUTSIDE,
)  # fmt: skip
def read(m: Machine, i: Library, args: list[Value]) -> Value:
    args = numbers(m, i, args, 0)
    if not succeeds(m, i):
        return minus_one(i)
    return brought(m, i, args[1], args[2])


def brought(m: Machine, i: Library, place: Value, room: int, unit: int = 1) -> int:
    """How many units come, with any contents: few, or all of them if that is not much.

    More might come, so there has to be room for all that is asked for.
    """
    if room * unit:
        m.target(place, room * unit)
    counts = list(range(min(room, FILE_BYTES // unit) + 1))
    if room > counts[-1] and room * unit <= MOST_READ:
        counts.append(room)
    elif len(counts) == 1 and room and unit <= MOST_READ:
        counts.append(1)
    m.leaves = True
    m.thread.inputs += 1
    count = counts[m.choose(len(counts))]
    m.note = f"brings {count}"
    fill(m, i, place, count * unit)
    return count


@library(
    "file.write", c="write pwrite pwrite64 send", reads=(1,), returns_number=True,
    takes_terms=True, **OUTSIDE,
)  # fmt: skip
def write(m: Machine, i: Library, args: list[Value]) -> Value:
    """All of it, or less."""
    m.leaves = True
    args = numbers(m, i, args, 0)
    size = args[2]
    m.touch_read(args[1], size)
    if not succeeds(m, i):
        return minus_one(i)
    if i.result is None or size == 0:
        return size
    assert isinstance(i.type, IntType)
    return between(m, i, 0, size, i.type)


# ------------------------------------------------------------------------ what files are


@library(
    "file.stat", c="stat lstat stat64 lstat64", reads=(0,), writes=(1,), **OUTSIDE,
)  # fmt: skip
def stat(m: Machine, i: Library, args: list[Value]) -> Value:
    m.pass_string(args[0])
    return _described(m, i, args[1])


@library(
    "file.fstat", c="fstat fstat64", writes=(1,), takes_terms=True, **OUTSIDE,
)  # fmt: skip
def fstat(m: Machine, i: Library, args: list[Value]) -> Value:
    return _described(m, i, numbers(m, i, args, 0)[1])


def _described(m: Machine, i: Library, place: Value) -> Value:
    if not succeeds(m, i):
        return minus_one(i)
    fill_stat(m, i, place)
    return 0


def fill_stat(m: Machine, i: Library, place: Value, modes: tuple[int, ...] = MODES) -> None:
    """A file of any kind and size; where values are known, with one of the modes."""
    if m.image.layout.pointer_bytes != 8:
        raise Unsupported(f"{i.name} is only modelled for LP64", i.loc, "use --64")
    m.target(place, STAT_BYTES)
    m.touch(Mode.WRITE, place, STAT_BYTES, False)
    m.fill(place, STAT_BYTES, 0)
    if not m.domain.answers:
        m.image.bounds.add(f"what {i.name} finds is a file or a directory, empty or full, and old")
        m.store_int(place, MODE_AT, 4, modes[m.choose(len(modes))])
        m.store_int(place, SIZE_AT, 8, file_size(m, i))
        return
    for at, size in STAT_FIELDS:
        m.store_int(place, at, size, m.input(IntType(8 * size)))
    m.store_int(place, SIZE_AT, 8, file_size(m, i))


# --------------------------------------------------------------------------- mappings


@library(
    "file.mmap", c="mmap mmap64", returns_heap=True, returns_number=True, returns_aligned=True,
    ignores=(0,),
    takes_terms=True, assumes=("allocation-succeeds", "mapped-whole"),
    native={"mmap": "irs_mmap", "mmap64": "irs_mmap"}, **OUTSIDE,
)  # fmt: skip
def mmap(m: Machine, i: Library, args: list[Value]) -> Value:
    """Whole pages: those of a file have any contents, as far as it goes, and zeros behind it."""
    size = args[1]
    args = numbers(m, i, args, 1, 4)
    flags = args[3]
    failed = masked(-1, IntType(8 * m.image.layout.pointer_bytes))
    if m.equal(size, 0, 64):
        set_errno(m, EINVAL)
        return failed
    if args[0] != 0:
        raise Unsupported("a mapping at an address of one's own is not modelled", i.loc)
    if flags & ANONYMOUS:
        size = _pages(m.known(size))
        return m.allocate("heap", size, 0, "mapping", (i.name, OWN), i.loc)
    m.leaves = True
    if not truth(m, i):
        set_any_error(m, i)
        return failed
    return _mapped_file(m, i, size)


def _mapped_file(m: Machine, i: Library, size: Value) -> Value:
    name, site = "mapping of a file", (i.name, OWN)
    place = m.allocate("heap", MOST_MAPPED, 0, name, site, i.loc)
    given = [any_byte(m, i) for _ in range(FILE_BYTES)]  # as many in all domains
    # What lies behind the end, up to that of the page, is left to the domains that know the size.
    if not m.draws and m.fill_from_outside(place, extent=size):
        return place
    if m.domain.symbolic:
        raise Unsupported("an error may depend on what is in a file that is mapped", i.loc)
    size = m.known(size)
    m.memory[place[0]].size = _pages(size)
    m.touch(Mode.WRITE, place, min(size, FILE_BYTES), False)
    for at in range(min(size, FILE_BYTES)):
        m.store_int(place, at, 1, given[at])
    return place


def _pages(size: int) -> int:
    return (size + PAGE - 1) // PAGE * PAGE


@library(
    "file.munmap", c="munmap", visible=MEMORY, writes=(0,), role=Role.HIDE, takes_terms=True
)
def munmap(m: Machine, i: Library, args: list[Value]) -> Value:
    place, size = args
    known = place.__class__ is tuple and m.image.objects[place[0]].name.startswith("mapping")
    if not known:
        m.fault(Property.MEMORY, "munmap of what is no mapping")
    m.target(place, 1)
    found = m.memory[place[0]]
    if found.extent is not None:
        is_whole = m.surely(m.image.equality(64)(size, found.extent))
    else:
        is_whole = _pages(m.known(size)) == found.size
    if place[1] != 0 or not is_whole:
        raise Unsupported("a part of a mapping is not taken away by itself", i.loc)
    release_whole(m, place)
    return 0


@library(
    "file.advice", c="madvise posix_madvise msync mlock munlock posix_fadvise",
    ignores=(0,), reads_input=True, role=Role.HIDE, sleeps=True,
)  # fmt: skip
def advice(m: Machine, i: Library, args: list[Value]) -> Value:
    return 0 if succeeds(m, i) else minus_one(i)
