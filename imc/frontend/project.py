"""Which files of a project make a program: the one with its main, and what that needs.

A compile_commands.json says how files are compiled, not what they are linked to. So a program is
put together as a linker does it from an archive: from the file that defines its main, whatever
defines what is still missing. Files that CMake compiles for the same target belong together.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from imc.errors import UserError
from imc.frontend.cache import Cache
from imc.frontend.clang import CompilerOptions, compile_to_ir
from imc.frontend.compile_commands import Entry, read_compile_commands
from imc.frontend.ir.lexer import name_of
from imc.frontend.library import meaning
from imc.frontend.link import LOCAL, WEAK

MOST_NAMED = 8  # in a message
PIC = frozenset({"-fPIC", "-fpic", "-fPIE", "-fpie", "-DPIC"})
_SYMBOL = re.compile(
    r'^(?:(?P<kind>define|declare) (?P<words>[^@]*)@(?P<name>"[^"]*"|[-\w.$]+)\('
    r'|@(?P<variable>"[^"]*"|[-\w.$]+) = (?P<rest>.{0,80}))',
    re.MULTILINE,
)
_UNDEFINED = ("external", "extern_weak")


@dataclass(frozen=True, slots=True)
class Part:
    """A compiled file: the symbols that it defines for others, and those that it wants."""

    entry: Entry
    text: str
    strong: set[str] = field(default_factory=set)
    weak: set[str] = field(default_factory=set)
    wanted: set[str] = field(default_factory=set)
    constructors: bool = False

    @property
    def defines_main(self) -> bool:
        return "main" in self.strong or "main" in self.weak


def read_symbols(entry: Entry, text: str) -> Part:
    strong, weak, wanted = set[str](), set[str](), set[str]()
    for found in _SYMBOL.finditer(text):
        name = name_of("@" + (found["name"] or found["variable"]))
        words = (found["words"] or " ".join((found["rest"] or "").split()[:2])).split()
        if found["kind"] == "declare" or any(word in words for word in _UNDEFINED):
            wanted.add(name)
        elif not any(word in words for word in LOCAL):
            (weak if any(word in words for word in WEAK) else strong).add(name)
    constructors = "llvm.global_ctors" in strong | weak
    own = {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"}
    return Part(entry, text, strong - own, weak - own, wanted, constructors)


class Project:
    """The C files of a compile_commands.json."""

    def __init__(self, path: Path, options: CompilerOptions, cache: Cache) -> None:
        self.path = path
        self.options = options
        self.cache = cache
        self.entries = read_compile_commands(path)
        self.failures: list[tuple[Entry, UserError]] = []
        self.libraries: tuple[str, ...] = ()  # that the program is linked with, as far as is known

    def files(self, sources: Sequence[Path], target: str | None) -> list[tuple[Path, str]]:
        """The files that make the program, with their IR; the one with its main comes first."""
        parts = self._named(sources, target) if sources else self._needed(target)
        flags = [part.entry.compiler(self.options).sorted_flags().link for part in parts]
        self.libraries = tuple(dict.fromkeys(flag for part in flags for flag in part))
        return [(part.entry.file, part.text) for part in parts]

    def _compiled(self, entry: Entry) -> Part:
        if not entry.file.exists():
            raise UserError(
                f"{entry.file} does not exist, which {self.path} names",
                hint="if the project was moved or changed, let its build system write that again",
            )
        text = compile_to_ir(entry.file, entry.compiler(self.options), self.cache)
        return read_symbols(entry, text)

    # ---------------------------------------------------------------- files that are named

    def _named(self, sources: Sequence[Path], target: str | None) -> list[Part]:
        parts = []
        for source in sources:
            wanted = os.path.realpath(source)
            found = [e for e in self.entries if os.path.realpath(e.file) == wanted]
            if not found:
                hint = f"it has {_listed(str(e.file) for e in self.entries)}"
                raise UserError(f"{source} has no entry in {self.path}", hint=hint)
            entry = self._one_way(found, {target} if target else set())
            if not entry.is_c:
                raise UserError(f"{source} is not compiled as C", hint="imc reads C only")
            parts.append(self._compiled(entry))
        return parts

    def _one_way(self, entries: list[Entry], homes: Iterable[str | None]) -> Entry:
        """Of several ways to compile the same file the one that is meant."""
        wanted = set(homes)
        near = [
            e for e in entries if e.home in wanted or (e.names & wanted and e.linked)
        ] or entries
        ways: dict[tuple[str, ...], Entry] = {}
        for entry in sorted(near, key=lambda e: bool(PIC & set(e.flags))):
            flags = entry.compiler(self.options).sorted_flags().for_c
            ways.setdefault(tuple(f for f in flags if f not in PIC), entry)
        if len(ways) > 1:
            outputs = _listed(e.output or " ".join(e.flags) for e in ways.values())
            raise UserError(
                f"{near[0].file} is compiled in {len(ways)} ways: {outputs}",
                hint="--target NAME says for which program, if they are of different ones",
            )
        return next(iter(ways.values()))

    # --------------------------------------------------------------- files that are needed

    def _needed(self, target: str | None) -> list[Part]:
        entries = [entry for entry in self.entries if entry.is_c]
        if not entries:
            raise UserError(f"{self.path} has no C files", hint="imc reads C only")
        parts = []
        for entry in entries:
            try:
                parts.append(self._compiled(entry))
            except UserError as problem:  # nobody may need it
                self.failures.append((entry, problem))
        mains = [part for part in parts if part.defines_main]
        main = self._main(mains, target)
        others = {part.entry.file for part in mains} - {main.entry.file}
        pool = [p for p in parts if p.entry.file not in {main.entry.file, *others}]
        linked = self._linked(main, pool, alone=not others)
        self._refuse_failures(linked, main)
        return linked

    def _main(self, mains: list[Part], target: str | None) -> Part:
        for entry, problem in self.failures:
            if not mains or (target is not None and target in entry.names):
                raise problem
        if not mains:
            raise UserError(
                f"no C file of {self.path} defines main",
                hint="a library needs a program to be checked",
            )
        candidates = _listed(sorted({_called(m, mains) for m in mains}))
        chosen = mains if target is None else [m for m in mains if target in m.entry.names]
        if not chosen:
            raise UserError(
                f"there is no program '{target}' in {self.path}", hint=f"it has {candidates}"
            )
        if len({m.entry.file for m in chosen}) > 1:
            what = "several programs" if target is None else f"several programs '{target}'"
            raise UserError(f"{self.path} has {what}: {candidates}", hint="give --target NAME")
        entry = self._one_way([m.entry for m in chosen], {target})
        return next(m for m in chosen if m.entry is entry)

    def _linked(self, main: Part, pool: list[Part], alone: bool) -> list[Part]:
        linked = [main]
        homes = {main.entry.home} - {""}
        work = [p for p in pool if p.entry.home in homes or (alone and p.constructors)]
        for file in dict.fromkeys(p.entry.file for p in work):
            linked.append(self._variant([p for p in work if p.entry.file == file], homes))
        while True:
            files = {part.entry.file for part in linked}
            strong = {name for part in linked for name in part.strong}
            weak = {name for part in linked for name in part.weak}
            wanted = {name for part in linked for name in part.wanted} | weak
            more = self._provider(
                wanted - strong, weak, [p for p in pool if p.entry.file not in files], homes
            )
            if more is None:
                return linked
            linked.append(more)

    def _provider(
        self, wanted: set[str], weak: set[str], pool: list[Part], homes: set[str]
    ) -> Part | None:
        """A file that defines something which is still missing."""
        for name in sorted(wanted):
            found = [p for p in pool if name in p.strong]
            if not found and name not in weak:
                found = [p for p in pool if name in p.weak][:1]
            files = {p.entry.file for p in found}
            if len(files) > 1:
                listed = _listed(sorted(map(str, files)))
                raise UserError(
                    f"'{name}' is defined in several files: {listed}",
                    hint="name the files of the program on the command line",
                )
            if found:
                return self._variant(found, homes)
        return None

    def _variant(self, parts: list[Part], homes: set[str]) -> Part:
        entry = self._one_way([p.entry for p in parts], homes)
        return next(p for p in parts if p.entry is entry)

    def _refuse_failures(self, linked: list[Part], main: Part) -> None:
        """A file that cannot be compiled may be the one that defines what is missing."""
        if not self.failures:
            return
        defined = {name for part in linked for name in (*part.strong, *part.weak)}
        wanted = {name for part in linked for name in part.wanted} - defined
        unknown = [n for n in wanted if meaning(n, False) is None and not n.startswith("llvm.")]
        for entry, problem in self.failures:
            if unknown or (main.entry.home and entry.home == main.entry.home):
                raise problem


def _called(main: Part, mains: list[Part]) -> str:
    """The shortest name that means only this program."""
    entry = main.entry
    names = (entry.home, Path(entry.output).name if entry.linked else "", entry.file.stem)
    for name in names:
        if name and sum(name in other.entry.names for other in mains) == 1:
            return name
    return str(entry.file)


def _listed(names: Iterable[str]) -> str:
    known = list(names)
    more = len(known) - MOST_NAMED
    return ", ".join(known[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
