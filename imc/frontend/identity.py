"""What makes a program the same program: its linked code and data, and nothing else.

Taken from the text that the program was read from, so that nothing which could matter to an
executable is forgotten: types, alignments, attributes, volatile, fast-math, module assembly. What
is left out is where things were written (file names, lines, debug information), in which order
files were given, what the compiler calls its string literals, and what it knows about aliases,
which executables are built without. Of a failed assertion, the file and the line are words for
people: nothing reads them before the program ends.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from imc.frontend.cache import fingerprint
from imc.frontend.ir.lexer import name_of, tokenize
from imc.program.library import BY_C_NAME
from imc.records import record

FORM = "imc program 2"
SHORT = 16  # digits of the hash of a part, which is only there to say what differs

_NAME = re.compile(r'@("[^"]*"|[-\w.$]+)\(')
_DEFINED = re.compile(r'^@("[^"]*"|[-\w.$]+) = ')
_NODE = re.compile(r"!\d+")
_DEBUG_CALL = re.compile(r"(?:tail )?call void @llvm\.dbg\.")
_DEBUG_FLAGS = ("Dwarf Version", "Debug Info Version")
_GROUP = re.compile(r"#\d+")
# Attachments of places in the source, and of aliasing (see imc/execution/native/instrument.py).
_IGNORED = frozenset(
    f"!{kind}" for kind in ("dbg", "tbaa", "tbaa.struct", "noalias", "alias.scope", "srcloc")
)
_CONTENTS = ("private", "unnamed_addr", "constant")  # whose address and name mean nothing
_TOLD = (1, 2)  # the arguments of a failed assertion that say where it stands


@record
class Identity:
    """The hash of a program, and shorter ones of what it defines."""

    digest: str
    functions: dict[str, str]
    variables: dict[str, str]


class ModuleText:
    """The text of one module, by what it defines; the rest is looked up where it is used."""

    def __init__(self, text: str) -> None:
        self.functions: dict[str, list[str]] = {}  # also those that are only declared
        self.variables: dict[str, list[str]] = {}
        self.whole: list[str] = []  # what is about the module as such
        self._types: dict[str, str] = {}
        self._groups: dict[str, str] = {}
        self._nodes: dict[str, str] = {}
        self._lines(text.replace("\r\n", "\n").split("\n"))

    def _lines(self, lines: list[str]) -> None:
        at = 0
        while at < len(lines):
            line = lines[at]
            at += 1
            first = line[:1]
            if first == "!":
                name, _, node = line.partition(" = ")
                self._nodes[name] = node
            elif first == "@":
                found = _DEFINED.match(line)
                if found is not None:
                    self.variables[name_of("@" + found[1])] = [line]
            elif first == "%":
                name, _, body = line.partition(" = type ")
                self._types[name] = body
            elif line.startswith(("define ", "declare ")):
                end = at
                if line.startswith("define "):
                    end = next((n for n in range(at, len(lines)) if lines[n][:1] == "}"), at)
                found = _NAME.search(line)
                if found is not None:
                    self.functions[name_of("@" + found[1])] = [line, *lines[at:end]]
                at = end
            elif line.startswith("attributes "):
                name, _, body = line.removeprefix("attributes ").partition(" = ")
                self._groups[name] = body
            elif line.startswith(("target ", "module asm ")):
                self.whole.append(line)
        for flag in sorted(self._node(f, ()) for f in self._flags()):
            if not any(word in flag for word in _DEBUG_FLAGS):
                self.whole.append(flag)

    def _flags(self) -> list[str]:
        return _NODE.findall(self._nodes.get("!llvm.module.flags", ""))

    def part(self, name: str, names: Mapping[str, str], told: Collection[str]) -> str:
        """The hash of a function or variable; `names`: what its symbols are called after linking.

        `told` are the functions that tell of a failed assertion.
        """
        lines = self.functions.get(name) or self.variables.get(name, [])
        return fingerprint(*self._tokens(lines, names, told))

    @cached_property
    def everything(self) -> str:
        """The hash of all that the module defines, whatever it is called in a program."""
        names = [*self.functions, *self.variables]
        kept = [n for n in names if not self.is_contents(n)]
        parts = [f"{name} {self.part(name, {}, ASSERTIONS)}" for name in kept]
        return fingerprint(*self.whole, "", *parts)

    def _tokens(
        self, lines: list[str], names: Mapping[str, str], told: Collection[str]
    ) -> list[str]:
        result: list[str] = []
        for line in lines:
            stripped = line.lstrip()
            if not stripped.startswith(("#dbg_", ";")) and not _DEBUG_CALL.match(stripped):
                tokens = _without_places(tokenize(line)[:-1], told)
                result += [*self._line(tokens, names, ()), "\n"]
        return result

    def _line(
        self, tokens: list[str], names: Mapping[str, str], inside: tuple[str, ...]
    ) -> list[str]:
        result: list[str] = []
        skip = False
        for token, after in zip(tokens, [*tokens[1:], ""], strict=False):
            if skip:
                skip = False
            elif token in _IGNORED and _NODE.fullmatch(after):
                skip = True
                if result and result[-1] == ",":
                    result.pop()
            elif _NODE.fullmatch(token):
                result.append(self._node(token, ()))
            elif _GROUP.fullmatch(token):
                result.append(self._groups.get(token, token))
            elif token[:1] == "@" and len(token) > 1:
                result += self._symbol(name_of(token), names, inside)
            elif token in self._types:
                result.append(self._type(token, ()))
            else:
                result.append(token)
        return result

    def _symbol(self, name: str, names: Mapping[str, str], inside: tuple[str, ...]) -> list[str]:
        """A symbol by its name, or by what is in it if nobody can know its name."""
        if name in inside or not self.is_contents(name):
            return ["@" + names.get(name, name)]
        tokens = tokenize(self.variables[name][0])[2:-1]
        return ["{", *self._line(tokens, names, (*inside, name)), "}"]

    def is_contents(self, name: str) -> bool:
        """Whether a variable is only what is in it: a string literal, or its like."""
        if name not in self.variables:
            return False
        words = self.variables[name][0].split(" ", 8)
        return all(word in words for word in _CONTENTS)

    def _type(self, name: str, inside: tuple[str, ...]) -> str:
        if name in inside:
            return name
        tokens = tokenize(self._types[name])[:-1]
        inner = (*inside, name)
        body = [self._type(t, inner) if t in self._types else t for t in tokens]
        return f"{name} = {' '.join(body)}"

    def _node(self, name: str, inside: tuple[str, ...]) -> str:
        """What a node of metadata says, without what it says about places."""
        text = self._nodes.get(name, "").removeprefix("distinct ")
        if name in inside or text.startswith("!DI"):
            return "!"
        inner = (*inside, name)
        tokens = tokenize(text)[:-1]
        return " ".join(self._node(t, inner) if _NODE.fullmatch(t) else t for t in tokens)


ASSERTIONS = frozenset(name for name, entry in BY_C_NAME.items() if entry == "assert_fail")


def _without_places(tokens: list[str], told: Collection[str]) -> list[str]:
    """A call that tells of a failed assertion, without the constants that say where it stands."""
    callee = next((n for n, t in enumerate(tokens) if t[:1] == "@" and t[1:] in told), None)
    if callee is None or "call" not in tokens[:callee] or tokens[callee + 1] != "(":
        return tokens
    result, nth, depth = tokens[: callee + 2], 0, 1
    for token in tokens[callee + 2 :]:
        depth += (token in "([{") - (token in ")]}") if len(token) == 1 else 0
        nth += token == "," and depth == 1
        place = depth == 1 and nth in _TOLD and (token[:1] == "@" or token.isdecimal())
        result.append("place" if place else token)
    return result


def identify(
    texts: Mapping[str, str],
    origins: Mapping[str, tuple[str, str]],
    reachable: Collection[str],
    defined: Collection[str],
    start: Sequence[str],
) -> Identity:
    """The identity of what is reachable in linked modules.

    `texts` are the modules, `origins` says for each symbol in which of them it is defined, and what
    it is called there. `start` is how the program begins.
    """
    modules = {name: ModuleText(text) for name, text in texts.items()}
    names: dict[str, dict[str, str]] = {name: {} for name in modules}
    for linked, (home, own) in origins.items():
        names.setdefault(home, {})[own] = linked
    told = ASSERTIONS - set(defined)
    parts: dict[str, str] = {}
    functions: dict[str, str] = {}
    variables: dict[str, str] = {}
    for name in sorted(reachable):
        home, own = origins.get(name, ("", name))
        if name in defined and home in modules:
            module = modules[home]
            if module.is_contents(own):
                continue  # part of who looks at it
            parts[name] = module.part(own, names[home], told)
            kind = functions if own in module.functions else variables
            kind[name] = parts[name][:SHORT]
        else:  # by all who declare it, in no order
            declared = {
                text.part(own, names[where], told)
                for where, text in modules.items()
                if own in text.functions or own in text.variables
            }
            parts[name] = fingerprint(*sorted(declared))
    whole = sorted({fingerprint(*module.whole) for module in modules.values()})
    listed = [f"{name} {part}" for name, part in parts.items()]
    return Identity(fingerprint(FORM, *start, "", *whole, "", *listed), functions, variables)
