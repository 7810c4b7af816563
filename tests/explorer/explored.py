"""Small programs in C, and their exploration."""

from __future__ import annotations

from pathlib import Path

from patience import HANG_S

import imc.api
from imc.explorer import Exploration, Limits, Reduction, explore
from imc.program.faults import DEFAULT_PROPERTIES, Property
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings

HEAD = "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n"
STARTED = """
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    return 0;
}"""


def written(folder: Path, text: str) -> Program:
    path = folder / "program.c"
    path.write_text(HEAD + text)
    return imc.api.load(path)


def explored(program: Program, algorithm: str, *more: Property, **options: object) -> Exploration:
    settings = Settings(properties=DEFAULT_PROPERTIES | set(more), independent_adds=True)
    reduction = Reduction(**options)  # type: ignore[arg-type]
    return explore(Interpreter(program, settings), algorithm, reduction, Limits(time_s=HANG_S))
