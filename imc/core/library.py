"""The native core as a shared library: compiled once by the bundled clang, kept, loaded by ctypes.

The library is in the cache under a name that its sources, the compiler and the flags decide. What
is there is believed only if its hash stands beside it; else it is made again. Where it cannot be
made or loaded, `Unavailable` says why, and Python does the work.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from imc.core.interface import VERSION, declare
from imc.errors import UserError
from imc.frontend.cache import Cache, fingerprint
from imc.frontend.clang import Clang, CompilerOptions, find_compiler, run_compiler

SOURCES = Path(__file__).parent
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
            known = load(built(folder))
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
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise Unavailable(f"there is no native core for {sys.platform} on {platform.machine()}")
    if folder is None:
        raise Unavailable("there is no cache to build it in")
    compiler = find_compiler(CompilerOptions())
    files = sorted(SOURCES.glob("*.[ch]"))
    contents = [part for file in files for part in (file.name, file.read_bytes())]
    key = fingerprint(compiler.key(), *FLAGS, *flags, "", *contents)
    path = folder / f"core-{key[:32]}.so"
    if not _is_whole(path):
        _build(compiler, [f for f in files if f.suffix == ".c"], (*FLAGS, *flags), path)
    return path


def _is_whole(path: Path) -> bool:
    """Whether a library is as it was written: loading anything else would end the process."""
    try:
        return path.with_suffix(".sha256").read_text() == _hash(path.read_bytes())
    except (OSError, ValueError):
        return False


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _build(compiler: Clang, sources: list[Path], flags: Sequence[str], path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="core-", dir=path.parent) as folder:
            made = Path(folder) / "core.so"
            objects = _compiled(compiler, sources, flags, Path(folder))
            _link(compiler, objects, flags, made)
            (Path(folder) / "hash").write_text(_hash(made.read_bytes()))
            made.replace(path)
            (Path(folder) / "hash").replace(path.with_suffix(".sha256"))
    except OSError as error:
        raise Unavailable(f"the native core cannot be kept: {error}") from None


def _compiled(
    compiler: Clang, sources: list[Path], flags: Sequence[str], folder: Path
) -> list[str]:
    """An object of each file; some of them are made at a time."""
    start = [*compiler.command, *compiler.target(64), *flags, "-c"]
    outputs = [str(folder / source.with_suffix(".o").name) for source in sources]
    commands = [[*start, str(s), "-o", o] for s, o in zip(sources, outputs, strict=True)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(_run, commands))
    return outputs


def _link(compiler: Clang, objects: list[str], flags: Sequence[str], made: Path) -> None:
    """Functions of the C library are found in the process that loads it."""
    if compiler.library is not None:
        _run([compiler.command[0], "ld.lld", "-shared", "-o", str(made), *objects])
    else:
        _run([*compiler.command, *flags, "-shared", "-o", str(made), *objects])


def _run(command: list[str]) -> None:
    code, _, messages = run_compiler(command)
    if code != 0:
        lines = messages.decode("utf-8", "replace").splitlines()
        first = next((line for line in lines if "error" in line), f"exit code {code}")
        raise Unavailable(f"the native core cannot be compiled: {first}")
