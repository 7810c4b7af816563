"""Terminators and phis."""

from __future__ import annotations

from imc.frontend.ir.lexer import words
from imc.frontend.ir.statement import FAST_MATH, Read, Statement, StatementReader
from imc.program.instructions import (
    CondBranch,
    Const,
    IndirectBranch,
    Jump,
    Phi,
    Return,
    Switch,
    Unreachable,
)
from imc.program.types import VOID, IntType

_EXCEPTIONS = words("catchpad catchret catchswitch cleanuppad cleanupret invoke landingpad resume")
TERMINATORS = words("br callbr indirectbr invoke resume ret switch unreachable")


def _return(s: Statement, _op: str) -> Read:
    t = s.type()
    value = None if t == VOID else s.value(t)
    return Return(value=value, loc=s.loc), VOID


def _branch(s: Statement, _op: str) -> Read:
    if s.peek() == "label":
        return Jump(target=s.target(), loc=s.loc), VOID
    condition = s.operand()
    s.expect(",")
    then = s.target()
    s.expect(",")
    otherwise = s.target()
    return CondBranch(condition=condition, then=then, otherwise=otherwise, loc=s.loc), VOID


def _switch(s: Statement, _op: str) -> Read:
    t, value = s.typed()
    if not isinstance(t, IntType):
        raise s.error(f"a switch on {t}")
    s.expect(",")
    default = s.target()
    s.expect("[")
    cases = []
    while not s.accept("]"):
        case = s.operand()
        if not isinstance(case, Const):
            raise s.error("a case of the switch is not a number")
        s.expect(",")
        cases.append((int(case.value), s.target()))
    return Switch(type=t, value=value, cases=tuple(cases), default=default, loc=s.loc), VOID


def _indirect_branch(s: Statement, _op: str) -> Read:
    address = s.operand()
    s.expect(",")
    s.expect("[")
    labels: list[str] = []
    while not s.accept("]"):
        if labels:
            s.expect(",")
        labels.append(s.target())
    return IndirectBranch(address=address, labels=tuple(labels), loc=s.loc), VOID


def _unreachable(s: Statement, _op: str) -> Read:
    return Unreachable(loc=s.loc), VOID


def _phi(s: Statement, _op: str) -> Read:
    s.accept_any(FAST_MATH)
    t = s.type()
    incoming = []
    while True:
        s.expect("[")
        value = s.value(t)
        s.expect(",")
        incoming.append((value, s.label()))
        s.expect("]")
        if s.peek() != "," or s.tokens[s.at + 1] != "[":
            break
        s.at += 1
    return Phi(type=t, incoming=tuple(incoming), result=s.result, loc=s.loc), t


def _assembly_jump(s: Statement, _op: str) -> Read:
    raise s.unsupported("inline assembly that jumps (asm goto) is not supported")


def _exception(s: Statement, op: str) -> Read:
    raise s.unsupported(f"exception handling ({op}) is not supported")


READERS: dict[str, StatementReader] = {
    "ret": _return,
    "br": _branch,
    "switch": _switch,
    "indirectbr": _indirect_branch,
    "unreachable": _unreachable,
    "phi": _phi,
    "callbr": _assembly_jump,
    **dict.fromkeys(_EXCEPTIONS, _exception),
}
