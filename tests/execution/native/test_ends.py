"""Built programs end when they should, with the status they should, and not before."""

from __future__ import annotations

import ctypes
import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from natively import EXAMPLES, native, program_of, schedule_of, with_schedule
from patience import HANG_S, LONGER_S, computed_s, has_ended, threads_of, wait_until

from imc.execution.native.build import BuildOptions, build
from imc.execution.native.process import NativeOptions
from imc.program.words.sites import site_text
from irs.schedule import Free, Section

HEAD = """#include <pthread.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
int x;
static void step(void) { pthread_mutex_lock(&m); x ^= 1; pthread_mutex_unlock(&m); }
"""
ONCE = HEAD + "static void *other(void *a) { step(); return a; }\n"


def written(folder: Path, text: str) -> Path:
    source = folder / "program.c"
    source.write_text(text)
    return source


def test_the_last_thread_ends_the_process_although_the_run_time_has_one(folder: Path) -> None:
    main = (
        "int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); step(); pthread_exit(0); }"
    )
    made = native(written(folder, ONCE + main), folder)
    ran = made.run(NativeOptions(stats=folder / "stats", trace=folder / "trace"))
    assert (ran.status, ran.errors) == (0, "")
    assert (folder / "stats").exists()


def test_the_time_is_over_while_a_thread_waits_for_input(folder: Path) -> None:
    """It holds the lock of its stream, so that streams cannot all be flushed."""
    main = """int main(void)
    {
        pthread_t t;
        pthread_create(&t, 0, other, 0);
        puts("begun");
        x = getchar() == 3;
        pthread_join(t, 0);
        return 0;
    }"""
    made = native(
        written(folder, HEAD + "static void *other(void *a) { return a; }" + main), folder
    )
    for seconds in LONGER_S:  # on a busy machine it may be over before the program has begun
        child = subprocess.Popen(
            [made.built.executable],
            env=NativeOptions(seconds=seconds).environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with child:
            try:
                assert child.wait(HANG_S) == 0
            finally:
                child.kill()
            assert child.stdout is not None
            said = child.stdout.read()
        if said:
            break
    assert said == b"begun\n"


def test_signals_of_the_program_do_not_end_the_run(folder: Path) -> None:
    """Every thread gets one that the program handles; who waits for the end must go on waiting."""
    handler = folder / "handler.c"
    handler.write_text("""#include <signal.h>
        static void ring(int signal) { (void)signal; }
        __attribute__((constructor)) static void begin(void) { signal(SIGALRM, ring); }""")
    program = program_of(EXAMPLES / "prodcons.c")
    schedule = schedule_of(EXAMPLES / "prodcons.c")
    executable = folder / "rings"
    build(program, schedule, executable, site_text, BuildOptions(link=(str(handler),)))
    tgkill = 234  # on x86-64
    for seconds in (1, 10, 100):  # on a busy machine it may be over before the signals come
        began = time.monotonic()
        environment = NativeOptions(seconds=seconds).environment()
        with subprocess.Popen([executable], env=environment) as child:
            wait_until(
                lambda: (
                    has_ended(child.pid)
                    or (computed_s(child.pid) > 0.1 and len(threads_of(child.pid)) >= 3)
                )
            )
            threads = threads_of(child.pid)
            for thread in threads:
                ctypes.CDLL(None).syscall(tgkill, child.pid, thread, signal.SIGALRM)
            in_time = not has_ended(child.pid)
        assert child.returncode == 0
        assert time.monotonic() - began >= seconds
        if in_time:
            break
    assert in_time and len(threads) >= 3


def test_who_looks_at_once_does_not_take_it_for_a_stall(folder: Path) -> None:
    """Threads that have nothing to do look at the same time how far the others are."""
    text = """static void *idle(void *a) { pthread_mutex_lock(&held); return a; }
    static void *other(void *a) { for (;;) step(); return a; }
    int main(void)
    {
        pthread_t t;
        pthread_mutex_lock(&held);
        for (int i = 0; i < 8; i++)
            pthread_create(&t, 0, idle, 0);
        pthread_create(&t, 0, other, 0);
        pthread_create(&t, 0, other, 0);
        for (;;)
            step();
    }"""
    made = native(written(folder, HEAD + text), folder, "opt0")
    for watchdog_s in (1, 5, 25):  # a busy machine may let nobody move for as long
        ran = made.run(NativeOptions(seconds=3.5 * watchdog_s, watchdog_s=watchdog_s))
        if not ran.errors:
            break
    assert (ran.status, ran.errors) == (0, "")


def test_who_joins_a_thread_that_an_assumption_has_stopped(folder: Path) -> None:
    """Whether it comes to join before or after."""
    text = """static void *other(void *a)
    {
        for (volatile int i = 0; i < EARLY; i++)
            ;
        __VERIFIER_assume(__VERIFIER_nondet_int() == 12345);
        step();
        return a;
    }
    int main(void)
    {
        pthread_t t;
        pthread_create(&t, 0, other, 0);
        for (volatile int i = 0; i < LATE; i++)
            ;
        pthread_join(t, 0);
        return 1;
    }"""
    for times in (("EARLY=0", "LATE=100000000"), ("EARLY=100000000", "LATE=0")):
        made = native(written(folder, HEAD + text), folder, "", times)
        ran = made.run(NativeOptions(seed=1))
        assert (ran.status, "an assumption has failed" in ran.errors) == (0, True)


def test_a_watchdog_that_never_looks(folder: Path) -> None:
    main = """int main(void)
    { pthread_t t; pthread_create(&t, 0, other, 0); step(); pthread_join(t, 0); return 7; }"""
    made = native(written(folder, ONCE + main), folder)
    ran = made.run(NativeOptions(watchdog_s=0.0))
    assert (ran.status, ran.errors) == (7, "")


def test_standard_output_is_left_to_the_result(folder: Path) -> None:
    source = written(folder, HEAD + 'int main(void) { puts("said"); return 3; }')
    command = [sys.executable, "-m", "imc", "run", str(source), "--unconstrained"]
    ran = subprocess.run(
        [*command, "--backend", "native", "--json", "-"], capture_output=True, timeout=HANG_S
    )
    assert json.loads(ran.stdout)["exit_status"] == ran.returncode == 3
    assert b"said\n" in ran.stderr


def test_threads_that_the_schedule_does_not_name_can_wait(folder: Path) -> None:
    """Where it orders nothing any more they may be started, and do all that others do."""
    text = """pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    static void *other(void *a)
    {
        pthread_mutex_lock(&m);
        while (!x)
            pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return a;
    }
    int main(void)
    {
        pthread_t t, u;
        pthread_create(&t, 0, other, 0);
        pthread_create(&u, 0, other, 0);
        for (volatile int i = 0; i < LATE; i++)
            ;
        step();
        pthread_cond_broadcast(&c);
        pthread_join(t, 0);
        pthread_join(u, 0);
        return 0;
    }"""
    source = written(folder, HEAD + text)
    known = schedule_of(source, "opt0", ("LATE=1",))
    program = program_of(source, ("LATE=30000000",))
    free = replace(
        known,
        program=replace(known.program, digest=program.digest),
        threads=("main",),
        sections=(Section((), Free()),),
        start=0,
        certificate=None,
    )
    ran = with_schedule(program, free, folder).run()
    assert (ran.status, ran.errors) == (0, "")
