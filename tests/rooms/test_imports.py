"""Rooms import what docs/architecture.md says they may, and nothing goes round in circles."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest
from modules import ROOT, Import, imported, imports, modules

# Importable by every room of imc.
COMMON = ("imc/errors.py", "imc/interrupts.py", "imc/records.py", "imc/version.py")


@cache
def table() -> dict[str, set[str]]:
    """The table in the documentation: by room, the rooms that it may import."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    lines = text.partition("| folder | knows | may import |\n|---|---|---|\n")[2].splitlines()
    rows = [line.strip("|").split("|") for line in lines[: lines.index("")]]
    names = re.compile(r"`((?:imc|irs)[\w/.]*)`")
    rooms = {room: after for before, _, after in rows for room in names.findall(before)}
    return {
        room: set(rooms) if after.strip() == "all of it" else _permitted(room, names, after)
        for room, after in rooms.items()
    }


def _permitted(room: str, names: re.Pattern[str], after: str) -> set[str]:
    if after.strip().startswith("nothing of ours"):
        return set()
    found = set(names.findall(after))
    assert found, f"docs/architecture.md does not say what {room} may import"
    return found


def room_of(module: str) -> str:
    """The row of the table that a module belongs to."""
    path = modules()[module].relative_to(ROOT).as_posix()
    rooms = [room for room in table() if path == room or path.startswith(room.rstrip("/") + "/")]
    assert len(rooms) == 1, f"{path} belongs to {rooms or 'no room'} of docs/architecture.md"
    return rooms[0]


def is_permitted(found: Import) -> bool:
    here, there = room_of(found.module), room_of(found.target)
    if here == there or there in table()[here]:
        return True
    return there in COMMON and here != "irs/"


def circle(edges: Iterable[tuple[str, str]]) -> list[str]:
    """The nodes of a cycle, if there is one."""
    graph: dict[str, set[str]] = {}
    for here, there in edges:
        if here != there:
            graph.setdefault(here, set()).add(there)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("module", modules())
def test_rooms_import_what_they_may(module: str) -> None:
    wrong = [
        f"{i.module}:{i.line} imports {i.target}, which {room_of(i.module)} may not"
        for i in imports()
        if i.module == module and not is_permitted(i)
    ]
    assert not wrong


def test_the_table_has_no_circle() -> None:
    front = {room for room, permitted in table().items() if permitted == set(table())}
    rooms = {room: permitted for room, permitted in table().items() if room not in front}
    assert not circle((room, other) for room in rooms for other in rooms[room])
    assert not any(front & permitted for permitted in rooms.values())


def test_rooms_do_not_import_each_other() -> None:
    """Neither when a module is imported nor later."""
    assert not circle(
        (room_of(i.module), room_of(i.target))
        for i in imports()
        if i.module not in ("imc", "imc.__main__")
    )


def test_modules_can_be_imported_one_after_the_other() -> None:
    assert not circle((i.module, i.target) for i in imports() if i.eager)


def test_irs_needs_nothing_but_the_standard_library() -> None:
    for module in modules():
        if module.split(".")[0] == "irs":
            foreign = {name.split(".")[0] for name in imported(module)} - {"irs"}
            assert foreign <= sys.stdlib_module_names, module
