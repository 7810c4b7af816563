"""Flags of a C compiler, sorted by what they are about: the language, the link, or neither.

What changes the meaning of the source is kept, and clang judges it. What is about warnings, speed
or where output goes is left out: we make IR in our own way. What would make another program of it,
in a way that we cannot follow, is refused.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from imc.errors import UserError
from imc.frontend.ir.lexer import words
from imc.records import record

MOST_RESPONSE_FILES = 100  # that name each other
LIBRARIES = (".a", ".so", ".o", ".lo")

# Folders and files that the preprocessor looks for; each takes one word, joined or not.
_FOLDERS = ("-isystem", "-iquote", "-idirafter", "-I")
_PATHS = (*_FOLDERS, "-include", "-imacros")
_PREPROCESSOR = (*_PATHS, "-D", "-U")
_PREPROCESSOR_ALONE = ("-undef", "-trigraphs")

# Left out, with the word that follows.
_DROPPED_WITH_WORD = (
    *("-o", "-MF", "-MT", "-MQ", "-MJ", "-Xassembler", "-mllvm", "-z", "-u"),
    *("-aux-info", "--param", "-dumpbase", "-dumpdir", "--serialize-diagnostics"),
)
# Left out: whole words, and beginnings of words.
_DROPPED = words(
    "-c -S -E -w -s -v -P -pthread -pipe -shared -static -rdynamic -pie -no-pie -nopie -static-pie"
    " -nostdlib -nodefaultlibs -nostartfiles -nolibc -static-libgcc -shared-libgcc -emit-llvm"
    " -fsyntax-only -integrated-as -no-integrated-as -frecord-command-line -flto -fno-lto"
    " -pedantic -pedantic-errors -Qunused-arguments --verbose"
)
_DROPPED_BEGINNINGS = tuple(
    words(
        "-O -g -W -M -o -save-temps --save-temps -flto= -fuse-ld= -fdiagnostics -fno-diagnostics"
        " -fcolor-diagnostics -fno-color-diagnostics -fmessage-length -ferror-limit -fmax-errors"
        " -fcaret-diagnostics -fno-caret-diagnostics -fcrash-diagnostics -fno-crash-diagnostics"
        " -fdebug- -fno-debug- -fstandalone-debug -fno-standalone-debug -ffile-compilation-dir"
        " -frandom-seed -ftime- -fstack-usage -fproc-stat-report -fcompare-debug -print- --print-"
        " -fdiscard-value-names -fno-discard-value-names -fsave-optimization"
        " -foptimization-record -fwhole-program -fno-fat-lto -ffat-lto -fpch-"
    )
)

_EXACT = "imc computes with exact numbers: leave it out"
_INSTRUMENTED = "imc looks for errors itself: leave it out"
_HEADERS = "imc models the C library, and so needs the headers that it brings"
_INSIDE = "it goes round what imc asks of clang: leave it out"
# Refused by their beginnings, with a way out.
_REFUSED = {
    "-Ofast": _EXACT,
    "-ffast-math": _EXACT,
    "-funsafe-math": _EXACT,
    "-ffinite-math": _EXACT,
    "-fassociative-math": _EXACT,
    "-freciprocal-math": _EXACT,
    "-ffp-model=": _EXACT,
    "-fsanitize": _INSTRUMENTED,
    "-fprofile": _INSTRUMENTED,
    "-ftest-coverage": _INSTRUMENTED,
    "-fcoverage": _INSTRUMENTED,
    "--coverage": _INSTRUMENTED,
    "-finstrument": _INSTRUMENTED,
    "-pg": _INSTRUMENTED,
    "-Xclang": _INSIDE,
    "-Xarch": _INSIDE,
    "-cc1": _INSIDE,
    "-fplugin": _INSIDE,
    "-fpass-plugin": _INSIDE,
    "-include-pch": _INSIDE,
    "-fembed-bitcode": _INSIDE,
    "-###": "it would make no code",
    "-fopenmp": "OpenMP is not modelled; use threads",
    "-target": "imc reads C for x86-64 Linux",
    "--target": "imc reads C for x86-64 Linux",
    "-arch": "imc reads C for x86-64 Linux",
    "-mx32": "imc reads C for x86-64 Linux",
    "-m16": "imc reads C for x86-64 Linux",
    "--config": "give the flags themselves",
    "-nostdinc": _HEADERS,
    "-nostdlibinc": _HEADERS,
    "-nobuiltininc": _HEADERS,
    "-isysroot": _HEADERS,
    "--sysroot": _HEADERS,
    "-iprefix": "name the folder with -I",
    "-iwithprefix": "name the folder with -I",
    "-T": "imc reads programs that begin in main",
}
_HARMLESS = re.compile(  # exceptions to what is refused
    r"-fno-(?:sanitize|profile|fast-math).*|-fprofile-(?:abs-path|dir=.*)"
    r"|-ffp-model=precise|--target=x86_64-(?:\w+-)?linux-gnu"
)
_CHANGES_LINK = re.compile(r"--?(?:wrap|defsym|undefined-version|version-script-override)\b")
TAKE_A_WORD = words(
    "-x -l -L -T -target -arch -include-pch -Xclang -Xlinker -Xpreprocessor -isysroot --sysroot"
    " -iprefix -iwithprefix"
).union(_PREPROCESSOR, _DROPPED_WITH_WORD)


@record
class SortedFlags:
    """What is left of a list of flags: for all C, for C with a preprocessor, for the linker."""

    language: tuple[str, ...] = ()
    preprocessor: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()  # where headers are looked for

    def then(self, more: SortedFlags) -> SortedFlags:
        """These, and after them others."""
        return SortedFlags(
            self.language + more.language,
            self.preprocessor + more.preprocessor,
            self.link + more.link,
            self.folders + more.folders,
        )

    @property
    def for_c(self) -> tuple[str, ...]:
        return (*self.language, *self.preprocessor)


def sort_flags(
    given: Sequence[str], bits: int = 64, directory: Path | None = None, system: Sequence[str] = ()
) -> SortedFlags:
    """Sorts flags; raises UserError for those that cannot be honoured.

    Relative paths are relative to `directory`. Folders of `system` are searched anyway, last:
    named again they keep their place, as with other compilers.
    """
    return _Sorting(given, bits, directory, system).flags()


class _Sorting:
    """One pass over the words."""

    def __init__(
        self, given: Sequence[str], bits: int, directory: Path | None, system: Sequence[str]
    ) -> None:
        self.bits = bits
        self.directory = directory
        self.system = [os.path.realpath(folder) for folder in system]
        self._words: Iterator[str] = iter(expanded(given, directory))
        self._language: list[str] = []
        self._preprocessor: list[str] = []
        self._link: list[str] = []
        self._folders: list[str] = []

    def flags(self) -> SortedFlags:
        for word in self._words:
            self._sort(word)
        return SortedFlags(
            tuple(self._language),
            tuple(self._preprocessor),
            tuple(self._link),
            tuple(self._folders),
        )

    def _sort(self, word: str) -> None:
        if not word.startswith("-") or word == "-":
            self._file(word)
        elif not (self._choose(word) or self._prepare(word) or self._to_link(word)):
            if word in _DROPPED_WITH_WORD:
                self._argument(word)
            elif word not in _DROPPED and not word.startswith(_DROPPED_BEGINNINGS):
                self._language.append(word)

    def _argument(self, flag: str) -> str:
        word = next(self._words, None)
        if word is None:
            raise UserError(f"the flag {flag} needs something after it")
        return word

    def _file(self, word: str) -> None:
        if word.endswith(LIBRARIES) or ".so." in word:
            self._link.append(self._path(word))
            return
        raise UserError(
            f"'{word}' is not a flag of clang", hint="files to be read come before the --"
        )

    def _choose(self, word: str) -> bool:
        """What decides about all, or is refused; whether it was one of these."""
        if word in ("-m32", "-m64"):
            if word != f"-m{self.bits}":
                raise UserError(f"{word} contradicts --{self.bits}", hint=f"give --{word[2:]}")
            return True
        if word.startswith("-x"):
            language = word[2:] or self._argument(word)
            if language not in ("c", "none"):
                raise UserError(f"-x {language}: imc reads C only")
            return True
        if _HARMLESS.fullmatch(word):
            return True
        for beginning, hint in _REFUSED.items():
            if word.startswith(beginning):
                raise UserError(f"the flag {word} cannot be honoured", hint=hint)
        return False

    def _prepare(self, word: str) -> bool:
        """The preprocessor's flags; whether it was one of them."""
        if word.startswith("-Wp,"):
            for part in self._inner(word[4:].split(",")):
                self._sort(part)
            return True
        if word == "-Xpreprocessor":
            self._sort(self._argument(word))
            return True
        if word.startswith("-ffile-prefix-map="):  # the places that we report stay where they are
            self._preprocessor.append(f"-fmacro-prefix-map={word.partition('=')[2]}")
            return True
        if word in _PREPROCESSOR_ALONE:
            self._preprocessor.append(word)
            return True
        flag = next((f for f in _PREPROCESSOR if word.startswith(f)), None)
        if flag is None:
            return False
        value = word[len(flag) :] or self._argument(flag)
        if flag in _PATHS:
            value = self._searched(flag, value)
        if flag in _FOLDERS:
            if os.path.realpath(value) in self.system:
                return True
            self._folders.append(value)
        self._preprocessor += [flag + value] if flag in ("-D", "-U", "-I") else [flag, value]
        return True

    def _inner(self, parts: list[str]) -> list[str]:
        """The flags inside of -Wp: those that write dependencies have a file after them."""
        found: list[str] = []
        for part in parts:
            if found and found[-1] in ("-MD", "-MMD") and not part.startswith("-"):
                continue
            found.append(part)
        return found

    def _to_link(self, word: str) -> bool:
        """The linker's flags; whether it was one of them."""
        if word == "-Xlinker":
            self._linker_words([self._argument(word)])
        elif word.startswith("-Wl,"):
            self._linker_words(word[4:].split(","))
        elif word.startswith("-L"):
            self._link.append("-L" + self._path(word[2:] or self._argument("-L")))
        elif word.startswith("-l"):
            self._link.append("-l" + (word[2:] or self._argument("-l")))
        else:
            return False
        return True

    def _linker_words(self, parts: list[str]) -> None:
        """Of what is for the linker itself, only where libraries are found is kept."""
        for number, part in enumerate(parts):
            if _CHANGES_LINK.match(part):
                raise UserError(
                    f"the linker's flag {part} cannot be honoured",
                    hint="it makes another program of it in a way that imc cannot follow",
                )
            if part in ("-rpath", "--rpath") and number + 1 < len(parts):
                self._link.append(f"-Wl,-rpath,{self._path(parts[number + 1])}")
            elif part.startswith(("-rpath=", "--rpath=")):
                self._link.append(f"-Wl,-rpath,{self._path(part.partition('=')[2])}")

    def _searched(self, flag: str, value: str) -> str:
        """A path as it is meant; a file to be included is looked for in the folders, too."""
        if flag in ("-include", "-imacros"):
            return self._path(value) if Path(self._path(value)).exists() else value
        return self._path(value)

    def _path(self, value: str) -> str:
        if self.directory is None or value.startswith(("/", "$")):
            return value
        return str(self.directory / value)


def expanded(given: Sequence[str], directory: Path | None = None) -> list[str]:
    """The words, with those of response files (`@file`) in their places."""
    result: list[str] = []
    work = list(reversed(given))
    files = 0
    while work:
        word = work.pop()
        if not word.startswith("@") or len(word) == 1:
            result.append(word)
            continue
        files += 1
        path = (directory or Path()) / word[1:]
        if files > MOST_RESPONSE_FILES:
            raise UserError(f"{path}: too many response files, one in the other")
        try:
            text = path.read_text(errors="surrogateescape")
        except OSError as error:
            raise UserError(f"the response file {path} cannot be read: {error.strerror}") from None
        work += reversed(split_words(text, str(path)))
    return result


def split_words(text: str, where: str) -> list[str]:
    """The words of a command as a shell would see them."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UserError(f"{where}: this is not a command: {error}") from None
