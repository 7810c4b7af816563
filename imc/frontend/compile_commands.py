"""compile_commands.json: how a build system compiles the files of a project.

https://clang.llvm.org/docs/JSONCompilationDatabase.html
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from imc.errors import UserError
from imc.frontend.clang import CompilerOptions
from imc.frontend.flags import TAKE_A_WORD, expanded, split_words
from imc.records import record

SIZE_LIMIT_MB = 100
C = (".c", ".i")
MAKE_ONE = "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, for make there is bear"
_CMAKE = re.compile(r"(?:^|/)CMakeFiles/([^/]+)\.dir/")


@record
class Entry:
    """One file, and how it is compiled; `file` is the path as users would write it."""

    file: Path
    directory: Path
    flags: tuple[str, ...]  # without the compiler, the file and the output
    output: str  # empty if it is not known
    linked: bool  # compiled and linked in one go: the output is an executable

    @property
    def home(self) -> str:
        """What CMake calls the executable or library that it is made for, or nothing."""
        found = _CMAKE.search(self.output)
        return found[1] if found else ""

    @property
    def is_c(self) -> bool:
        words = zip(self.flags, (*self.flags[1:], ""), strict=False)
        languages = [w[2:] or after for w, after in words if w.startswith("-x")]
        return languages[-1] == "c" if languages else self.file.suffix in C

    @property
    def names(self) -> frozenset[str]:
        """What a program whose main is in this file may be called."""
        names = {self.file.name, self.file.stem, str(self.file), self.home}
        if self.linked and self.output:
            names |= {self.output, Path(self.output).name, Path(self.output).stem}
        return frozenset(names) - {""}

    def compiler(self, options: CompilerOptions) -> CompilerOptions:
        """The entry's flags, and after them what the user says about all files."""
        return CompilerOptions(
            cc=options.cc,
            include=options.include,
            define=options.define,
            bits=options.bits,
            flags=options.flags,
            build_flags=self.flags,
            directory=self.directory,
        )


def read_compile_commands(path: Path) -> list[Entry]:
    """The entries of a file, each once; raises UserError for whatever is wrong with it."""
    try:
        if path.is_dir():
            path = path / "compile_commands.json"
        if path.stat().st_size > SIZE_LIMIT_MB * 1_000_000:
            raise UserError(f"{path} is larger than the limit of {SIZE_LIMIT_MB} MB")
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", hint=MAKE_ONE) from None
    except (ValueError, RecursionError) as error:
        problem = str(error).partition("\n")[0]
        raise UserError(f"{path} is not JSON: {problem}", hint=MAKE_ONE) from None
    if not isinstance(document, list):
        raise UserError(f"{path} is not a list of commands", hint=MAKE_ONE)
    if not document:
        raise UserError(f"{path} has no commands", hint="build the project first")
    entries = [_entry(value, f"{path}, entry {n}", path.parent) for n, value in enumerate(document)]
    return list(dict.fromkeys(entries))


def _entry(value: Any, where: str, home: Path) -> Entry:
    if not isinstance(value, dict):
        raise UserError(f"{where} is not an object", hint=MAKE_ONE)
    file = _text(value, "file", where)
    directory = Path(os.path.normpath(Path.cwd() / home / _text(value, "directory", where, ".")))
    output = _text(value, "output", where, "")
    arguments = value.get("arguments")
    if arguments is None:
        words = split_words(_text(value, "command", where), where)
    elif isinstance(arguments, list) and all(isinstance(word, str) for word in arguments):
        words = list(arguments)
    else:
        raise UserError(f"{where}: 'arguments' is not a list of strings", hint=MAKE_ONE)
    words = expanded(words, directory)
    source = Path(os.path.normpath(directory / file))
    flags, named, links = _without_files(words, directory, source)
    return Entry(as_written(source), directory, tuple(flags), output or named, links)


def _text(value: dict[str, Any], key: str, where: str, default: str | None = None) -> str:
    found = value.get(key, default)
    if not isinstance(found, str):
        told = f"has no '{key}'" if found is None else f"'{key}' is not a string"
        raise UserError(f"{where}: {told}", hint=MAKE_ONE)
    return found


def _without_files(words: list[str], directory: Path, source: Path) -> tuple[list[str], str, bool]:
    """The flags of a command, its output, and whether it links."""
    flags: list[str] = []
    output = ""
    links = True
    rest = iter(_after_compiler(words))
    for word in rest:
        if word in ("-o", "--output"):
            output = next(rest, "")
        elif word.startswith("-o") and not word.startswith("-objc"):
            output = word[2:]
        elif word in ("-c", "-S", "-E", "-fsyntax-only"):
            links = False
        elif word in TAKE_A_WORD:
            flags += [word, *([after] if (after := next(rest, None)) is not None else [])]
        elif word != "--" and not _is(word, directory, source):
            flags.append(word)
    return flags, output, links


def _after_compiler(words: list[str]) -> list[str]:
    """Without the compiler's name, and that of a launcher such as ccache before it."""
    at = 1
    while at < min(3, len(words)) and not words[at].startswith(("-", "@")):
        if "." in Path(words[at]).name and Path(words[at]).suffix in (*C, ".o"):
            break
        at += 1
    return words[at:]


def _is(word: str, directory: Path, source: Path) -> bool:
    """Whether a word is the file itself, or another one that is compiled in the same go."""
    if word.startswith("-"):
        return False
    path = Path(os.path.normpath(directory / word))
    return path == source or path.suffix in C


def as_written(path: Path) -> Path:
    """Relative to the working directory where it lies below it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
