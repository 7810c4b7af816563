"""Random programs whose threads wait in loops of their own making: locks, flags, retries."""

from __future__ import annotations

import random

from crosscheck.source import Body, Line, Source

DECLARATIONS = (
    "#include <stdatomic.h>",
    "static atomic_int a, b, c, lock, turn;",
    "static int seen[8], inside;",
    "struct node { struct node *_Atomic next; int item; };",
    "static struct node nodes[8];",
    "static struct node *_Atomic top;",
    "static pthread_barrier_t both;",
    "static int tries(atomic_int *cell, int *old, int new) {"
    " return atomic_compare_exchange_strong(cell, old, new); }",
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
    "static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;",
)
STEPS = (
    "a = {n};",
    "b = {n};",
    "seen[{k}] = a;",
    "seen[{k}] = b;",
    "atomic_fetch_add(&a, {n});",
    "atomic_fetch_sub(&b, {n});",
    "seen[{k}] = atomic_fetch_add(&a, 1);",
    "atomic_exchange(&b, {n});",
    "if (a == {n}) b = 2;",
    "if (b > {n}) {{ c = 1; }} else {{ seen[{k}] = c; }}",
    "{{ int e = {n}; atomic_compare_exchange_strong(&a, &e, 2); seen[{k}] = e; }}",
    "while (atomic_exchange(&lock, 1)); seen[{k}] = a; a = {n}; lock = 0;",
    "while (a != {n});",
    "while (b < {n}) {{ if (c) break; }}",
    "while (a == {n}) {{ if (b == 2) c = {n}; }}",
    "for (int i = 0; i < 2 && a != {n}; i++);",
    "do {{ while (lock); }} while (atomic_exchange(&lock, 1)); c = c + 1; lock = 0;",
    "{{ int e = b; while (!atomic_compare_exchange_strong(&b, &e, e + 1)); }}",
    "{{ int u, v; do {{ u = turn; v = a; }} while (u != turn || (u & 1)); seen[{k}] = v; }}",
    "atomic_fetch_add(&turn, 1); a = {n}; atomic_fetch_add(&turn, 1);",
    "{{ int e; do {{ e = 0; }} while (!atomic_compare_exchange_strong(&lock, &e, 1)); }} lock = 0;",
    "{{ int e = a; while (e < 2 && !atomic_compare_exchange_strong(&a, &e, e + {n})); }}",
    "{{ int e = a, f; do {{ f = b; }} while (!atomic_compare_exchange_strong(&a, &e, f)); }}",
    "{{ int e = a; do {{ seen[{k}] = e; }} while (!atomic_compare_exchange_weak(&a, &e, {n})); }}",
    "{{ int e = b; while (!tries(&b, &e, e + 1)); seen[{k}] = e; }}",
    "{{ int e = c; while (!atomic_compare_exchange_strong(&c, &e, {n})) if (e == 2) break; }}",
    "{{ int e = a, i = 0; while (!atomic_compare_exchange_strong(&a, &e, 1)) i ^= 1;"
    " seen[{k}] = i; }}",
    "{{ int e = a; while (e != {n}) e = a; }}",
    "{{ int e = a; while (e == {n}) {{ if (b) e = c; else e = a; }} seen[{k}] = e; }}",
    "{{ int e = a; __VERIFIER_assume(e == {n}); }}",
    "{{ int e = b; if (a) __VERIFIER_assume(e != {n}); seen[{k}] = e; }}",
    "{{ int e = a; while (b < {n}) {{ __VERIFIER_assume(e < 2); e = a; }} }}",
    "{{ int e = atomic_fetch_add(&c, 1); __VERIFIER_assume(e < {n}); }}",
    "{{ struct node *e = top; do {{ nodes[{k}].next = e; }}"
    " while (!atomic_compare_exchange_strong(&top, &e, &nodes[{k}])); }}",
    "{{ struct node *e; do {{ e = top; }} while (!e); seen[{k}] = e != &nodes[{k}]; }}",
    "{{ struct node *e = top; while (e && !atomic_compare_exchange_strong(&top, &e, e->next)); }}",
    "assert(a != 2 || b != {n});",
    "{{ int e = c; if (e == {n}) assert(a != 1); }}",
    "pthread_barrier_wait(&both);",
    "pthread_mutex_lock(&m); inside++; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); while (a == {n}); pthread_mutex_unlock(&m);",
    "while (pthread_mutex_trylock(&m)); inside = {n}; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); while (!inside) pthread_cond_wait(&changed, &m);"
    " pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); inside = 1; pthread_cond_broadcast(&changed);"
    " pthread_mutex_unlock(&m);",
)


def spinning_program(seed: int, number: int) -> Source:
    """The same for the same numbers."""
    rng = random.Random(f"spinning {seed} {number}")
    count = rng.choice((2, 2, 3, 3, 4))
    slots = iter(range(8))

    def body() -> Body:
        steps = rng.choices(STEPS, k=rng.randint(1, 5 - count) if count < 4 else 1)
        return tuple(Line(step.format(n=rng.randint(0, 2), k=next(slots))) for step in steps)

    threads = tuple(body() for _ in range(count))
    wrong = rng.choice(((), (Line("assert(a != 2 || b != 1);"),)))
    start = Line("pthread_barrier_init(&both, 0, 2);")
    return Source(DECLARATIONS, threads, (), "all", wrong, (start,))
