"""The body of a function: its lines cut into blocks, and the blocks read."""

from __future__ import annotations

from collections.abc import Sequence

from imc.errors import SourceLoc, UserError
from imc.frontend.ir import arithmetic, calls, control, memory
from imc.frontend.ir.constants import Constants
from imc.frontend.ir.debug import DebugInfo
from imc.frontend.ir.lexer import name_of, unquote
from imc.frontend.ir.statement import Scope, Statement, StatementReader
from imc.program.instructions import Instruction, Phi, Terminator
from imc.program.program import Block, Function, Register
from imc.program.types import VOID

_READERS: dict[str, StatementReader] = {
    **arithmetic.READERS,
    **memory.READERS,
    **calls.READERS,
    **control.READERS,
}

NumberedLine = tuple[int, list[str]]  # a line's number and its tokens


def read_body(
    function: Function, lines: list[NumberedLine], constants: Constants, debug: DebugInfo, file: str
) -> None:
    """Give the function the blocks and registers that its lines define."""
    # Phis use registers before the line that defines them: number all of them first.
    outline = _Outline(function, lines, debug, file)
    scope = Scope(file, constants.types, constants, outline.registers, outline.variables)
    reader = _Blocks(function, scope, debug, frozenset(outline.blocks))
    function.blocks = tuple(reader.read(label, rows) for label, rows in outline.blocks.items())


class _Outline:
    """What a function's lines define: blocks, register numbers, names of local variables."""

    def __init__(
        self, function: Function, lines: list[NumberedLine], debug: DebugInfo, file: str
    ) -> None:
        self.blocks: dict[str, list[NumberedLine]] = {}
        self.registers = {r.name: i for i, r in enumerate(function.registers)}
        self.variables: dict[str, str] = {}
        self._debug = debug
        self._file = file
        self._unnamed = sum(name.isdecimal() for name in self.registers)
        self._split(lines)

    def _split(self, lines: list[NumberedLine]) -> None:
        block: list[NumberedLine] | None = None
        for line in lines:
            number, tokens = line
            first, second = tokens[0], tokens[1]
            if second == ":":
                block = self._begin(unquote(first), number)
            elif first.startswith("#dbg_") or _calls_debug_intrinsic(tokens):
                self._note_variable(tokens)
            else:
                if block is None:
                    block = self._begin(str(self._unnamed), number)
                if second == "=":
                    self._define(first, number)
                block.append(line)
                if first in control.TERMINATORS:
                    block = None

    def _begin(self, label: str, line: int) -> list[NumberedLine]:
        if label in self.blocks:
            raise UserError(f"the block %{label} is defined twice", SourceLoc(self._file, line))
        self._count(label)
        self.blocks[label] = []
        return self.blocks[label]

    def _define(self, token: str, line: int) -> None:
        name = name_of(token)
        if name in self.registers:
            raise UserError(f"%{name} is defined twice", SourceLoc(self._file, line))
        self._count(name)
        self.registers[name] = len(self.registers)

    def _count(self, name: str) -> None:
        """Values and blocks without a name share one sequence of numbers."""
        if name.isdecimal():
            self._unnamed = int(name) + 1

    def _note_variable(self, tokens: list[str]) -> None:
        """Keep the name in `#dbg_declare(ptr %x, !12, …)` or in its older form, a call."""
        if tokens[0] != "#dbg_declare" and "@llvm.dbg.declare" not in tokens:
            return
        at = next((i for i, t in enumerate(tokens) if t[:1] == "!" and t[1:].isdecimal()), 0)
        register = tokens[at - 3 if tokens[at - 1] == "metadata" else at - 2]
        name = self._debug.local_variable(tokens[at])
        if name and register[:1] == "%":
            self.variables[name_of(register)] = name


def _calls_debug_intrinsic(tokens: list[str]) -> bool:
    return tokens[0] in ("call", "tail") and any(t.startswith("@llvm.dbg.") for t in tokens[2:4])


class _Blocks:
    """Reads the instructions of a function, block by block in the order of the text."""

    def __init__(
        self, function: Function, scope: Scope, debug: DebugInfo, labels: frozenset[str]
    ) -> None:
        self._function = function
        self._scope = scope
        self._debug = debug
        self._labels = labels
        self._last_loc: SourceLoc | None = None

    def read(self, label: str, lines: list[NumberedLine]) -> Block:
        phis: list[Phi] = []
        body: list[Instruction] = []
        origins: list[int] = []
        for number, tokens in lines:
            s = Statement(tokens, number, self._scope)
            instruction = self._instruction(s)
            if isinstance(instruction, Phi):
                if body:
                    raise s.error("a phi after other instructions of its block")
                self._check_labels(s, [source for _, source in instruction.incoming])
                phis.append(instruction)
            elif instruction is not None:
                body.append(instruction)
                origins.append(number)
                if isinstance(instruction, Terminator):
                    self._check_labels(s, instruction.targets())
        if not body or not isinstance(body[-1], Terminator):
            line = lines[-1][0] if lines else 0
            message = f"the block %{label} of {self._function.name} has no terminator"
            raise UserError(message, SourceLoc(self._scope.file, line))
        return Block(label, tuple(phis), tuple(body), tuple(origins))

    def _instruction(self, s: Statement) -> Instruction | None:
        s.loc = self._location(s.tokens)
        opcode = s.next()
        reader = _READERS.get(opcode)
        if reader is None:
            raise s.error(f"unknown instruction {opcode!r}")
        read = reader(s, opcode)
        if s.peek() not in ("", ","):
            raise s.unexpected("the end of the instruction")
        if read is None:
            return None
        instruction, t = read
        if s.result is not None:
            if t == VOID:
                raise s.error(f"{opcode} has no result to name")
            self._function.registers.append(Register(s.name, t))
        return instruction

    def _location(self, tokens: list[str]) -> SourceLoc | None:
        """The instruction's place in the source; the one before it where that has no line."""
        if "!dbg" not in tokens:
            return None
        loc = self._debug.location(tokens[tokens.index("!dbg") + 1])
        if loc is not None:
            self._last_loc = loc
        return self._last_loc

    def _check_labels(self, s: Statement, labels: Sequence[str]) -> None:
        for label in labels:
            if label not in self._labels:
                raise s.error(f"the block %{label} is not defined in this function")
