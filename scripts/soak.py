"""Wrong programs under their schedules, for as long as one likes: they must never fail.

Without a schedule, the wrong double lock deadlocks and the producers and consumers that check
without a lock fail an assertion. Enforced, they run natively with random priorities, on one core or
all, beside other processes that compute, and a timer stops threads at random places for random
times. Many short runs, some of them recorded and checked, and one long one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from soak_swaps import soak_swaps

import imc.api
from imc.execution.native.build import BuildOptions, build
from imc.execution.native.process import NativeOptions
from imc.frontend.clang import CompilerOptions, find_compiler, run_compiler
from imc.measurement.bench.bench import first_schedule
from imc.program.words.sites import site_text
from irs.errors import BadRecord
from irs.record import check_record
from irs.schedule import Schedule

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PROGRAMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "double lock": ("double_lock_wrong", ()),
    "2 producers, 2 consumers": ("prodcons_unlocked_check", ()),
    "4 producers, 4 consumers": ("prodcons_unlocked_check", ("PRODUCERS=4", "CONSUMERS=4")),
}
STILL = 10  # looks at a process that does nothing, before it is called stuck
BUSY = "while True: pass"
# Linked with the programs: whichever thread a signal reaches sleeps, yields or computes a while.
DELAYS = """
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static _Atomic unsigned state;
static unsigned some(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}
static void again(void)
{
    struct itimerval next = {{0, 0}, {0, 1 + some(4000)}};
    setitimer(ITIMER_REAL, &next, NULL);
}
static void delay(int signal)
{
    struct timespec time = {0, some(200000)};
    volatile unsigned rounds = some(20000);
    switch (some(3)) {
    case 0: nanosleep(&time, NULL); break;
    case 1: sched_yield(); break;
    default: while (rounds > 0) rounds--;
    }
    again();
}
__attribute__((constructor)) static void begin(void)
{
    const char *seed = getenv("SOAK_DELAYS");
    struct sigaction action = {.sa_handler = delay, .sa_flags = SA_RESTART};
    if (!seed)
        return;
    state = atoi(seed);
    sigaction(SIGALRM, &action, NULL);
    again();
}
"""


@dataclass(frozen=True, slots=True)
class Soaked:
    """A program without its schedule and with it."""

    name: str
    free: Path
    enforced: Path
    schedule: Schedule

    def time_to_failure(self, patience: float) -> str:
        """What happens without a schedule; it is stuck if all sleep and no time is used."""
        began = time.perf_counter()
        with subprocess.Popen([self.free], stderr=subprocess.DEVNULL) as child:
            used, still = -1.0, 0
            while (elapsed := time.perf_counter() - began) < patience:
                if child.poll() is not None:
                    return f"ends with {child.returncode} after {elapsed:.2f} s"
                time.sleep(0.05)
                before, used = used, used_seconds(child.pid)
                still = still + 1 if used == before and asleep(child.pid) else 0
                if still == STILL:
                    child.kill()
                    return f"deadlocks within {elapsed:.2f} s"
            child.kill()
        return f"does not fail in {patience:.0f} s"

    def run(self, seconds: float, trace: Path | None, rng: random.Random) -> tuple[str, int]:
        """What was wrong with an enforced run, or nothing, and how many events were checked."""
        command = ["nice", "-n", str(rng.randrange(20)), str(self.enforced)]
        if rng.random() < 0.5:
            command = ["taskset", "-c", str(rng.choice(sorted(os.sched_getaffinity(0)))), *command]
        environment = NativeOptions(seconds=seconds, trace=trace, watchdog_s=10).environment()
        if rng.random() < 0.5:
            environment["SOAK_DELAYS"] = str(rng.randrange(1 << 30))
        problem = ended(command, environment, 60 + seconds)
        if problem or trace is None:
            return problem, 0
        record = [json.loads(line) for line in trace.read_text().splitlines()]
        try:
            check_record(self.schedule, record)
        except BadRecord as problem:
            return str(problem), 0
        return "", len(record)

    def loop(self, seconds: float, stats: Path, seed: int) -> tuple[str, int]:
        """What was wrong with one long run with delays, or nothing, and its events."""
        environment = NativeOptions(seconds=seconds, stats=stats, watchdog_s=10).environment()
        environment["SOAK_DELAYS"] = str(seed)
        problem = ended(["nice", "-n", "5", str(self.enforced)], environment, 60 + seconds)
        if problem:
            return problem, 0
        return "", sum(json.loads(line)["events"] for line in stats.read_text().splitlines())


def ended(command: list[str], environment: dict[str, str], limit: float) -> str:
    """What was wrong with how a process has ended, or nothing."""
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=limit,
            text=True,
        )
    except subprocess.TimeoutExpired:
        return "did not end"
    return f"status {done.returncode}: {done.stderr.strip()}" if done.returncode else ""


def used_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def asleep(process: int) -> bool:
    stats = Path(f"/proc/{process}/task").glob("*/stat")
    return all(stat.read_text().rpartition(")")[2].split()[0] == "S" for stat in stats)


def compile_plainly(source: Path, defines: tuple[str, ...], output: Path) -> None:
    """Without optimisation, which may read the racing variables only once, before a loop."""
    compiler = find_compiler(CompilerOptions())
    command = list(compiler.command)
    if compiler.library is not None:
        command[-1] = "cc"
    flags = ["-O0", "-fno-sanitize=all", "-w", "-pthread", *(f"-D{define}" for define in defines)]
    code, _, messages = run_compiler([*command, *flags, str(source), "-o", str(output)])
    if code:
        raise SystemExit(messages.decode())


def make(name: str, folder: Path, level: str) -> Soaked:
    file, defines = PROGRAMS[name]
    program = imc.api.load(EXAMPLES / f"{file}.c", define=defines)
    schedule = first_schedule(program, 60, lambda _: None)[level]
    free, enforced = folder / f"{name} free", folder / f"{name} enforced"
    delays = folder / "delays.c"
    delays.write_text(DELAYS)
    compile_plainly(EXAMPLES / f"{file}.c", defines, free)
    build(program, schedule, enforced, site_text, BuildOptions(link=(str(delays),)))
    return Soaked(name, free, enforced, schedule)


def soak(one: Soaked, options: argparse.Namespace, folder: Path, rng: random.Random) -> int:
    """Prints a line; how many runs failed."""
    failures = runs = recorded = events = 0
    began = time.perf_counter()
    limit = 60 * options.minutes / len(PROGRAMS)
    while runs < options.runs and time.perf_counter() - began < limit:
        trace = folder / "trace" if runs % options.check_every == 0 else None
        problem, checked = one.run(rng.uniform(0.005, options.seconds), trace, rng)
        runs += 1
        recorded += trace is not None
        events += checked
        if problem:
            failures += 1
            print(f"{one.name}: {problem}", flush=True)
    elapsed = time.perf_counter() - began
    text = f"{runs} runs in {elapsed:.0f} s, {failures} failures"
    print(f"{one.name}: {text}, {recorded} checked with {events} lines", flush=True)
    if options.loop:
        problem, passed = one.loop(60 * options.loop, folder / "stats", rng.randrange(1 << 30))
        failures += bool(problem)
        outcome = problem or f"{passed:,} events"
        print(f"{one.name}: one run of {options.loop:g} minutes: {outcome}", flush=True)
    return failures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1, help="at most, of all programs")
    parser.add_argument("--runs", type=int, default=1000, help="at most, of each program")
    parser.add_argument("--seconds", type=float, default=0.03, help="of a run, at most")
    parser.add_argument("--loop", type=float, default=0, help="minutes of one long run of each")
    parser.add_argument("--check-every", type=int, default=10, help="which runs are recorded")
    parser.add_argument("--load", type=int, default=2, help="processes that compute meanwhile")
    parser.add_argument("--level", default="opt3")
    parser.add_argument("--swaps", type=int, default=0, help="of schedules, instead of all this")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    failures = 0
    if options.swaps:
        for name, (source, defines) in PROGRAMS.items():
            given = (options.swaps, options.load, options.seed)
            failures += soak_swaps(name, source, defines, *given)
        raise SystemExit(1 if failures else 0)
    with tempfile.TemporaryDirectory(prefix="imc-soak-") as name:
        programs = [make(program, Path(name), options.level) for program in PROGRAMS]
        for one in programs:
            tried = [one.time_to_failure(30) for _ in range(3)]
            print(f"{one.name}, no schedule: {'; '.join(tried)}", flush=True)
        load = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(options.load)]
        try:
            failures = sum(soak(one, options, Path(name), rng) for one in programs)
        finally:
            for process in load:
                process.send_signal(signal.SIGKILL)
                process.wait()
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
