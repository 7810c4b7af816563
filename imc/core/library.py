"""The native core as a shared library: compiled once by the bundled clang, kept, loaded by ctypes.

Wheels have it compiled, for the sources that they have. Else it is in the cache under a name that
its sources, the compiler and the flags decide. What is there is believed only if its hash stands
beside it; else it is made again. Where it cannot be made or loaded, `Unavailable` says why, and
Python does the work.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from imc.core.interface import VERSION, declare
from imc.errors import UserError
from imc.frontend.cache import Cache, fingerprint
from imc.frontend.clang import CompilerOptions, find_compiler

SOURCES = Path(__file__).parent
PREBUILT = SOURCES / "prebuilt" / "core.so"  # in wheels
FLAGS = ("-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-w", "-g0")

_loaded: dict[str, ctypes.CDLL | str] = {}  # by folder of the cache: the library, or why not


class Unavailable(Exception):
    """There is no native core; the text says why in one line."""


def library() -> ctypes.CDLL:
    """The core, built if need be; asked again, the same answer. Raises Unavailable.

    IMC_CORE names a library that is to be used instead, such as one with sanitizers.
    """
    named = os.environ.get("IMC_CORE")
    if named:
        return load(Path(named))
    folder = Cache.default().directory
    known = _loaded.get(str(folder))
    if known is None:
        try:
            known = load(PREBUILT if is_prebuilt() else built(folder))
        except (Unavailable, UserError, OSError) as why:
            known = str(why).splitlines()[0] if str(why) else type(why).__name__
        _loaded[str(folder)] = known
    if isinstance(known, str):
        raise Unavailable(known)
    return known


def why_not() -> str:
    """Why there is no core, where somebody has asked for one; else nothing."""
    known = _loaded.get(str(Cache.default().directory))
    return known if isinstance(known, str) else ""


def load(path: Path) -> ctypes.CDLL:
    found = ctypes.CDLL(str(path))
    declare(found)
    if found.core_version() != VERSION:
        raise Unavailable("the native core is of another version")
    return found


def built(folder: Path | None, flags: Sequence[str] = ()) -> Path:
    """The library's file in a folder, made anew unless it is there and whole."""
    demand_platform()
    if folder is None:
        raise Unavailable("there is no cache to build it in")
    compiler = find_compiler(CompilerOptions())
    sources = _sources()
    path = folder / f"core-{fingerprint(compiler.key(), *flags, '', _key(sources))[:32]}.so"
    if not is_whole(path):
        from imc.core.building import build  # it is rarely needed, and has a pool of threads

        build(compiler, [f for f in sources if f.suffix == ".c"], (*FLAGS, *flags), path)
    return path


def prebuild(path: Path) -> list[Path]:
    """Compiles the core for a wheel; the files to be packed beside each other."""
    from imc.core.building import build

    demand_platform()
    sources = _sources()
    compiler = find_compiler(CompilerOptions())
    build(compiler, [f for f in sources if f.suffix == ".c"], FLAGS, path)
    path.with_suffix(".key").write_text(_key(sources))
    return [path, path.with_suffix(".sha256"), path.with_suffix(".key")]


def is_prebuilt() -> bool:
    """Whether a library came with these sources, and is as it was packed."""
    try:
        known = PREBUILT.with_suffix(".key").read_text()
    except (OSError, ValueError):
        return False
    return is_whole(PREBUILT) and known == _key(_sources()) and _has_platform()


def demand_platform() -> None:
    """Raises Unavailable where the core does not run."""
    if not _has_platform():
        raise Unavailable(f"there is no native core for {sys.platform} on {platform.machine()}")


def _has_platform() -> bool:
    return sys.platform == "linux" and platform.machine() == "x86_64"


def _sources() -> list[Path]:
    return sorted(SOURCES.rglob("*.[ch]"))


def _key(sources: Sequence[Path]) -> str:
    contents = [part for file in sources for part in (file.name, file.read_bytes())]
    return fingerprint(*FLAGS, "", *contents)


def is_whole(path: Path) -> bool:
    """Whether a library is as it was written: loading anything else would end the process."""
    try:
        return path.with_suffix(".sha256").read_text() == hash_of(path.read_bytes())
    except (OSError, ValueError):
        return False


def hash_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
