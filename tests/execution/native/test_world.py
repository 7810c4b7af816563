"""Programs that ask the world get its real answers natively, and keep to their schedules."""

from __future__ import annotations

from pathlib import Path

import pytest
from natively import native, problem, program_of, schedule_of, with_schedule

import imc.api
from imc.errors import Unsupported
from imc.execution.native.process import NativeOptions
from imc.execution.python.inputs import Inputs
from imc.execution.python.run import PythonOptions, Runner
from irs.plan import Plan

WORLD = Path(__file__).parents[2] / "programs" / "world"

# Programs whose assertions hold whatever the world answers.
PROGRAMS = (
    "assembly_of_bits", "chance", "clocks", "options", "processors", "signal_by_other_names",
    "signal_handler", "signal_masks",
)  # fmt: skip


@pytest.mark.parametrize("level", ["opt0", "opt3"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_real_answers_are_permitted(name: str, level: str, folder: Path) -> None:
    made = native(WORLD / name / "prog.c", folder, level)
    assert made.schedule is not None
    ran = made.run(NativeOptions(trace=folder / "trace"))
    assert (ran.status, ran.errors) == (0, "")
    assert problem(made.schedule, ran.record) == ""


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", PROGRAMS)
def test_python_threads_draw_answers(name: str, seed: int) -> None:
    schedule = schedule_of(WORLD / name / "prog.c", "opt0")
    runner = Runner(program_of(WORLD / name / "prog.c"), Plan(schedule), PythonOptions())
    assert runner.run(Inputs(seed), lambda data, to: None).succeeded


def test_a_tree_of_files(folder: Path) -> None:
    """Callbacks of ftw are the program's, and the files are those that there are."""
    (folder / "tree" / "inner").mkdir(parents=True)
    for name in ("a", "inner/b"):
        (folder / "tree" / name).write_text("text")
    source = folder / "prog.c"
    source.write_text(TREE.replace("ROOT", str(folder / "tree")))
    ran = with_schedule(imc.api.load(source), None, folder).run()
    assert (ran.status, ran.errors) == (0, "")
    tree = {"/a": "0 4 1", "/inner/b": "0 4 2", "/inner": "5 -1 1", "": "5 -1 0"}
    assert sorted(ran.output.split("\n")) == sorted(["", *(f"{p} {t}" for p, t in tree.items())])


TREE = """#define _GNU_SOURCE
#include <ftw.h>
#include <stdio.h>
#include <string.h>
static int visit(const char *path, const struct stat *found, int type, struct FTW *place)
{
    int size = type == FTW_F ? (int)found->st_size : -1;
    printf("%s %d %d %d\\n", path + strlen("ROOT"), type, size, place->level);
    return 0;
}
int main(void)
{
    return nftw("ROOT", visit, 4, FTW_DEPTH | FTW_PHYS) || nftw("ROOT/missing", visit, 4, 0) != -1;
}
"""


def test_a_handler_is_not_raised() -> None:
    program = imc.api.load(WORLD / "raised" / "prog.c", define=("HANDLED",))
    with pytest.raises(Unsupported, match="would call a handler"):
        imc.api.explore(program)
