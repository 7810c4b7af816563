"""Runs of imc as its users run it: a process of its own, in a folder of its own."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from patience import HANG_S

PROGRESS = re.compile(r"^.*, \d+ s\n", re.MULTILINE)  # lines that a busy machine gives time for


@dataclass(frozen=True)
class Run:
    """What a finished process left."""

    code: int
    out: str
    err: str

    def verdict(self, verdict: str, *words: str) -> None:
        """Ended with a verdict on standard output, and nothing on standard error."""
        assert self.err == ""
        assert f"verdict: {verdict}" in self.out
        assert self.code == {"safe": 0, "unsafe": 1, "unknown": 3}[verdict]
        for word in words:
            assert word in self.out

    def failed(self, *words: str, code: int = 2) -> None:
        """Ended with one line on standard error that has the words, and nothing else."""
        assert "Traceback" not in self.err
        assert self.err.startswith("imc: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1, "more than one line"
        assert len(self.err) < 1000, "not a line that one can read"
        assert self.code == code
        assert self.out == ""
        for word in words:
            assert word in self.err


@dataclass
class Imc:
    """Starts imc in `folder`; `env` is its whole environment."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    def write(self, files: dict[str, str | bytes]) -> None:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            (self.folder / name).write_bytes(data)

    def files(self) -> set[Path]:
        return set(self.folder.rglob("*"))

    def start(self, *args: str | Path, **options: Any) -> subprocess.Popen[str]:
        env = {**self.env, **options.pop("env", {})}
        settings = {
            "cwd": self.folder,
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
            "encoding": "utf-8",
            "errors": "replace",
            "start_new_session": True,  # so that all it has started can be ended
        }
        return subprocess.Popen(command(args), env=env, **{**settings, **options})

    def __call__(self, *args: str | Path, **options: Any) -> Run:
        return finish(self.start(*args, **options))


def cpu_time() -> float:
    """Seconds that finished child processes have used, whatever else the machine did."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command(args: Iterable[str | Path]) -> list[str | Path]:
    return [sys.executable, "-m", "imc", *args]


def kill(process: subprocess.Popen[str]) -> None:
    """Ends a run, and whatever it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def finish(process: subprocess.Popen[str]) -> Run:
    with process:
        try:
            out, err = process.communicate(timeout=HANG_S)
        except BaseException:
            kill(process)
            raise
    return Run(process.returncode, out or "", PROGRESS.sub("", err or ""))
