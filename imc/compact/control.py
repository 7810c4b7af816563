"""Records of jumps, returns and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imc.compact import opcodes as op
from imc.compact.calls import LIBRARY_CALLS
from imc.compact.dispatch import lower_instruction
from imc.compact.form import NotCompact
from imc.compact.late import pass_more
from imc.compact.performing import lower_performed
from imc.program.calling import misfit
from imc.program.faults import Property
from imc.program.instructions import (
    Address,
    Call,
    CondBranch,
    Jump,
    Library,
    Return,
    Switch,
    Unreachable,
)
from imc.program.library import LIBRARY
from imc.program.library.registry import Ends
from imc.program.program import Function

if TYPE_CHECKING:
    from imc.compact.function import FunctionLowering


@lower_instruction.register(Jump)
def _(i: Jump, f: FunctionLowering) -> None:
    f.emit(op.JUMP, -1, 0, f.leads_back(i.target), f.serves(i.target))
    f.jump(2, i.target)


@lower_instruction.register(CondBranch)
def _(i: CondBranch, f: FunctionLowering) -> None:
    f.emit(op.BRANCH, -1, f.use(i.condition, i))
    f.jump(3, i.then)
    f.jump(4, i.otherwise)


@lower_instruction.register(Switch)
def _(i: Switch, f: FunctionLowering) -> None:
    cases = dict(reversed(i.cases))
    table = f.program.table(len(cases), *[0] * (2 * len(cases) + 1))
    f.emit(op.SWITCH, -1, f.use(i.value, i), table)
    targets = [*((value, cases[value]) for value in cases), (None, i.default)]
    for n, (value, label) in enumerate(targets):
        # Each way begins with a jump of its own, so that the table names records only.
        place = table + 2 * n + (1 if value is None else 2)
        if value is not None:
            f.form.tables[table + 2 * n + 1] = value
        f.form.tables[place] = len(f.form.sites)
        f.emit(op.JUMP, -1, 0, f.leads_back(label), f.serves(label))
        f.jump(2, label)


@lower_instruction.register(Return)
def _(i: Return, f: FunctionLowering) -> None:
    value, *others = [f.constant(op.UNDEF)] if i.value is None else f.words(i.value, i)
    f.move([f.program.value + 1 + k for k in range(len(others))], others)
    if f.function.name == f.image.program.entry:
        if f.program.exit_handlers:
            lower_performed(i, f)
        else:
            f.emit(op.EXIT, -1, value, 1)
        return
    opcode = op.VISIBLE_RETURN if f.visible else op.RETURN
    f.emit(opcode, f.program.value, f.link, value, f.number)


@lower_instruction.register(Unreachable)
def _(i: Unreachable, f: FunctionLowering) -> None:
    before = f.function.code[f.pc - 1] if f.pc else None
    block = f.function.block_of[f.pc]
    if isinstance(before, (Library, Call)) and before in block.body:
        f.emit(op.STUCK, -1, f.text("a function that does not return"))
    else:
        text = f.text("code that the program calls unreachable is reached")
        f.emit(op.FAIL, -1, text, f.text(Property.ABORT.value))


@lower_instruction.register(Call)
def _(i: Call, f: FunctionLowering) -> None:
    if not isinstance(i.callee, Address):
        _call_through_pointer(f, i)
        return
    if i.callee.symbol not in f.program.codes:
        raise NotCompact("a call through a pointer", i.loc)
    callee = f.program.codes[i.callee.symbol].function
    more = len(i.args) - len(callee.params)
    if more < 0 or (more and not callee.type.varargs) or any(i.byval) or i.callee.offset:
        raise NotCompact("a call with other arguments than parameters", i.loc)
    _call(f, i, callee)


def _call_through_pointer(f: FunctionLowering, i: Call) -> None:
    """Calls of all functions that it may lead to; each goes on behind all of them."""
    names = f.image.sharing.pointers.callees.get((f.function.name, f.pc), ())
    known = [f.program.codes[n].function for n in sorted(names) if n in f.program.codes]
    uses = not f.code.unused(i.result)
    fitting = [
        callee
        for callee in known
        if len(callee.params) == len(i.args) and not misfit(i, uses, callee, f.image.layout)
    ]
    if not fitting or any(i.byval) or f.visible:
        raise NotCompact("a call through a pointer", i.loc)
    table = f.program.table(len(fitting), *[0] * (2 * len(fitting)))
    f.emit(op.DISPATCH, -1, f.use(i.callee, i), table)
    ends = []
    for n, callee in enumerate(fitting):
        f.form.tables[table + 1 + 2 * n] = f.image.symbols[callee.name]
        f.form.tables[table + 2 + 2 * n] = len(f.form.sites)
        _call(f, i, callee)
        f.emit(op.JUMP)
        ends.append(len(f.form.code) - op.WIDTH + 2)
    for at in ends:
        f.form.code[at] = len(f.form.sites)


def _call(f: FunctionLowering, i: Call, callee: Function) -> None:
    copy = f.program.callee(f.copy, callee.name)
    if copy is None:  # too deep: a place where no call is expected
        f.emit(op.DISPATCH, -1, f.constant(0), f.program.table(0))
        return
    for parameter, argument in zip(callee.params, i.args, strict=False):
        first = f.program.register(copy, parameter.register)
        given = f.words(argument, i)
        f.move([first + k for k in range(len(given))], given)
    pass_more(f, i, copy)
    f.program.refer(copy)
    f.emit(op.CALL, f.program.links[copy])
    f.form.live[-1] = f.live_table(f.pc + 1, i.result)
    if i.result is not None:
        f.move(f.results(i), [f.program.value + k for k in range(len(f.results(i)))])


@lower_instruction.register(Library)
def _(i: Library, f: FunctionLowering) -> None:
    lowered = LIBRARY_CALLS.get(i.function)
    if lowered is None:
        raise NotCompact(f"the function '{i.name or i.function}'", i.loc)
    function, image = LIBRARY[i.function], f.image
    if i.cancellable:
        raise NotCompact(f"'{i.name}' in a thread that may be cancelled", i.loc)
    if image.sharing.cancelling.cancels and (function.waits or function.wakes_one):
        raise NotCompact(f"'{i.name}' where threads are cancelled", i.loc)
    if function.ends is Ends.THREAD and (image.ends_visibly or f.program.calls_back):
        raise NotCompact(f"'{i.name}', after which the thread has more to do", i.loc)
    try:
        lowered(f, i)
    except IndexError:
        raise NotCompact(f"'{i.name}' with fewer arguments than it takes", i.loc) from None
