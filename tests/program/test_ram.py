"""How much memory is used, and what ends when it is too much."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

import imc.api
from imc.program import ram
from imc.program.ram import Leftovers, MemoryLimit
from imc.program.verdict import Verdict

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_what_was_asked_for_is_the_limit() -> None:
    assert MemoryLimit(1).is_over()
    assert str(MemoryLimit(1)) == "stopped at 1 MB of memory"
    assert not MemoryLimit(1 << 40).is_over()


def test_half_of_the_machine_is_the_limit_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ram, "share_mb", lambda: 2.0)
    limit = MemoryLimit()
    assert limit.is_over()
    assert str(limit) == "stopped at 2 MB, half of the memory (--memory-limit)"


def test_a_container_has_less_than_the_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = tmp_path / "memory.max"
    monkeypatch.setattr(ram, "CONTAINER", (tmp_path / "missing", told))
    told.write_text("max\n")
    machine = ram.share_mb.__wrapped__()
    told.write_text(f"{64 << 20}\n")
    assert ram.share_mb.__wrapped__() == 32 < machine


def test_no_limit_where_the_machine_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ram, "share_mb", lambda: None)
    assert not MemoryLimit().is_over()


def test_garbage_is_not_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a collection gives back is asked for before anybody is stopped."""
    used = [100.0]
    monkeypatch.setattr(ram, "used_mb", lambda: used[0])
    monkeypatch.setattr(gc, "collect", lambda: used.__setitem__(0, 10.0))
    assert not MemoryLimit(50).is_over()
    used[0] = 100.0
    assert MemoryLimit(5).is_over()


def test_what_was_in_vain_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    used, collected = [0.0], []
    monkeypatch.setattr(ram, "used_mb", lambda: used[0])
    monkeypatch.setattr(gc, "collect", lambda: collected.append(used[0]))
    leftovers = Leftovers()
    leftovers.clear()
    assert not collected
    used[0] = 2 * ram.GROWN_MB
    leftovers.clear()
    leftovers.clear()
    assert collected == [used[0]]


@pytest.mark.parametrize("algorithm", ["exhaustive", "optimal", "epor"])
def test_explorations_stop(algorithm: str) -> None:
    pool = EXAMPLES / "pool.c"
    found = imc.api.explore(pool, algorithm=algorithm, memory_limit=1, core="python")
    assert found.verdict is Verdict.UNKNOWN
    assert "stopped at 1 MB of memory" in found.bounds
