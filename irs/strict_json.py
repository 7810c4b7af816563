"""Strict JSON: what the standard reader lets pass is found, and every complaint has its place."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from types import NoneType
from typing import Any, NoReturn

from irs.errors import BadSchedule

MOST_DIGITS = 640  # the least that Python can be told to stop at
MOST_LEVELS = 100  # of arrays and objects in what is not interpreted here
MOST_SHOWN = 400  # characters of a place in there
LARGEST = 2**53 - 1  # what every reader of JSON can represent

FORMULA: frozenset[type] = frozenset({str, int, float, bool, list})
ANYTHING: frozenset[type] = FORMULA | {NoneType, dict}


@dataclass(frozen=True, slots=True)
class Refused:
    """Stands in a document for a value that JSON, or we, do not permit."""

    words: str


def _integer(digits: str) -> int | Refused:
    if len(digits) > MOST_DIGITS:
        return Refused(f"a number of {len(digits)} digits")
    return int(digits)


def _real(digits: str) -> float | Refused:
    value = float(digits)
    return value if math.isfinite(value) else Refused("a number that is too large")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any] | Refused:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            break
        seen.add(key)
    return Refused(f"an object with the key {quoted(key)} twice")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_real,
    parse_constant=lambda name: Refused(f"{name}, which is not JSON"),
)


def quoted(text: str) -> str:
    """A text of the document for a message: short, and nothing that a terminal obeys."""
    return json.dumps(text if len(text) <= 40 else text[:37] + "...")


def described(value: Any) -> str:
    """What a value is, in words."""
    match value:
        case Refused(words):
            return words
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int():
            return str(value) if abs(value) <= LARGEST else "a number beyond 2^53"
        case float():
            return f"the fraction {value}"
        case str():
            return f"the string {quoted(value)}"
        case list():
            return f"an array of {len(value)}"
        case _:
            return "an object"


def _flaw(value: Any, kinds: frozenset[type], levels: int) -> tuple[str, str] | None:
    """Where below a value something is not of these kinds or too deep, and what is wrong."""
    if value.__class__ not in kinds:
        names = "strings, numbers, booleans and arrays"
        return "", f"expected {names if kinds is FORMULA else 'JSON'}, found {described(value)}"
    inner: Iterable[tuple[object, Any]]
    if value.__class__ is list:
        inner = enumerate(value)
    elif value.__class__ is dict:
        inner = value.items()
    else:
        return None
    if not levels:
        return "", f"nested too deeply: expected at most {MOST_LEVELS} levels"
    for step, child in inner:
        flaw = _flaw(child, kinds, levels - 1)
        if flaw:
            name = f"[{step}]" if isinstance(step, int) else f"[{quoted(str(step))}]"
            return name + flaw[0], flaw[1]
    return None


@dataclass(frozen=True, slots=True)
class Document:
    """Reads values of one file; each method names the place when the value is not as expected."""

    name: str

    def parse(self, text: str) -> Any:
        try:
            return _DECODER.decode(text)
        except json.JSONDecodeError as error:
            place = f"line {error.lineno}, column {error.colno}"
            raise BadSchedule(self.name, place, f"this is not JSON: {error.msg}") from None
        except RecursionError:
            self.fail("", "nested too deeply: no schedule needs so many brackets")

    def fail(self, place: str, message: str) -> NoReturn:
        raise BadSchedule(self.name, place, message)

    def object(self, value: Any, place: str) -> dict[str, Any]:
        if value.__class__ is not dict:
            self.fail(place, f"expected an object, found {described(value)}")
        found: dict[str, Any] = value
        return found

    def members(
        self, value: Any, place: str, keys: tuple[str, ...], optional: tuple[str, ...] = ()
    ) -> list[Any]:
        """The values of an object with these keys, in their order; None for those left out."""
        found = self.object(value, place)
        for key in keys:
            if key not in found:
                self.fail(place, f"the key {quoted(key)} is missing")
        if len(found) > len(keys):
            unknown = next((key for key in found if key not in keys + optional), None)
            if unknown is not None:
                expected = ", ".join(keys + optional)
                self.fail(place, f"unknown key {quoted(unknown)}: expected {expected}")
        return [found[key] for key in keys] + [found.get(key) for key in optional]

    def array(self, value: Any, place: str) -> list[Any]:
        if value.__class__ is not list:
            self.fail(place, f"expected an array, found {described(value)}")
        found: list[Any] = value
        return found

    def text(self, value: Any, place: str) -> str:
        if value.__class__ is not str:
            self.fail(place, f"expected a string, found {described(value)}")
        found: str = value
        return found

    def texts(self, value: Any, place: str) -> tuple[str, ...]:
        items = enumerate(self.array(value, place))
        return tuple(self.text(item, f"{place}[{n}]") for n, item in items)

    def number(self, value: Any, place: str) -> int:
        """A natural number."""
        if value.__class__ is not int or not 0 <= value <= LARGEST:
            self.fail(place, f"expected an integer from 0 to 2^53 - 1, found {described(value)}")
        found: int = value
        return found

    def integer(self, value: Any, place: str) -> int:
        """A whole number, which may be negative."""
        if value.__class__ is not int or abs(value) > LARGEST:
            self.fail(place, f"expected an integer below 2^53, found {described(value)}")
        found: int = value
        return found

    def truth(self, value: Any, place: str) -> bool:
        if value.__class__ is not bool:
            self.fail(place, f"expected true or false, found {described(value)}")
        found: bool = value
        return found

    def index(self, value: Any, place: str, what: str, size: int) -> int:
        """The index of one of `size` things called `what`."""
        if value.__class__ is not int or not 0 <= value < size:
            self.fail(
                place, f"expected the index of one of {size} {what}s, found {described(value)}"
            )
        found: int = value
        return found

    def plain(self, value: Any, place: str, kinds: frozenset[type]) -> None:
        """Any value that is built from these kinds and not too deep."""
        flaw = _flaw(value, kinds, MOST_LEVELS)
        if flaw:
            inside, problem = flaw
            deep = len(inside) > MOST_SHOWN
            self.fail(place + (inside[:MOST_SHOWN] + "..." if deep else inside), problem)
