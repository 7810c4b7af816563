"""What is asked for is done or refused, and all commands say the same in the same form."""

from __future__ import annotations

import pytest
from cli_runs import Imc

GOOD = "int main(void) { return 0; }\n"
CALLBACK = """\
struct ops { void (*f)(void); int k; };
extern void use(struct ops *o);
static void called(void) {}
int main(void) {
    struct ops o = {called, 1};
    use(&o);
}
"""
WORDS = """\
#include <assert.h>
extern int an_undefined_function_with_a_long_name(void);
int main(void) {
    assert(an_undefined_function_with_a_long_name() == 3);
}
"""


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("explore p.c --optimise opt1", "--emit-schedule"),
        ("verify p.c --optimise opt1", "--emit-schedule"),
        ("explore p.c --check race --no-check race", "race cannot be checked and not be checked"),
        ("verify p.c --check race --no-check race", "race cannot be checked and not be checked"),
        ("explore p.c --max-executions 3", "--count"),
        ("explore p.c --seed 3", "--threads-order shuffle"),
        ("explore p.c --stubs empty.c", "the stubs empty.c are empty"),
    ],
)
def test_what_would_be_ignored_is_refused(imc: Imc, command: str, words: str) -> None:
    imc.write({"p.c": GOOD, "empty.c": ""})
    imc(*command.split()).failed(words)


def test_a_function_behind_a_pointer_is_refused_by_all(imc: Imc) -> None:
    imc.write({"p.c": CALLBACK})
    first = imc("explore", "p.c")
    first.failed("p.c:6", "'use' is not defined, and is given the function 'called'", "--stubs")
    assert imc("verify", "p.c") == first


def test_a_verdict_fits_eighty_columns_and_is_told_once(imc: Imc) -> None:
    imc.write({"p.c": WORDS})
    done = imc("explore", "p.c")
    assert done.code == 3
    assert all(len(line) <= 80 for line in done.out.splitlines())
    assert " ".join(done.out.split()).count("the error that was found") == 1
