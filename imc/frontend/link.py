"""Links modules into one: names that belong to one file stay apart, the rest must agree."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TypeVar, cast

from imc.errors import UserError
from imc.frontend.cache import Cache
from imc.frontend.clang import CompilerOptions, compile_to_ir
from imc.frontend.ir.module import Module
from imc.frontend.ir.reader import read_module
from imc.frontend.library import meaning
from imc.program.instructions import Address, BlockAddress, Instruction, Operand
from imc.program.program import Block, Function, GlobalVariable
from imc.program.types import VOID, FunctionType

LOCAL = ("internal", "private")
WEAK = ("weak", "weak_odr", "linkonce", "linkonce_odr", "common", "available_externally")
LIBC = Path(__file__).parent / "libc"
T = TypeVar("T")


def link(modules: list[Module]) -> Module:
    """One module with the contents of all."""
    if len(modules) == 1:
        return modules[0]
    result = Module(modules[0].name, modules[0].layout, modules[0].triple)
    for nth, module in enumerate(modules):
        _add(result, _with_private_names(module, result, nth))
    return result


def _with_private_names(module: Module, others: Module, nth: int) -> Module:
    """Renames what is local to the file where another file uses the same name."""
    own = module.functions.keys() | module.globals.keys()
    taken = others.functions.keys() | others.globals.keys()
    names = {
        name: _free(f"{name}.file{nth}", taken | own)
        for name, thing in _symbols(module)
        if thing.linkage in LOCAL and name in taken
    }
    return rename(module, names) if names else module


def _free(name: str, taken: Set[str]) -> str:
    return name if name not in taken else _free(name + "x", taken)


def _symbols(module: Module) -> list[tuple[str, Function | GlobalVariable]]:
    return [*module.functions.items(), *module.globals.items()]


def rename(module: Module, names: dict[str, str]) -> Module:
    renamed = Module(
        module.name,
        module.layout,
        module.triple,
        struct_types=module.struct_types,
        texts=module.texts,
    )
    for name, function in module.functions.items():
        function.name = names.get(name, name)
        function.blocks = tuple(
            Block(
                b.label,
                tuple(rewrite(p, names) for p in b.phis),
                tuple(rewrite(i, names) for i in b.body),
                b.lines,
            )
            for b in function.blocks
        )
        renamed.functions[function.name] = function
    for name, variable in module.globals.items():
        value = variable.initializer
        renamed.globals[names.get(name, name)] = replace(
            variable,
            name=names.get(name, name),
            initializer=None if value is None else rewrite(value, names),
        )
    return renamed


def rewrite(thing: T, names: dict[str, str]) -> T:
    """The same instruction or operand with symbols renamed."""
    if isinstance(thing, Address):
        return cast(T, replace(thing, symbol=names.get(thing.symbol, thing.symbol)))
    if isinstance(thing, BlockAddress):
        return cast(T, replace(thing, function=names.get(thing.function, thing.function)))
    if isinstance(thing, tuple):
        parts = tuple(rewrite(part, names) for part in thing)
        return (
            cast(T, parts) if any(a is not b for a, b in zip(parts, thing, strict=True)) else thing
        )
    if is_dataclass(thing) and isinstance(thing, (Instruction, Operand)):
        changes = {}
        for f in fields(thing):
            old = getattr(thing, f.name)
            new = rewrite(old, names)
            if new is not old:
                changes[f.name] = new
        return replace(thing, **changes) if changes else thing
    return thing


def _add(result: Module, module: Module) -> None:
    if module.layout != result.layout:
        raise UserError(
            f"{module.name} is compiled for another data model than {result.name}",
            None,
            "compile all files alike, with --32 or --64",
        )
    for name, thing in _symbols(module):
        others = result.globals if isinstance(thing, Function) else result.functions
        other = others.get(name)
        if other is not None and _is_defined(other) and _is_defined(thing):
            raise _twice(name, thing, other)
    for name, function in module.functions.items():
        _choose(result.functions, name, function)
    for name, variable in module.globals.items():
        _choose(result.globals, name, variable)
    result.struct_types.update(module.struct_types)
    result.texts.update(module.texts)


Symbol = TypeVar("Symbol", Function, GlobalVariable)


def _choose(known: dict[str, Symbol], name: str, new: Symbol) -> None:
    old = known.get(name)
    if old is None:
        known[name] = new
        return
    if not _is_defined(new) or (new.linkage in WEAK and _is_defined(old)):
        return
    if _is_defined(old) and old.linkage not in WEAK and not name.startswith("llvm."):
        raise _twice(name, new, old)
    known[name] = new


def _is_defined(thing: Function | GlobalVariable) -> bool:
    if isinstance(thing, Function):
        return not thing.is_declaration
    return thing.initializer is not None


def _twice(name: str, new: Function | GlobalVariable, old: Function | GlobalVariable) -> UserError:
    return UserError(f"'{name}' is defined twice", new.loc, f"the other definition is at {old.loc}")


# ------------------------------------------------------------ the C library


def add_libc(module: Module, options: CompilerOptions, cache: Cache) -> Module:
    """Adds the parts of the bundled C library that the program calls and does not define."""
    sources = {path: path.read_text() for path in sorted(LIBC.glob("*.c"))}
    libraries: dict[Path, Module] = {}
    parts: dict[Path, Module] = {}
    work = _missing(module)
    while work:
        name = work.pop()
        path = next((p for p, text in sources.items() if _defines(text, name)), None)
        if path is None or (
            path in parts and not parts[path].functions.get(name, _NOBODY).is_declaration
        ):
            continue
        if path not in libraries:
            plain = CompilerOptions(cc=options.cc, bits=options.bits, extra=("-fno-builtin", "-g0"))
            library = read_module(compile_to_ir(path, plain, cache), str(path))
            libraries[path] = library
            parts[path] = Module(path.name, module.layout, module.triple, texts=library.texts)
        before = set(parts[path].functions)
        _take(libraries[path], name, parts[path])
        defined = module.functions.keys() - set(_missing(module))
        work.extend(n for n in _missing(parts[path]) if n not in before and n not in defined)
    return link([module, *parts.values()])


_NOBODY = Function("", FunctionType(VOID, ()))


def _missing(module: Module) -> list[str]:
    return [
        name
        for name, function in module.functions.items()
        if function.is_declaration and meaning(name, defined=False) is None
    ]


def _defines(text: str, name: str) -> bool:
    return (
        re.search(rf"^(?!extern|static)\w[\w *]*\b{re.escape(name)}\(", text, re.MULTILINE)
        is not None
    )


def _take(library: Module, name: str, part: Module) -> None:
    """Moves a function of the library, and what it refers to in the same file, into `part`."""
    work = [name]
    while work:
        symbol = work.pop()
        if symbol in part.functions or symbol in part.globals:
            continue
        if symbol in library.functions:
            function = part.functions[symbol] = library.functions[symbol]
            work.extend(s for block in function.blocks for s in symbols((*block.phis, *block.body)))
        elif symbol in library.globals:
            variable = part.globals[symbol] = library.globals[symbol]
            work.extend(symbols(variable.initializer))


def symbols(thing: object) -> set[str]:
    """Names of all globals and functions that an operand or instruction mentions."""
    if isinstance(thing, Address):
        return {thing.symbol}
    if isinstance(thing, BlockAddress):
        return {thing.function}
    if isinstance(thing, tuple):
        return {s for part in thing for s in symbols(part)}
    if isinstance(thing, (Instruction, Operand)):
        return {s for f in fields(thing) for s in symbols(getattr(thing, f.name))}
    return set()
