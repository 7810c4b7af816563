"""Directories: any entries, and any number of them; few where values are known."""

from __future__ import annotations

from typing import Any

from imc.errors import Unsupported
from imc.program.events import Mode
from imc.program.instructions import Library
from imc.program.library.files import MODE_AT, MODES, OUTSIDE, fill_stat, minus_one, succeeds
from imc.program.library.heap import OWN, release_whole
from imc.program.library.registry import Role, Visibility, library
from imc.program.library.world import BYTE, ENTRIES, LONG, between, fails, fill_name, truth
from imc.program.machine import Machine
from imc.program.types import I32, PTR, IntType
from imc.program.values import Value

ENTRY_BYTES, RECORD_AT, TYPE_AT, NAME_AT = 280, 16, 18, 19  # of a struct dirent, LP64
NAME_BYTES, PATH_BYTES = 256, 4096  # of a name, and of a path in <ftw.h>, with their ends
KINDS = (8, 4, 10, 0)  # a file, a directory, a link; or the file system does not tell
LARGEST_KIND, SHORTEST_ENTRY = 14, 24
# For ftw and nftw: a file, a directory, one not to be read, no stat, a link, a directory after what
# is in it, a link that leads nowhere.
FILE, DIRECTORY, UNREADABLE, UNKNOWN, LINK, DIRECTORY_AFTER, BROKEN_LINK = range(7)
IS_DIRECTORY, IS_LINK, PERMISSIONS = 0o040000, 0o120000, 0o7777
PHYSICAL, ONE_SYSTEM, DEPTH = 1, 2, 8  # flags of nftw
SHORT = IntType(16)
VISIBLY: dict[str, Any] = {**OUTSIDE, "visible": Visibility.ALWAYS}


@library(
    "directory.open", c="opendir", reads=(0,), returns_heap=True, returns_number=True,
    **OUTSIDE,
)  # fmt: skip
def opendir(m: Machine, i: Library, args: list[Value]) -> Value:
    m.pass_string(args[0])
    return _opened(m, i)


@library("directory.fdopen", c="fdopendir", returns_heap=True, **OUTSIDE)
def fdopendir(m: Machine, i: Library, args: list[Value]) -> Value:
    return _opened(m, i)


def _opened(m: Machine, i: Library) -> Value:
    m.leaves = True
    if fails(m, i):
        return 0
    return m.allocate("heap", 16, 0, "directory", (i.name, OWN), i.loc)


@library(
    "directory.read", c="readdir readdir64", writes=(0,), returns_heap=True,
    returns_number=True, **VISIBLY,
)  # fmt: skip
def readdir(m: Machine, i: Library, args: list[Value]) -> Value:
    """The next entry, in place of the one before, or none."""
    if m.image.layout.pointer_bytes != 8:
        raise Unsupported(f"{i.name} is only modelled for LP64", i.loc, "use --64")
    m.leaves = True
    end_entry(m, args[0])
    if not next_entry(m, i):
        return 0
    entry = m.allocate("heap", ENTRY_BYTES, 0, "directory entry", (i.name, OWN), i.loc)
    m.touch(Mode.WRITE, entry, ENTRY_BYTES, False)
    if m.domain.answers and not m.draws:
        for at in (0, 8):
            m.store_int(entry, at, 8, m.input(LONG))
        m.store_int(entry, RECORD_AT, 2, between(m, i, SHORTEST_ENTRY, ENTRY_BYTES, SHORT))
        m.store_int(entry, TYPE_AT, 1, between(m, i, 0, LARGEST_KIND, BYTE))
    else:
        m.store_int(entry, RECORD_AT, 2, ENTRY_BYTES)
        m.store_int(entry, TYPE_AT, 1, KINDS[m.choose(len(KINDS))])
    fill_name(m, i, (entry[0], NAME_AT), NAME_BYTES)
    m.store(args[0], PTR, entry)
    return entry


def next_entry(m: Machine, i: Library) -> bool:
    """Whether there is one more; where values are known, of the few that there may be."""
    if m.domain.answers and not m.draws:
        return truth(m, i)
    place = m.hidden(("world", "entries"), "entries of directories")
    m.touch(Mode.WRITE, place, 8, True)
    count = m.load_int(place, 0, 8)
    if count >= ENTRIES:
        m.image.bounds.add(f"directories have at most {ENTRIES} entries in all")
        return False
    if not truth(m, i):
        return False
    m.store_int(place, 0, 8, count + 1)
    return True


def end_entry(m: Machine, directory: Value) -> None:
    """What was read last is not there any more."""
    before = m.load(directory, PTR)
    m.touch(Mode.WRITE, directory, 8, False)
    if before != 0:
        release_whole(m, before)
        m.store(directory, PTR, 0)


@library("directory.close", c="closedir", writes=(0,), **VISIBLY)
def closedir(m: Machine, i: Library, args: list[Value]) -> Value:
    m.leaves = True
    end_entry(m, args[0])
    release_whole(m, args[0])
    return 0 if succeeds(m, i) else minus_one(i)


@library("directory.rewind", c="rewinddir", visible=Visibility.MEMORY, writes=(0,), role=Role.HIDE)
def rewinddir(m: Machine, i: Library, args: list[Value]) -> Value:
    m.target(args[0], 8)
    m.touch(Mode.WRITE, args[0], 8, False)
    return 0


# ------------------------------------------------------------------ trees of files


@library(
    "tree.next", c="imc_next_file", reads=(1,), writes=(0, 3, 4, 5, 6), returns_number=True,
    native={"imc_next_file": "irs_next_file"}, native_always=True,
    **VISIBLY,
)  # fmt: skip
def next_file(m: Machine, i: Library, args: list[Value]) -> Value:
    """A file of any kind, with any short name; what ftw and nftw, which are C code, ask for."""
    tree, root, flags, path, found, kind, place = args
    m.leaves = True
    m.touch(Mode.WRITE, tree, 8, False)
    m.store(tree, PTR, 0)
    m.pass_string(root)
    if flags & ~(PHYSICAL | ONE_SYSTEM | DEPTH):
        raise Unsupported("nftw with such flags is not modelled", m.place(), "use readdir")
    if not next_entry(m, i):
        return minus_one(i) if fails(m, i) else 0
    length = fill_name(m, i, m.known(path), PATH_BYTES)
    known = not m.domain.answers
    kinds = (FILE, DIRECTORY) if known else _kinds(flags)
    nth = m.choose(len(kinds))
    fill_stat(m, i, found, MODES[nth : nth + 1])
    _fit(m, i, found, kinds[nth])
    m.store_int(kind, 0, 4, kinds[nth])
    m.touch(Mode.WRITE, kind, 4, False)
    m.store_int(place, 0, 4, 0 if known else _base(m, i, length))
    m.store_int(place, 4, 4, 0 if known else between(m, i, 0, PATH_BYTES // 2))
    m.touch(Mode.WRITE, place, 8, False)
    return 1


def _kinds(flags: int) -> tuple[int, ...]:
    directory = DIRECTORY_AFTER if flags & DEPTH else DIRECTORY
    return FILE, directory, UNREADABLE, UNKNOWN, LINK if flags & PHYSICAL else BROKEN_LINK


def _fit(m: Machine, i: Library, found: Value, kind: int) -> None:
    """What stat says of directories and links is that they are some."""
    types = {
        DIRECTORY: IS_DIRECTORY, DIRECTORY_AFTER: IS_DIRECTORY, UNREADABLE: IS_DIRECTORY,
        LINK: IS_LINK, BROKEN_LINK: IS_LINK,
    }  # fmt: skip
    if kind in types and m.domain.answers:
        low = types[kind]
        m.store_int(found, MODE_AT, 4, between(m, i, low, low + PERMISSIONS))


def _base(m: Machine, i: Library, length: Value) -> Value:
    """Where the last part of a path begins: before its end."""
    base = between(m, i, 0, PATH_BYTES - 1)
    wide = m.domain.cast("sext", I32, LONG)(base)
    return base if m.decide(m.domain.compare("slt", LONG)(wide, length)) else 0


@library(
    "tree.end", c="imc_end_files", visible=Visibility.MEMORY, writes=(0,),
    native={"imc_end_files": "irs_end_files"}, native_always=True, role=Role.HIDE,
)  # fmt: skip
def end_files(m: Machine, i: Library, args: list[Value]) -> Value:
    m.store(args[0], PTR, 0)
    m.touch(Mode.WRITE, args[0], 8, False)
    return 0
