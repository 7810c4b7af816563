"""The gates order what conflicts: ThreadSanitizer sees no race where they are all there is."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from natively import EXAMPLES, program_of, schedule_of
from patience import HANG_S, LONGER_S

from imc.execution.native.instrument import Instrumented
from imc.execution.native.operations import Operations
from imc.execution.native.process import NativeOptions
from imc.execution.native.toolchain import RUNTIME, Toolchain
from imc.frontend.clang import CompilerOptions, find_compiler
from imc.program.words.sites import site_text
from irs.native.tables import encode
from irs.schedule import Schedule, Section

REGRESS = Path(__file__).parents[2] / "programs" / "regress"
ATTRIBUTES = re.compile(r"^(attributes #\d+ = \{ )", re.MULTILINE)


@pytest.fixture(scope="module")
def gcc(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A compiler that has the sanitizer's library; zig would take minutes to make one."""
    folder = tmp_path_factory.mktemp("gcc")
    (folder / "a.c").write_text("int main(void) { return 0; }\n")
    found = shutil.which("gcc")
    if found is None:
        pytest.skip("there is no gcc")
    command = [found, "-fsanitize=thread", str(folder / "a.c"), "-o", str(folder / "a")]
    made = subprocess.run(command, capture_output=True)
    if made.returncode != 0 or subprocess.run([folder / "a"], capture_output=True).returncode != 0:
        pytest.skip("ThreadSanitizer does not work here")
    return found


def sanitized(source: Path, schedule: Schedule, folder: Path, gcc: str) -> Path:
    """A program that is run under ThreadSanitizer."""
    operations = Operations(program_of(source), schedule, site_text)
    tools = Toolchain(find_compiler(CompilerOptions()), folder, inline=False)
    objects = [
        tools.compile_module(ATTRIBUTES.sub(r"\1sanitize_thread ", text), ["-fsanitize=thread"])
        for text in Instrumented(operations, {}).texts.values()
    ]
    tables = encode(schedule, operations.sites, operations.digest)
    objects.append(tools.compile_data(operations.digest, tables, (), 0, False))
    flags = ["-std=gnu11", "-O1", "-w", "-fsanitize=thread", "-pthread"]
    sources = [str(path) for path in sorted(RUNTIME.glob("*.c"))]
    program = folder / "program"
    command = [gcc, *flags, *sources, *map(str, objects), "-lm", "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def run(program: Path, seconds: float) -> tuple[int, str]:
    """Its status and messages."""
    environment = NativeOptions(seconds=seconds).environment()
    ran = subprocess.run(
        [program], env=environment, capture_output=True, text=True, errors="replace", timeout=HANG_S
    )
    return ran.returncode, ran.stderr


@pytest.mark.parametrize("name", ["prodcons", "barrier", "double_lock_wrong", "bank_race"])
def test_there_is_no_race_without_the_locks(name: str, folder: Path, gcc: str) -> None:
    source = EXAMPLES / f"{name}.c"
    assert run(sanitized(source, schedule_of(source, "opt3"), folder, gcc), 0.3) == (0, "")


@pytest.mark.parametrize("name", ["clock_torn", "semaphore_value", "sprintf_torn", "sscanf_torn"])
def test_there_is_no_race_between_steps(name: str, folder: Path, gcc: str) -> None:
    source = REGRESS / name / "prog.c"
    assert run(sanitized(source, schedule_of(source, "opt3"), folder, gcc), 0.3) == (0, "")


def test_a_race_would_be_seen(folder: Path, gcc: str) -> None:
    source = EXAMPLES / "prodcons.c"
    schedule = schedule_of(source, "opt3")
    loose = replace(
        schedule,
        certificate=None,
        sections=tuple(
            Section(tuple(event._replace(waits=()) for event in section.events), section.next)
            for section in schedule.sections
        ),
    )
    program = sanitized(source, loose, folder, gcc)
    for seconds in LONGER_S:  # on a busy machine it may be over before the threads have met
        status, messages = run(program, seconds)
        if status != 0:
            break
    assert status != 0 and ("data race" in messages or "deviates" in messages)
