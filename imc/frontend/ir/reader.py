"""The text of a whole module: its lines sorted by what they define, and then read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from imc.errors import SourceLoc, Unsupported, UserError
from imc.frontend.ir.body import NumberedLine, read_body
from imc.frontend.ir.constants import Constants
from imc.frontend.ir.debug import DebugInfo
from imc.frontend.ir.functions import read_signature
from imc.frontend.ir.globals import is_indirect, read_global
from imc.frontend.ir.lexer import Cursor, name_of, tokenize
from imc.frontend.ir.metadata import Metadata
from imc.frontend.ir.module import Module
from imc.frontend.ir.types import TypeTable
from imc.program.program import Function
from imc.program.types import DataLayout

_IGNORED = (";", "attributes ", "module asm ", "source_filename ", "uselistorder", "$", "^")
_POINTER_BITS = re.compile(r"(?:^|-)p0?:(\d+)")
_ILP32 = re.compile(r"(?:i[3-9]86|x86|arm\w*|thumb\w*|riscv32|wasm32|mips(?:el)?|powerpc)-")


def read_module(text: str, name: str) -> Module:
    """Read the text of a `.ll` file; `name` is what messages call the file."""
    try:
        return _read(_Source(text, name))
    except RecursionError:
        raise UserError("the IR is nested too deeply", SourceLoc(name, 1)) from None
    except ValueError:  # Python's limit on the digits of a number
        raise UserError("a number in the IR is too long", SourceLoc(name, 1)) from None


@dataclass(slots=True)
class _FunctionText:
    line: int
    header: list[str]
    body: list[NumberedLine] | None  # None for a declaration


class _Source:
    """The lines of a module by what they define; function bodies are cut into tokens."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.text = text
        self.types = TypeTable(name)
        self.metadata = Metadata()
        self.globals: list[NumberedLine] = []
        self.functions: list[_FunctionText] = []
        self.target = {"datalayout": "", "triple": ""}
        if not text.strip():
            raise self.error("the file is empty", 1)
        self._sort(enumerate(text.replace("\r\n", "\n").split("\n"), 1))

    def error(self, message: str, line: int) -> UserError:
        return UserError(message, SourceLoc(self.name, line))

    def cursor(self, line: int, tokens: list[str]) -> Cursor:
        return Cursor(tokens, self.name, line)

    def _sort(self, lines: Iterator[tuple[int, str]]) -> None:
        for number, line in lines:
            first = line[:1]
            if first == "!":
                reference, _, node = line.partition(" = ")
                self.metadata.raw[reference] = node
            elif first == "@":
                self.globals.append((number, tokenize(line)))
            elif first == "%":
                self._type(number, line)
            elif line.startswith("define "):
                self.functions.append(self._definition(number, line, lines))
            elif line.startswith("declare "):
                self.functions.append(_FunctionText(number, tokenize(line), None))
            elif line.startswith("target "):
                self._target(number, line)
            elif line.strip() and not line.startswith(_IGNORED):
                raise self.error(f"not LLVM IR: {line.strip()[:40]!r}", number)

    def _type(self, number: int, line: str) -> None:
        name, _, body = line.partition(" = type ")
        if not body:
            raise self.error("expected the definition of a type", number)
        self.types.define(name_of(name), body, number)

    def _target(self, number: int, line: str) -> None:
        c = self.cursor(number, tokenize(line))
        c.next()
        key = c.next()
        c.expect("=")
        self.target[key] = c.string()

    def _definition(
        self, number: int, line: str, lines: Iterator[tuple[int, str]]
    ) -> _FunctionText:
        header = tokenize(line)
        if header[-2] != "{":
            raise self.error("expected '{' at the end of the line", number)
        body: list[NumberedLine] = []
        for at, text in lines:
            tokens = tokenize(text)
            if tokens[0] == "}":
                if not body:
                    raise self.error("the function that begins here has no blocks", number)
                return _FunctionText(number, header, body)
            if tokens[0] == "to" and body:
                body[-1][1][-1:] = tokens  # the second line of an invoke
            elif tokens[0] and not tokens[0].startswith("uselistorder"):
                if tokens[-2] == "[":
                    _join_cases(tokens, lines)
                body.append((at, tokens))
        raise self.error("the function that begins here has no end", number)


def _join_cases(tokens: list[str], lines: Iterator[tuple[int, str]]) -> None:
    """Add the following lines, each a case of a switch, up to the closing bracket."""
    for _, text in lines:
        tokens[-1:] = tokenize(text)
        if text.lstrip().startswith("]"):
            return


def _layout(source: _Source) -> DataLayout:
    description, triple = source.target["datalayout"], source.target["triple"]
    if description.startswith("E"):
        raise Unsupported("big-endian machines are not supported", SourceLoc(source.name, 1))
    match = _POINTER_BITS.search(description)
    if match is None:
        return DataLayout(4 if not description and _ILP32.match(triple) else 8)
    if match[1] not in ("32", "64"):
        raise Unsupported(f"pointers of {match[1]} bits", SourceLoc(source.name, 1))
    return DataLayout(int(match[1]) // 8)


def _read(source: _Source) -> Module:
    layout = _layout(source)
    debug = DebugInfo(source.metadata, layout.pointer_bytes)
    module = Module(source.name, layout, source.target["triple"], texts={source.name: source.text})
    definitions: list[tuple[Function, list[NumberedLine]]] = []
    for text in source.functions:
        function = read_signature(source.cursor(text.line, text.header), source.types, debug)
        if function.name.startswith("llvm.dbg."):
            continue
        if function.name in module.functions:
            raise source.error(f"@{function.name} is defined twice", text.line)
        function.module = source.name
        module.functions[function.name] = function
        if text.body is not None:
            definitions.append((function, text.body))
    constants = _constants(source, module)
    for line, tokens in source.globals:
        if not is_indirect(tokens):
            variable = read_global(source.cursor(line, tokens), constants, debug)
            if variable.name in module.globals or variable.name in module.functions:
                raise source.error(f"@{variable.name} is defined twice", line)
            module.globals[variable.name] = variable
    for function, body in definitions:
        read_body(function, body, constants, debug, source.name)
    module.struct_types = debug.struct_types(source.types.names())
    module.origins = {n: (source.name, n) for n in (*module.functions, *module.globals)}
    return module


def _constants(source: _Source, module: Module) -> Constants:
    """A reader of constants that knows all names of the module."""
    symbols = set(module.functions)
    indirect: set[str] = set()
    for _, tokens in source.globals:
        (indirect if is_indirect(tokens) else symbols).add(name_of(tokens[0]))
    return Constants(source.types, module.layout, symbols, indirect)
