"""Where a running program's inputs come from: a file, a seed, or the world."""

from __future__ import annotations

import random
import sys
import time
from collections import deque
from pathlib import Path
from threading import Lock

from imc.errors import UserError
from imc.program.instructions import Library
from imc.program.library import LIBRARY
from imc.program.types import FloatType, IntType, Type
from imc.program.values import Value


class NoInputLeft(Exception):
    """The file of inputs has fewer numbers than the program asks for."""


class Inputs:
    """Answers what the environment is asked. Each thread has its own row of random numbers."""

    def __init__(
        self, seed: int | None = None, file: Path | None = None, stdin: bytes | None = None
    ) -> None:
        self._seed = seed
        self._stdin = stdin
        self._lock = Lock()
        self._sources: dict[str, random.Random] = {}
        self._numbers = None if file is None else deque(_numbers(file))

    def answer(self, thread: str, call: Library, type: Type) -> Value:
        """The result of a call that reads an input; None for what has no numbers."""
        if not isinstance(type, (IntType, FloatType)):
            return None
        if self._numbers is not None:
            return self._from_file(type)
        if LIBRARY[call.function].tells_time and self._seed is None:
            return int(time.time())
        source = self.source(thread)
        if isinstance(type, FloatType):
            return source.uniform(-1e6, 1e6)
        signless = LIBRARY[call.function].returns_positive
        return source.getrandbits(type.width - signless)

    def between(self, thread: str, low: int, high: int) -> int:
        """An answer of the world that lies between bounds; what a file says is put there."""
        if self._numbers is not None:
            return min(max(int(self._from_file(FloatType("double"))), low), high)
        return self.source(thread).randint(low, high)

    def source(self, thread: str) -> random.Random:
        """A thread's random numbers: with a seed the same in every run, whatever the others do."""
        found = self._sources.get(thread)
        if found is None:
            key = None if self._seed is None else f"{self._seed} {thread}"
            found = self._sources[thread] = random.Random(key)
        return found

    def standard_input(self) -> bytes:
        """All of standard input, read when the program first asks for it."""
        with self._lock:
            if self._stdin is None:
                stream = sys.stdin
                self._stdin = stream.buffer.read() if stream is not None else b""
        return self._stdin

    def _from_file(self, type: IntType | FloatType) -> Value:
        assert self._numbers is not None
        try:
            number = self._numbers.popleft()
        except IndexError:
            raise NoInputLeft from None
        if isinstance(type, FloatType):
            return float(number)
        return int(number) & ((1 << type.width) - 1)


def _numbers(path: Path) -> list[int | float]:
    """Numbers with white space between them, and remarks from # to the end of a line."""
    try:
        text = path.read_text()
    except OSError as problem:
        raise UserError(f"cannot read {path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a text of numbers") from None
    found: list[int | float] = []
    for number, line in enumerate(text.splitlines(), 1):
        for word in line.partition("#")[0].split():
            try:
                found.append(float(word) if "." in word else int(word, 0))
            except ValueError:
                raise UserError(f"{path}:{number}: '{word}' is not a number") from None
    return found
