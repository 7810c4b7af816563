"""Reading certificates: a tree as a file has it, of which nothing is believed but its form.

`imc/schedule/certificate.py` writes them; docs/schedule-format.md has the meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from imc.checker.refusal import Rejected, shown

Json = Any


@dataclass(frozen=True, slots=True)
class CertifiedNode:
    """What a tree claims of a node: formulas, who may move and to where, or a node like it."""

    label: list[Json]
    permits: dict[int, list[int]]
    choices: tuple[int, ...]
    cover: int | None


class Certificate:
    """The tree of one document; a node is read when somebody comes to it."""

    def __init__(self, document: Mapping[str, Json]) -> None:
        root, abstract, exact, places, nodes = _members(
            document, "certificate", ("root", "abstract", "exact", "places", "nodes")
        )
        self.root: int = _integer(root, "root")
        self.abstract: list[Json] = _array(abstract, "abstract")
        self.exact: list[Json] = _array(exact, "exact")
        self.places: list[Json] = _array(places, "places")
        self._nodes: dict[str, Json] = _object(nodes, "nodes")

    def place(self, number: int) -> Json:
        """What a formula calls the place of a number."""
        if not 0 <= number < len(self.places):
            _damaged(f"there is no place {shown(number)}")
        return self.places[number]

    def has(self, number: int) -> bool:
        return str(number) in self._nodes

    def node(self, number: int) -> CertifiedNode:
        """The node of a number; raises `Rejected` where it has not the form of one."""
        if not self.has(number):
            _damaged(f"there is no node {shown(number)}")
        name = f"node {number}"
        label, permits, choices, cover = _members(
            self._nodes[str(number)], name, ("label", "permits", "choices", "cover")
        )
        return CertifiedNode(
            _array(label, name),
            {
                _thread(thread, name): _integers(children, name)
                for thread, children in _object(permits, name).items()
            },
            tuple(_integers(choices, name)),
            None if cover is None else _integer(cover, name),
        )


def _members(value: Json, name: str, keys: tuple[str, ...]) -> list[Json]:
    found = _object(value, name)
    if found.keys() != set(keys):
        _damaged(f"{name} has {shown(list(found))}: expected {', '.join(keys)}")
    return [found[key] for key in keys]


def _object(value: Json, name: str) -> dict[str, Json]:
    if not isinstance(value, dict):
        _damaged(f"{name}: expected an object, found {shown(value)}")
    return value


def _array(value: Json, name: str) -> list[Json]:
    if not isinstance(value, list):
        _damaged(f"{name}: expected an array, found {shown(value)}")
    return value


def _integers(value: Json, name: str) -> list[int]:
    return [_integer(item, name) for item in _array(value, name)]


def _integer(value: Json, name: str) -> int:
    if value.__class__ is not int:
        _damaged(f"{name}: expected an integer, found {shown(value)}")
    number: int = value
    return number


def _thread(name: str, node: str) -> int:
    """A thread's number, which is a key and so a string."""
    if not (name.isascii() and name.isdecimal() and len(name) < 10 and str(int(name)) == name):
        _damaged(f"{node}: expected the number of a thread, found {shown(name)}")
    return int(name)


def _damaged(what: str) -> NoReturn:
    raise Rejected(f"the certificate is damaged: {what}")
