"""Errors that some engine has once missed: all of them find the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from explored import STARTED, explored, written

from imc.explorer import Verdict
from imc.explorer.algorithms import ALGORITHMS
from imc.explorer.result import GRAPHS
from imc.program.faults import Property

# What was once missed, each with the property that exhaustive search finds violated (or not).
MISSED = {
    "circle_at_exit": (
        Property.DEADLOCK,
        """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
        void *one(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); return a; }
        void *two(void *a) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); return a; }
        int main(void) {
            pthread_t a, b;
            pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
            return 0;
        }""",
    ),
    "blocked_at_exit": (
        Property.ASSERTION,
        """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
        void *one(void *a) { pthread_mutex_lock(&m); assert(x); return a; }
        int main(void) {
            pthread_t a;
            pthread_create(&a, 0, one, 0); pthread_mutex_lock(&m); x = 1;
            return 0;
        }""",
    ),
    "spinning_at_exit": (
        Property.ASSERTION,
        """atomic_int flag; int y;
        void *one(void *a) { while (!flag); assert(y); return a; }
        int main(void) {
            pthread_t a;
            pthread_create(&a, 0, one, 0); flag = 1; flag = 0;
            return 0;
        }""",
    ),
    "racing_at_exit": (
        Property.RACE,
        """int flag;
        void *one(void *a) { while (flag != 2); return a; }
        int main(void) { pthread_t a; pthread_create(&a, 0, one, 0); flag = 1; return 0; }""",
    ),
    "section_that_waits_for_something_else": (
        Property.ASSERTION,
        """int x, y, z, r;
        void *one(void *a) {
            __VERIFIER_atomic_begin();
            if (x) __VERIFIER_assume(y); else __VERIFIER_assume(z);
            r = 1 + x;
            __VERIFIER_atomic_end();
            return a;
        }
        void *two(void *a) { z = 1; z = 0; x = 1; y = 1; return a; }
        int main(void) {
            pthread_t a, b;
            pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
            pthread_join(a, 0); pthread_join(b, 0);
            assert(r == 2);
            return 0;
        }""",
    ),
    "additions_of_parts": (
        Property.ASSERTION,
        """union { atomic_uint whole; atomic_uchar part; } u;
        void *one(void *a) { atomic_fetch_add(&u.whole, 1); return a; }
        void *two(void *a) { atomic_fetch_add(&u.part, 1); return a; }
        int main(void) {
            pthread_t a, b;
            u.whole = 0xff;
            pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
            pthread_join(a, 0); pthread_join(b, 0);
            assert(u.whole != 1);
            return 0;
        }""",
    ),
    "circle_of_joins_before_a_detach": (
        Property.DEADLOCK,
        """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_t h[2]; int x;
        void *join(int n) {
            pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
            pthread_join(h[n], 0); x++; return 0;
        }
        void *one(void *a) { return join(1); }
        void *two(void *a) { return join(0); }
        int main(void) {
            pthread_mutex_lock(&m);
            pthread_create(&h[0], 0, one, 0); pthread_create(&h[1], 0, two, 0);
            pthread_mutex_unlock(&m);
            pthread_detach(h[0]); pthread_detach(h[1]);
            pthread_exit(0);
        }""",
    ),
    "no_race_with_what_was_waited_for": (
        None,
        """int x;
        void *one(void *a) {
            __VERIFIER_atomic_begin();
            __VERIFIER_assume(x == 1);
            __VERIFIER_atomic_end();
            return a;
        }
        void *two(void *a) { x = 1; return a; }"""
        + STARTED,
    ),
}
VERIFIER = """
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
"""


@pytest.mark.parametrize("name", MISSED)
def test_what_was_once_missed(name: str, tmp_path: Path) -> None:
    kind, text = MISSED[name]
    program = written(tmp_path, VERIFIER + text)
    for algorithm in ALGORITHMS:
        more = (Property.RACE,) if kind in (Property.RACE, None) else ()
        result = explored(program, algorithm, *more)
        if algorithm == GRAPHS and result.reason:
            assert "execution graphs do not have" in result.reason
        elif result.verdict is Verdict.UNKNOWN:
            assert "at_exit" in name and "do not end" in result.bounds[0]
        else:
            found = result.fault and result.fault.kind
            # A join that comes after a detach is an error of its own, which others find first.
            assert found == kind or (name.endswith("detach") and found is Property.LOCK), algorithm
            assert result.fault is None or result.reproduced
            assert result.verdict is (Verdict.UNSAFE if kind else Verdict.SAFE)
