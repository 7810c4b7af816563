"""Files that a command writes: refused before the work if they are the user's, or unwritable.

One guard for all commands: nothing that is read is written, nothing that looks like a program or is
a schedule becomes something else, and no two results go to the same place.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

from imc.errors import UserError
from imc.schedule.paths import SOURCES, schedule_path

F = TypeVar("F", bound=Callable[..., Any])
# What commands call their parameters, and users their options.
WRITTEN = {
    "json_file": "--json",
    "dot_file": "--dot",
    "svg_file": "--svg",
    "html_file": "-o",
    "chart": "--chart",
    "trace": "--trace",
    "output": "-o",
}
READ = (
    "sources", "stubs", "schedule_file", "input_file", "stdin_file", "replay", "compile_commands",
)  # fmt: skip
STDOUT = "-"
MARK = b'"format": "irs schedule"'  # where a schedule begins
WAY_OUT = "name a file in a writable folder"


def guarded(command: F) -> F:
    """The command, with a look at the files that it would write before it does anything."""

    @wraps(command)
    def run(*args: Any, **given: Any) -> Any:
        demand_outputs(given)
        return command(*args, **given)

    return cast(F, run)


def demand_outputs(given: dict[str, Any]) -> None:
    """Refuses targets that would harm, for the parameters of a command."""
    inputs = {os.path.realpath(path): path for path in _read(given)}
    taken: dict[str, str] = {}
    for option, target, is_schedule in _written(given):
        if str(target) == STDOUT and option != "--trace":
            if STDOUT in taken:
                raise UserError(
                    f"only one of {taken[STDOUT]} and {option} can go to standard output"
                )
            taken[STDOUT] = option
            continue
        real = os.path.realpath(target)
        if real in inputs:
            raise UserError(f"{option} would overwrite '{inputs[real]}', which is read")
        if real in taken and not _is_device(target):
            raise UserError(f"{taken[real]} and {option} would both write '{target}'")
        taken[real] = option
        if target.suffix in SOURCES:
            raise UserError(f"'{target}' looks like a program: {option} does not write it")
        if not is_schedule and _holds_schedule(target):
            raise UserError(f"'{target}' is a schedule: {option} does not overwrite it")
        _demand_writable(target)


def _read(given: dict[str, Any]) -> Iterator[Path]:
    for name in READ:
        value = given.get(name)
        for path in value if isinstance(value, tuple) else (value,):
            if path is not None:
                yield Path(path)


def _written(given: dict[str, Any]) -> Iterator[tuple[str, Path, bool]]:
    """Option and file of each result, and whether that is a schedule."""
    emit = given.get("emit")
    if emit or (emit is not None and given["sources"]):
        first = given["sources"][0] if given["sources"] else Path()
        yield "--emit-schedule", schedule_path(emit, first), True
    for name, option in WRITTEN.items():
        if given.get(name) is not None:
            yield option, Path(given[name]), name == "output"


def _is_device(target: Path) -> bool:
    return target.exists() and not target.is_file()


def _holds_schedule(target: Path) -> bool:
    if not target.is_file():
        return False
    try:
        with target.open("rb") as stream:
            return MARK in stream.read(256)
    except OSError:
        return False


def _demand_writable(target: Path) -> None:
    """Whether a file can be written there, as far as that can be told without doing it."""
    problem = 0
    folder = Path(os.path.realpath(target)).parent
    if target.is_dir():
        problem = errno.EISDIR
    elif _is_device(target):
        problem = 0 if os.access(target, os.W_OK) else errno.EACCES
    elif not folder.is_dir():
        problem = errno.ENOTDIR if _passes_a_file(folder) else errno.ENOENT
    elif not os.access(folder, os.W_OK | os.X_OK):
        problem = errno.EACCES
    if problem:
        raise UserError(f"cannot write {target}: {os.strerror(problem)}", hint=WAY_OUT)


def _passes_a_file(folder: Path) -> bool:
    there = next((p for p in (folder, *folder.parents) if p.exists()), folder)
    return there.exists() and not there.is_dir()
