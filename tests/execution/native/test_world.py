"""Programs that ask the world get its real answers natively, and keep to their schedules."""

from __future__ import annotations

import os
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
    "assembly_of_bits", "chance", "clocks", "options", "signal_by_other_names", "signal_handler",
    "signal_masks",
)  # fmt: skip
FEW_PROCESSORS = 4  # that proofs think of


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


def test_more_processors_than_were_verified_are_noticed(folder: Path) -> None:
    ran = native(WORLD / "processors" / "prog.c", folder).run()
    there_are = os.sysconf("SC_NPROCESSORS_CONF")
    assert ran.status == (0 if there_are <= FEW_PROCESSORS else 5)
    assert ("processors" in ran.errors) == (there_are > FEW_PROCESSORS)


def test_mapped_files_have_any_size(folder: Path) -> None:
    """The proof says nothing of sizes, so a large file is as good as a small one."""
    text = (WORLD / "mapped_file" / "prog.c").read_text()
    source = folder / "prog.c"
    source.write_text(text.replace('"x"', f'"{folder}/x"').replace('"y"', f'"{folder}/y"'))
    (folder / "x").write_bytes(bytes(range(32, 127)) * 5000)
    (folder / "y").write_bytes(b"short")
    made = native(source, folder, "opt3")
    assert made.schedule is not None
    ran = made.run(NativeOptions(trace=folder / "trace"))
    assert (ran.status, ran.errors) == (0, "")
    assert problem(made.schedule, ran.record) == ""


READS = """
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void *work(void *arg)
{
    static _Thread_local char buffer[100];
    int got = 0;
    DO
    pthread_mutex_lock(&m);
    total += got;
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(void)
{
    pthread_t t;
    if (pthread_create(&t, NULL, work, "FILE")) return 1;
    pthread_join(t, NULL);
    return 0;
}
"""
BY_DESCRIPTOR = "int fd = open(arg, O_RDONLY); if (fd >= 0) got = (int)read(fd, buffer, 100);"
BY_STREAM = 'FILE *f = fopen(arg, "r"); if (f) got = (int)fread(buffer, 1, 100, f);'
BY_LINE = 'FILE *f = fopen(arg, "r"); if (f && fgets(buffer, 100, f)) got = 1;'
BY_NEW_LINE = (
    'FILE *f = fopen(arg, "r"); char *line = NULL; size_t room = 0; '
    "if (f && getline(&line, &room, f) > 0) got = 1; free(line);"
)
BY_NAME = 'if (getenv("TOLD")) got = 1;'


@pytest.mark.parametrize("way", [BY_DESCRIPTOR, BY_STREAM, BY_LINE, BY_NEW_LINE])
def test_reads_beyond_the_bound_stop_the_run(way: str, folder: Path) -> None:
    """What a proof did not think of, the program does not get to see."""
    source, data = folder / "prog.c", folder / "data.txt"
    source.write_text(READS.replace("DO", way).replace("FILE\"", f'{data}"'))
    made = native(source, folder, "opt3")
    data.write_text("abc")
    ran = made.run()
    assert (ran.status, ran.errors) == (0, "")
    data.write_text("more than was verified")
    ran = made.run()
    assert ran.status == 5
    assert str(data) in ran.errors


@pytest.mark.parametrize(
    ("way", "contents"),
    [
        (BY_LINE, b"ab\0cdef\n"),  # zeros end no line
        ('FILE *f = fopen(arg, "r"); if (f) got = (int)fread(buffer, 5, 2, f);', b"sixsix"),
        ('FILE *f = fopen(arg, "r"); if (f) got = (int)fread(buffer, 5, 1, f);', b"abc"),
        ("int fd = open(arg, O_RDONLY); if (fd >= 0 && mmap(0, 9999, PROT_READ, MAP_PRIVATE, fd, 0)"
         " != MAP_FAILED) got = 1;", b"small"),
    ],
)  # fmt: skip
def test_answers_that_no_proof_thinks_of(way: str, contents: bytes, folder: Path) -> None:
    source, data = folder / "prog.c", folder / "data.txt"
    source.write_text(READS.replace("DO", way).replace("FILE\"", f'{data}"'))
    data.write_bytes(contents)
    ran = native(source, folder, "opt3").run()
    assert ran.status == 5
    assert str(data) in ran.errors


def test_long_strings_of_the_environment_stop_the_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = folder / "prog.c"
    source.write_text(READS.replace("DO", BY_NAME))
    made = native(source, folder, "opt3")
    monkeypatch.setenv("TOLD", "short")
    assert made.run().status == 0
    monkeypatch.setenv("TOLD", "longer than that")
    ran = made.run()
    assert ran.status == 5
    assert "TOLD" in ran.errors


def test_strings_of_the_environment_that_were_set_are_known(folder: Path) -> None:
    source = folder / "prog.c"
    told = 'setenv("TOLD", "longer than that", 1); if (getenv("TOLD")) got = 1;'
    source.write_text(READS.replace("DO", told))
    ran = native(source, folder, "opt3").run()
    assert (ran.status, ran.errors) == (0, "")


SHARED_TEXT = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static char text[] = "abc";
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    text[0] = 'x';
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t;
    if (pthread_create(&t, NULL, work, NULL)) return 1;
    pthread_mutex_lock(&m);
    char *copy = strdup(text);
    pthread_mutex_unlock(&m);
    int wrong = strcmp(copy + 1, "bc");
    free(copy);
    pthread_join(t, NULL);
    return wrong;
}
"""


@pytest.mark.parametrize("level", ["opt0", "opt3"])
def test_shared_strings_are_copied_byte_by_byte(level: str, folder: Path) -> None:
    source = folder / "prog.c"
    source.write_text(SHARED_TEXT)
    made = native(source, folder, level)
    assert made.schedule is not None
    ran = made.run(NativeOptions(trace=folder / "trace"))
    assert (ran.status, ran.errors) == (0, "")
    assert problem(made.schedule, ran.record) == ""
