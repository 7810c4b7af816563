"""Casts to atomic types: in C and for gcc their value is a plain one, for clang it stays atomic.

Then clang refuses what is done with it. So such a file is compiled from its preprocessed text, in
which the casts are to the types without `_Atomic`. What is no cast after all loses nothing that
counts: that is only looked for where a value follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from imc.frontend.odd_main import ATTRIBUTES, WORD

_ATOMIC = "_Atomic"
_REASON = re.compile(
    r"(?:incompatible|invalid|requires).*'_Atomic\(|'_Atomic\(.*(?:incompatible|invalid)"
)
_MOST_WORDS = 16  # of a type
_BEFORE_VALUES = frozenset(["return", "case", "else", "do"])  # words after which a cast can be
_BEGINNINGS = frozenset("(&*+-~!._'\"")  # of a value, besides letters and digits


def are_refused(errors: Iterable[str]) -> bool:
    """Whether clang complains of an atomic type, which may be that of a cast."""
    return any(_REASON.search(error) for error in errors)


def without_atomic(text: str) -> str:
    """Preprocessed text whose casts are to plain types."""
    found = [word for word in WORD.finditer(text) if not word[0].lstrip().startswith("#")]
    words = [word[0] for word in found]
    names = _names(words)
    pieces, done = [], 0
    for first, last in _casts(words, names):
        start, end = found[first].end(), found[last].start()
        pieces += [text[done:start], "__typeof__((void)0,*(", text[start:end], "*)0)"]
        done = end
    return "".join((*pieces, text[done:]))


def _names(words: Sequence[str]) -> set[str]:
    """The names that the text gives to atomic types."""
    names: set[str] = set()
    for at, word in enumerate(words):
        if word != "typedef":
            continue
        end = next((k for k in range(at, min(at + _MOST_WORDS, len(words))) if words[k] == ";"), at)
        declared = words[at + 1 : end]
        if declared and _is_atomic(declared[:-1], names):
            names.add(declared[-1])
    return names


def _is_atomic(words: Sequence[str], names: set[str]) -> bool:
    """Whether the words are an atomic type, and nothing but a type."""
    kept: list[str] = []  # those outside of `_Atomic(…)`, behind the last star
    depth = 0
    for at, word in enumerate(words):
        if word == "(" and (depth or (at and words[at - 1] == _ATOMIC)):
            depth += 1
        elif word == ")" and depth:
            depth -= 1
        elif depth:
            continue
        elif word == "*":
            kept = []
        elif word.isidentifier():
            kept.append(word)
        else:
            return False
    return not depth and any(word == _ATOMIC or word in names for word in kept)


def _casts(words: Sequence[str], names: set[str]) -> list[tuple[int, int]]:
    """The places of the brackets around the types of casts."""
    casts = []
    for at, word in enumerate(words):
        if word != "(" or (at and _is_called(words[at - 1])):
            continue
        end = _closing(words, at)
        if end is None or not _is_atomic(words[at + 1 : end], names):
            continue
        if end + 1 < len(words) and _begins_value(words[end + 1]):
            casts.append((at, end))
    return casts


def _is_called(word: str) -> bool:
    """Whether what follows in brackets belongs to a word: parameters, or an operand of sizeof."""
    return word.isidentifier() and word not in _BEFORE_VALUES


def _begins_value(word: str) -> bool:
    return word not in ATTRIBUTES and (word[0].isalnum() or word[0] in _BEGINNINGS)


def _closing(words: Sequence[str], at: int) -> int | None:
    depth = 0
    for k in range(at, min(at + _MOST_WORDS, len(words))):
        depth += (words[k] == "(") - (words[k] == ")")
        if not depth:
            return k
    return None
