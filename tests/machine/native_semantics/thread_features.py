"""Features of threads: locks and what else they wait for, atomics, their own data."""

from __future__ import annotations

from native_semantics.feature import Feature, feature

THREADS: tuple[Feature, ...] = (
    feature(
        "mutexes",
        """
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mr;
""",
        """
        lock(&m0); @S unlock(&m0);
        lock(&m1); @S unlock(&m1);
        lock(&m0); lock(&m1); @S unlock(&m1); unlock(&m0);
        lock(&m1); lock(&m0); @S unlock(&m0); unlock(&m1);
        if (pthread_mutex_trylock(&m0) == 0) { @S unlock(&m0); }
        @x = pthread_mutex_trylock(&m1); if (!@1) unlock(&m1);
        @x = pthread_mutex_timedlock(&m1, &past); if (!@1) unlock(&m1);
        @x = pthread_mutex_timedlock(&m1, &future); if (!@1) unlock(&m1);
        lock(&mr); lock(&mr); @S unlock(&mr); unlock(&mr);
        """,
        "",
        "{ pthread_mutexattr_t a; pthread_mutexattr_init(&a);"
        " pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&mr, &a); }",
    ),
    feature(
        "conditions",
        """
static pthread_mutex_t cm = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;
""",
        """
        lock(&cm); while (!@g) pthread_cond_wait(&c0, &cm); @S unlock(&cm);
        lock(&cm); if (!@g) pthread_cond_wait(&c0, &cm); @S unlock(&cm);
        lock(&cm); pthread_cond_wait(&c0, &cm); @S unlock(&cm);
        lock(&cm); @g = @v; pthread_cond_signal(&c0); unlock(&cm);
        lock(&cm); @g = @v; unlock(&cm); pthread_cond_broadcast(&c0);
        pthread_cond_signal(&c0);
        pthread_cond_broadcast(&c0);
        """,
    ),
    feature(
        "timeouts",
        """
static pthread_mutex_t tm = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t tc = PTHREAD_COND_INITIALIZER;
static int waits, met;
""",
        """
        lock(&tm); @x = pthread_cond_timedwait(&tc, &tm, &past); @S unlock(&tm);
        lock(&tm); @x = pthread_cond_timedwait(&tc, &tm, &future); @S unlock(&tm);
        lock(&tm); waits++; @x = pthread_cond_timedwait(&tc, &tm, &past); waits--; unlock(&tm);
        lock(&tm); waits++; @x = pthread_cond_timedwait(&tc, &tm, &future); waits--; unlock(&tm);
        lock(&tm); if (waits) { met = waits; pthread_cond_signal(&tc); @S } unlock(&tm);
        lock(&tm); while (!@g && !@x) @1 = pthread_cond_timedwait(&tc, &tm, &past); unlock(&tm);
        lock(&tm); while (!@g && !@x) @1 = pthread_cond_timedwait(&tc, &tm, &future); unlock(&tm);
        lock(&tm); while (!@g) pthread_cond_wait(&tc, &tm); unlock(&tm);
        lock(&tm); @g = @v; pthread_cond_signal(&tc); unlock(&tm);
        lock(&tm); pthread_cond_signal(&tc); @S unlock(&tm);
        pthread_cond_broadcast(&tc);
        lock(&tm); @S unlock(&tm);
        """,
        "met",
    ),
    feature(
        "semaphores",
        "static sem_t e0, e1;\nstatic int level = 9;",
        """
        sem_wait(&e0); @S sem_post(&e0);
        sem_wait(&e1); @S
        sem_post(&e1);
        @x = sem_trywait(&e0); if (@1 == 0) { @S sem_post(&e0); }
        @x = sem_timedwait(&e0, &past) ? errno : 0; if (!@1) sem_post(&e0);
        @x = sem_trywait(&e1) ? errno : 0;
        sem_getvalue(&e1, &level);
        @x = level;
        level = @v;
        """,
        "level",
        "sem_init(&e0, 0, 1); sem_init(&e1, 0, 0);",
    ),
    feature(
        "rwlocks",
        "static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;",
        """
        pthread_rwlock_rdlock(&rw); @S pthread_rwlock_unlock(&rw);
        pthread_rwlock_wrlock(&rw); @S pthread_rwlock_unlock(&rw);
        if (pthread_rwlock_tryrdlock(&rw) == 0) { @S pthread_rwlock_unlock(&rw); }
        @x = pthread_rwlock_trywrlock(&rw); if (!@1) pthread_rwlock_unlock(&rw);
        @x = pthread_rwlock_timedwrlock(&rw, &past); if (!@1) pthread_rwlock_unlock(&rw);
        """,
    ),
    feature(
        "barriers",
        "static pthread_barrier_t ba;",
        """
        pthread_barrier_wait(&ba); @S
        @x = pthread_barrier_wait(&ba) != 0;
        """,
        "",
        "pthread_barrier_init(&ba, 0, 2);",
    ),
    feature(
        "spinlocks",
        "static pthread_spinlock_t sp;",
        """
        pthread_spin_lock(&sp); @S pthread_spin_unlock(&sp);
        @x = pthread_spin_trylock(&sp); if (!@1) pthread_spin_unlock(&sp);
        """,
        "",
        "pthread_spin_init(&sp, 0);",
    ),
    feature(
        "atomics",
        """
static _Atomic unsigned char a1;
static _Atomic short a2;
static _Atomic int a4;
static _Atomic long a8;
static int expected;
""",
        """
        a4++;
        a1 += 200;
        a2 -= @v;
        @x = a4;
        a8 = @e;
        @x = atomic_fetch_add(&a8, @v);
        @x = atomic_exchange(&a1, @v);
        @x = atomic_fetch_xor(&a4, @v);
        @x = atomic_compare_exchange_strong(&a4, &expected, @v);
        { int e = @v; @x = atomic_compare_exchange_strong(&a4, &e, @v) + 2 * e; }
        expected = @v;
        @x = expected;
        while (atomic_exchange(&a2, 1)) ; @S a2 = 0;
        """,
        "a1; a2; a4; a8; expected",
    ),
    feature(
        "generic_atomics",
        "static long n0, n1, n2;\nstatic int k0, k1;",
        """
        __atomic_load(&n0, &n1, 5);
        __atomic_store(&n0, &n1, 5);
        __atomic_exchange(&n0, &n1, &n2, 5);
        @x = __atomic_compare_exchange(&n0, &n1, &n2, 0, 5, 5);
        __atomic_exchange(&k0, &k1, &g0, 5);
        @x = __atomic_add_fetch(&n0, @v, 5);
        n1 = @v;
        n2 = @v;
        @x = n1;
        """,
        "n0; n1; n2; k0; k1",
    ),
    feature(
        "large_atomics",
        """
struct wide { long a, b, c; };
static struct wide w0, w1 = {1, 1, 1}, w2 = {2, 2, 2};
""",
        """
        __atomic_load(&w0, &w1, 5);
        __atomic_store(&w0, &w1, 5);
        __atomic_exchange(&w0, &w1, &w2, 5);
        @x = __atomic_compare_exchange(&w0, &w1, &w2, 0, 5, 5);
        w1 = (struct wide){@v, @v, @v};
        w2.@f = @v;
        @x = w1.@f;
        @x = w1.a + 10 * w1.b + 100 * w1.c;
        """,
        "w0.a; w0.b; w0.c; w1.a; w1.b; w1.c; w2.a; w2.c",
    ),
    feature(
        "atomics16",
        """
struct duo { _Alignas(16) long a; long b; };
static struct duo z0, z1 = {1, 1}, z2 = {2, 2};
""",
        """
        __atomic_load(&z0, &z1, 5);
        __atomic_store(&z0, &z1, 5);
        __atomic_exchange(&z0, &z1, &z2, 5);
        @x = __atomic_compare_exchange(&z0, &z1, &z2, 0, 5, 5);
        z1 = (struct duo){@v, @v};
        @x = z1.a + 10 * z1.b;
        """,
        "z0.a; z0.b; z1.a; z1.b; z2.a; z2.b",
    ),
    feature(
        "once",
        """
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void first(void) { g0 += 2; g1 = g0; }
""",
        """
        pthread_once(&once, first);
        """,
    ),
    feature(
        "specific",
        "static pthread_key_t key;\nstatic void gone(void *v) { g1 += (int)(long)v; }",
        """
        pthread_setspecific(key, (void *)(long)@v);
        @x = (long)pthread_getspecific(key);
        """,
        "",
        "pthread_key_create(&key, gone);",
    ),
    feature(
        "children",
        """
static void *result;
static void *child(void *arg) { g0 += (int)(long)arg; return (void *)(long)g1; }
""",
        """
        { pthread_t t; pthread_create(&t, 0, child, (void *)@v); @S pthread_join(t, &result); }
        { pthread_t t; pthread_create(&t, 0, child, (void *)@v); pthread_join(t, (void **)&@x); }
        @x = (long)result;
        """,
        "(long)result",
    ),
    feature(
        "ends",
        "",
        """
        if (@g == @v) _Exit(3);
        if (@g == @v) abort();
        if (@g == @v) pthread_exit(0);
        """,
    ),
    feature(
        "assertions",
        "",
        """
        assert(@g != @v);
        assert(@g <= @v);
        assert(@g == @g);
        assert(@x == 0 || @g);
        """,
    ),
)
