"""Changes to the text of one module of the IR, line by line: calls before, behind and instead."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from imc.errors import Unsupported
from imc.execution.native.copies import Copy, declaration, rewrite_copy
from imc.execution.native.steps import Steps
from imc.program.instructions import Instruction, Library

DECLARATIONS = {
    "irs_enter": "void @irs_enter(i32)",
    "irs_leave": "void @irs_leave()",
    "irs_enter_rarely": "void @irs_enter_rarely(i32) cold",
    "irs_leave_rarely": "void @irs_leave_rarely() cold",
    "irs_leave_first": "void @irs_leave_first(i32)",
    "irs_begin_exit": "void @irs_begin_exit()",
    "irs_cancellation_point": "void @irs_cancellation_point(i32)",
    "irs_executed": "void @irs_executed(i32)",
    "irs_at": "void @irs_at(i32)",
    "irs_at_steps": "void @irs_at_steps(i32, i32, ptr)",
    "irs_atomic_begin": "void @irs_atomic_begin()",
    "irs_atomic_begin_ungated": "void @irs_atomic_begin_ungated()",
    "irs_atomic_end": "void @irs_atomic_end()",
    "irs_assume": "void @irs_assume(i32)",
    "irs_assert": "void @irs_assert(i32)",
    "irs_reach_error": "void @irs_reach_error() noreturn",
}
_DEBUG = re.compile(r", !dbg !\d+")
_ALIASING = re.compile(r", !(?:tbaa|tbaa\.struct|noalias|alias\.scope) !\d+")
_ATTRIBUTES = re.compile(r" #\d+(?=,|$)")
_RESULT = re.compile(r"^(\s*)((?:%\S+|%\"[^\"]*\") = )?")


class Edits:
    """Changes to the lines of one module; lines are numbered from 1."""

    def __init__(self, lines: list[str], declared: Mapping[str, str]) -> None:
        self._lines = lines
        self._declared = declared
        self._changed: dict[int, str] = {}
        self._ahead: dict[int, list[str]] = defaultdict(list)
        self._before: dict[int, list[str]] = defaultdict(list)
        self._after: dict[int, list[str]] = defaultdict(list)
        self._needed: dict[str, str] = {}

    def line(self, number: int) -> str:
        return self._changed.get(number, self._lines[number - 1])

    def _need(self, name: str, declaration: str = "") -> None:
        self._needed.setdefault(name, declaration or f"declare {DECLARATIONS[name]}")

    def call(self, number: int, function: str, argument: int | None = None) -> str:
        """A call of the run-time, in the place of a line."""
        self._need(function)
        given = "" if argument is None else f"i32 {argument}"
        return f"  call void @{function}({given}){self._debug(number)}"

    def _debug(self, number: int) -> str:
        found = _DEBUG.search(self._lines[number - 1])
        return found[0] if found else ""

    def before(
        self, number: int, function: str, argument: int | None = None, first: bool = False
    ) -> None:
        calls = self._before[number]
        calls.insert(0 if first else len(calls), self.call(number, function, argument))

    def ahead(self, number: int, function: str, argument: int) -> None:
        """A call before anything else that comes before a line."""
        self._ahead[number].append(self.call(number, function, argument))

    def insert(self, number: int, lines: Sequence[str]) -> None:
        """Instructions before a line, behind those that are there already."""
        self._before[number] += lines

    def replace(self, number: int, line: str) -> None:
        self._changed[number] = line

    def after(self, number: int, function: str) -> None:
        self._after[number].append(self.call(number, function))

    def after_first_return(self, number: int) -> None:
        """Leaves the gate behind a call that may come back again, by a jump."""
        result = _RESULT.match(self.line(number))
        assert result is not None and result[2] is not None
        self._need("irs_leave_first")
        given = f"i32 {result[2].removesuffix(' = ')}"
        self._after[number].append(f"  call void @irs_leave_first({given}){self._debug(number)}")

    def append(self, number: int, lines: Sequence[str]) -> None:
        """Instructions behind a line, and behind those that are there already."""
        self._after[number] += lines

    def replace_copy(self, number: int, site: int, i: Instruction, copy: Copy) -> None:
        """The run-time copies, with a gate for each step."""
        assert isinstance(i, Library)
        result = _RESULT.match(self.line(number))
        assigned = (result[2] or "") if result is not None else ""
        debug = self._debug(number)
        lines = rewrite_copy(self.line(number), site, i, copy, assigned, debug)
        self._need(copy.performer, declaration(copy))
        self._changed[number] = "\n".join(lines)

    def replace_steps(self, number: int, site: int, name: str, steps: Steps) -> None:
        """The run-time calls the function, on memory of its own, with a gate for each step."""
        self._need("irs_at_steps")
        given = f"i32 {site}, i32 {steps.shared}, ptr @{name}"
        self._before[number].append(f"  call void @irs_at_steps({given}){self._debug(number)}")
        self.rename_call(number, name, steps.performer)
        # The compiler may know that the function comes back; a gate need not open.
        self._changed[number] = _ATTRIBUTES.sub("", self._changed[number])
        self._needed[steps.performer] = _ATTRIBUTES.sub("", self._needed[steps.performer])

    def leave_out(self, number: int) -> None:
        """The call is not made: its result is 0."""
        line = self.line(number)
        result = _RESULT.match(line)
        assert result is not None
        type = re.search(r"call (?:\w+ )*?(i\d+|void) ", line)
        if result[2] is None:
            self._changed[number] = ""
        else:
            self._changed[number] = f"  {result[2]}add {type[1] if type else 'i32'} 0, 0"

    def replace_call(self, number: int, call: str, needs: Collection[str] = ()) -> None:
        """Another call in the place of the line's, with the same result."""
        line = self.line(number)
        result, debug = _RESULT.match(line), _DEBUG.search(line)
        assert result is not None
        assigned = (result[2] or "") if not call.startswith("void ") else ""
        self._changed[number] = f"  {assigned}call {call}" + (debug[0] if debug else "")
        for name in needs:
            self._need(name)
        if not needs:
            name = call[call.index("@") + 1 : call.index("(")]
            self._need(name, f"declare {call}")

    def replace_condition(self, number: int, name: str, new: str) -> None:
        """A call with a truth value of any width becomes one with an i32."""
        line = self.line(number)
        call = re.search(rf"@{re.escape(name)}\(([^,)]*)", line)
        if call is None:
            raise Unsupported(f"{name} is not built natively where it is called so")
        words = call[1].split()
        value, kind = words[-1], words[0]
        zero = "null" if kind == "ptr" else "0"
        debug = _DEBUG.search(line)
        tail = debug[0] if debug else ""
        self._need(new)
        self._changed[number] = "\n".join(
            (
                f"  %irs.{number} = icmp ne {kind} {value}, {zero}{tail}",
                f"  %irs.{number}.wide = zext i1 %irs.{number} to i32{tail}",
                f"  call void @{new}(i32 %irs.{number}.wide){tail}",
            )
        )

    def rename_call(self, number: int, name: str, new: str) -> None:
        """The call of another function with the same type."""
        self._changed[number] = self.line(number).replace(f"@{name}(", f"@{new}(", 1)
        declaration = self._declared.get(name)
        if declaration is None:
            raise Unsupported(f"the program defines '{name}' itself")
        self._need(new, declaration.replace(f"@{name}(", f"@{new}("))

    def text(self) -> str:
        result: list[str] = []
        for number, line in enumerate(self._lines, 1):
            result += self._ahead.get(number, ())
            result += self._before.get(number, ())
            result.append(_ALIASING.sub("", self._changed.get(number, line)))
            result += self._after.get(number, ())
        return "\n".join((*result, *self._needed.values(), ""))
