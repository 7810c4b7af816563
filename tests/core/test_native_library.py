"""Building, loading and feeding the core: what is broken is noticed, and never crashes."""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import signal
import threading
from pathlib import Path

import pytest

import imc.core.library as core_library
from imc.compact.flatten import flatten
from imc.core.interface import ARRAYS, Step
from imc.core.library import Unavailable, built, library, load, why_not
from imc.core.packed import Packed
from imc.explorer import Exploration, Limits, explore
from imc.explorer.request import ExploreRequest
from imc.frontend import FrontendOptions
from imc.frontend.clang import CompilerOptions
from imc.frontend.load import load_program
from imc.program.interpreter import Interpreter
from imc.program.program import Program

ROOT = Path(__file__).resolve().parents[2]
CORRUPTED = 1500  # forms
REDUCTION = ROOT / "tests" / "programs" / "reduction"


def test_a_corrupted_library_is_built_again(tmp_path: Path) -> None:
    path = built(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:1000] + b"rubbish" + whole[1007:])
    assert built(tmp_path) == path
    assert path.stat().st_size == len(whole)
    load(path)
    path.with_suffix(".sha256").unlink()
    load(built(tmp_path))


def test_without_a_cache_python_explores_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMC_CACHE_DIR", "")
    monkeypatch.delenv("IMC_CORE", raising=False)
    monkeypatch.setattr(core_library, "_loaded", {})
    program = load_program([ROOT / "examples" / "peterson.c"])
    result = ExploreRequest().explore(Interpreter(program))
    assert result.core == "python" and result.states
    assert "cache" in result.no_core and "\n" not in result.no_core


# ---------------------------------------------------------------------------- in wheels


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """What wheels have of the core."""
    files = core_library.prebuild(tmp_path_factory.mktemp("wheel") / "core.so")
    assert sorted(f.name for f in files) == ["core.key", "core.sha256", "core.so"]
    return files


@pytest.fixture
def packed(compiled: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library as wheels have it, which nobody has loaded yet."""
    path = tmp_path / "packed" / "core.so"
    path.parent.mkdir()
    for file in compiled:
        shutil.copy(file, path.with_name(file.name))
    monkeypatch.setattr(core_library, "PREBUILT", path)
    monkeypatch.setattr(core_library, "_loaded", {})
    monkeypatch.delenv("IMC_CORE", raising=False)
    return path


def test_a_prebuilt_core_needs_no_cache(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMC_CACHE_DIR", "")
    assert core_library.is_prebuilt()
    result = ExploreRequest().explore(Interpreter(load_program([ROOT / "examples" / "peterson.c"])))
    assert (result.core, result.no_core) == ("native", "")


@pytest.mark.parametrize("name", ["core.so", "core.key", "core.sha256"])
def test_a_damaged_prebuilt_core_is_not_believed(
    packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """It is compiled into the cache, as if there were none."""
    damaged = packed.with_name(name)
    damaged.write_bytes(damaged.read_bytes()[:-9] + b"a rubbish")
    assert not core_library.is_prebuilt()
    cache = tmp_path / "cache"
    monkeypatch.setenv("IMC_CACHE_DIR", str(cache))
    library()
    assert len(list(cache.glob("core-*.so"))) == 1


def test_a_core_of_other_sources_is_not_believed(
    packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_library, "FLAGS", (*core_library.FLAGS, "-DOTHER"))
    assert core_library.is_whole(packed) and not core_library.is_prebuilt()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(Unavailable):
        built(tmp_path / "below")


def test_a_file_in_the_place_of_the_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable):
        built(tmp_path / "file")


def test_nobody_has_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_library, "_loaded", {})
    assert why_not() == ""


# ----------------------------------------------------------------------------- forms


@pytest.mark.parametrize("name", ["mcslock", "treiber_stack", "sortnet"])
def test_corrupted_forms_are_refused_or_run(name: str) -> None:
    """Whatever the arrays say, nothing is read or written outside of the core's memory."""
    program = load_program([REDUCTION / name / "prog.c"])
    image = Interpreter(program).image
    form = flatten(image)
    core = library()
    rng = random.Random(name)
    refused = 0
    for _ in range(CORRUPTED // 3):
        packed = Packed(form, image)
        for _ in range(rng.randint(1, 3)):
            _corrupt(getattr(packed.form, rng.choice(ARRAYS)), rng)
        context = core.core_new(ctypes.byref(packed.form))
        if not context:
            refused += 1
            continue
        _walk(core, context, rng)
        core.core_free(context)
    assert refused > 50


def _corrupt(array: ctypes.Structure, rng: random.Random) -> None:
    length = array.length
    if length <= 0 or rng.random() < 0.1:
        array.length = rng.choice([0, max(length - 1, 0), length // 2, -1])
        return
    at = rng.randrange(length)
    value = array.at[at]
    array.at[at] = rng.choice(
        [value + 1, value - 1, -1, 0, 1 << 31, 1 << 62, -(1 << 63), value ^ 64, rng.randrange(300)]
    )


def _walk(core: ctypes.CDLL, context: int, rng: random.Random) -> None:
    none = (ctypes.c_int64 * 4)()
    threads = (ctypes.c_int64 * 64)()
    if core.core_start(context, none, 0) not in (Step.MOVED, Step.FAULTY):
        return
    for _ in range(60):
        count = core.core_running(context, threads)
        if not count:
            break
        core.core_step(context, threads[rng.randrange(count)], none, 0)
        core.core_state(context)
    core.core_undo(context, 0)


# ------------------------------------------------------------------- while it runs


def long_one() -> Program:
    options = FrontendOptions(CompilerOptions(define=("THREADS=22",)))
    return load_program([REDUCTION / "readers_writers" / "prog.c"], options)


def test_an_interrupt_stops_the_core() -> None:
    """What has been found so far is told."""
    program = long_one()

    def progress(so_far: Exploration) -> None:
        if so_far.complete and so_far.complete > 1000:
            os.kill(os.getpid(), signal.SIGINT)

    result = explore(Interpreter(program), "optimal", None, Limits(time_s=60), progress)
    assert result.core == "native" and result.interrupted
    assert result.complete and result.events


def test_limits_hold_in_the_core() -> None:
    program = long_one()

    def bounds(limits: Limits, algorithm: str = "optimal") -> list[str]:
        result = explore(Interpreter(program), algorithm, limits=limits)
        assert result.core == "native"
        return result.bounds

    assert bounds(Limits(executions=100))[0].startswith("stopped after 100 executions")
    assert bounds(Limits(steps=5000))[0].startswith("stopped after 5000 steps")
    assert bounds(Limits(states=100), "exhaustive") == ["stopped after 100 states"]
    assert bounds(Limits(memory_mb=1), "exhaustive")[0].startswith("stopped at 1 MB")
    assert bounds(Limits(time_s=0.2))[0].startswith("stopped after 0.2 s")


def test_contexts_run_side_by_side() -> None:
    program = load_program([REDUCTION / "mcslock" / "prog.c"])
    found = []

    def run() -> None:
        result = explore(Interpreter(program), "optimal-await")
        found.append((result.core, result.complete, result.blocked))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1 and found[0][0] == "native"
