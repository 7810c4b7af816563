"""The dependence relation: what conflicts, what commutes, and the reason that is given."""

from __future__ import annotations

import pytest

from imc.program.dependence import conflict, dependence, races
from imc.program.events import Access, Event, Mode


def access(
    mode: Mode, offset: int = 0, size: int = 4, obj: int = 1, atomic: bool = False
) -> Access:
    return Access(mode, obj, offset, size, atomic, None)


def event(thread: int, *accesses: Access, **more: object) -> Event:
    return Event(thread, 0, "f", 0, "op", accesses, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", Mode)
def test_only_writes_conflict_with_themselves(mode: Mode) -> None:
    assert conflict(access(mode), access(mode)) == (mode is Mode.WRITE)


def test_commuting_modes_conflict_with_all_others() -> None:
    for mode in (Mode.SHARE, Mode.POST, Mode.ARRIVE):
        assert conflict(access(mode), access(Mode.READ))
        assert conflict(access(Mode.WRITE), access(mode))


def test_cells_must_overlap() -> None:
    write = access(Mode.WRITE, 4, 4)
    assert not conflict(write, access(Mode.READ, 0, 4))
    assert conflict(write, access(Mode.READ, 0, 5))
    assert not conflict(write, access(Mode.READ, 8, 4))
    assert not conflict(write, access(Mode.READ, 4, 4, obj=2))


def test_reasons() -> None:
    write, read = access(Mode.WRITE), access(Mode.READ)
    assert dependence(event(1, write), event(2, read)) == "same cell, one write"
    assert dependence(event(1, read), event(2, read)) is None
    assert dependence(event(1), event(1)) == "same thread"
    assert dependence(event(0, spawned=(3,)), event(3)) == "thread start"
    assert dependence(event(3), event(0, joined=(3,))) == "thread end"
    assert dependence(event(0, exits=True), event(4)) == "program exit"
    assert dependence(event(1, write), event(2, access(Mode.POST))) == "same object"


def test_races_need_a_plain_access() -> None:
    plain, atomic = access(Mode.WRITE), access(Mode.READ, atomic=True)
    assert list(races(event(1, plain), event(2, atomic))) == [(plain, atomic)]
    assert not list(races(event(1, access(Mode.WRITE, atomic=True)), event(2, atomic)))
    assert not list(races(event(1, plain), event(1, plain)))
