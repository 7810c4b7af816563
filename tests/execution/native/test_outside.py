"""Native runs that the world treats badly: signals, closed streams, bad files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from natively import EXAMPLES, native, problem, schedule_of
from patience import HANG_S, computed_s, wait_until

from imc.errors import UserError
from imc.execution.native.process import NativeOptions, run_native
from irs.format import dump
from irs.schedule import Schedule

ENOUGH = 20_000  # lines of a trace to look at
PRODCONS = EXAMPLES / "prodcons.c"
CRASHES = """#include <pthread.h>
#include <stdlib.h>
static int *volatile p, x;
static void *other(void *a) { x++; WRONG; return a; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    return 0;
}
"""


def command(folder: Path, program: Path, *options: object) -> list[str]:
    words = ("run", program, "--backend", "native", "--json", folder / "run.json", *options)
    return [sys.executable, "-m", "imc", *map(str, words)]


def document(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "run.json").read_text())
    return found


def scheduled(folder: Path, program: Path) -> tuple[Schedule, list[object]]:
    """The first schedule of a program, and the options that ask for it and for a trace."""
    schedule, file = schedule_of(program), folder / "program.sched.json"
    dump(schedule, file)
    return schedule, ["--schedule", file, "--trace", folder / "trace"]


def runs(parent: int, name: str) -> bool:
    """Whether a program of this name, and not a compiler, computes for a process."""
    for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
        with suppress(FileNotFoundError, ProcessLookupError):
            if Path(f"/proc/{child}/comm").read_text().strip() == name:
                return computed_s(int(child)) >= 0.1
    return False


@pytest.mark.parametrize("whole_group", [True, False])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_to_imc(number: int, code: int, whole_group: bool, folder: Path) -> None:
    """As a terminal sends it, or to imc alone: the program has time to write its trace."""
    schedule, options = scheduled(folder, PRODCONS)
    imc = subprocess.Popen(command(folder, PRODCONS, *options), start_new_session=True)
    with imc:
        wait_until(lambda: runs(imc.pid, PRODCONS.stem))
        (os.killpg if whole_group else os.kill)(imc.pid, number)
        assert imc.wait(HANG_S) == code
    lines = (folder / "trace").read_text().splitlines()
    assert problem(schedule, [json.loads(line) for line in lines[:ENOUGH]]) == ""
    assert len(lines) > 2 and json.loads(lines[-1])
    assert document(folder)["exit_status"] == code


def test_a_program_has_time_to_write_what_it_has_recorded(folder: Path) -> None:
    slow = folder / "slow"
    slow.write_text(
        "#!/bin/sh\ntrap 'sleep 1.5; echo all > \"$1\"; exit 143' TERM\n"
        'echo begun > "$1"\nwhile :; do sleep 0.1; done\n'
    )
    slow.chmod(0o755)
    written = folder / "written"
    for seconds in (0.5, 5, 50):  # a busy machine may not even begin
        with pytest.raises(UserError, match="not done in time"):
            run_native(slow, NativeOptions((str(written),), time_limit_s=seconds))
        if written.exists():
            break
    assert written.read_text() == "all\n"


@pytest.mark.parametrize(
    ("wrong", "number"),
    [("*p = 1", signal.SIGSEGV), ("abort()", signal.SIGABRT)],
)
def test_a_program_that_is_killed(wrong: str, number: int, folder: Path) -> None:
    """Its status is the program's own, and imc says what has happened to it."""
    source = folder / "program.c"
    source.write_text(CRASHES.replace("WRONG", wrong))
    ran = subprocess.run(
        command(folder, source, "--unconstrained"), capture_output=True, text=True, timeout=HANG_S
    )
    assert ran.returncode == 128 + number
    name = signal.Signals(number).name
    assert ran.stderr.splitlines()[-1] == f"{source}: ended by {name}"
    found = document(folder)
    assert (found["error"], found["deviation"]) == (f"{source}: ended by {name}", None)


def test_a_closed_standard_input(folder: Path) -> None:
    source = folder / "program.c"
    source.write_text("#include <stdio.h>\nint main(void) { return getchar() == EOF ? 7 : 1; }\n")
    made = native(source, folder)
    assert made.run(prefix=("sh", "-c", 'exec "$0" <&-')).status == 7


def test_a_trace_that_cannot_be_written(folder: Path) -> None:
    """It is refused before the program begins; a full device is told at its end."""
    _, options = scheduled(folder, EXAMPLES / "lost_update.c")
    options[-1] = folder / "none" / "trace"
    imc = command(folder, EXAMPLES / "lost_update.c", *options)
    ran = subprocess.run(imc, capture_output=True, text=True, timeout=HANG_S)
    assert (ran.returncode, "imc: cannot write" in ran.stderr) == (2, True)
    made = native(EXAMPLES / "lost_update.c", folder)
    for option in ("stats", "report"):
        refused = made.run(NativeOptions(**{option: folder}))  # type: ignore[arg-type]
        assert (refused.status, f"cannot write {folder}" in refused.errors) == (5, True)
    full = made.run(NativeOptions(stats=Path("/dev/full")))
    assert (full.status, "irs: cannot write all of /dev/full" in full.errors) == (0, True)


def test_a_truncated_schedule(folder: Path) -> None:
    _, options = scheduled(folder, PRODCONS)
    file = folder / "program.sched.json"
    file.write_bytes(file.read_bytes()[:-1000])
    ran = subprocess.run(
        command(folder, PRODCONS, *options), capture_output=True, text=True, timeout=HANG_S
    )
    assert (ran.returncode, str(file) in ran.stderr) == (2, True)
    assert not (folder / "trace").exists()
