"""Frozen data classes that are made in a tenth of the time: most of what starting imc took.

A `record` is what `@dataclass(frozen=True, slots=True)` makes, and all that works on such classes
works on it (`fields`, `replace`, `match`); but no text is compiled for each of them. Fields have no
factories, and nothing runs after they are set: whoever needs that takes `dataclass`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from operator import attrgetter
from types import CellType, CodeType, FunctionType
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T] | None = None, /, *, kw_only: bool = False) -> Any:
    """Makes a class a frozen data class with slots; a method that it has itself is kept."""
    if cls is None:
        return lambda given: _made(given, kw_only)
    return _made(cls, kw_only)


def _made(given: type[T], kw_only: bool) -> type[T]:
    own = dict(vars(given))
    given.__doc__ = given.__doc__ or given.__name__  # or it would be made of a signature, slowly
    made = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(given)
    values = _values([f.name for f in fields(made) if f.compare])  # type: ignore[arg-type]
    methods = {
        "__init__": _init(made),
        "__eq__": _eq(values),
        "__hash__": _hash(values),
        "__repr__": _repr,
    }
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    for name, method in FIXED.items():
        setattr(made, name, method)
    return made


def _values(names: list[str]) -> Callable[[Any], Any]:
    """What two records are compared by."""
    return attrgetter(*names) if names else lambda it: ()


def _eq(values: Callable[[Any], Any]) -> Callable[[Any, object], Any]:
    def equal(self: Any, other: object) -> Any:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return equal


def _hash(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    def hashed(self: Any) -> int:
        return hash(values(self))

    return hashed


def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _refuse(self: object, name: str, value: object = None) -> None:
    raise FrozenInstanceError(f"cannot change field {name!r}")


def _reduce(self: Any) -> tuple[Any, ...]:
    """For copies: a record is made again of its values."""
    return _again, (self.__class__, {f.name: getattr(self, f.name) for f in fields(self)})


def _again(cls: type[T], values: dict[str, Any]) -> T:
    return cls(**values)


FIXED = {"__setattr__": _refuse, "__delattr__": _refuse, "__reduce__": _reduce}


# ------------------------------------------------------------------------------------ making them


def _init(made: type[Any]) -> FunctionType:
    """Code that sets so many fields is compiled once; a class gets a copy with its own names."""
    ordered: list[Field[Any]] = sorted(fields(made), key=lambda f: bool(f.kw_only))
    for f in ordered:
        if not f.init or f.default_factory is not MISSING:
            raise TypeError(f"{made.__name__}.{f.name} needs a dataclass")
    if hasattr(made, "__post_init__"):
        raise TypeError(f"{made.__name__} has a __post_init__: it needs a dataclass")
    positional = [f for f in ordered if not f.kw_only]
    code = _setting(len(ordered)).replace(
        co_argcount=1 + len(positional),
        co_kwonlyargcount=len(ordered) - len(positional),
        co_varnames=("self", *(f.name for f in ordered)),
        co_qualname=f"{made.__qualname__}.__init__",
    )
    cells = tuple(CellType(getattr(made, f.name).__set__) for f in ordered)
    defaults = tuple(f.default for f in positional if f.default is not MISSING)
    if any(f.default is MISSING for f in positional[len(positional) - len(defaults) :]):
        raise TypeError(f"{made.__name__} has a field without a default after one with a default")
    init = FunctionType(code, globals(), "__init__", defaults, cells)
    init.__kwdefaults__ = {
        f.name: f.default for f in ordered if f.kw_only and f.default is not MISSING
    }
    init.__annotations__ = {f.name: f.type for f in ordered} | {"return": None}
    return init


@cache
def _setting(count: int) -> CodeType:
    """The code of a function with so many parameters, which gives each to the setter of a slot."""
    numbers = [f"{n:04}" for n in range(count)]  # cells of a closure are in the order of names
    outer, inner = (", ".join(f"{letter}{n}" for n in numbers) for letter in "sa")
    body = "; ".join(f"s{n}(self, a{n})" for n in numbers) or "pass"
    text = f"def make({outer}):\n def __init__(self, {inner}): {body}\n return __init__"
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    found: FunctionType = namespace["make"](*numbers)
    return found.__code__
