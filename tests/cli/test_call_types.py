"""Calls of functions that another file has declared as something else are refused."""

from __future__ import annotations

import pytest
from cli_runs import Imc

CALLER = """\
#include <assert.h>
extern int get(int *p);
int main(void) {
    int v = 3;
    assert(get(&v) == 1);
}
"""
DEFINITIONS = {
    "more parameters": ("int get(int *p, int q) { return q ? 1 : *p; }", "i32 (ptr, i32)"),
    "no result": ("void get(int *p) {}", "void (ptr)"),
    "a float": ("double get(int *p) { return 1.0; }", "double (ptr)"),
    "a struct": (
        "struct s { long a, b, c; }; struct s get(int *p) { struct s x = {1}; return x; }",
        "void (ptr, ptr)",
    ),
    "a wider result": ("long get(int *p) { return 0x100000001L; }", "i64 (ptr)"),
    "a narrow parameter": ("int get(int p) { return 1; }", "i32 (i32)"),
    "a float parameter": ("int get(double d) { return d > 0; }", "i32 (double)"),
    "a pointer": ("int *get(int *p) { return p; }", "ptr (ptr)"),
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_call_that_does_not_fit(imc: Imc, name: str) -> None:
    text, type = DEFINITIONS[name]
    imc.write({"call.c": CALLER, "get.c": text + "\n"})
    words = ("call.c:5", "'get' is called as i32 (ptr)", f"but is {type}", "get.c:1")
    for command in ("explore", "verify"):
        imc(command, "call.c", "get.c").failed(*words)
    imc("explore", "call.c", "--stubs", "get.c").failed(*words)


def test_a_variable_is_no_function(imc: Imc) -> None:
    imc.write({"call.c": CALLER, "get.c": "int get = 7;\n"})
    imc("explore", "call.c", "get.c").failed("call.c:5", "'get' is called, but it is a variable")


@pytest.mark.parametrize(
    "text",
    [
        "int get(void) { return 1; }",  # what it does not take is ignored
        "int get(void *p) { return *(int *)p == 3; }",
        "int get(long p) { return p != 0; }",
        "int get(p) int *p; { return *p == 3; }",
    ],
)
def test_what_is_passed_alike_is_let_through(imc: Imc, text: str) -> None:
    imc.write({"call.c": CALLER, "get.c": text + "\n"})
    imc("explore", "call.c", "get.c").verdict("safe")
    imc.write({"call.c": CALLER.replace("int *p", "")})
    imc("explore", "call.c", "get.c").verdict("safe")


def test_a_library_function_by_another_declaration(imc: Imc) -> None:
    lock = "int pthread_mutex_lock({0});\nint main(void) {{ return pthread_mutex_lock({1}); }}\n"
    imc.write({"lock.c": lock.format("double", "1.5")})
    words = ("lock.c:2", "'pthread_mutex_lock' is called as i32 (double)", "header")
    imc("explore", "lock.c").failed(*words)
    imc.write({"lock.c": lock.format("", "")})
    for options in ((), ("--count",)):
        done = imc("explore", "lock.c", *options)
        done.failed("lock.c:2", "'pthread_mutex_lock' is called with fewer arguments than it takes")
