from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from imc.frontend.cache import Cache, fingerprint


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def entries(cache: Cache) -> list[Path]:
    assert cache.directory is not None
    return sorted(cache.directory.iterdir())


def test_parts_do_not_run_together() -> None:
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
    assert fingerprint("é", "\udcff") == fingerprint("é".encode(), b"\xff")


def test_what_was_stored_is_loaded(cache: Cache) -> None:
    assert cache.load("key") is None
    cache.store("key", "line\nlinie ü\n")
    assert cache.load("key") == "line\nlinie ü\n"
    assert cache.load("other") is None
    cache.store("key", "")
    assert cache.load("key") == ""
    assert len(entries(cache)) == 1


def test_an_entry_is_valid_while_its_files_are_unchanged(cache: Cache, tmp_path: Path) -> None:
    file = tmp_path / "a b.h"
    file.write_text("one")
    cache.store("key", "text", [str(file)])
    os.utime(file, (0, 0))
    assert cache.load("key") == "text"
    file.write_text("two")
    assert cache.load("key") is None
    file.unlink()
    assert cache.load("key") is None
    cache.store("key", "text", [str(file)])
    file.write_text("three")
    assert cache.load("key") is None


def test_a_file_changed_meanwhile_is_not_trusted(cache: Cache, tmp_path: Path) -> None:
    file = tmp_path / "a.h"
    file.write_text("one")
    cache.store("key", "text", [str(file)], since=time.time_ns() - 10**10)
    assert cache.load("key") is None
    cache.store("key", "text", [str(file)], since=time.time_ns() + 10**10)
    assert cache.load("key") == "text"


@pytest.mark.parametrize("damage", [b"", b"garbage", b"a\n{}\ntext", b"\xff\n\xff\n"])
def test_a_damaged_entry_is_ignored_and_rewritten(cache: Cache, damage: bytes) -> None:
    cache.store("key", "text")
    (entry,) = entries(cache)
    entry.write_bytes(damage)
    assert cache.load("key") is None
    cache.store("key", "text")
    assert cache.load("key") == "text"


def test_half_an_entry_is_ignored(cache: Cache) -> None:
    cache.store("key", "text" * 100)
    (entry,) = entries(cache)
    entry.write_bytes(entry.read_bytes()[:-1])
    assert cache.load("key") is None


def test_a_cache_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for cache in (Cache(file), Cache(file / "below"), Cache(None)):
        cache.store("key", "text")
        assert cache.load("key") is None
        cache.prune()


def test_an_interrupted_write_leaves_nothing(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cache.store("key", "text")
    assert entries(cache) == []


def test_prune_deletes_what_was_not_used_for_longest(cache: Cache) -> None:
    assert cache.directory is not None
    for age, key in enumerate(("new", "middle", "old"), start=1):
        cache.store(key, "x" * 1000)
        os.utime(cache.directory / f"{key}.imc", (10**9 - age, 10**9 - age))
    (cache.directory / "not ours").write_text("y" * 10_000)
    assert cache.load("old")
    cache.prune(limit=2500)
    assert [key for key in ("new", "middle", "old") if cache.load(key)] == ["new", "old"]
    assert (cache.directory / "not ours").exists()


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("IMC_CACHE_DIR", raising=False)
    assert Cache.default() == Cache(Path("/home/me/.cache/imc"))
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert Cache.default() == Cache(Path("/xdg/imc"))
    monkeypatch.setenv("IMC_CACHE_DIR", "/own")
    assert Cache.default() == Cache(Path("/own"))
    monkeypatch.setenv("IMC_CACHE_DIR", "")
    assert Cache.default() == Cache(None)
