"""Random programs: small enough to enumerate, wild enough to go wrong in every way."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from tiny.language import (
    REGISTERS,
    Add,
    Assert,
    Assume,
    Atomic,
    Body,
    Broadcast,
    CompareExchange,
    Condition,
    FetchAdd,
    If,
    Input,
    Load,
    Lock,
    Meet,
    Post,
    Program,
    ReadLock,
    Repeat,
    RwUnlock,
    Signal,
    Statement,
    Store,
    Take,
    TryLock,
    Unlock,
    Wait,
    WriteLock,
)


class Profile(StrEnum):
    SIMPLE = "simple"  # variables, mutexes, atomic operations and sections, inputs
    RICH = "rich"  # also semaphores, condition variables, barriers, read-write locks


def random_program(profile: Profile, seed: int, number: int) -> Program:
    """The same for the same arguments, on every machine."""
    return _Generator(random.Random(f"{profile} {seed} {number}"), profile).program()


Maker = Callable[[int], Body]  # takes how many events it may use


class _Generator:
    def __init__(self, rng: random.Random, profile: Profile) -> None:
        self.rng = rng
        self.rich = profile is Profile.RICH
        self.names = Program(
            threads=(),
            variables=("x", "y")[: rng.choice((1, 1, 2))],
            atomics=("a",)[: rng.choice((0, 1))],
            mutexes=("m0", "m1")[: rng.choice((1, 2))],
        )
        self.theme = ""
        self.held: list[str] = []  # mutexes, where the statement to be made will stand
        if self.rich:
            self._enrich()

    def _enrich(self) -> None:
        """A bit of everything; or one thing only, so that several threads come to it."""
        rng = self.rng
        themes = ("rwlock", "condition", "semaphore", "barrier")
        chosen = set(rng.sample(themes, rng.choice((1, 2))))
        if rng.random() < 0.6:
            self.theme = rng.choice(themes)
            chosen = {self.theme}
            self.names = replace(self.names, variables=("x",), atomics=(), mutexes=("m0",))
        self.names = replace(
            self.names,
            rwlocks=("w",) if "rwlock" in chosen else (),
            conditions=("c0", "c1")[: rng.choice((1, 1, 2))] if "condition" in chosen else (),
            semaphores=(("s", rng.choice((0, 0, 1))),) if "semaphore" in chosen else (),
            barriers=(("b", rng.choice((2, 2, 3))),) if "barrier" in chosen else (),
        )

    def program(self) -> Program:
        rng = self.rng
        count = rng.choice((2, 2, 3))
        budgets = (1, 2, 3) if count == 3 or self.theme else (2, 3, 4, 5)
        threads = [self._body(rng.choice(budgets)) for _ in range(count)]
        if rng.random() < 0.15:
            threads[1] = threads[0]
        for barrier, _ in self.names.barriers:
            for n in range(count):
                if not self.theme and rng.random() < 0.9:
                    at = rng.randint(0, len(threads[n]))
                    threads[n] = (*threads[n][:at], Meet(barrier), *threads[n][at:])
        program = replace(
            self.names,
            threads=tuple(threads),
            main=self._body(rng.choice((1, 2)))
            if rng.random() < (0.5 if self.theme else 0.2)
            else (),
        )
        for name in program.shared:
            alone = replace(program, variables=(name,), atomics=())
            if not alone.all_shared():
                n = rng.randrange(count)
                threads[n] = (*threads[n], Store(name, 1))
        return replace(program, threads=tuple(threads))

    # ------------------------------------------------------------------ bodies

    def _body(self, events: int, makers: dict[Maker, float] | None = None) -> Body:
        makers = makers or self._makers()
        body: list[Statement] = []
        while events > 0:
            made = self._pick(makers)(events)
            body.extend(made)
            # What costs nothing must come to an end as well.
            events -= max(_events(made), self.rng.random() < 0.3)
        return tuple(body)

    def _pick(self, makers: dict[Maker, float]) -> Maker:
        return self.rng.choices(list(makers), list(makers.values()))[0]

    def _plain_makers(self) -> dict[Maker, float]:
        """What may also stand in an atomic section."""
        makers: dict[Maker, float] = {
            self._load: 5, self._store: 2, self._store_sum: 4, self._add: 1, self._input: 1,
            self._assume: 0.5, self._assertion: 1.5, self._branch: 2,
        }  # fmt: skip
        if self.names.atomics:
            makers |= {self._fetch_add: 2, self._compare_exchange: 2}
        return makers

    def _makers(self) -> dict[Maker, float]:
        makers: dict[Maker, float] = {}
        if self.names.rwlocks:
            makers |= {self._shared_section: 3, self._stray_rw_unlock: 0.2}
        if self.names.conditions:
            makers |= {self._wait: 2.5, self._stray_wait: 0.2, self._signal: 2.5}
        if self.names.semaphores:
            makers |= {self._post: 2.5, self._take: 2}
        if self.names.barriers:
            makers |= {self._meet: 1}
        if self.theme:
            weight = sum(makers.values()) / 3
            return makers | {self._load: weight / 2, self._store: weight, self._assertion: 0.1}
        if self.rich:
            makers[self._try_lock] = 1
        makers |= {
            self._critical: 3, self._stray_lock: 0.3, self._loop: 1.2, self._atomic: 1.5,
        }  # fmt: skip
        return makers | self._plain_makers()

    # -------------------------------------------------------------- statements

    def _register(self) -> int:
        return self.rng.randrange(REGISTERS)

    def _variable(self) -> str:
        return self.rng.choice(self.names.shared)

    def _constant(self) -> int:
        return self.rng.choice((-1, 0, 1, 1, 2, 3))

    def _condition(self) -> Condition:
        relation = self.rng.choice(("==", "!=", "<", ">"))
        return Condition(self._register(), relation, self.rng.choice((0, 1, 2)))

    def _load(self, events: int) -> Body:
        return (Load(self._register(), self._variable()),)

    def _store(self, events: int) -> Body:
        return (Store(self._variable(), self._constant()),)

    def _store_sum(self, events: int) -> Body:
        return (Store(self._variable(), self._constant(), self._register()),)

    def _add(self, events: int) -> Body:
        return (Add(self._register(), self._constant()),)

    def _input(self, events: int) -> Body:
        return (Input(self._register()),)

    def _assume(self, events: int) -> Body:
        return (Assume(self._condition()),)

    def _assertion(self, events: int) -> Body:
        """Mostly one that holds for small values, so that not every program is wrong."""
        if self.rng.random() < 0.3:
            return (Assert(self._condition()),)
        relation, constant = self.rng.choice((("<", 3), ("<", 4), (">", -2), ("!=", 3), ("!=", 2)))
        return (Assert(Condition(self._register(), relation, constant)),)

    def _fetch_add(self, events: int) -> Body:
        return (FetchAdd(self._register(), "a", self._constant()),)

    def _compare_exchange(self, events: int) -> Body:
        return (CompareExchange(self._register(), "a", self._constant(), self._constant()),)

    def _branch(self, events: int) -> Body:
        makers = self._plain_makers()
        otherwise = self._body(1, makers) if self.rng.random() < 0.5 else ()
        return (If(self._condition(), self._body(min(events, 2), makers), otherwise),)

    def _loop(self, events: int) -> Body:
        return (Repeat(self.rng.choice((1, 2, 2, 3)), self._body(1)),)

    def _mutex(self) -> str:
        """Mostly one that the thread does not hold."""
        free = [m for m in self.names.mutexes if m not in self.held]
        careless = not free or self.rng.random() < 0.05
        return self.rng.choice(self.names.mutexes if careless else free)

    def _critical(self, events: int) -> Body:
        if len(self.held) == len(self.names.mutexes) and self.rng.random() < 0.95:
            return self._load(events)
        mutex = self._mutex()
        self.held.append(mutex)
        body = self._body(self.rng.choice((1, 2)))
        self.held.pop()
        if self.rng.random() < 0.05:
            return (Lock(mutex), *body)
        return (Lock(mutex), *body, Unlock(mutex))

    def _stray_lock(self, events: int) -> Body:
        mutex = self.rng.choice(self.names.mutexes)
        return (self.rng.choice((Lock, Unlock))(mutex),)

    def _try_lock(self, events: int) -> Body:
        mutex, register = self._mutex(), self._register()
        self.held.append(mutex)
        then: Body = (*self._body(1), Unlock(mutex))
        self.held.pop()
        return (TryLock(register, mutex), If(Condition(register, "==", 0), then))

    def _atomic(self, events: int) -> Body:
        makers = self._plain_makers()
        if self.rng.random() < 0.2:  # what waits inside makes the whole section wait
            makers |= {self._stray_lock: 2}
            if self.names.semaphores:
                makers |= {self._post: 2, self._take: 2}
        return (Atomic(self._body(self.rng.choice((1, 2, 3)), makers)),)

    def _shared_section(self, events: int) -> Body:
        enter = self.rng.choice((ReadLock, ReadLock, WriteLock))
        return (enter("w"), *self._body(1), RwUnlock("w"))

    def _stray_rw_unlock(self, events: int) -> Body:
        return (RwUnlock("w"),)

    def _wait(self, events: int) -> Body:
        """As it should be: the condition is looked at under the mutex."""
        mutex, register = self._mutex(), self._register()
        wait = Wait(self.rng.choice(self.names.conditions), mutex)
        if self.rng.random() < 0.5:
            return (Lock(mutex), wait, Unlock(mutex))
        look = (Load(register, self._variable()), If(Condition(register, "==", 0), (wait,)))
        return (Lock(mutex), *look, Unlock(mutex))

    def _stray_wait(self, events: int) -> Body:
        return (Wait(self.rng.choice(self.names.conditions), self.rng.choice(self.names.mutexes)),)

    def _signal(self, events: int) -> Body:
        kind = self.rng.choice((Signal, Broadcast))
        return (kind(self.rng.choice(self.names.conditions)),)

    def _post(self, events: int) -> Body:
        return (Post("s"),)

    def _take(self, events: int) -> Body:
        return (Take("s"),)

    def _meet(self, events: int) -> Body:
        return (Meet("b", self.rng.choice((None, None, self._register()))),)


def _events(body: Body) -> int:
    """At most how many events a body has."""
    total = 0
    for statement in body:
        match statement:
            case Add() | Input() | Assert() | Assume():
                pass
            case If(_, then, otherwise):
                total += max(_events(then), _events(otherwise))
            case Repeat(count, inner):
                total += count * _events(inner)
            case Wait() | Meet():
                total += 2
            case _:
                total += 1
    return total
