"""Which variables are shared, and which instructions become events."""

from __future__ import annotations

from pathlib import Path

import pytest

import imc.api
from imc.errors import Unsupported
from imc.program.analysis.sharing import Sharing
from imc.program.instructions import Load
from imc.program.types import IntType

HEADER = "#include <pthread.h>\n#include <stdlib.h>\n"
SPAWN = "pthread_t t; pthread_create(&t, 0, f, {}); "

CASES = {
    # program text: the variables that are shared
    "written by both": (
        "int x; void *f(void *a) { x = 1; return 0; } int main(void) { "
        + SPAWN.format(0)
        + "return x; }",
        {"x"},
    ),
    "written before the thread starts": (
        "int x; void *f(void *a) { return x ? a : 0; }"
        "int main(void) { x = 1; " + SPAWN.format(0) + "return x; }",
        set(),
    ),
    "written by one, read by none": (
        "int x; void *f(void *a) { x++; return 0; } int main(void) { "
        + SPAWN.format(0)
        + "return 0; }",
        set(),
    ),
    "one thread function, two threads": (
        "int x; void *f(void *a) { x++; return 0; }"
        "int main(void) { " + SPAWN.format(0) + "pthread_create(&t, 0, f, 0); return 0; }",
        {"x"},
    ),
    "spawned in a loop": (
        "int x; void *f(void *a) { x++; return 0; }"
        "int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, f, 0);"
        " return 0; }",
        {"x"},
    ),
    "a local whose address is passed": (
        "void *f(void *a) { *(int *)a = 1; return 0; }"
        "int main(void) { int v = 0; " + SPAWN.format("&v") + "return v; }",
        {"v"},
    ),
    "a local whose address stays": (
        "int x; void *f(void *a) { int v = 0, *p = &v; *p = x; return 0; }"
        "int main(void) { " + SPAWN.format(0) + "x = 2; return 0; }",
        {"x"},
    ),
    "thread-local": (
        "_Thread_local int x; void *f(void *a) { x++; return 0; }"
        "int main(void) { " + SPAWN.format(0) + "x++; return 0; }",
        set(),
    ),
    "through a pointer in a struct": (
        "struct s { int pad; int *p; } g; int x; void *f(void *a) { *g.p = 1; return 0; }"
        "int main(void) { g.p = &x; " + SPAWN.format(0) + "x = 3; return 0; }",
        {"x"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_shared_variables(name: str, tmp_path: Path) -> None:
    text, expected = CASES[name]
    source = tmp_path / "p.c"
    source.write_text(HEADER + text)
    sharing = Sharing(imc.api.load(source))
    found = set()
    for thing in sharing.shared:
        if thing.kind == "global":
            found.add(thing.function)
        else:
            found.add(sharing.program.functions[thing.function].code[thing.pc].name)
    assert found == expected


def test_heap_objects_are_private_until_they_escape(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(
        HEADER + "int *g; void *f(void *a) { int *p = malloc(4), *q = malloc(4); *p = 1; *q = 2;"
        " g = q; free(p); return 0; } int main(void) { " + SPAWN.format(0)
        + "pthread_create(&t, 0, f, 0); if (g) *g = 3; return 0; }"
    )  # fmt: skip
    sharing = Sharing(imc.api.load(source))
    assert len([o for o in sharing.shared if o.kind == "heap"]) == 1


@pytest.mark.parametrize(
    ("index", "visible"),
    [
        ("end - text", set()),  # a distance is no address
        ("size_of(text)", set()),
        ("(int)(long)end", set()),  # a piece of one
        ("(long)text", {"text"}),  # what it is added to may be null
        ("(long)(int)(long)end << 32", {"text"}),  # pieces may be put together
        ("0; p = (char *)((long)text & -2)", {"text"}),  # a number that becomes a pointer
    ],
)
def test_what_is_added_to_a_pointer(
    index: str, visible: set[str], tmp_path: Path
) -> None:
    source = tmp_path / "p.c"
    source.write_text(
        HEADER + "char text[8], *end; long size_of(char *p) { return end - p; }"
        "void *f(void *a) { char *p = malloc(8); long n = " + index + ";"
        " return (void *)(long)p[n]; }"
        "int main(void) { end = text; " + SPAWN.format(0) + "text[0] = 1; return 0; }"
    )  # fmt: skip
    sharing = Sharing(imc.api.load(source))
    function = sharing.program.functions["f"]
    reads = [i for i in function.code if isinstance(i, Load) and i.type == IntType(8)]
    found = sharing.pointers.of("f", reads[0].pointer)
    assert {o.function for o in found if o.kind == "global"} >= visible
    assert visible or not any(o.kind == "global" for o in found)


def test_a_distance_that_is_an_address_is_not_modelled(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(
        HEADER + "int x; char *nothing; void *f(void *a) { return a; } int main(void) { "
        + SPAWN.format(0) + "char *p = (char *)&x; long n = p - nothing;"
        " return *(int *)(nothing + n); }"
    )  # fmt: skip
    with pytest.raises(Unsupported, match="distance of an address"):
        imc.api.explore(source)
