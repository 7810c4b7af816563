"""Random programs that cancel threads: in waits, in joins, with and without handlers."""

from __future__ import annotations

import random

HEAD = """\
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>
#ifdef DELAYS /* in compiled programs only */
#include <stdlib.h>
static void delay(void)
{
    for (volatile int n = rand() % 8 ? 0 : rand() % 30000; n > 0; n--)
        ;
}
#define SEED srand(getpid())
#else
#define delay()
#define SEED
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static int x, go, noted;
static pthread_t threads[3];
static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
static void note(void *unused) { noted++; }
"""
PLAIN = (
    "x = x * 2 + {k};",
    "pthread_testcancel();",
    "sleep(0);",
    "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);",
    "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);",
    "sem_post(&s);",
    "sem_wait(&s);",
    "putchar('.');",
    "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); pthread_cleanup_push(unlock, &m); x++; sleep(0);"
    " pthread_cleanup_pop(1);",
    "pthread_mutex_lock(&m); pthread_cleanup_push(unlock, &m);"
    " while (!go) pthread_cond_wait(&c, &m); pthread_cleanup_pop(1);",
    "if (x > 1) pthread_exit(&x);",
    "pthread_cancel(pthread_self());",
)
OF_MAIN = (
    "x = x * 2 + 1;",
    "sem_post(&s);",
    "pthread_mutex_lock(&m); go = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); go = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
    "int v; sem_getvalue(&s, &v); x += v;",
)


def program(seed: int) -> str:
    """A program whose exit status tells what has become of its threads."""
    chance = random.Random(seed)
    workers = chance.choice((1, 1, 2))
    text = [HEAD]
    for k in range(workers):
        body = [chance.choice(PLAIN).format(k=k) for _ in range(chance.randint(1, 3))]
        if k and chance.random() < 0.5:
            body.insert(chance.randint(0, len(body)), f"pthread_join(threads[{k - 1}], NULL);")
        lines = "\n".join(f"    delay(); {{ {line} }}" for line in body)
        if chance.random() < 0.4:
            lines = f"    pthread_cleanup_push(note, NULL);\n{lines}\n    pthread_cleanup_pop(1);"
        text.append(f"static void *work{k}(void *u)\n{{\n{lines}\n    delay(); return u;\n}}\n")
    joined = [k for k in range(workers) if f"pthread_join(threads[{k}]" not in "".join(text)]
    steps = [f"pthread_cancel(threads[{chance.choice(joined)}]);"]
    steps += [chance.choice(OF_MAIN) for _ in range(chance.randint(0, 2))]
    chance.shuffle(steps)
    main = [f"sem_init(&s, 0, {chance.randint(0, 1)});", "SEED;"]
    main += [f"pthread_create(&threads[{k}], NULL, work{k}, NULL);" for k in range(workers)]
    main += [f"delay(); {{ {step} }}" for step in steps]
    main += [
        f"pthread_join(threads[{k}], &r); t = t * 3 + (r == &x) + 2 * (r == PTHREAD_CANCELED);"
        for k in joined
    ]
    main.append("return (x * 11 + t * 3 + noted) & 63;")
    text.append("int main(void)\n{\n    void *r;\n    int t = 0;\n    ")
    text.append("\n    ".join(main) + "\n}\n")
    return "".join(text)
