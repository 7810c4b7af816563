"""Links modules into one: names that belong to one file stay apart, the rest must agree."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TypeVar, cast

from imc.errors import UserError
from imc.frontend.cache import Cache, fingerprint
from imc.frontend.clang import CompilerOptions, compile_to_ir
from imc.frontend.identity import ModuleText
from imc.frontend.ir.module import Module
from imc.frontend.ir.reader import read_module
from imc.frontend.library import meaning
from imc.program.analysis.sharing import END_OF_THREAD
from imc.program.instructions import Address, AggregateConst, BlockAddress, Instruction, Operand
from imc.program.library import LIBRARY
from imc.program.program import Block, Function, GlobalVariable
from imc.program.types import VOID, ArrayType, DataLayout, FunctionType

LOCAL = ("internal", "private")
WEAK = ("weak", "weak_odr", "linkonce", "linkonce_odr", "common", "available_externally")
TABLES = ("llvm.global_ctors", "llvm.global_dtors")  # are appended to each other
LIBC = Path(__file__).parent / "libc"
T = TypeVar("T")
Rewriting = Callable[[Address | BlockAddress], Operand]


def link(modules: list[Module]) -> Module:
    """One module with the contents of all.

    The order decides which of several weak definitions counts, and nothing else: what something is
    called does not depend on it.
    """
    return _linked(modules, _by_contents)


def _linked(modules: list[Module], ranks: Callable[[list[Module]], list[int]]) -> Module:
    if len(modules) == 1:
        return modules[0]
    result = Module(modules[0].name, modules[0].layout, modules[0].triple)
    for module, names in zip(modules, _private_names(modules, ranks), strict=True):
        _add(result, rename(module, names) if names else module)
    return result


def _by_contents(modules: list[Module]) -> list[int]:
    """The place of each among all, whatever their files are called and in which order they are."""
    texts = [fingerprint(*sorted(ModuleText(t).everything for t in m.texts.values()))
             for m in modules]  # fmt: skip
    order = sorted(range(len(modules)), key=lambda n: texts[n])
    return [order.index(n) for n in range(len(modules))]


def _private_names(
    modules: list[Module], ranks: Callable[[list[Module]], list[int]]
) -> list[dict[str, str]]:
    """New names for what is local to a file where another file uses the same name, by file."""
    homes: dict[str, list[int]] = defaultdict(list)
    local: dict[str, list[int]] = defaultdict(list)
    for nth, module in enumerate(modules):
        for name, thing in _symbols(module):
            homes[name].append(nth)
            if thing.linkage in LOCAL:
                local[name].append(nth)
    shared = {name: own for name, own in local.items() if len(homes[name]) > 1}
    names: list[dict[str, str]] = [{} for _ in modules]
    if not shared:
        return names
    rank = ranks(modules)
    for name, own in shared.items():
        own.sort(key=lambda n: rank[n])
        keeps = len(own) == len(homes[name])  # no other file means the name for all
        for nth in own[keeps:]:
            names[nth][name] = _free(f"{name}.file{rank[nth]}", homes)
    return names


def _free(name: str, taken: Container[str]) -> str:
    return name if name not in taken else _free(name + "x", taken)


def _symbols(module: Module) -> list[tuple[str, Function | GlobalVariable]]:
    return [*module.functions.items(), *module.globals.items()]


def rename(module: Module, names: dict[str, str]) -> Module:
    """The module with other names for some of what it has."""

    def renaming(address: Address | BlockAddress) -> Operand:
        if isinstance(address, BlockAddress):
            return replace(address, function=names.get(address.function, address.function))
        return replace(address, symbol=names.get(address.symbol, address.symbol))

    rewrite_addresses(module, renaming)
    renamed = Module(
        module.name,
        module.layout,
        module.triple,
        struct_types=module.struct_types,
        texts=module.texts,
        origins={names.get(name, name): origin for name, origin in module.origins.items()},
    )
    for name, function in module.functions.items():
        function.name = names.get(name, name)
        renamed.functions[function.name] = function
    for name, variable in module.globals.items():
        new = names.get(name, name)
        renamed.globals[new] = replace(variable, name=new)
    return renamed


def rewrite_addresses(module: Module, change: Rewriting) -> None:
    """Puts others in the place of all addresses in a module."""
    for function in module.functions.values():
        function.blocks = tuple(
            Block(
                b.label,
                tuple(_rewrite(p, change) for p in b.phis),
                tuple(_rewrite(i, change) for i in b.body),
                b.lines,
            )
            for b in function.blocks
        )
    for name, variable in module.globals.items():
        if variable.initializer is not None:
            value = _rewrite(variable.initializer, change)
            module.globals[name] = replace(variable, initializer=value)


def _rewrite(thing: T, change: Rewriting) -> T:
    """The same instruction or operand with other addresses."""
    if isinstance(thing, Address | BlockAddress):
        return cast(T, change(thing))
    if isinstance(thing, tuple):
        parts = tuple(_rewrite(part, change) for part in thing)
        return (
            cast(T, parts) if any(a is not b for a, b in zip(parts, thing, strict=True)) else thing
        )
    if is_dataclass(thing) and isinstance(thing, (Instruction, Operand)):
        changes = {}
        for f in fields(thing):
            old = getattr(thing, f.name)
            new = _rewrite(old, change)
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
        if _choose(result.functions, name, function):
            result.origins[name] = module.origins[name]
    for name, variable in module.globals.items():
        if name in TABLES and name in result.globals:
            result.globals[name] = _appended(result.globals[name], variable)
        elif _choose(result.globals, name, variable):
            result.origins[name] = module.origins[name]
    result.struct_types.update(module.struct_types)
    result.texts.update(module.texts)


def _appended(old: GlobalVariable, new: GlobalVariable) -> GlobalVariable:
    """A table of all files, in the order of these."""
    tables = [v.initializer for v in (old, new) if isinstance(v.initializer, AggregateConst)]
    rows = tuple(row for table in tables for row in table.elements)
    if not rows:
        return old
    type = ArrayType(len(rows), rows[0].type)
    return replace(old, type=type, initializer=AggregateConst(type, rows))


Symbol = TypeVar("Symbol", Function, GlobalVariable)


def _choose(known: dict[str, Symbol], name: str, new: Symbol) -> bool:
    """Takes what a name means from now on; whether that is the new one."""
    old = known.get(name)
    if old is not None:
        if not _is_defined(new) and (_is_defined(old) or _rank(new) <= _rank(old)):
            return False
        if new.linkage in WEAK and _is_defined(old):
            return False
        if _is_defined(old) and old.linkage not in WEAK and not name.startswith("llvm."):
            raise _twice(name, new, old)
    known[name] = new
    return True


def _rank(declared: Function | GlobalVariable) -> tuple[bool, int, str]:
    """Of what is only declared, who needs it counts, then the larger type, whoever comes first."""
    type, needed = declared.type, declared.linkage != "extern_weak"
    if isinstance(type, FunctionType):
        return needed, len(type.params), str(type)
    return needed, DataLayout().store_size(type), str(type)


def _is_defined(thing: Function | GlobalVariable) -> bool:
    if isinstance(thing, Function):
        return not thing.is_declaration
    return thing.initializer is not None


def defined_names(module: Module) -> set[str]:
    """All symbols that are not only declared."""
    return {name for name, thing in _symbols(module) if _is_defined(thing)}


def _twice(name: str, new: Function | GlobalVariable, old: Function | GlobalVariable) -> UserError:
    return UserError(f"'{name}' is defined twice", new.loc, f"the other definition is at {old.loc}")


# ------------------------------------------------------------ the C library


def add_libc(module: Module, options: CompilerOptions, cache: Cache) -> Module:
    """Adds the parts of the bundled C library that the program calls and does not define."""
    sources = {path: path.read_text() for path in sorted(LIBC.glob("*.c"))}
    libraries: dict[Path, Module] = {}
    parts: dict[Path, Module] = {}
    if _has_ends(module):
        module.functions[END_OF_THREAD] = Function(END_OF_THREAD, FunctionType(VOID, ()))
        module.origins[END_OF_THREAD] = (module.name, END_OF_THREAD)
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
        defined = {
            n for n, f in module.functions.items() if _is_defined(f) and f.linkage not in LOCAL
        }
        work.extend(n for n in _missing(parts[path]) if n not in before and n not in defined)
    # The program comes first, and keeps its names.
    ordered = [part for _, part in sorted(parts.items())]
    return _linked([module, *ordered], lambda modules: list(range(len(modules))))


_NOBODY = Function("", FunctionType(VOID, ()))


def _has_ends(module: Module) -> bool:
    """Whether a thread's end can be seen: by destructors of its data, by who uses its own, or by
    who may be cancelled while he waits for it."""
    called = {meaning(name, False) for name, f in module.functions.items() if f.is_declaration}
    own = "__errno_location" in module.functions or any(
        variable.thread_local for variable in module.globals.values()
    )
    spawns = any(LIBRARY[name].spawns for name in called if name is not None)
    cancels = any(LIBRARY[name].cancels for name in called if name is not None)
    return "thread_setspecific" in called or (own and spawns) or cancels


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
        part.origins[symbol] = library.origins.get(symbol, (library.name, symbol))
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
