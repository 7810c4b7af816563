"""Compiling the native core: the one place that calls a compiler for it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from imc.core.library import Unavailable, hash_of
from imc.frontend.clang import Clang, run_compiler


def build(compiler: Clang, sources: list[Path], flags: Sequence[str], path: Path) -> None:
    """Writes a library and its hash, whole or not at all; raises Unavailable."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="core-", dir=path.parent) as folder:
            made = Path(folder) / "core.so"
            objects = _compiled(compiler, sources, flags, Path(folder))
            _link(compiler, objects, flags, made)
            (Path(folder) / "hash").write_text(hash_of(made.read_bytes()))
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
