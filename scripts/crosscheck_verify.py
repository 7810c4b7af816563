"""Compare symbolic verification with brute force on many small random threaded C programs.

Every verdict must agree with the exhaustive engine and with a game solved on the concrete states,
and every schedule that is yielded must stand the check of tests/symbolic/game. Run it where imc
is installed.
"""

from __future__ import annotations

import argparse
import gc
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing import Pool
from pathlib import Path
from types import FrameType
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "symbolic"))

from game import TooLarge, check_schedule

from imc.explore import Limits, explore_exhaustively
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.deadlock import cycle_of
from imc.program.faults import Blocked, OutOfTime
from imc.program.interpreter import Interpreter
from imc.program.keys import Key, StateKeys
from imc.program.machine import Outcome
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.state import State, Status
from imc.program.verdict import Verdict
from imc.symbolic.result import Schedule
from imc.symbolic.strategy import STRATEGIES
from imc.symbolic.verify import Until, Verification, VerifyOptions

# Inputs are assumed to lie in 0..2; 3 stands for all that violate the assumption.
SETTINGS = Settings(inputs=(0, 1, 2, 3))
GRACE_S = 5.0
GROUND_TRUTH_S = 10.0

# ------------------------------------------------------------------- programs


@dataclass(frozen=True)
class Line:
    """A statement of C; `{}` braces are its own affair."""

    text: str


@dataclass(frozen=True)
class Block:
    """A statement with a body, and perhaps another one."""

    head: str
    body: Body
    tail: str = "}"
    otherwise: Body | None = None


Statement = Line | Block
Body = tuple[Statement, ...]


@dataclass(frozen=True)
class Source:
    """A program as statements, so that it can be made smaller."""

    declarations: tuple[str, ...]
    threads: tuple[Body, ...]
    main: Body
    join: str  # "all", "none", "first", "exit"
    end: Body
    start: Body = ()  # of main, before there are other threads


HEADER = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""
LOCALS = "    int x = 0, y = 0;\n"


def to_c(source: Source) -> str:
    parts = [HEADER, *(f"{d}\n" for d in source.declarations)]
    for n, body in enumerate(source.threads):
        parts.append(f"\nstatic void *thread{n}(void *arg)\n{{\n{LOCALS}")
        parts.extend(_lines(body, 1))
        parts.append("    return 0;\n}\n")
    parts.append(f"\nint main(void)\n{{\n{LOCALS}")
    parts.append(f"    pthread_t t[{max(1, len(source.threads))}];\n")
    parts.extend(_lines(source.start, 1))
    for n in range(len(source.threads)):
        parts.append(f"    pthread_create(&t[{n}], 0, thread{n}, 0);\n")
    parts.extend(_lines(source.main, 1))
    joined = {"all": len(source.threads), "first": 1}.get(source.join, 0)
    for n in range(min(joined, len(source.threads))):
        parts.append(f"    pthread_join(t[{n}], 0);\n")
    parts.extend(_lines(source.end, 1))
    parts.append("    pthread_exit(0);\n}\n" if source.join == "exit" else "    return 0;\n}\n")
    return "".join(parts)


def _lines(body: Body, depth: int) -> Iterator[str]:
    indent = "    " * depth
    for statement in body:
        if isinstance(statement, Line):
            yield f"{indent}{statement.text}\n"
            continue
        yield f"{indent}{statement.head}\n"
        yield from _lines(statement.body, depth + 1)
        if statement.otherwise is not None:
            yield f"{indent}}} else {{\n"
            yield from _lines(statement.otherwise, depth + 1)
        yield f"{indent}{statement.tail}\n"


TYPES = ("int", "unsigned char", "signed char", "unsigned", "short", "long")


class Generator:
    """Random programs, small enough to enumerate."""

    def __init__(self, seed: int, number: int) -> None:
        self.rng = random.Random(f"verify {seed} {number}")
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


# ------------------------------------------------------------------ shrinking


def smaller(source: Source) -> Iterator[Source]:
    """Programs with one thing less."""
    for n in range(len(source.threads)):
        yield replace(source, threads=source.threads[:n] + source.threads[n + 1 :])
    for n, body in enumerate(source.threads):
        for less in _less(body):
            yield replace(source, threads=(*source.threads[:n], less, *source.threads[n + 1 :]))
    for less in _less(source.main):
        yield replace(source, main=less)
    for less in _less(source.start):
        yield replace(source, start=less)
    for less in _less(source.end):
        yield replace(source, end=less)
    if source.join != "none":
        yield replace(source, join="none")
    for n in range(len(source.declarations)):
        yield replace(source, declarations=source.declarations[:n] + source.declarations[n + 1 :])


def _less(body: Body) -> Iterator[Body]:
    for n, statement in enumerate(body):
        before, after = body[:n], body[n + 1 :]
        yield (*before, *after)
        if isinstance(statement, Block):
            yield (*before, *statement.body, *after)
            if statement.otherwise is not None:
                yield (*before, replace(statement, otherwise=None), *after)
                yield (*before, *statement.otherwise, *after)
                for less in _less(statement.otherwise):
                    yield (*before, replace(statement, otherwise=less), *after)
            for less in _less(statement.body):
                yield (*before, replace(statement, body=less), *after)


def shrink(source: Source, fails: Callable[[Source], bool], seconds: float) -> Source:
    """The smallest program found that still fails."""
    deadline = time.monotonic() + seconds
    changed = True
    while changed:
        changed = False
        for less in smaller(source):
            if time.monotonic() > deadline:
                return source
            if fails(less):
                source, changed = less, True
                break
    return source


# ---------------------------------------------------------------- brute force


class Game:
    """The concrete states as a game: the scheduler picks a thread, the environment its outcome."""

    def __init__(self, program: Program, states: int) -> None:
        self.interpreter = Interpreter(program, SETTINGS)
        self.interpreter.image.deadline = time.monotonic() + GROUND_TRUTH_S
        self.keys = StateKeys(self.interpreter.image)
        self.moves: dict[Key, dict[int, list[Key | None]]] = {}  # None is a fault
        self.ends: dict[Key, bool] = {}  # of states where nobody moves: whether that is proper
        self.control: dict[Key, object] = {}  # where the threads are
        self.starts: list[Key | None] = []
        self.limit = states
        self.has_fault = False
        self._work: list[tuple[Key, State]] = []
        self._build()

    def _build(self) -> None:
        self.starts = [self._reached(o) for o in self.interpreter.initial()]
        while self._work:
            if len(self.moves) > self.limit:
                raise TooLarge(f"more than {self.limit} states")
            key, state = self._work.pop()
            self._expand(key, state)

    def _reached(self, outcome: Outcome) -> Key | None:
        if outcome.fault is not None:
            self.has_fault = True
            return None
        key = self.keys.key(outcome.state)
        if key not in self.moves:
            self.moves[key] = {}
            self.control[key] = _control(outcome.state)
            self._work.append((key, outcome.state))
        return key

    def _expand(self, key: Key, state: State) -> None:
        blocked: dict[int, Blocked] = {}
        found: dict[int, list[Outcome]] = {}
        if state.exit_code is None:
            for number, thread in state.threads.items():
                if thread.status is Status.RUNNING:
                    try:
                        found[number] = self.interpreter.successors(state, number)
                    except Blocked as why:
                        blocked[number] = why
        if cycle_of({t: b.holder for t, b in blocked.items()}):
            self.ends[key] = False
            self.has_fault = True
        elif not found:
            stuck = any(t.status is Status.STUCK for t in state.threads.values())
            waits = any(b.what == "assumption" for b in blocked.values())
            self.ends[key] = state.ended or stuck or waits
            self.has_fault |= not self.ends[key]
        else:
            self.moves[key] = {t: [self._reached(o) for o in os] for t, os in found.items()}

    def has_safe_strategy(self) -> bool:
        """Whether a scheduler that sees the whole state can avoid errors; it may starve threads."""
        graph: Graph[Key] = {
            key: None if key in self.ends else list(moves.values())
            for key, moves in self.moves.items()
        }
        winning = _winning(graph, {key for key, proper in self.ends.items() if not proper})
        return all(start in winning for start in self.starts)

    def has_blind_strategy(self, beliefs: int = 3000) -> bool:
        """Whether one that sees only where the threads are can; raises TooLarge."""
        if None in self.starts:
            return False
        starts = self._observed({s for s in self.starts if s is not None})
        graph: Graph[frozenset[Key]] = {}
        lost: set[frozenset[Key]] = set()
        work = list(starts)
        while work:
            belief = work.pop()
            if belief in graph:
                continue
            if len(graph) > beliefs:
                raise TooLarge(f"more than {beliefs} sets of states")
            proper = [self.ends.get(key) for key in belief]
            graph[belief] = None
            if False in proper or (True in proper and None in proper):
                lost.add(belief)
            elif None in proper:
                graph[belief] = moves = self._moves(belief)
                work.extend(b for after in moves for b in after if b is not None)
        winning = _winning(graph, lost)
        return all(start in winning for start in starts)

    def _moves(self, belief: frozenset[Key]) -> list[list[frozenset[Key] | None]]:
        """Steps of threads that can move in every state."""
        able = set.intersection(*(set(self.moves[key]) for key in belief))
        result: list[list[frozenset[Key] | None]] = []
        for thread in sorted(able):
            after = {k for key in belief for k in self.moves[key][thread]}
            known = {k for k in after if k is not None}
            result.append([*self._observed(known), *([None] if None in after else [])])
        return result

    def _observed(self, keys: set[Key]) -> list[frozenset[Key]]:
        groups: dict[object, set[Key]] = {}
        for key in keys:
            groups.setdefault(self.control[key], set()).add(key)
        return [frozenset(group) for group in groups.values()]


N = TypeVar("N")
Graph = dict[N, list[list[N | None]] | None]  # None: an end


def _winning(graph: Graph[N], lost: set[N]) -> set[N]:
    """The greatest set without lost nodes in which there is always a choice that stays inside."""
    winning = set(graph) - lost
    while True:
        gone = set()
        for node in winning:
            moves = graph[node]
            if moves is not None and not any(all(o in winning for o in after) for after in moves):
                gone.add(node)
        if not gone:
            return winning
        winning -= gone


def _control(state: State) -> object:
    return state.exit_code is None, tuple(
        (t.id, t.status, t.paused, tuple((f.code.number, f.pc, f.phase) for f in t.frames))
        for t in sorted(state.threads.values(), key=lambda t: t.id)
    )


# ----------------------------------------------------------------- comparison


@dataclass(frozen=True)
class Task:
    seed: int
    number: int
    time_s: float
    states: int
    shrink_s: float
    results: int

    @property
    def name(self) -> str:
        return f"{self.seed}-{self.number}"

    @property
    def strategy(self) -> str:
        """Mostly the first one, which is the default."""
        names = list(STRATEGIES)
        return names[self.number % 4 if self.number % 4 < len(names) else 0]


@dataclass
class Report:
    """What one program has shown."""

    task: Task
    figures: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)
    source: str = ""


class Hang(Exception):
    """Verification goes on long after its time limit."""


def _alarm(signum: int, frame: FrameType | None) -> None:
    raise Hang


def check(task: Task) -> Report:
    """Compares one program; if there is a disagreement, also looks for a smaller program."""
    report = Report(task)
    source = Generator(task.seed, task.number).source()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        report.disagreements = differences(source, path, task, report.figures)
        if report.disagreements:
            kind = _kind(report.disagreements)

            def fails(less: Source) -> bool:
                try:
                    return _kind(differences(less, path, task, Counter())) == kind
                except Exception:
                    return False

            small = shrink(source, fails, task.shrink_s)
            if small is not source:
                report.disagreements = differences(small, path, task, Counter())
                source = small
    report.source = to_c(source)
    gc.collect()  # solvers are large
    return report


def _kind(disagreements: list[str]) -> str:
    """What a smaller program must show as well: the first words."""
    return " ".join(disagreements[0].split()[:2]) if disagreements else ""


def differences(source: Source, path: Path, task: Task, figures: Counter[str]) -> list[str]:
    path.write_text(to_c(source))
    program = load_program([path], cache=NO_CACHE)
    try:
        unsafe = _is_unsafe(program, task)
        game = Game(program, 4 * task.states)
    except (TooLarge, OutOfTime):
        figures["too large"] += 1
        return []
    figures["compared"] += 1
    figures["exhaustively unsafe" if unsafe else "exhaustively safe"] += 1
    wrong = []
    if game.has_fault != unsafe:
        wrong.append(f"ground truth is unclear: engine {unsafe}, game {game.has_fault}")
    comparer = Comparer(program, task, figures)
    wrong += comparer.verdict(unsafe, game)
    if not wrong and not unsafe:
        wrong += comparer.schedules()
    return wrong


def _is_unsafe(program: Program, task: Task) -> bool:
    """What the exhaustive engine says; raises TooLarge or OutOfTime where that is nothing."""
    limits = Limits(time_s=GROUND_TRUTH_S, states=task.states)
    result = explore_exhaustively(Interpreter(program, SETTINGS), True, limits)
    stopped = [b for b in result.bounds if not b.startswith("inputs of")]
    if result.verdict is not Verdict.UNSAFE and stopped:
        raise TooLarge(stopped[0])
    return result.fault is not None


class Comparer:
    """Verification of one program against what is known of it."""

    def __init__(self, program: Program, task: Task, figures: Counter[str]) -> None:
        self.program = program
        self.task = task
        self.figures = figures
        self.wrong: list[str] = []

    def _run(self, options: VerifyOptions) -> Verification | None:
        """Verification, with the check of every schedule; None when it fails."""
        verification = Verification(self.program, SETTINGS, options)
        seconds = self.task.time_s + GRACE_S
        previous = signal.signal(signal.SIGALRM, _alarm)
        spent = 0.0
        try:
            results = iter(verification)
            while len(verification.outcome.results) < self.task.results:
                started = time.monotonic()
                # Again and again: an exception in a destructor is swallowed.
                signal.setitimer(signal.ITIMER_REAL, max(0.1, seconds - spent), 0.5)
                result = next(results, None)
                signal.setitimer(signal.ITIMER_REAL, 0)
                spent += time.monotonic() - started
                if spent > seconds:
                    raise Hang
                if result is None:
                    break
                if result.schedule is not None:
                    self._game(result.schedule, result.index)
            results.close()  # type: ignore[attr-defined]
        except Hang:
            self.wrong.append(f"hang for more than {seconds:g} s")
            return None
        except Exception:
            lines = traceback.format_exc().splitlines()
            self.wrong.append(f"crash {lines[-1]}: " + " | ".join(lines[-9:-1]))
            return None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)
        return verification

    def _game(self, schedule: Schedule, index: int) -> None:
        try:
            complaints = check_schedule(self.program, SETTINGS, schedule)
        except TooLarge:
            self.figures["schedules too large"] += 1
            return
        self.figures["schedules checked"] += 1
        self.wrong += [f"schedule {index} is wrong: {c}" for c in complaints]

    def verdict(self, unsafe: bool, game: Game) -> list[str]:
        """All results, and the verdict."""
        strategy = game.has_safe_strategy()
        options = VerifyOptions(
            until=Until.ALL, time_s=self.task.time_s, strategy=self.task.strategy
        )
        started = time.monotonic()
        verification = self._run(options)
        if verification is None:
            return self.wrong
        outcome = verification.outcome
        self.figures[f"verdict {outcome.verdict}"] += 1
        self.figures["milliseconds"] += int(1000 * (time.monotonic() - started))
        reproduced = outcome.violation is not None and outcome.violation.reproduced
        if outcome.verdict is Verdict.SAFE and unsafe:
            self.wrong.append("verdict safe, but there is an error")
        if reproduced and not unsafe:
            assert outcome.violation is not None
            self.wrong.append(f"verdict is wrong: {outcome.violation.fault.message}, not so")
        if outcome.violation is not None and not reproduced:
            self.figures[f"not reproduced: {outcome.violation.fault.kind}"] += 1
        if outcome.verdict is Verdict.UNSAFE and not unsafe:
            self.wrong.append("verdict unsafe, but there is no error")
        if outcome.verdict is Verdict.UNSAFE and strategy:
            self._avoidable(game)
        if outcome.schedule is not None and not strategy:
            self.wrong.append("schedule found, but there is no safe strategy")
        if outcome.verdict is Verdict.UNKNOWN:
            reasons = [outcome.reason, *outcome.bounds]
            truth = "safe" if not unsafe else "avoidable" if strategy else "unsafe"
            self.figures[f"unknown, {truth}: {'; '.join(r for r in reasons if r)}"] += 1
        if outcome.verdict is Verdict.PARTIALLY_SAFE and not unsafe:
            reasons = outcome.bounds or ["more results"]
            self.figures[f"not proved safe: {'; '.join(reasons)}"] += 1
        if outcome.verdict is Verdict.PARTIALLY_SAFE and unsafe and not reproduced:
            self.figures["error not found"] += 1
        return self.wrong

    def _avoidable(self, game: Game) -> None:
        """Errors can be avoided, perhaps only by one who sees values that no branch has shown.

        Fairness is left out: the verdict is wrong even if only unfair schedules are safe.
        """
        try:
            if game.has_blind_strategy():
                self.wrong.append("verdict unsafe, but there is a safe strategy (fair or not)")
            else:
                self.figures["unsafe, unless one sees values"] += 1
        except TooLarge:
            self.figures["unsafe, perhaps unless one sees values"] += 1

    def schedules(self) -> list[str]:
        """Schedule after schedule, without the attempt at all of them."""
        task = self.task
        options = VerifyOptions(iterations=task.results, time_s=task.time_s, strategy=task.strategy)
        self._run(options)
        return self.wrong


# ----------------------------------------------------------------------- main


def tasks(options: argparse.Namespace) -> Iterator[Task]:
    for n in range(options.first, options.first + options.count):
        yield Task(options.seed, n, options.time, options.states, options.shrink, options.results)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many (default 200)")
    parser.add_argument("--first", type=int, default=0, help="number of the first program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--time", type=float, default=5, help="seconds to verify one (default 5)")
    parser.add_argument(
        "--states", type=int, default=3000, help="skip larger programs (default 3000)"
    )
    parser.add_argument(
        "--shrink", type=float, default=60, help="seconds to make one smaller (default 60)"
    )
    parser.add_argument(
        "--results", type=int, default=6, help="schedules and errors of one (default 6)"
    )
    parser.add_argument("--minutes", type=float, default=60, help="stop after this time")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", default="", help="also print programs counted under this word")
    options = parser.parse_args()

    started = time.monotonic()
    total: Counter[str] = Counter()
    with Pool(options.jobs, maxtasksperchild=40) as pool:
        for report in pool.imap(check, tasks(options)):
            total.update(report.figures)
            total["generated"] += 1
            if total["generated"] % 100 == 0:
                elapsed = time.monotonic() - started
                print(f"{total['generated']} programs in {elapsed:.0f} s", file=sys.stderr)
            if report.disagreements:
                total["disagreements"] += 1
                tell(report)
            elif options.show and any(options.show in what for what in report.figures):
                tell(report)
            if time.monotonic() - started > 60 * options.minutes:
                print(f"stopped after {options.minutes:g} minutes")
                break
    print(f"{total['compared']} programs compared in {time.monotonic() - started:.0f} s")
    for what, count in sorted(total.items()):
        if what != "compared":
            print(f"{count:8} {what}")
    return 1 if total["disagreements"] else 0


def tell(report: Report) -> None:
    print(f"==== {report.task.name}")
    for line in report.disagreements[:5] or sorted(report.figures):
        print(f"  {line}")
    print(report.source, flush=True)


if __name__ == "__main__":
    sys.exit(main())
