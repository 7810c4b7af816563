"""Programs on the real machine: compiled as they are, stepped through in random interleavings."""

from __future__ import annotations

import platform
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from imc.errors import UserError
from imc.frontend.clang import CompilerOptions, find_compiler, run_compiler
from native_semantics.outcomes import ABORT, ASSERTION, DEADLOCK, EXIT, SIGNAL, Outcome

HERE = Path(__file__).parent
TARGETS = {"musl": ("-target", "x86_64-linux-musl", "-static"), "glibc": ()}
STEPS = 60_000  # of a run, before it is given up
# Copies of structs go upwards, as in the model; left alone, clang often takes the last piece first.
ORDERED = ("-fno-stack-protector", "-mllvm", "-pre-RA-sched=linearize")
UNORDERED = ("-fstack-protector-all",)
FLAGS = ("-std=gnu11", "-w", "-fno-sanitize=all", "-UNDEBUG", "-pthread")


class CannotBuild(Exception):
    """The compiler or the linker has refused; the text is its first complaint."""


@dataclass(frozen=True)
class Run:
    """One run by its number; `outcome` is None when it was given up."""

    number: int
    outcome: Outcome | None
    steps: int
    switches: int


@dataclass(frozen=True)
class Stepper:
    """What programs are linked with to be stepped through, for one of TARGETS."""

    objects: tuple[Path, ...]
    library: str = "musl"

    def build(self, source: Path, ordered: bool = True) -> Path:
        """The program beside its source; `ordered`: see ORDERED."""
        how = ("-O0", "-include", str(HERE / "stepping.h"), *(ORDERED if ordered else UNORDERED))
        parts = (str(source), *map(str, self.objects), "-lm")
        return _build((*how, *TARGETS[self.library], *parts), source.with_suffix(""))


def build_stepper(folder: Path, library: str = "musl") -> Stepper:
    """The stepper as objects in a folder; it serves all programs."""
    how = ("-O1", "-fno-stack-protector", "-c", *TARGETS[library])
    objects = [
        _build((*how, str(part)), folder / f"{part.stem}.o") for part in sorted(HERE.glob("*.c"))
    ]
    return Stepper(tuple(objects), library)


def _build(flags: tuple[str, ...], output: Path) -> Path:
    command = list(find_compiler(CompilerOptions()).command)
    command[-1] = "cc"
    try:
        code, _, messages = run_compiler([*command, *FLAGS, *flags, "-o", str(output)])
    except UserError as error:
        raise CannotBuild(str(error)) from None
    if code:
        lines = messages.decode("utf-8", "replace").splitlines()
        raise CannotBuild(next((line for line in lines if "error" in line), f"status {code}"))
    return output


def run_many(program: Path, first: int, count: int) -> list[Run]:
    """Runs with the numbers from `first` on, one after the other.

    What a run is depends on its number and, for how long runs are, on those before it.
    """
    asked = {"FIRST": first, "RUNS": count, "LIMIT": STEPS}
    environment = {f"STEPPER_{name}": str(value) for name, value in asked.items()}
    done = subprocess.run(
        [str(program)], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"status {done.returncode}: {done.stderr}")
    return [_run(number, line) for number, line in enumerate(done.stdout.splitlines(), first)]


def _run(number: int, line: str) -> Run:
    end, status, steps, switches, output, errors = line.split()
    outcome = _outcome(end, int(status), _text(output), _text(errors))
    return Run(number, outcome, int(steps), int(switches))


def _text(written: str) -> str:
    return bytes.fromhex(written.removeprefix(".")).decode("latin-1")


def _outcome(end: str, status: int, output: str, errors: str) -> Outcome | None:
    match end:
        case "limit":
            return None
        case "signal" if status == signal.SIGALRM:
            return None
        case "deadlock":
            return DEADLOCK
        case "signal" if status == signal.SIGABRT:
            return ASSERTION if "ssertion" in errors else ABORT
        case "signal":
            return Outcome(SIGNAL, status)
    return Outcome(EXIT, status, output)


def why_not() -> str:
    """Why programs cannot be stepped through here, or nothing."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return "needs Linux on x86-64"
    try:
        compiler = find_compiler(CompilerOptions())
    except UserError as error:
        return str(error)
    return "" if compiler.library is not None else "needs the C libraries of ziglang"
