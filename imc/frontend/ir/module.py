"""What one file of IR defines and declares."""

from __future__ import annotations

from dataclasses import dataclass, field

from imc.program.program import Function, GlobalVariable, SourceType
from imc.program.types import DataLayout


@dataclass(eq=False)
class Module:
    """The functions and globals of a file; declarations have no blocks or no initializer.

    `struct_types` describes LLVM's named structs ("struct.node") as the source wrote them; `texts`
    is the IR of each file that it was read or linked from, and `origins` says for each symbol which
    of these texts has it, and what it is called there.
    """

    name: str
    layout: DataLayout
    triple: str
    functions: dict[str, Function] = field(default_factory=dict)
    globals: dict[str, GlobalVariable] = field(default_factory=dict)
    struct_types: dict[str, SourceType] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    origins: dict[str, tuple[str, str]] = field(default_factory=dict)
