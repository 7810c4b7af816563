"""A main whose parameters have another type than C says: gcc only warns, clang refuses it.

What clang objects to is the name. So such a file is compiled with main under a name that occurs
nowhere in it and is as long, and the name is put back in what comes out. Two things depend on what
a function is called, and are set right: the zero that main returns by itself, and `__func__`, which
a compiler may look into. The parameters are what the system passes: argv is a pointer to the array,
whatever type the program takes it for. What would be passed in another way is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from imc.records import record

MAIN = "main"
_REASON = re.compile(
    r"(?:second|third) parameter of 'main' \((?:argument array|environment)\) must be of type .*"
)
# Preprocessed text: lines for the compiler, literals, numbers, names, and single signs.
WORD = re.compile(
    r"""^[ \t]*\#.*$|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\.?\d[\w.]*|[^\W\d][\w$]*|\S""",
    re.MULTILINE | re.VERBOSE,
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
ATTRIBUTES = ("__attribute__", "__attribute", "__asm__", "__asm", "asm")
_OWN_NAMES = ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__")
_OWN_NAME = '(*(const char(*)[5])"main")'
_DEFINED = re.compile(r"^define (?P<before>[^@\n]*)@main\((?P<given>.*?)\)(?= |\{)", re.MULTILINE)
_PARAMETERS = re.compile(r"i32 noundef %[\w.$]+(?:, ptr noundef %[\w.$]+){1,2}")
_SLOT = re.compile(r"  %retval = alloca i32, align 4\n(?:  %[^\n]* = alloca [^\n]*\n)*")
_ZERO = "  store i32 0, ptr %retval, align 4\n"


def is_refused(errors: Iterable[str]) -> bool:
    """Whether clang says of the file nothing but that main is odd."""
    found = list(errors)
    return bool(found) and all(map(_REASON.fullmatch, found))


@record
class Renamed:
    """Preprocessed text without the name main."""

    text: str
    name: str  # instead of main
    found: bool  # whether the text defines main

    def restored(self, ir: str) -> str | None:
        """Its IR with main in it; None if the parameters cannot be what a system passes."""
        if re.search(r"@main\b", ir):
            return None  # something else has the name already, by a label
        ir = ir.replace(self.name, MAIN)
        main = _DEFINED.search(ir)
        if main is None:  # only declared here
            return ir
        if not self.found or not _PARAMETERS.fullmatch(main["given"]):
            return None
        if main["before"].split()[-1] != "i32":
            return ir
        slot = _SLOT.search(ir, main.end(), ir.index("\n}", main.end()))
        return ir if slot is None else ir[: slot.end()] + _ZERO + ir[slot.end() :]


def renamed(text: str) -> Renamed:
    """The text with another name for main, that is nowhere in it."""
    words = [found[0] for found in WORD.finditer(text)]
    body, place = _body(words), iter(range(len(words)))
    names = ("".join(letters) for letters in product("jqxz", repeat=len(MAIN)))
    other = next(name for name in names if name not in text)

    def changed(found: re.Match[str]) -> str:
        nth, word = next(place), found[0]
        return other if word == MAIN else _OWN_NAME if nth in body and word in _OWN_NAMES else word

    return Renamed(WORD.sub(changed, text), other, bool(body))


def _body(words: list[str]) -> range:
    """Which words are the body of main; none if it is not there, or that is not clear."""
    at = 0
    while at < len(words):
        if words[at] == MAIN and words[at + 1 : at + 2] == ["("]:
            start = _start(words, _behind(words, at + 1))
            if start is not None:
                return range(start, _behind(words, start))
        at = _behind(words, at)
    return range(0)


def _start(words: list[str], at: int) -> int | None:
    """Where the body begins, if there is one behind the parameters."""
    while words[at : at + 1] and words[at] in ATTRIBUTES:
        at = _behind(words, at + 1)
    first = at
    while at < len(words) and words[at] != "{":  # types of parameters, as they were once written
        at += 1
    begun = at < len(words) and (at == first or words[at - 1] == ";")
    return at if begun and (at == first or words[first].isidentifier()) else None


def _behind(words: list[str], at: int) -> int:
    """Behind the word, or behind all that it opens."""
    depth = 0
    while at < len(words):
        depth += (words[at] in _OPENING) - (words[at] in _CLOSING)
        at += 1
        if depth <= 0:
            break
    return at
