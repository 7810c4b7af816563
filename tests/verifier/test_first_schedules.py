"""First schedules: what is known stays known while that leads somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from patience import HANG_S

import imc.api
from imc.program.verdict import Verdict
from imc.verifier.result import Conclusion

COUNTING = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
static void *worker(void *p) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&m);
        n++;
        pthread_mutex_unlock(&m);
    }
    return p;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
"""
LOOKED_UP = """
#include <assert.h>
struct table { char *name; int steps[64]; int more; } table;
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned char at = (unsigned char)__VERIFIER_nondet_int();
    for (int i = 0; i < 64; i++) table.steps[i] = 3;
    table.steps[7] = 5;
    table.name = "x";
    int found = table.steps[at % 64];
    assert(found == 3 || found == 5);
    assert(FALSE_IF_SEVEN);
    return 0;
}
"""
PRINTED = """
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *worker(void *p) { printf("%s\\n", (char *)p); return p; }
int main(void) {
    pthread_t t;
    char *name = getenv("NAME");
    if (open("x", O_RDONLY) < 0) fprintf(stderr, "%s: %s\\n", "x", strerror(errno));
    if (!name) return 1;
    pthread_create(&t, 0, worker, name);
    pthread_join(t, 0);
    puts(name);
    return 0;
}
"""


def verdict(text: str, folder: Path, *define: str, **options: object) -> Conclusion:
    source = folder / "prog.c"
    source.write_text(text)
    given = {"time_limit": HANG_S, **options}
    verification = imc.api.verify(source, define=define, **given)  # type: ignore[arg-type]
    for _ in verification:
        pass
    return verification.outcome


@pytest.mark.parametrize("rounds", [3, 10, 40])
def test_programs_that_count_and_end(rounds: int, tmp_path: Path) -> None:
    """No number has to become unknown for a schedule of a program that reads nothing."""
    outcome = verdict(COUNTING, tmp_path, f"ROUNDS={rounds}", iterations=1)
    assert outcome.verdict is Verdict.PARTIALLY_SAFE and len(outcome.results) == 1


@pytest.mark.parametrize(
    ("claim", "expected"),
    [("found != 5 || at % 64 == 7", Verdict.SAFE), ("found != 5", Verdict.UNSAFE)],
)
def test_elements_are_told_apart_by_what_they_are(
    claim: str, expected: Verdict, tmp_path: Path
) -> None:
    """In a struct, at an index that is not known: one way for all elements that are the same."""
    outcome = verdict(LOOKED_UP, tmp_path, f"FALSE_IF_SEVEN={claim}")
    assert outcome.verdict is expected


def test_text_that_is_printed_need_not_be_known(tmp_path: Path) -> None:
    outcome = verdict(PRINTED, tmp_path)
    assert outcome.verdict is Verdict.SAFE
    assert outcome.nodes < 2000  # not one way for every text


def test_text_that_may_not_end_is_an_error(tmp_path: Path) -> None:
    text = """
        #include <stdio.h>
        #include <unistd.h>
        int main(void) {
            char text[4];
            if (read(3, text, 4) == 4) printf("%s", text);
            return 0;
        }"""
    assert verdict(text, tmp_path).error_reproduced


@pytest.mark.parametrize(
    "statement",
    [
        'printf("%d%n", x, &n); assert(x != 1234567 || n != 7);',
        'printf("%*d%n", x, 1, &n); assert(n == 1);',
        'printf("%.*s", x, text);',
    ],
)
def test_what_depends_on_printing_is_not_left_open(statement: str, tmp_path: Path) -> None:
    """How much %n stores, and how much of a string is read, are no matter of text alone."""
    text = f"""
        #include <assert.h>
        #include <stdio.h>
        extern int __VERIFIER_nondet_int(void);
        char text[4] = {{1, 1, 1, 1}};
        int main(void) {{
            int n = 0, x = __VERIFIER_nondet_int();
            {statement}
            return 0;
        }}"""
    outcome = verdict(text, tmp_path)
    assert outcome.verdict in (Verdict.UNKNOWN, Verdict.UNSAFE) and not outcome.results[1:]


LATE = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int jobs, closed, left = 3;
static void *worker(void *p) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (jobs == 0 && !closed) pthread_cond_wait(&c, &m);
        if (closed) break;
        jobs--, left--;
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_unlock(&m);
    return p;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, worker, 0);
    pthread_create(&u, 0, worker, 0);
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        jobs++;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    closed = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(left > 0);
    return 0;
}
"""


def test_states_that_are_lost_are_not_searched_again(tmp_path: Path) -> None:
    """The error is at the end, and what avoids it at the beginning."""
    outcome = verdict(LATE, tmp_path)
    assert outcome.verdict is Verdict.PARTIALLY_SAFE
    assert outcome.error_reproduced
    assert outcome.nodes < 2000
