"""Random programs whose threads wait in loops of their own making: locks, flags, retries."""

from __future__ import annotations

import random

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z, lock, turn;
static int seen[8];
"""
STEPS = (
    "x = {n};",
    "y = {n};",
    "seen[{k}] = x;",
    "seen[{k}] = y;",
    "atomic_fetch_add(&x, {n});",
    "atomic_fetch_sub(&y, {n});",
    "seen[{k}] = atomic_fetch_add(&x, 1);",
    "atomic_exchange(&y, {n});",
    "if (x == {n}) y = 2;",
    "if (y > {n}) {{ z = 1; }} else {{ seen[{k}] = z; }}",
    "{{ int e = {n}; atomic_compare_exchange_strong(&x, &e, 2); seen[{k}] = e; }}",
    "while (atomic_exchange(&lock, 1)); seen[{k}] = x; x = {n}; lock = 0;",
    "while (x != {n});",
    "while (y < {n}) {{ if (z) break; }}",
    "do {{ while (lock); }} while (atomic_exchange(&lock, 1)); z = z + 1; lock = 0;",
    "{{ int e = y; while (!atomic_compare_exchange_strong(&y, &e, e + 1)); }}",
    "{{ int a, b; do {{ a = turn; b = x; }} while (a != turn || (a & 1)); seen[{k}] = b; }}",
    "atomic_fetch_add(&turn, 1); x = {n}; atomic_fetch_add(&turn, 1);",
    "{{ int e; do {{ e = 0; }} while (!atomic_compare_exchange_strong(&lock, &e, 1)); }} lock = 0;",
)


def spinning_program(seed: int, number: int) -> str:
    """The same for the same numbers."""
    rng = random.Random(f"spinning {seed} {number}")
    count = rng.choice((2, 2, 3))
    text = [HEAD]
    slot = 0
    for t in range(count):
        lines = []
        for _ in range(rng.randint(1, 3 if count == 2 else 2)):
            lines.append("    " + rng.choice(STEPS).format(n=rng.randint(0, 2), k=slot % 8))
            slot += 1
        body = "\n".join(lines)
        text.append(f"static void *thread{t}(void *a)\n{{\n{body}\n    return a;\n}}")
    starts = "\n".join(f"    pthread_create(&t[{n}], 0, thread{n}, 0);" for n in range(count))
    ends = "\n".join(f"    pthread_join(t[{n}], 0);" for n in range(count))
    wrong = rng.choice(("", "    assert(x != 2 || y != 1);\n"))
    text.append(f"int main(void)\n{{\n    pthread_t t[{count}];\n{starts}\n{ends}\n{wrong}")
    text.append("    return 0;\n}\n")
    return "\n".join(text)
