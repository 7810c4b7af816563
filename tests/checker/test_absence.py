"""What is left out must be needless, whatever the compiler thinks of it.

The compiler is given mistakes: it is told that operations may be left out, of programs in which
they are needed. The check does not know what it thinks, and must find out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from compiled import SETTINGS, compiled
from enforcement import Enforcement, Stage

import imc.api
from imc.checker.check import check_schedule
from imc.checker.refusal import Rejected
from imc.program.code import Site
from imc.program.instructions import Library
from imc.program.library import LIBRARY, Role, Visibility
from imc.program.program import Program
from imc.schedule import omission
from imc.schedule.beliefs import Ambiguous
from imc.schedule.omission import Omission
from irs.schedule import Schedule

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void foreign(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
struct pair { pthread_mutex_t lock; int value; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, copy;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b;
static pthread_spinlock_t s;
static struct pair pair = { PTHREAD_MUTEX_INITIALIZER, 0 }, *made = &pair;
static int x, y;
static int held(struct pair p) { return *(int *)&p.lock; }
static void *worker(void *argument)
{
    WORKER
    return argument;
}
int main(void)
{
    pthread_t thread;
    BEFORE
    pthread_create(&thread, 0, worker, 0);
    MAIN
    pthread_join(thread, 0);
    AFTER
    return 0;
}
"""

LOCKED = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
SPUN = "pthread_spin_lock(&s); x++; pthread_spin_unlock(&s);"
PAIRED = "pthread_mutex_lock(&pair.lock); pair.value++; pthread_mutex_unlock(&pair.lock);"
MADE = "pthread_mutex_lock(&made->lock); made->value++; pthread_mutex_unlock(&made->lock);"
MEET = "x++; pthread_barrier_wait(&b); y = x;"
ASK = "if (pthread_barrier_wait(&b)) y = 1;"
RECURSIVE = (
    "pthread_mutexattr_t a; pthread_mutexattr_init(&a);"
    "pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &a);"
)
CHECKED = RECURSIVE.replace("RECURSIVE", "ERRORCHECK")
TWICE = "pthread_mutex_lock(&m); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"

# What the worker does, main before, during and after that, and whether no lock is needed then.
PROGRAMS: dict[str, tuple[str, str, str, str, bool]] = {
    "a mutex": (LOCKED, "", LOCKED, "", True),
    "a spin lock": (SPUN, "pthread_spin_init(&s, 0);", SPUN, "", True),
    "a mutex in a struct": (PAIRED, "", PAIRED, "assert(pair.value == 2);", True),
    "a barrier": (MEET, "pthread_barrier_init(&b, 0, 2);", MEET, "", True),
    "a recursive mutex": (
        TWICE + "pthread_mutex_unlock(&m);", RECURSIVE, LOCKED, "", True,
    ),
    "destroyed": (LOCKED, "", LOCKED, "pthread_mutex_destroy(&m);", True),
    "made again": (
        LOCKED, "pthread_mutex_init(&m, 0);", LOCKED,
        "pthread_mutex_destroy(&m); pthread_mutex_init(&m, 0);" + LOCKED, True,
    ),
    "destroyed, and asked": (LOCKED, "", LOCKED, "x = pthread_mutex_destroy(&m);", False),
    "tried": (LOCKED, "", "if (pthread_mutex_trylock(&m)) y = 1;", "", False),
    "waited with": (
        "pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);", "",
        "pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
        "", False,
    ),
    "looked at": (
        LOCKED, "", "pthread_mutex_lock(&m); y = *(int *)&m; pthread_mutex_unlock(&m);", "", False,
    ),
    "looked at before there are threads": (
        LOCKED, "pthread_mutex_lock(&m); y = *(int *)&m; pthread_mutex_unlock(&m);", LOCKED, "",
        False,
    ),
    "looked at in a loop": (
        LOCKED, "pthread_mutex_lock(&m); unsigned n = __VERIFIER_nondet_uint() % 2;"
        "do { if (*(int *)&m == 0) y = 1; } while (n-- > 0); pthread_mutex_unlock(&m);", LOCKED, "",
        False,
    ),
    "looked at first in a loop": (
        LOCKED, "pthread_mutex_lock(&m); unsigned n = __VERIFIER_nondet_uint() % 3;"
        "while (*(volatile int *)&m != 0 && n != 1) n = __VERIFIER_nondet_uint() % 2 + n / 2;"
        "pthread_mutex_unlock(&m);", LOCKED, "", False,
    ),
    "copied": (LOCKED, "", "pthread_mutex_lock(&m); memcpy(&copy, &m, sizeof m);"
               "pthread_mutex_unlock(&m);", "", False),
    "compared": (LOCKED, "", "pthread_mutex_lock(&m); y = memcmp(&copy, &m, sizeof m);"
                 "pthread_mutex_unlock(&m);", "", False),
    "passed by value": (
        PAIRED, "", "pthread_mutex_lock(&pair.lock); y = held(pair);"
        "pthread_mutex_unlock(&pair.lock);", "", False,
    ),
    "assigned": (
        PAIRED, "", "pthread_mutex_lock(&pair.lock); struct pair other = pair; y = held(other);"
        "pthread_mutex_unlock(&pair.lock);", "", False,
    ),
    "on the heap": (
        MADE, "made = calloc(1, sizeof *made); pthread_mutex_init(&made->lock, 0);", MADE, "",
        False,
    ),
    "asked who came last": (
        ASK, "pthread_barrier_init(&b, 0, 2);", ASK, "assert(y == 1);", False,
    ),
    "locked twice, and refused": (
        "pthread_mutex_lock(&m); y = pthread_mutex_lock(&m); pthread_mutex_unlock(&m);", CHECKED,
        LOCKED, "assert(y != 0);", False,
    ),
    "foreign code": (LOCKED, "", "pthread_mutex_lock(&m); foreign(); pthread_mutex_unlock(&m);",
                     "", False),
    "an atomic section": (
        LOCKED, "", f"__VERIFIER_atomic_begin(); {LOCKED} __VERIFIER_atomic_end();", "", False,
    ),
}  # fmt: skip


def everything(self: Omission) -> set[Site]:
    """All locks and barriers."""
    return {site for site in self.events if _role(self, site) in (Role.LOCK, Role.MEET)}


def even_the_library(self: Omission) -> set[Site]:
    """All that synchronises, or looks like it: starting threads, too."""
    return {site for site in self.events if _visible(self, site) is Visibility.ALWAYS}


def all_but_threads(self: Omission) -> set[Site]:
    """All that synchronises or puts out, but for what starts and joins threads."""
    return {
        site
        for site in even_the_library(self)
        if not any(event.spawned or event.joined or event.exits for event in self.events[site])
    }


def only_half(self: Omission) -> set[Site]:
    """Locks, but not where they are given back."""
    return {
        site for site in everything(self) if "unlock" not in self.image.code(site[0]).names[site[1]]
    }


def _library(self: Omission, site: Site) -> Library | None:
    instruction = self._instruction(site)
    return instruction if isinstance(instruction, Library) else None


def _role(self: Omission, site: Site) -> Role:
    found = _library(self, site)
    return Role.NONE if found is None else LIBRARY[found.function].role


def _visible(self: Omission, site: Site) -> Visibility:
    found = _library(self, site)
    return Visibility.LOCAL if found is None else LIBRARY[found.function].visible


@pytest.mark.parametrize("operation", ['puts("x");', "pthread_detach(pthread_self());"])
def test_what_does_more_than_to_synchronise(
    operation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Omission, "sites", all_but_threads)
    path = tmp_path / "program.c"
    text = PROGRAM.replace("WORKER", LOCKED).replace("BEFORE", operation)
    path.write_text(text.replace("MAIN", LOCKED).replace("AFTER", ""))
    program = imc.api.load(path)
    for schedule in schedules(program):
        with pytest.raises(Rejected, match="does more"):
            check_schedule(program, schedule, SETTINGS)


def program_of(name: str, folder: Path) -> Program:
    worker, before, during, after, _ = PROGRAMS[name]
    text = PROGRAM.replace("WORKER", worker).replace("BEFORE", before)
    path = folder / "program.c"
    path.write_text(text.replace("MAIN", during).replace("AFTER", after))
    return imc.api.load(path)


def schedules(program: Program) -> Iterator[Schedule]:
    for level in ("opt1", "opt3"):
        for found in compiled(program, 1, (level,)):
            yield from found


def leaves_out(schedule: Schedule) -> bool:
    return any(not site.performed for site in schedule.sites)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_compiler_that_leaves_everything_out(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Omission, "sites", everything)
    program = program_of(name, tmp_path)
    found = list(schedules(program))
    assert found and all(map(leaves_out, found))
    for schedule in found:
        if PROGRAMS[name][-1]:
            check_schedule(program, schedule, SETTINGS)
            assert Enforcement(Stage(program, SETTINGS, schedule), schedule).check() == []
            continue
        with pytest.raises(Rejected, match=r"left out|does more"):
            check_schedule(program, schedule, SETTINGS)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("mistake", [even_the_library, only_half])
def test_other_mistakes(
    name: str,
    mistake: Callable[[Omission], set[Site]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """None of these programs can do without starting a thread, or with half of a lock."""
    monkeypatch.setattr(Omission, "sites", mistake)
    program = program_of(name, tmp_path)
    harmless = mistake is only_half and name in ("a barrier",)
    for schedule in schedules(program):
        if not leaves_out(schedule) or harmless:
            continue
        with pytest.raises(Rejected, match=r"left out|does more"):
            check_schedule(program, schedule, SETTINGS)


@pytest.mark.parametrize("part", ["_is_seen", "_succeeds", "_is_known", "has_hidden_operations"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_condition_that_the_compiler_forgets(
    name: str, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is accepted then does no harm."""
    answer = part in ("_succeeds", "_is_known")
    where = omission if part == "has_hidden_operations" else Omission
    monkeypatch.setattr(where, part, lambda *_: answer)
    program = program_of(name, tmp_path)
    try:
        found = list(schedules(program))
    except (Ambiguous, AssertionError):
        return  # no schedule is none that does harm
    for schedule in found:
        try:
            check_schedule(program, schedule, SETTINGS)
        except Rejected:
            continue
        assert PROGRAMS[name][-1] or not leaves_out(schedule)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_the_compiler_really_leaves_out_is_accepted(name: str, tmp_path: Path) -> None:
    program = program_of(name, tmp_path)
    for schedule in schedules(program):
        check_schedule(program, schedule, SETTINGS)
        assert leaves_out(schedule) <= PROGRAMS[name][-1]
