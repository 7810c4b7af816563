"""Random programs, small enough to enumerate: the same for the same seed and number."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from crosscheck.source import Block, Body, Line, Source, Statement

TYPES = ("int", "unsigned char", "signed char", "unsigned", "short", "long")


class Generator:
    """Random programs, small enough to enumerate."""

    def __init__(self, seed: int, number: int, products: bool = False) -> None:
        self.rng = random.Random(f"verify {seed} {number}")
        self.products = products  # of values that nobody may know
        rng = self.rng
        self.variables = ["g0", "g1"][: rng.choice((1, 2, 2))]
        self.array = rng.choice((0, 0, 2, 3))
        self.mutexes = ["m0", "m1"][: rng.choice((0, 1, 1, 2))]
        self.calls = rng.random() < 0.2
        self.inputs = rng.random() < 0.6
        self.sections = rng.random() < 0.4
        self.counters = rng.random() < 0.25  # values that grow until they become symbols
        self.conditions = bool(self.mutexes) and rng.random() < 0.15
        self.heap = rng.random() < 0.12
        self.choices = rng.random() < 0.12  # locks that are chosen by a value
        self.moduli: tuple[int, ...] = (2, 3, 3, 12, 17) if self.counters else (2, 3)
        self.types = {name: rng.choices(TYPES, (7, 1, 1, 1, 1, 1))[0] for name in self.variables}
        self.element = rng.choices(TYPES, (7, 1, 1, 1, 1, 1))[0]
        self.held: list[str] = []
        self.atomic = False
        self.loops = 0

    def source(self) -> Source:
        rng = self.rng
        count = rng.choice((2, 2, 2, 3))
        size = 4 if count == 2 else 3
        threads = [self._thread(rng.randint(1, size)) for _ in range(count)]
        if rng.random() < 0.2:
            threads[1] = threads[0]
        join = rng.choice(("all", "all", "all", "none", "first", "exit"))
        main = self._body(1) if rng.random() < 0.25 else ()
        end: Body = (self._assertion(),) if rng.random() < 0.4 else ()
        declarations = tuple(self._declarations())
        return Source(declarations, tuple(threads), main, join, end, tuple(self._start()))

    def _start(self) -> Iterator[Statement]:
        """Values that nobody knows from the start on."""
        if self.rng.random() < 0.35:
            for name in self.variables:
                if self.rng.random() < 0.8:
                    yield Line(_bounded("x", self.rng.choice((0, 0, 1, 2))))
                    yield Line(f"{name} = x;")

    def _declarations(self) -> Iterator[str]:
        for name in self.variables:
            start = self.rng.choice(("", "", " = 1", " = 2"))
            yield f"static {self.types[name]} {name}{start};"
        if self.array:
            yield f"static {self.element} a[{self.array}];"
        if self.heap:
            yield f"static {self.types['g0']} *q = &g0;"
        if self.conditions:
            yield "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;"
        for name in self.mutexes:
            yield f"static pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;"
        if self.choices:
            both = ", ".join(["PTHREAD_MUTEX_INITIALIZER"] * 2)
            yield f"static pthread_mutex_t mm[2] = {{{both}}};"
        if self.calls:
            yield "static int next(int v) { return v >= 2 ? 0 : v + 1; }"
            yield "static void put(int v) { g0 = v; }"

    def _thread(self, size: int) -> Body:
        if self.rng.random() < 0.3:
            before = self._body(1) if self.rng.random() < 0.3 else ()
            return (*before, Block("while (1) {", self._body(size)))
        if self.inputs and self.rng.random() < 0.06:
            endless = Block("while (1) {", (Line("x = __VERIFIER_nondet_bool();"),))
            return (*self._body(size), endless)
        return self._body(size)

    def _body(self, size: int) -> Body:
        body: list[Statement] = []
        for _ in range(size):
            body.extend(self._statement())
        return tuple(body)

    def _statement(self) -> Body:
        makers: dict[Callable[[], Body], float] = {
            self._assign: 6, self._load: 2.5, self._local: 0.8, self._branch: 2.5,
            self._asserted: 1.6, self._for: 1.0, self._assume: 0.4,
        }  # fmt: skip
        if self.inputs and (not self.atomic or self.rng.random() < 0.05):
            makers[self._input] = 2
        if self.inputs and not self.atomic:
            makers[self._while_input] = 0.3
        if not self.atomic:
            makers[self._spin] = 0.5
            if self.mutexes:
                makers |= {self._critical: 3, self._stray: 0.2, self._try: 0.4}
            if self.choices:
                makers[self._chosen] = 3
            if self.conditions:
                makers |= {self._wait: 1.5, self._signal: 1.5}
            if self.sections:
                makers[self._section] = 2.5
        if self.array:
            makers[self._pointer] = 0.4
        if self.calls:
            makers[self._call] = 1.5
        if self.heap:
            makers |= {self._allocate: 1.5, self._redirect: 0.7, self._through: 1.5}
        if self.counters:
            makers[self._count] = 3
        return self.rng.choices(list(makers), list(makers.values()))[0]()

    # -------------------------------------------------------------- expressions

    def _shared(self) -> str:
        if self.array and self.rng.random() < 0.4:
            return f"a[{self._index()}]"
        return self.rng.choice(self.variables)

    def _index(self) -> str:
        rng = self.rng
        constant = str(rng.randrange(self.array))
        remainder = f"(x + {rng.randrange(3)}) % {self.array}"
        safe = f"{rng.choice('xy')} > 0 ? 1 : 0"
        wild = rng.choice(["x", "y", *self.variables])
        return rng.choices((constant, remainder, safe, wild), (4, 2, 2, 0.7))[0]

    def _operand(self) -> str:
        rng = self.rng
        constant = str(rng.choice((0, 1, 1, 2, 3)))
        return rng.choices((constant, rng.choice("xy"), self._shared()), (3, 2, 2))[0]

    def _expression(self) -> str:
        rng = self.rng
        one, other = self._operand(), self._operand()
        if self.products and rng.random() < 0.5:
            more = f"({one} + {rng.choice('xy')})" if rng.random() < 0.3 else one
            return f"{more} * {rng.choice([rng.choice('xy'), self._shared()])}"
        sum = f"{one} {rng.choice('+-')} {other}"
        forms = (
            one,
            f"({sum}) % {rng.choice(self.moduli)}",
            sum,
            f"{one} {self._relation()} {other}",
            f"2 * {one} + 1",
            f"{one} / 2",
        )
        return rng.choices(forms, (4, 4, 1, 1, 0.2, 0.3))[0]

    def _relation(self) -> str:
        return self.rng.choice(("==", "!=", "<", "<=", ">"))

    def _condition(self) -> str:
        rng = self.rng
        left = rng.choice((self._shared(), rng.choice("xy")))
        right = str(rng.choice((0, 1, 2))) if rng.random() < 0.75 else self._operand()
        simple = f"{left} {self._relation()} {right}"
        if rng.random() < 0.12:
            simple += f" {rng.choice(('&&', '||'))} {self._shared()} {self._relation()} 1"
        return simple

    # --------------------------------------------------------------- statements

    def _assign(self) -> Body:
        target = self._shared()
        if self.rng.random() < 0.1:
            return (Line(f"{target}{self.rng.choice(('++', '--'))};"),)
        return (Line(f"{target} = {self._expression()};"),)

    def _load(self) -> Body:
        return (Line(f"{self.rng.choice('xy')} = {self._shared()};"),)

    def _local(self) -> Body:
        return (Line(f"{self.rng.choice('xy')} = {self._expression()};"),)

    def _input(self) -> Body:
        name = self.rng.choice("xy")
        if self.rng.random() < 0.5:
            return (Line(f"{name} = __VERIFIER_nondet_bool();"),)
        return (Line(_bounded(name, 0)),)

    def _assertion(self) -> Line:
        rng = self.rng
        name = rng.choice([*self.variables, *("xy" if rng.random() < 0.5 else "")])
        likely = rng.choice((f"{name} <= 3", f"{name} >= -2", f"{name} != 3", f"{name} < 3"))
        return Line(f"assert({likely if rng.random() < 0.6 else self._condition()});")

    def _asserted(self) -> Body:
        return (self._assertion(),)

    def _assume(self) -> Body:
        return (Line(f"__VERIFIER_assume({self._condition()});"),)

    def _branch(self) -> Body:
        otherwise = self._body(1) if self.rng.random() < 0.5 else None
        head = f"if ({self._condition()}) {{"
        return (Block(head, self._body(self.rng.choice((1, 1, 2))), otherwise=otherwise),)

    def _for(self) -> Body:
        self.loops += 1
        i = f"i{self.loops}"
        bound = self.rng.choice(("2", "3", "x", "y", "x", "14" if self.counters else "2"))
        head = f"for (int {i} = 0; {i} < {bound}; {i}++) {{"
        return (Block(head, self._body(1)),)

    def _spin(self) -> Body:
        """Waits for another thread, or for ever."""
        name = self.rng.choice(self.variables)
        return (Line(f"while ({name} {self._relation()} {self.rng.choice((0, 1, 2))}) ;"),)

    def _while_input(self) -> Body:
        return (Block("while (__VERIFIER_nondet_bool()) {", self._body(1)),)

    def _critical(self) -> Body:
        free = [m for m in self.mutexes if m not in self.held]
        if not free:
            return self._assign()
        mutex = self.rng.choice(free)
        self.held.append(mutex)
        body = self._body(self.rng.choice((1, 1, 2)))
        self.held.pop()
        lock = Line(f"pthread_mutex_lock(&{mutex});")
        unlock = Line(f"pthread_mutex_unlock(&{mutex});")
        return (lock, *body) if self.rng.random() < 0.04 else (lock, *body, unlock)

    def _chosen(self) -> Body:
        """A lock out of two, and perhaps the other one inside."""
        if "mm" in self.held:
            return self._assign()
        self.held.append("mm")
        body = self._body(1)
        self.held.pop()
        name = self.rng.choice(self.variables)
        index = self.rng.choice(("x > 0", "y > 0", f"{name} > 0", "0", "1"))
        lock, unlock = ("pthread_mutex_lock(&mm[%s]);", "pthread_mutex_unlock(&mm[%s]);")
        if self.rng.random() < 0.4:
            body = (Line(lock % "1 - k"), *body, Line(unlock % "1 - k"))
        head = f"{{ int k = {index}; {lock % 'k'}"
        return (Block(head, body, f"{unlock % 'k'} }}"),)

    def _stray(self) -> Body:
        what = self.rng.choice(("lock", "unlock"))
        return (Line(f"pthread_mutex_{what}(&{self.rng.choice(self.mutexes)});"),)

    def _section(self) -> Body:
        self.atomic = True
        body = self._body(self.rng.choice((1, 2)))
        self.atomic = False
        if self.rng.random() < 0.6:
            name = self.rng.choice(self.variables)
            condition = f"{name} {self._relation()} {self.rng.choice((0, 1, 2))}"
            body = (Line(f"__VERIFIER_assume({condition});"), *body)
        return (Block("__VERIFIER_atomic_begin(); {", body, "} __VERIFIER_atomic_end();"),)

    def _pointer(self) -> Body:
        place = f"{self.element} *p = &a[{self._index()}];"
        return (Line(f"{{ {place} *p = {self._expression()}; }}"),)

    def _count(self) -> Body:
        name, most = self.rng.choice([*self.variables, "x"]), self.rng.choice((9, 12, 20))
        step = self.rng.choice((1, 1, 1, 2))
        return self.rng.choice(
            (
                (Line(f"{name} = ({name} + {step}) % {most};"),),
                (Line(f"if ({name} >= {most}) {name} = 0; else {name} += {step};"),),
                (Line(f"if ({name} < {most}) {name} += {step};"),),
            )
        )

    def _allocate(self) -> Body:
        """Something on the heap that only this thread knows, or that q leads to afterwards."""
        kind = self.types["g0"]
        use = self.rng.choice((f"{self._shared()} = *p; free(p);", "q = p;", "free(p);"))
        place = f"{kind} *p = malloc(sizeof *p);"
        return (Line(f"{{ {place} *p = {self._expression()}; {use} }}"),)

    def _redirect(self) -> Body:
        targets = ["g0"]
        targets += ["g1"] if self.types.get("g1") == self.types["g0"] else []
        if self.array and self.element == self.types["g0"]:
            targets.append(f"a[{self._index()}]")
        return (Line(f"q = &{self.rng.choice(targets)};"),)

    def _through(self) -> Body:
        text = self.rng.choice((f"*q = {self._expression()};", f"{self.rng.choice('xy')} = *q;"))
        return (Line(text),)

    def _try(self) -> Body:
        mutex = self.rng.choice(self.mutexes)
        unlock = Line(f"pthread_mutex_unlock(&{mutex});")
        head = f"if (pthread_mutex_trylock(&{mutex}) == 0) {{"
        return (Block(head, (*self._body(1), unlock)),)

    def _wait(self) -> Body:
        mutex, name = self.mutexes[0], self.rng.choice(self.variables)
        if mutex in self.held:
            return self._assign()
        how = self.rng.choice(("while", "while", "if"))
        condition = f"{name} {self._relation()} {self.rng.choice((0, 1))}"
        self.held.append(mutex)
        body = self._body(1)
        self.held.pop()
        return (
            Line(f"pthread_mutex_lock(&{mutex});"),
            Line(f"{how} ({condition}) pthread_cond_wait(&c, &{mutex});"),
            *body,
            Line(f"pthread_mutex_unlock(&{mutex});"),
        )

    def _signal(self) -> Body:
        return (Line(f"pthread_cond_{self.rng.choice(('signal', 'broadcast'))}(&c);"),)

    def _call(self) -> Body:
        if self.rng.random() < 0.5:
            return (Line(f"put({self._expression()});"),)
        return (Line(f"{self._shared()} = next({self._operand()});"),)


def _bounded(name: str, low: int) -> str:
    """An input from `low` to 2, in one line, so that it stays in bounds in smaller programs too."""
    assumption = f"__VERIFIER_assume({low} <= {name} && {name} <= 2);"
    return f"{name} = __VERIFIER_nondet_int(); {assumption}"
