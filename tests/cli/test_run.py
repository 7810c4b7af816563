"""imc run and imc replay as users meet them: status, inputs, traces, and what goes wrong."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_runs import Imc, finish
from click.testing import CliRunner, Result
from patience import wait_until

from imc.cli import cli
from imc.errors import UserError

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
COMMON = """
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
"""

Run = Callable[..., Result]


@pytest.fixture
def imc_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """imc in this process; what it refuses has the exit code 2 that it has outside."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object, **options: object) -> Result:
        result = CliRunner().invoke(cli, [str(a) for a in arguments], **options)  # type: ignore[arg-type]
        if isinstance(result.exception, UserError):
            result.exit_code = 2
        elif result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


def source(tmp_path: Path, body: str, name: str = "prog.c") -> Path:
    path = tmp_path / name
    path.write_text(COMMON + body)
    return path


def emitted(run: Run, program: Path, *options: str, level: str = "opt3") -> Path:
    """The first schedule of a program."""
    path = Path(f"{program.stem}.sched.json")
    arguments = [f"--emit-schedule={path}", "--until", "first", "--optimise", level, *options]
    assert run("verify", program, *arguments).exit_code in (0, 3, 4, 6)
    return path


# ----------------------------------------------------------------------------- examples


@pytest.mark.parametrize("level", ["opt0", "opt3"])
def test_an_endless_program_is_stopped(imc_run: Run, level: str) -> None:
    program = EXAMPLES / "prodcons.c"
    schedule = emitted(imc_run, program, level=level)
    for seconds in (0.2, 2, 20, 200):  # what comes of it depends on what else the machine does
        options = ("--time-limit", seconds, "--json", "run.json")
        result = imc_run("run", program, "--schedule", schedule, *options)
        assert result.exit_code == 0
        assert f"stopped after {seconds:g} s" in result.stderr
        document = json.loads(Path("run.json").read_text())
        if document["sections"] > 10 and len(document["threads"]) == 3:
            break
    assert document["backend"] == "python"
    assert document["exit_status"] == 0
    assert document["deviation"] is None
    assert document["sections"] > 10
    assert document["events"] > document["sections"]
    assert document["threads"].keys() == {"main", "main.1", "main.2"}


def test_the_wrong_double_lock_never_deadlocks_under_its_schedule(imc_run: Run) -> None:
    program = EXAMPLES / "double_lock_wrong.c"
    schedule = emitted(imc_run, program, "-DROUNDS=2", level="opt0")
    result = imc_run("run", program, "-DROUNDS=2", "--schedule", schedule, "--runs", 200)
    assert result.exit_code == 0
    assert "200 of 200 runs" in result.stderr


def test_a_deadlock_without_a_schedule_is_told(imc_run: Run) -> None:
    result = imc_run("run", EXAMPLES / "double_lock_wrong.c", "--unconstrained")
    assert result.exit_code == 5
    assert "main.1 waits for mutex 'mutex2', held by main.2" in result.stderr


def test_a_recorded_run_can_be_checked(imc_run: Run) -> None:
    program = EXAMPLES / "bank_race.c"
    schedule = emitted(imc_run, program)
    result = imc_run("run", program, "--schedule", schedule, "--trace", "run.jsonl")
    assert (result.exit_code, result.stdout) == (0, "2 transfers so far\n")
    replayed = imc_run("replay", program, "run.jsonl", "--schedule", schedule)
    assert replayed.exit_code == 0
    assert "run.jsonl: permitted: " in replayed.stdout
    head, *lines = Path("run.jsonl").read_text().splitlines()
    events = [n for n, line in enumerate(lines) if line.count(",") == 2]
    lines.insert(1, lines.pop(events[-1]))
    Path("run.jsonl").write_text("\n".join([head, *lines]))
    replayed = imc_run("replay", program, "run.jsonl", "--schedule", schedule, "--json", "-")
    assert replayed.exit_code == 5
    assert json.loads(replayed.stdout)["verdict"] == "not permitted"
    Path("run.jsonl").write_text("cut")
    assert imc_run("replay", program, "run.jsonl", "--schedule", schedule).exit_code == 5


@pytest.mark.parametrize("events", [0, 3, 8, 100])
def test_a_prefix_can_be_kept(imc_run: Run, events: int) -> None:
    program = EXAMPLES / "lost_update.c"
    schedule = emitted(imc_run, program, level="opt0")
    result = imc_run("run", program, "--schedule", schedule, "--prefix", events, "--runs", 5)
    assert result.exit_code in ((0, 134) if events < 8 else (0,))


def test_no_prefix_where_locks_are_left_out(imc_run: Run) -> None:
    program = EXAMPLES / "prodcons.c"
    schedule = emitted(imc_run, program)
    result = imc_run("run", program, "--schedule", schedule, "--prefix", 3)
    assert result.exit_code == 2
    assert "left out" in str(result.exception)


# -------------------------------------------------------------- the program's own status


STATUSES = {
    "return 3;": (3, ""),
    "exit(300);": (44, ""),
    "assert(getchar() == 2 && 1);": (134, "main: Assertion `getchar() == 2 && 1' failed."),
    "abort();": (134, "abort() is called"),
    "int *p = 0; return *p;": (139, "null pointer"),
    "int z = 0; return 1 / z;": (136, "division"),
    "return deeper(0);": (2, "recursion limit"),
}


@pytest.mark.parametrize("body", STATUSES)
def test_the_status_is_the_program_s(imc_run: Run, tmp_path: Path, body: str) -> None:
    text = "static int deeper(int n) { return deeper(n + 1) + n; }"
    program = source(tmp_path, f"{text if 'deeper' in body else ''} int main(void) {{ {body} }}")
    result = imc_run("run", program, "--unconstrained")
    status, message = STATUSES[body]
    assert result.exit_code == status
    assert message in result.stderr


THREAD_EXITS = """
static int shared;
static void *worker(void *a) { shared = 1; printf("%d %s\\n", 7, "out"); exit(9); }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return shared; }
"""


def test_a_thread_can_end_the_program(imc_run: Run, tmp_path: Path) -> None:
    program = source(tmp_path, THREAD_EXITS)
    schedule = emitted(imc_run, program)
    for way in (["--schedule", schedule], ["--unconstrained"]):
        result = imc_run("run", program, *way)
        assert (result.exit_code, result.stdout, result.stderr) == (9, "7 out\n", "")


# ---------------------------------------------------------------------- inputs and output


READS = """
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_uchar();
    printf("%d %d\\n", a, b);
    return 0;
}
"""


def test_inputs_from_a_file(imc_run: Run, tmp_path: Path) -> None:
    program = source(tmp_path, READS)
    schedule = emitted(imc_run, program)
    numbers = tmp_path / "numbers"
    numbers.write_text("-5  # the first one\n0x101\n")
    call = ("run", program, "--schedule", schedule, "--input", numbers)
    assert imc_run(*call).stdout == "-5 1\n"
    numbers.write_text("1")
    result = imc_run(*call)
    assert result.exit_code == 2
    assert "main asks for one more at" in result.stderr
    numbers.write_text("1 two")
    assert "'two' is not a number" in str(imc_run(*call).exception)


def test_inputs_from_a_seed(imc_run: Run, tmp_path: Path) -> None:
    program = source(tmp_path, READS)
    seen = [imc_run("run", program, "--unconstrained", "--seed", s).stdout for s in (1, 1, 2)]
    assert seen[0] == seen[1] != seen[2]


def test_a_failed_assumption_stops_its_thread(imc_run: Run, tmp_path: Path) -> None:
    body = """
    static int done;
    static void *worker(void *a) {
        __VERIFIER_assume(__VERIFIER_nondet_int() > 0); done = 1; return 0;
    }
    int main(void) {
        pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0);
        printf("joined\\n"); return done;
    }
    """
    program = source(tmp_path, body)
    schedule = emitted(imc_run, program)
    (tmp_path / "bad").write_text("0")
    (tmp_path / "good").write_text("4")
    for way in (["--schedule", schedule], ["--unconstrained"]):
        result = imc_run("run", program, *way, "--input", "bad")
        assert (result.exit_code, result.stdout) == (0, "")
        assert "main.1: failed assumption" in result.stderr
        result = imc_run("run", program, *way, "--input", "good")
        assert (result.exit_code, result.stdout) == (1, "joined\n")


def test_standard_input_and_arguments(imc_run: Run, tmp_path: Path) -> None:
    body = """
    int main(int argc, char **argv) {
        int c, n;
        for (int i = 1; i < argc; i++) printf("[%s]", argv[i]);
        if (scanf("%d", &n) == 1) printf("%d", n);
        while ((c = getchar()) != EOF) putchar(c);
        fprintf(stderr, "over\\n");
        return 0;
    }
    """
    program = source(tmp_path, body)
    result = imc_run("run", program, "--unconstrained", "--", "-x", "y z", input="12 ab\n")
    assert (result.stdout, result.stderr) == ("[-x][y z]12 ab\n", "over\n")
    (tmp_path / "in").write_text("5")
    assert imc_run("run", program, "--unconstrained", "--stdin", "in").stdout == "5"
    schedule = emitted(imc_run, program)
    assert imc_run("run", program, "--schedule", schedule).exit_code == 0
    result = imc_run("run", program, "--schedule", schedule, "--", "x")
    assert "without arguments" in result.stderr


def test_json_on_standard_output_is_alone(imc_run: Run, tmp_path: Path) -> None:
    program = source(tmp_path, 'int main(void) { puts("hello"); return 4; }')
    result = imc_run("run", program, "--unconstrained", "--json", "-")
    assert json.loads(result.stdout)["exit_status"] == 4
    assert result.stderr == "hello\n"


MANY = """
static int count; static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex); count++; pthread_mutex_unlock(&mutex);
    }
    return 0;
}
int main(void) {
    pthread_t t[63];
    for (int i = 0; i < 63; i++) pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 63; i++) pthread_join(t[i], 0);
    return count == 189 ? 0 : 1;
}
"""


def test_many_threads_with_real_locks(imc_run: Run, tmp_path: Path) -> None:
    result = imc_run("run", source(tmp_path, MANY), "--unconstrained", "--runs", 3)
    assert result.exit_code == 0


def test_atomic_sections_and_waiting(imc_run: Run, tmp_path: Path) -> None:
    """An assumption inside an atomic section waits for others, and what was done is undone."""
    body = """
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
    static int flag, tries;
    static void *setter(void *a) { flag = 1; return 0; }
    int main(void) {
        pthread_t t; pthread_create(&t, 0, setter, 0);
        __VERIFIER_atomic_begin(); tries++; __VERIFIER_assume(flag); __VERIFIER_atomic_end();
        pthread_join(t, 0);
        return tries;
    }
    """
    program = source(tmp_path, body)
    schedule = emitted(imc_run, program)
    for way in (["--schedule", schedule], ["--unconstrained"]):
        assert imc_run("run", program, *way, "--runs", 1).exit_code == 1


# ------------------------------------------------------------------------- what goes wrong


def test_what_is_refused(imc_run: Run, tmp_path: Path) -> None:
    program = source(tmp_path, "int main(void) { return 0; }")
    schedule = emitted(imc_run, program)
    other = source(tmp_path, "int main(void) { return 1; }", "other.c")
    cut = tmp_path / "cut.json"
    cut.write_text(schedule.read_text()[:200])
    refusals: list[tuple[list[object], str]] = [
        ([program], "either --schedule FILE, --unconstrained or --live"),
        ([program, "--schedule", "none.json"], "cannot read none.json"),
        ([program, "--schedule", cut], "not JSON"),
        ([other, "--schedule", schedule], "version of the program: function 'main' differs"),
        ([program, "--schedule", schedule, "--trace", "no/trace"], "cannot write no/trace"),
        ([program, "--unconstrained", "--trace", "t"], "under a schedule"),
        ([program, "--unconstrained", "--input", "none"], "cannot read none"),
        ([program, "--unconstrained", "--input", "a", "--seed", 1], "not from both"),
    ]
    for arguments, words in refusals:
        result = imc_run("run", *arguments)
        assert result.exit_code == 2
        assert words in str(result.exception)
    result = imc_run("run", program, "--unconstrained", "--backend", "quantum")
    assert result.exit_code == 2


@pytest.mark.parametrize("backend", ["python", "native"])
def test_an_edited_schedule_deviates(imc_run: Run, backend: str) -> None:
    """Two events of a thread are swapped: it is stopped before the first of them."""
    program = EXAMPLES / "lost_update.c"
    path = emitted(imc_run, program, level="opt0")
    document = json.loads(path.read_text())
    events = document["sections"][0]["events"]
    own = [n for n, event in enumerate(events) if event[0] == 1][:2]
    first, second = (events[n][1] for n in own)
    events[own[0]][1], events[own[1]][1] = second, first
    path.write_text(json.dumps(document))
    result = imc_run("run", program, "--schedule", path, "--json", "run.json", "--backend", backend)
    assert result.exit_code == 5
    if backend == "python":  # else it is the program's own standard error
        assert "the run deviated from its schedule: main.1 in section 0" in result.stderr
    deviation = json.loads(Path("run.json").read_text())["deviation"]
    assert (deviation["thread"], deviation["section"]) == ("main.1", 0)
    assert deviation["event"] != deviation["expected"][0]


@pytest.mark.parametrize("backend", ["python", "native"])
def test_two_swapped_clocks_are_refused(imc_run: Run, backend: str) -> None:
    """Two threads would each wait for what comes later."""
    program = EXAMPLES / "peterson.c"
    path = emitted(imc_run, program, level="opt0")
    document = json.loads(path.read_text())
    events = document["sections"][0]["events"]
    one, other = (event for event in events if event[0] != 0 and event[2])
    one[2], other[2] = other[2], one[2]
    path.write_text(json.dumps(document))
    result = imc_run("run", program, "--schedule", path, "--backend", backend)
    assert result.exit_code == 2
    assert "waits for" in str(result.exception)


def test_a_schedule_that_lets_a_thread_wait_deviates(imc_run: Run) -> None:
    """Each thread takes one lock, in strict order, and then comes to the lock of the other."""
    program = EXAMPLES / "double_lock_wrong.c"
    path = emitted(imc_run, program, level="opt0")
    document = json.loads(path.read_text())
    events = [event for section in document["sections"] for event in section["events"]]
    main, one, two = ([event[1] for event in events if event[0] == t] for t in range(3))
    sites = [(0, site) for site in main] + [(1, one[0]), (2, two[0]), (1, one[1])]
    ordered = []
    for n, (thread, site) in enumerate(sites):
        before = sites[n - 1][0] if n else thread
        count = sum(t == before for t, _ in sites[:n])
        ordered.append([thread, site, [[before, count]] if before != thread else []])
    document["sections"] = [{"events": ordered, "next": {"kind": "end"}}]
    path.write_text(json.dumps(document))
    result = imc_run("run", program, "--schedule", path)
    assert result.exit_code == 5
    assert "has to wait for a mutex" in result.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_a_run_cleanly(imc: Imc, imc_run: Run, number: int, code: int) -> None:
    program = EXAMPLES / "prodcons.c"
    schedule = emitted(imc_run, program)
    process = imc.start("run", program, "--schedule", schedule, "--trace", "run.jsonl")
    trace = imc.folder / "run.jsonl"
    wait_until(lambda: process.poll() is not None or (trace.exists() and trace.stat().st_size > 0))
    process.send_signal(number)
    assert finish(process).code == code
    assert imc_run("replay", program, trace, "--schedule", schedule).exit_code == 0


def test_closed_streams(imc: Imc, tmp_path: Path) -> None:
    program = source(tmp_path, "int main(void) { return getchar() == EOF ? 6 : 1; }")
    process = imc.start("run", program, "--unconstrained", preexec_fn=lambda: os.close(0))
    assert finish(process).code == 6
    endless = source(tmp_path, 'int main(void) { for (;;) puts("y"); }', "yes.c")
    process = imc.start("run", endless, "--unconstrained")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    assert finish(process).code == 141
