"""Random programs without inputs that use few features of threads, but those in every way.

The same for the same seed, number and features. What threads see goes into variables of its own,
so that schedules which differ for them end in different states.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from crosscheck.source import Block, Body, Line, Source, Statement

LOCK, UNLOCK = "pthread_mutex_lock(&%s);", "pthread_mutex_unlock(&%s);"
INITIALISER = "PTHREAD_MUTEX_INITIALIZER"
DEEPEST = 2  # blocks in blocks


class FeatureGenerator:
    """Makes one program; `features` are some of FEATURES, or empty for a random choice.

    `small`: so few statements that most programs can be explored by brute force.
    """

    def __init__(
        self, seed: int, number: int, features: tuple[str, ...] = (), small: bool = False
    ) -> None:
        self.rng = rng = random.Random(f"features {seed} {number}")
        self.features = set(features or rng.sample(list(FEATURES), rng.randint(1, 3)))
        self.variables = [f"g{n}" for n in range(rng.choice((1, 2, 3)))]
        self.names = 0
        self.observed: list[str] = []
        self.depth = 0
        self.threads = rng.choice((2, 2, 3, 3, 4) if small else (2, 2, 2, 3))
        self.longest = (2 if self.threads == 2 else 1) if small else 4  # statements in a body
        self.makers = dict(COMMON)
        for feature in sorted(self.features):
            self.makers.update(FEATURES[feature])

    def source(self) -> Source:
        count = self.threads
        size = 4 if count == 2 else 3
        threads = [self._body(1, size, nested=False) for _ in range(count)]
        if "spawned" in self.features:
            threads[0] = (_start(count - 1), *threads[0])
        if "detached" in self.features:
            threads[1] = (*threads[1], Line("pthread_detach(h[0]);"))
        main = tuple(self._main(count))
        once = " ".join(self._assignment() for _ in range(2))
        declarations = (*self._declarations(count), f"static void once(void) {{ {once} }}")
        start = tuple(self._start())
        return Source(declarations, tuple(threads), main, "exit", (), start, spawns=False)

    def _declarations(self, threads: int) -> Iterator[str]:
        """Whatever any feature needs: what a program does not need is left out when it shrinks."""
        yield "#include <semaphore.h>"
        for name in ("g0", "g1", "g2", "data", "ready", *self.observed):
            yield f"static int {name};"
        yield f"static pthread_mutex_t m[2] = {{{INITIALISER}, {INITIALISER}}};"
        yield "static pthread_mutex_t typed; static pthread_mutexattr_t type;"
        yield "static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;"
        yield "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;"
        yield "static pthread_once_t o = PTHREAD_ONCE_INIT;"
        yield "static pthread_spinlock_t s;"
        yield "static pthread_barrier_t b;"
        yield "static sem_t sem;"
        yield "static struct timespec soon;"
        yield "static int *heap, *to = &g0, *others;"
        yield "static __thread int own;"
        yield f"static pthread_t h[{threads}];"
        for n in range(threads):
            yield f"static void *thread{n}(void *);"

    def _start(self) -> Iterator[Statement]:
        rng = self.rng
        for name in self.variables:
            if rng.random() < 0.4:
                yield Line(f"{name} = {rng.randint(0, 2)};")
        if "semaphore" in self.features:
            yield Line(f"sem_init(&sem, 0, {rng.randint(0, 1)});")
        if "spin" in self.features:
            yield Line("pthread_spin_init(&s, 0);")
        if "barrier" in self.features:
            yield Line("pthread_barrier_init(&b, 0, 2);")
        if "typed" in self.features:
            kind = rng.choice(("RECURSIVE", "ERRORCHECK"))
            yield Line("pthread_mutexattr_init(&type);")
            yield Line(f"pthread_mutexattr_settype(&type, PTHREAD_MUTEX_{kind});")
            yield Line("pthread_mutex_init(&typed, &type);")

    def _main(self, threads: int) -> Iterator[Statement]:
        """Starts the threads and joins some, perhaps with a lock held and with steps between."""
        rng = self.rng
        holds = "nested" in self.features and rng.random() < 0.15
        if holds:
            yield Line(LOCK % "m[0]")
        for n in range(threads - ("spawned" in self.features)):
            yield _start(n)
            if rng.random() < 0.2:
                yield from self._statement()
        if holds:
            yield from (*self._body(1, 1), Line(UNLOCK % "m[0]"))
        if rng.random() < 0.5:
            yield from self._statement()
        for n in range(threads):
            if rng.random() < 0.6:
                join = f"pthread_join(h[{n}], 0)"
                yield self._observe(join) if "detached" in self.features else Line(f"{join};")
                if rng.random() < 0.3:
                    yield from self._statement()

    def _body(self, least: int, most: int, nested: bool = True) -> Body:
        self.depth += nested
        body: list[Statement] = []
        for _ in range(self.rng.randint(least, min(most, self.longest))):
            body.extend(self._statement())
        self.depth -= nested
        return tuple(body)

    def _statement(self) -> Body:
        makers = self.makers
        if self.depth >= DEEPEST:
            makers = {maker: weight for maker, weight in makers.items() if maker in SIMPLE}
        return self.rng.choices(list(makers), list(makers.values()))[0](self)

    # ------------------------------------------------------------------- parts

    def _name(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def _variable(self) -> str:
        return self.rng.choice(self.variables)

    def _value(self) -> str:
        rng, name = self.rng, self._variable()
        return rng.choice((str(rng.randint(0, 3)), str(rng.randint(1, 3)), name, f"{name} + 1"))

    def _assignment(self) -> str:
        return f"{self._variable()} = {self._value()};"

    def _test(self) -> str:
        return f"{self._variable()} == {self._value()}"

    def _observe(self, expression: str) -> Line:
        self.observed.append(f"o{len(self.observed)}")
        return Line(f"{self.observed[-1]} = {expression};")

    def _within(self, enter: str, leave: str, most: int = 2) -> Body:
        return (Line(enter), *self._body(0, most), Line(leave))

    def _if_taken(self, attempt: str, leave: str) -> Body:
        """What is done where an attempt succeeds; a failure is seen."""
        body = (*self._body(0, 2), Line(leave))
        return (Block(f"if ({attempt} == 0) {{", body, otherwise=(self._observe("1"),)),)

    def _mutex(self) -> str:
        return self.rng.choice(("m[0]", "m[0]", "m[1]"))

    # ------------------------------------------------------------------ common

    def _assign(self) -> Body:
        return (Line(self._assignment()),)

    def _increment(self) -> Body:
        return (Line(f"{self._variable()}++;"),)

    def _read(self) -> Body:
        return (self._observe(self._variable()),)

    def _branch(self) -> Body:
        otherwise = self._body(0, 1)
        return (Block(f"if ({self._test()}) {{", self._body(1, 2), otherwise=otherwise or None),)

    def _lock(self) -> Body:
        mutex = self._mutex()
        return self._within(LOCK % mutex, UNLOCK % mutex, 3)

    # ----------------------------------------------------------------- mutexes

    def _try(self) -> Body:
        mutex = self._mutex()
        return self._if_taken(f"pthread_mutex_trylock(&{mutex})", UNLOCK % mutex)

    def _timed(self) -> Body:
        mutex = self._mutex()
        return self._if_taken(f"pthread_mutex_timedlock(&{mutex}, &soon)", UNLOCK % mutex)

    def _nested(self) -> Body:
        """Two locks in either order; the first is given up first, perhaps at once."""
        first, second = self.rng.choice((("m[0]", "m[1]"), ("m[1]", "m[0]")))
        before, inside, after = self._body(0, 1), self._body(0, 1), self._body(0, 2)
        both = (Line(LOCK % second), *inside, Line(UNLOCK % first), *after)
        return (Line(LOCK % first), *before, *both, Line(UNLOCK % second))

    def _chosen(self) -> Body:
        name = self._name()
        head = f"{{ pthread_mutex_t *{name} = &m[{self._variable()} & 1];"
        body = self._within(f"pthread_mutex_lock({name});", f"pthread_mutex_unlock({name});")
        return (Block(head, body),)

    def _typed(self) -> Body:
        """A mutex that may be locked twice, or that tells who must not unlock it."""
        again = self._observe("pthread_mutex_lock(&typed)")
        inside = (*self._body(0, 1), again, *self._body(0, 1), Line(UNLOCK % "typed"))
        return (Line(LOCK % "typed"), *inside, *self._body(0, 1), Line(UNLOCK % "typed"))

    def _typed_unlock(self) -> Body:
        return (self._observe("pthread_mutex_unlock(&typed)"),)

    def _typed_try(self) -> Body:
        return self._if_taken("pthread_mutex_trylock(&typed)", UNLOCK % "typed")

    def _destroy(self) -> Body:
        return (self._observe("pthread_mutex_destroy(&m[1])"),)

    def _initialise(self) -> Body:
        return (Line("pthread_mutex_init(&m[1], 0);"),)

    # ------------------------------------------------------------- other locks

    def _sem_wait(self) -> Body:
        return (Line("sem_wait(&sem);"),)

    def _sem_post(self) -> Body:
        return (Line("sem_post(&sem);"),)

    def _sem_pair(self) -> Body:
        wait, post = "sem_wait(&sem);", "sem_post(&sem);"
        return self._within(*self.rng.choice(((wait, post), (post, wait))))

    def _sem_try(self) -> Body:
        return (self._observe("sem_trywait(&sem)"),)

    def _sem_value(self) -> Body:
        name = self._name()
        head = f"{{ int {name}; sem_getvalue(&sem, &{name});"
        return (Block(head, (self._observe(name),)),)

    def _read_write(self) -> Body:
        how = self.rng.choice(("rd", "wr", "wr"))
        return self._within(f"pthread_rwlock_{how}lock(&rw);", "pthread_rwlock_unlock(&rw);")

    def _read_write_try(self) -> Body:
        attempt = f"pthread_rwlock_try{self.rng.choice(('rd', 'wr'))}lock(&rw)"
        return self._if_taken(attempt, "pthread_rwlock_unlock(&rw);")

    def _spin(self) -> Body:
        return self._within("pthread_spin_lock(&s);", "pthread_spin_unlock(&s);")

    def _spin_try(self) -> Body:
        return self._if_taken("pthread_spin_trylock(&s)", "pthread_spin_unlock(&s);")

    # -------------------------------------------------------------- conditions

    def _wait(self) -> Body:
        how = self.rng.choice((f"while ({self._variable()} == 0)", f"if ({self._test()})"))
        wait = Line(f"{how} pthread_cond_wait(&c, &m[0]);")
        return (Line(LOCK % "m[0]"), wait, *self._body(0, 2), Line(UNLOCK % "m[0]"))

    def _timed_wait(self) -> Body:
        wait = self._observe("pthread_cond_timedwait(&c, &m[0], &soon)")
        return (Line(LOCK % "m[0]"), wait, *self._body(0, 2), Line(UNLOCK % "m[0]"))

    def _signal(self) -> Body:
        signal = Line("pthread_cond_signal(&c);")
        if self.rng.random() < 0.5:
            return (signal,)
        inside = (Line(f"{self._variable()} = 1;"), signal, *self._body(0, 1))
        return (Line(LOCK % "m[0]"), *inside, Line(UNLOCK % "m[0]"))

    def _broadcast(self) -> Body:
        return (Line(f"{self._variable()} = 1;"), Line("pthread_cond_broadcast(&c);"))

    def _once(self) -> Body:
        return (Line("pthread_once(&o, once);"),)

    def _barrier(self) -> Body:
        wait = "pthread_barrier_wait(&b)"
        return (self._observe(wait) if self.rng.random() < 0.5 else Line(f"{wait};"),)

    # ----------------------------------------------------------------- atomics

    def _section(self) -> Body:
        guard = f"__VERIFIER_assume({self._variable()} == {self.rng.randint(0, 2)});"
        body = (Line(guard), self._observe(self._variable()), Line(self._assignment()))
        return (Block("__VERIFIER_atomic_begin(); {", body, "} __VERIFIER_atomic_end();"),)

    def _section_branch(self) -> Body:
        branch = Block(f"if ({self._test()}) {{", (Line(self._assignment()),))
        body = (Line(self._assignment()), branch)
        return (Block("__VERIFIER_atomic_begin(); {", body, "} __VERIFIER_atomic_end();"),)

    def _swap(self) -> Body:
        old, new = self.rng.randint(0, 2), self.rng.randint(0, 2)
        place = f"&{self._variable()}"
        return (self._observe(f"__sync_bool_compare_and_swap({place}, {old}, {new})"),)

    def _fetch(self) -> Body:
        return (self._observe(f"__sync_fetch_and_add(&{self._variable()}, 1)"),)

    # ------------------------------------------------------------------ memory

    def _allocate(self) -> Body:
        name = self._name()
        write = Line(f"*{name} = {self._value()};")
        body = (write, *self._body(0, 1), Line(f"*{name} = {self._value()}; heap = {name};"))
        return (Block(f"{{ int *{name} = malloc(4);", body),)

    def _use(self) -> Body:
        name = self._name()
        write = (Line(f"*{name} = {self._value()};"),) if self.rng.random() < 0.5 else ()
        body = (self._observe(f"*{name}"), *write)
        return (Block(f"{{ int *{name} = heap; if ({name}) {{", body, "} }"),)

    def _free(self) -> Body:
        name = self._name()
        take: Body = (Line(f"{name} = heap; heap = 0;"),)
        if self.rng.random() < 0.6:
            take = (Line(LOCK % "m[0]"), *take, Line(UNLOCK % "m[0]"))
        return (Block(f"{{ int *{name};", take, f"free({name}); }}"),)

    def _publish(self) -> Body:
        write, ready = Line(f"data = {self._value()};"), self.rng.randint(0, 1)
        return (write, *self._body(0, 1), Line(f"ready = {ready};"))

    def _consume(self) -> Body:
        write = (Line(f"data = {self._value()};"),) if self.rng.random() < 0.5 else ()
        return (Block("if (ready) {", (self._observe("data"), *write)),)

    def _redirect(self) -> Body:
        return (Line(f"to = &g{self.rng.randint(0, 2)};"),)

    def _through(self) -> Body:
        write = Line(f"*to = {self._value()};")
        return (write if self.rng.random() < 0.5 else self._observe("*to"),)

    def _own(self) -> Body:
        return (Line(f"own = {self._value()};"), self._observe("own"))

    def _lend(self) -> Body:
        if self.rng.random() < 0.5:
            return (Line("others = &own;"),)
        return (Block("if (others) {", (self._observe("*others"),)),)

    # ------------------------------------------------------------------- loops

    def _twice(self) -> Body:
        i = self._name()
        if self.rng.random() < 0.5:
            return (Block(f"for (int {i} = 0; {i} < 2; {i}++) {{", self._body(1, 2)),)
        tail = f"{i}++; }} while ({i} < 2); }}"
        return (Block(f"{{ int {i} = 0; do {{", self._body(1, 2), tail),)

    def _until(self) -> Body:
        return (Block(f"while ({self._variable()} == 0) {{", self._body(0, 1)),)


def _start(n: int) -> Line:
    return Line(f"pthread_create(&h[{n}], 0, thread{n}, 0);")


Maker = Callable[[FeatureGenerator], Body]
G = FeatureGenerator

COMMON: dict[Maker, float] = {G._assign: 3, G._read: 2, G._increment: 1, G._lock: 6, G._branch: 1}
FEATURES: dict[str, dict[Maker, float]] = {
    "try": {G._try: 3},
    "timed": {G._timed: 3},
    "nested": {G._nested: 3},
    "chosen": {G._chosen: 3},
    "typed": {G._typed: 0.7, G._typed_unlock: 0.7, G._typed_try: 0.7},
    "destroy": {G._destroy: 1, G._initialise: 1},
    "semaphore": {G._sem_wait: 1, G._sem_post: 2, G._sem_pair: 2, G._sem_try: 1, G._sem_value: 1},
    "rwlock": {G._read_write: 3, G._read_write_try: 2},
    "spin": {G._spin: 2, G._spin_try: 1},
    "condition": {G._wait: 2, G._timed_wait: 1, G._signal: 2, G._broadcast: 1},
    "once": {G._once: 1},
    "barrier": {G._barrier: 1},
    "atomic": {G._section: 2, G._section_branch: 1},
    "swap": {G._swap: 1, G._fetch: 1},
    "heap": {G._allocate: 1, G._use: 1, G._free: 1},
    "publish": {G._publish: 1, G._consume: 1},
    "pointer": {G._redirect: 1, G._through: 1},
    "local": {G._own: 1, G._lend: 1},
    "loop": {G._twice: 2, G._until: 1},
    "detached": {},  # the second thread detaches the first, and joins may fail
    "spawned": {},  # the first thread starts the last one
}
SIMPLE: set[Maker] = {
    G._assign, G._read, G._increment, G._typed_unlock, G._destroy, G._initialise, G._sem_wait,
    G._sem_post, G._sem_try, G._sem_value, G._broadcast, G._once, G._barrier, G._section,
    G._section_branch, G._swap, G._fetch, G._use, G._free, G._consume, G._redirect, G._through,
    G._own, G._lend,
}  # fmt: skip
