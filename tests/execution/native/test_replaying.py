"""Executables that run into the error of a counterexample, every time."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from patience import HANG_S

import imc
from imc.cli import cli
from imc.errors import UserError
from imc.execution.native.process import NativeOptions
from imc.explorer.recording import read_recording
from imc.report.document import write_document
from imc.report.verification import verification_document
from imc.schedule.replaying import replay_of

EXAMPLES = Path(__file__).parents[3] / "examples"
SIGABRT = -6
TIMES = 20
READS = """\
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int x, y;
static void *set(void *arg)
{
    int mine = __VERIFIER_nondet_int();
    x = mine;
    y = x + 1;
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    int seen = x;
    pthread_join(t, 0);
    assert(!(seen == 123456 && y == seen + 1));
    return 0;
}
"""
ASKS_THE_TIME = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
extern int __VERIFIER_nondet_int(void);
static int x;
static void *set(void *arg)
{
    x = 1;
    return arg;
}
int main(void)
{
    struct timespec now;
    pthread_t t;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int first = __VERIFIER_nondet_int();
    time_t later = time(0) + rand();
    int second = __VERIFIER_nondet_int();
    pthread_create(&t, 0, set, 0);
    int seen = x;
    pthread_join(t, 0);
    assert(!(first == 2 && second == 1 && seen == 0));
    return later == now.tv_sec;
}
"""
TWO_WAIT = """\
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, last;
static void *wait(void *arg)
{
    pthread_mutex_lock(&m);
    waiting++;
    while (waiting < 10)
        pthread_cond_wait(&c, &m);
    last = arg != 0;
    assert(last == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, wait, 0);
    pthread_create(&t, 0, wait, &m);
    pthread_mutex_lock(&m);
    if (waiting == 2) {
        waiting = 10;
        pthread_cond_signal(&c);
    }
    pthread_mutex_unlock(&m);
    return 0;
}
"""


def explored(source: Path, file: Path) -> Path:
    """The counterexample that imc explore writes."""
    CliRunner().invoke(cli, ["explore", str(source), "--json", str(file)], catch_exceptions=False)
    return file


def test_what_exploration_finds(tmp_path: Path) -> None:
    trace = explored(EXAMPLES / "lost_update.c", tmp_path / "trace.json")
    made = imc.build(EXAMPLES / "lost_update.c", output=tmp_path / "wrong", replay=trace)
    for _ in range(TIMES):
        assert subprocess.run([made.path], capture_output=True).returncode == SIGABRT


def test_what_a_solver_finds_with_its_inputs(tmp_path: Path) -> None:
    source = tmp_path / "reads.c"
    source.write_text(READS)
    verification = imc.verify(source)
    outcome = verification.run()
    program = verification.engine.program
    document = verification_document(program, verification.settings, outcome, [])
    write_document(document, str(tmp_path / "trace.json"))
    assert read_recording(tmp_path / "trace.json").inputs == {"input.main.1.1.32": 123456}
    made = imc.build(program, output=tmp_path / "wrong", replay=tmp_path / "trace.json")
    for _ in range(TIMES):
        assert subprocess.run([made.path], capture_output=True).returncode == SIGABRT


def test_an_executable_is_moved_with_what_belongs_to_it(tmp_path: Path) -> None:
    """Tables and inputs are looked for beside it, and not only where they were written."""
    source, trace = tmp_path / "clock.c", tmp_path / "trace.json"
    source.write_text(ASKS_THE_TIME)
    made = imc.build(source, output=tmp_path / "here" / "wrong", replay=explored(source, trace))
    there = (tmp_path / "here").rename(tmp_path / "there")
    assert sorted(p.name for p in there.iterdir()) == ["wrong", "wrong.input", "wrong.irs"]
    for _ in range(TIMES):
        done = subprocess.run([there / made.path.name], capture_output=True, text=True)
        assert done.returncode == SIGABRT, done.stderr
    (there / "wrong.irs").unlink()
    done = subprocess.run([there / made.path.name], capture_output=True, text=True)
    assert done.returncode == 5 and "IRS_SCHEDULE names others" in done.stderr


@pytest.mark.parametrize("command", ["explore", "verify"])
def test_clocks_are_not_told_what_inputs_are(tmp_path: Path, command: str) -> None:
    """What the system answers is in the trace as well, and no number for the program's inputs."""
    source, trace = tmp_path / "clock.c", tmp_path / "trace.json"
    source.write_text(ASKS_THE_TIME)
    CliRunner().invoke(cli, [command, str(source), "--json", str(trace)], catch_exceptions=False)
    found = replay_of(imc.load(source), trace)
    assert found.inputs == (2, 1)
    assert [call.partition(" ")[0] for call in found.asked] == ["clock_gettime", "time", "rand"]
    made = imc.build(source, output=tmp_path / "wrong", replay=trace)
    for _ in range(TIMES):
        assert subprocess.run([made.path], capture_output=True).returncode == SIGABRT


@pytest.mark.skipif(shutil.which("gdb") is None, reason="there is no debugger")
def test_a_debugger_stops_where_it_goes_wrong(tmp_path: Path) -> None:
    source = EXAMPLES / "lost_update.c"
    trace = explored(source, tmp_path / "trace.json")
    made = imc.build(source, output=tmp_path / "wrong", replay=trace)
    asked = ("break lost_update.c:39", "run", "print counter", "up 0", "print threads[0] != 0")
    words = [word for command in asked for word in ("-ex", command)]
    done = subprocess.run(
        ["gdb", "-nx", "-batch", *words, made.path], capture_output=True, text=True, timeout=HANG_S
    )
    assert "hit Breakpoint 1, main" in done.stdout
    assert "$1 = 1" in done.stdout and "optimized out" not in done.stdout


def test_deadlocks_come_again(tmp_path: Path) -> None:
    source = EXAMPLES / "double_lock_wrong.c"
    trace = explored(source, tmp_path / "trace.json")
    made = imc.build(source, output=tmp_path / "wrong", replay=trace)
    ends = NativeOptions(watchdog_s=1).environment()  # when all threads wait
    done = subprocess.run([made.path], env=ends, capture_output=True, text=True, timeout=HANG_S)
    assert (done.returncode, "the run is stalled" in done.stderr) == (5, True)


def test_what_chance_decides_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "two.c"
    source.write_text(TWO_WAIT)
    trace = explored(source, tmp_path / "trace.json")
    with pytest.raises(UserError, match="whom a signal wakes"):
        replay_of(imc.load(source), trace)


def test_bad_files_are_refused(tmp_path: Path) -> None:
    source = EXAMPLES / "lost_update.c"
    with pytest.raises(UserError, match="is no counterexample"):
        imc.build(source, output=tmp_path / "x", replay=tmp_path / "none.json")
    other = explored(EXAMPLES / "double_lock_wrong.c", tmp_path / "trace.json")
    with pytest.raises(UserError, match="is of another program"):
        imc.build(source, output=tmp_path / "x", replay=other)
    assert not (tmp_path / "x").exists()
