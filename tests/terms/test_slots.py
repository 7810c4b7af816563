"""Memory that holds addresses, indexed by what is not known."""

from __future__ import annotations

from pathlib import Path

import pytest
from patience import HANG_S

import imc.api
from imc.errors import Unsupported
from imc.program.memory import MemoryObject
from imc.program.types import IntType, PtrType
from imc.program.verdict import Verdict
from imc.terms.integers import IntegerDomain
from imc.terms.slots import Slots, to_slots
from imc.terms.terms import Terms

RING = """
#include <pthread.h>
#include <stdlib.h>
static int *ring[SLOTS];
static int in, out, count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, less = PTHREAD_COND_INITIALIZER;
static void *producer(void *unused) {
    for (;;) {
        int *item = malloc(sizeof *item);
        *item = 42;
        pthread_mutex_lock(&m);
        while (count == SLOTS) pthread_cond_wait(&less, &m);
        ring[in] = item;
        in = (in + 1) % SLOTS;
        count++;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&m);
    }
    return unused;
}
static void *consumer(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (count == 0) pthread_cond_wait(&more, &m);
        int *item = ring[TAKEN];
        out = (out + 1) % SLOTS;
        count--;
        pthread_cond_signal(&less);
        pthread_mutex_unlock(&m);
        if (*item != 42) abort();
        free(item);
    }
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
"""


def ring(folder: Path, slots: int, taken: str = "out") -> Path:
    source = folder / f"ring{slots}.c"
    source.write_text(f"#define SLOTS {slots}\n#define TAKEN {taken}\n{RING}")
    return source


def test_a_proof_does_not_know_how_large_a_ring_of_addresses_is(tmp_path: Path) -> None:
    nodes = []
    for slots in (100, 1000):
        source, schedule = ring(tmp_path, slots), tmp_path / f"ring{slots}.json"
        found = imc.api.verify(source, until="first", time_limit=HANG_S, emit_schedule=schedule)
        nodes += [result.nodes for result in found]
        imc.api.check(source, schedule)
    assert len(nodes) == 2
    assert nodes[0] == nodes[1]


def test_a_slot_that_was_taken_before_is_noticed(tmp_path: Path) -> None:
    source = ring(tmp_path, 3, "0")
    outcome = imc.api.verify(source, until="first", time_limit=HANG_S).run()
    assert outcome.verdict in (Verdict.UNSAFE, Verdict.UNKNOWN)


# ---------------------------------------------------------------- slots by themselves


class Asked:
    """Answers questions of a step one after the other, and remembers them."""

    def __init__(self, domain: IntegerDomain, *answers: bool) -> None:
        self.answers = list(answers)
        self.questions: list[str] = []
        domain.arithmetic.decide = self.decide

    def decide(self, condition: object) -> bool:
        self.questions.append(str(condition))
        return self.answers.pop(0)


@pytest.fixture
def domain() -> IntegerDomain:
    return IntegerDomain(Terms())


def slots_of(domain: IntegerDomain, cells: dict[int, tuple[int, object]], size: int = 80) -> Slots:
    contents = MemoryObject(size, 0)
    contents.cells = dict(cells)
    made = to_slots(7, contents, domain)
    assert made is not None
    return made


def test_what_was_written_last_is_read(domain: IntegerDomain) -> None:
    slots = slots_of(domain, {})
    at = domain.terms.scale(domain.symbol("i", 64), 8)
    slots.write(at, 8, (3, 0), domain)
    slots.write(at, 8, (4, 0), domain)
    assert slots.read(at, 8, PtrType(), domain) == (4, 0)
    assert len(slots.slots) == 1


def test_other_places_are_asked_for(domain: IntegerDomain) -> None:
    slots = slots_of(domain, {})
    i, j = (domain.terms.scale(domain.symbol(name, 64), 8) for name in "ij")
    slots.write(i, 8, (3, 0), domain)
    asked = Asked(domain, False, True, False)
    assert slots.read(j, 8, PtrType(), domain) == 0
    assert slots.read(j, 8, PtrType(), domain) == (3, 0)
    slots.write(j, 8, (4, 0), domain)
    assert [s.value for s in slots.slots] == [(3, 0), (4, 0)]
    assert len(asked.questions) == 3


def test_known_cells_become_slots(domain: IntegerDomain) -> None:
    slots = slots_of(domain, {0: (8, (3, 0)), 16: (8, (5, 8))})
    assert slots.read(16, 8, PtrType(), domain) == (5, 8)
    assert slots.read(8, 8, PtrType(), domain) == 0
    with pytest.raises(Unsupported, match="different sizes"):
        slots.read(16, 4, IntType(32), domain)
    with pytest.raises(Unsupported, match="between two elements"):
        slots.read(12, 8, PtrType(), domain)


def test_addresses_of_ended_objects_are_forgotten(domain: IntegerDomain) -> None:
    slots = slots_of(domain, {0: (8, (3, 0)), 8: (8, (4, 0))})
    assert slots.leads_to({3})
    left = slots.without({3})
    assert not left.leads_to({3})
    assert left.read(8, 8, PtrType(), domain) == (4, 0)
    with pytest.raises(Unsupported, match="not known any more"):
        left.read(0, 8, PtrType(), domain)
    assert slots.read(0, 8, PtrType(), domain) == (3, 0)


def test_large_objects_have_no_slots(domain: IntegerDomain) -> None:
    contents = MemoryObject(8000, 0)
    contents.cells = {8 * k: (8, (3, 0)) for k in range(1000)}
    assert to_slots(7, contents, domain) is None


def test_zeros_of_different_sizes_are_told_apart(domain: IntegerDomain) -> None:
    cells = []
    for size in (4, 8):
        slots = slots_of(domain, {8: (8, (3, 0))})
        slots.write(0, size, domain.symbol(f"x{size}", 8 * size), domain)
        slots.slots = [s._replace(value=0, index=1, scale=1) for s in slots.slots[1:]]
        cells.append({at: cell for at, cell in slots.cells.items() if cell[1] != 0})
    assert cells[0] != cells[1]
