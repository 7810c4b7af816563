"""Programs of the tiny language as C with pthreads."""

from __future__ import annotations

from collections.abc import Iterable

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
    Exit,
    FetchAdd,
    If,
    Initialise,
    Input,
    Join,
    Load,
    Lock,
    Meet,
    Post,
    Program,
    ReadLock,
    Repeat,
    RwUnlock,
    Signal,
    Spawn,
    Statement,
    Store,
    Take,
    TryLock,
    Unlock,
    Wait,
    WriteLock,
)

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
"""
REGISTER_LINE = f"int {', '.join(f'r{n} = 0' for n in range(REGISTERS))};"


def to_c(program: Program) -> str:
    """The C text of a program. Threads with the same body share a function."""
    lines = [HEAD, *_globals(program)]
    names: dict[Body, str] = {}
    for number, body in enumerate(program.threads, 1):
        if body not in names:
            names[body] = f"thread{number}"
            lines += ["", f"static void *thread{number}(void *unused) {{"]
            lines += _indent([REGISTER_LINE, *_body(body), "return 0;"])
            lines.append("}")
    routines = [names[body] for body in program.threads]
    barriers = {name for name, _ in program.barriers}
    lines += ["", "int main(void) {"]
    lines += _indent([f"pthread_t threads[{len(routines)}];", REGISTER_LINE])
    for statement in program.whole_main:
        match statement:
            case Initialise(name, value) if name in barriers:
                text = [f"pthread_barrier_init(&{name}, 0, {value});"]
            case Initialise(name, value):
                text = [f"sem_init(&{name}, 0, {value});"]
            case Spawn(thread):
                text = [f"pthread_create(&threads[{thread - 1}], 0, {routines[thread - 1]}, 0);"]
            case Join(thread):
                text = [f"pthread_join(threads[{thread - 1}], 0);"]
            case Exit():
                text = ["return 0;"]
            case _:
                text = _statement(statement)
        lines += _indent(text)
    lines.append("}")
    return "\n".join(lines) + "\n"


def _globals(program: Program) -> list[str]:
    return [
        *(f"int {name};" for name in program.variables),
        *(f"_Atomic int {name};" for name in program.atomics),
        *(f"pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;" for name in program.mutexes),
        *(f"pthread_rwlock_t {name} = PTHREAD_RWLOCK_INITIALIZER;" for name in program.rwlocks),
        *(f"pthread_cond_t {name} = PTHREAD_COND_INITIALIZER;" for name in program.conditions),
        *(f"sem_t {name};" for name, _ in program.semaphores),
        *(f"pthread_barrier_t {name};" for name, _ in program.barriers),
    ]


def _indent(lines: Iterable[str]) -> list[str]:
    return ["    " + line for line in lines]


def _body(body: Body) -> list[str]:
    return [line for statement in body for line in _statement(statement)]


def _condition(condition: Condition) -> str:
    return f"r{condition.register} {condition.relation} {condition.constant}"


def _statement(statement: Statement) -> list[str]:
    match statement:
        case Add(r, constant):
            return [f"r{r} = r{r} + {constant};"]
        case Input(r):
            return [f"r{r} = __VERIFIER_nondet_bool();"]
        case Assert(condition):
            return [f"assert({_condition(condition)});"]
        case Assume(condition):
            return [f"__VERIFIER_assume({_condition(condition)});"]
        case Load(r, name):
            return [f"r{r} = {name};"]
        case Store(name, constant, None):
            return [f"{name} = {constant};"]
        case Store(name, constant, r):
            return [f"{name} = r{r} + {constant};"]
        case FetchAdd(r, name, constant):
            return [f"r{r} = atomic_fetch_add(&{name}, {constant});"]
        case CompareExchange(r, name, expected, new):
            exchange = f"atomic_compare_exchange_strong(&{name}, &expected, {new})"
            return [f"{{ int expected = {expected}; r{r} = {exchange}; }}"]
        case Lock(name):
            return [f"pthread_mutex_lock(&{name});"]
        case TryLock(r, name):
            return [f"r{r} = pthread_mutex_trylock(&{name}) != 0;"]
        case Unlock(name):
            return [f"pthread_mutex_unlock(&{name});"]
        case ReadLock(name):
            return [f"pthread_rwlock_rdlock(&{name});"]
        case WriteLock(name):
            return [f"pthread_rwlock_wrlock(&{name});"]
        case RwUnlock(name):
            return [f"pthread_rwlock_unlock(&{name});"]
        case Post(name):
            return [f"sem_post(&{name});"]
        case Take(name):
            return [f"sem_wait(&{name});"]
        case Wait(name, mutex):
            return [f"pthread_cond_wait(&{name}, &{mutex});"]
        case Signal(name):
            return [f"pthread_cond_signal(&{name});"]
        case Broadcast(name):
            return [f"pthread_cond_broadcast(&{name});"]
        case Meet(name, None):
            return [f"pthread_barrier_wait(&{name});"]
        case Meet(name, r):
            return [f"r{r} = pthread_barrier_wait(&{name}) == PTHREAD_BARRIER_SERIAL_THREAD;"]
        case If(condition, then, otherwise):
            lines = [f"if ({_condition(condition)}) {{", *_indent(_body(then))]
            if otherwise:
                lines += ["} else {", *_indent(_body(otherwise))]
            return [*lines, "}"]
        case Repeat(count, body):
            return [f"for (int i = 0; i < {count}; i++) {{", *_indent(_body(body)), "}"]
        case Atomic(body):
            return ["__VERIFIER_atomic_begin();", *_indent(_body(body)), "__VERIFIER_atomic_end();"]
    raise TypeError(f"not for a thread: {statement}")
