"""What objects of the heap are called: by the struct that fits them."""

from __future__ import annotations

from pathlib import Path

import imc.api
from imc.program.analysis.pointsto import PointsTo
from imc.program.analysis.shapes import Shapes
from imc.program.instructions import Library

JOBS = """
#include <stdlib.h>
struct large { long a, b, c, d; };
struct small { long x, y; };
struct odd { long u, v, w; };
static void *made;
int main(void)
{
    made = malloc(sizeof(struct small));
    struct large *large = made;
    struct small *small = made;
    struct odd *odd = made;
    if (!small->x)
        return small->y;
    return large->a + large->b + large->c + large->d + odd->u + odd->v + odd->w;
}
"""


def test_what_fits_an_object(tmp_path: Path) -> None:
    """However often the code looks at it as something else."""
    source = tmp_path / "prog.c"
    source.write_text(JOBS)
    program = imc.api.load(source)
    shapes = Shapes(program, PointsTo(program))
    made = [
        (function.name, pc)
        for function, pc, i in program.instructions()
        if isinstance(i, Library) and i.function == "malloc"
    ]
    names = {}
    for size in (8, 16, 24, 40, 48, 64):
        record = shapes.record(made[0], size)
        names[size] = record.name if record is not None else None
    small, odd, large = "struct small", "struct odd", "struct large"
    assert names == {8: None, 16: small, 24: odd, 40: large, 48: odd, 64: large}
    array = shapes.heap(made[0], 48)
    assert array is not None and array.path(32) == "[1].v"
