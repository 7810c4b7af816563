"""The modules of the project and what they import, read off their text without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("imc", "irs")


@dataclass(frozen=True)
class Import:
    """A line that makes one module of ours depend on another; not `eager`: only when it is run."""

    module: str
    line: int
    target: str
    eager: bool


@cache
def modules() -> dict[str, Path]:
    """Every module's file, by the name it is imported by."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


@cache
def imports() -> tuple[Import, ...]:
    """All imports of ours by ours: also those in functions, and those for types only."""
    return tuple(found for module in modules() for found in _imports(module))


def imported(module: str) -> set[str]:
    """The modules that a module imports, ours and others'."""
    return {name for node in ast.walk(tree(module)) for name in _targets(module, node)}


def _imports(module: str) -> Iterator[Import]:
    eager = set(_run_at_once(tree(module).body))
    for node in ast.walk(tree(module)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for target in _targets(module, node):
                if target.split(".")[0] in PACKAGES:
                    yield Import(module, node.lineno, target, node in eager)


def _targets(module: str, node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names):
            return [alias.name for alias in names]
        case ast.ImportFrom(name, names, level):
            whole = _absolute(module, name, level)
            within = [f"{whole}.{alias.name}" for alias in names]
            return [inner if inner in modules() else whole for inner in within]
    return []


def _absolute(module: str, name: str | None, level: int) -> str:
    if not level:
        return name or ""
    package = modules()[module].name == "__init__.py"
    parts = module.split(".")
    base = parts[: len(parts) - level + package]
    return ".".join([*base, *([name] if name else [])])


def _run_at_once(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that importing a module runs; what is only for types is not."""
    for statement in body:
        yield statement
        match statement:
            case ast.If(ast.Name("TYPE_CHECKING"), _, orelse):
                yield from _run_at_once(orelse)
            case ast.If(_, inner, orelse):
                yield from _run_at_once(inner + orelse)
            case ast.Try():
                handlers = [s for handler in statement.handlers for s in handler.body]
                rest = statement.orelse + statement.finalbody
                yield from _run_at_once(statement.body + handlers + rest)
            case ast.With() | ast.ClassDef() | ast.For() | ast.While():
                yield from _run_at_once(statement.body)
