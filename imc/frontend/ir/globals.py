"""Lines that define global variables, aliases and indirect functions."""

from __future__ import annotations

from imc.frontend.ir.attributes import linkage_of
from imc.frontend.ir.constants import Constants
from imc.frontend.ir.debug import DebugInfo
from imc.frontend.ir.lexer import Cursor
from imc.frontend.ir.types import starts_type
from imc.program.program import GlobalVariable
from imc.program.types import PTR

_KINDS = ("global", "constant", "alias")
_DECLARED = ("external", "extern_weak")


def is_indirect(tokens: list[str]) -> bool:
    """Whether a line defines an ifunc: a function that another one chooses at load time."""
    return "ifunc" in tokens


def read_global(c: Cursor, constants: Constants, debug: DebugInfo) -> GlobalVariable:
    """The variable or alias that a line defines."""
    name = c.symbol()
    c.expect("=")
    words = []
    while c.peek() not in _KINDS:
        words.append(c.next())
        if c.peek() == "(":
            c.skip_group()
    kind = c.next()
    t = constants.types.read(c)
    if kind == "alias":
        c.expect(",")
        # A constant expression stands here without its type.
        initializer = constants.typed(c)[1] if starts_type(c.peek()) else constants.read(c, PTR)
    elif any(word in words for word in _DECLARED):
        initializer = None
    else:
        initializer = constants.read(c, t)
    while c.peek().startswith("#"):
        c.next()
    if c.peek() not in ("", ","):
        raise c.unexpected("the end of the definition")
    described = debug.global_variable(c.metadata("!dbg"))
    return GlobalVariable(
        name=name,
        type=t,
        initializer=initializer,
        constant=kind == "constant",
        thread_local="thread_local" in words,
        source_name=described.name or name,
        source_type=described.type,
        loc=described.loc,
        linkage=linkage_of(words),
        alias=kind == "alias",
    )
