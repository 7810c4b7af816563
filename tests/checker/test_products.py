"""Labels and steps with products of unknowns are decided too."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled import SETTINGS, compiled

import imc.api
from imc.checker.check import check_schedule
from imc.checker.deadline import Deadline
from imc.checker.opinion import SecondOpinion
from imc.checker.refusal import Undecided
from imc.program.faults import OutOfTime
from imc.terms.terms import Terms

AREA = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static int x, y, z, large;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *argument)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&m);
        z = x * (y + i);
        if (z > 40)
            large++;
        pthread_mutex_unlock(&m);
    }
    return argument;
}
int main(void)
{
    pthread_t thread;
    x = __VERIFIER_nondet_int();
    y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 1 && x <= 10 && y >= 1 && y <= 10);
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(large <= 2 * ROUNDS);
    assert(z >= x && z <= 10 * (9 + ROUNDS));
    return 0;
}
"""


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_schedule_whose_proof_multiplies(rounds: int, tmp_path: Path) -> None:
    path = tmp_path / "area.c"
    path.write_text(AREA.replace("ROUNDS", str(rounds)))
    program = imc.api.load(path)
    ((schedule,),) = compiled(program, 1)
    check_schedule(program, schedule, SETTINGS)


def test_what_nobody_can_decide_is_not_decided() -> None:
    """A sum of three cubes: not refuted, not proved, and in time."""
    terms = Terms()
    cubes = []
    for name in "abc":
        symbol = terms.symbol(name)
        cubes.append(terms.multiply(symbol, terms.multiply(symbol, symbol)))
    sum = terms.add(cubes[0], terms.add(cubes[1], cubes[2]))
    question = terms.equal(sum, terms.integer(114))
    with pytest.raises((Undecided, OutOfTime)):
        SecondOpinion(terms, Deadline(0.5)).satisfiable([question])
