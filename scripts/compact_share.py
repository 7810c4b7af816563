"""Which programs of the collection have a compact form, and why the others have none.

Each program of tests/programs and examples that loads is taken as its first case has it. One that
has a form is also walked by the native machine, on random executions, since some things are found
to have no form only when they happen. Reading: the share of both, and the reasons by how often.
"""

from __future__ import annotations

import argparse
import random
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from imc.compact.flatten import flatten
from imc.compact.form import NotCompact
from imc.core.interface import Step
from imc.core.machine import NativeMachine
from imc.errors import UserError
from imc.frontend import FrontendOptions
from imc.frontend.clang import CompilerOptions
from imc.frontend.load import load_program
from imc.program.interpreter import Interpreter

ROOT = Path(__file__).resolve().parent.parent
WALKS, STEPS = 3, 200
ENDS = (Step.MOVED, Step.FAULTY)


def collected() -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Programs, and what is defined for them."""
    for path in sorted((ROOT / "examples").glob("*.c")):
        yield path, ()
    for file in sorted((ROOT / "tests" / "programs").rglob("expect.toml")):
        program = file.parent / "prog.c"
        if program.exists():
            flags = tomllib.loads(file.read_text())["case"][0].get("flags", [])
            yield program, tuple(f.removeprefix("-D") for f in flags if f.startswith("-D"))


def steps_of(machine: NativeMachine, rng: random.Random) -> Iterator[Step]:
    """What the steps of one random execution come to."""
    yield _taken(machine, None, rng)
    for _ in range(STEPS):
        running = machine.running()
        rng.shuffle(running)
        for thread in running:
            found = _taken(machine, thread, rng)
            if found is not Step.BLOCKED:
                yield found
                break
        else:
            return


def _taken(machine: NativeMachine, thread: int | None, rng: random.Random) -> Step:
    """A step, with any choices that it asks for."""
    choices: tuple[int, ...] = ()
    while True:
        found = machine.start(choices) if thread is None else machine.step(thread, choices)
        if found is not Step.NEEDS_CHOICE:
            return found
        choices += (rng.randrange(machine.event().wanted),)


def walk(machine: NativeMachine) -> str:
    """Why the machine leaves some execution to the model; nothing where it does not."""
    for seed in range(WALKS):
        for found in steps_of(machine, random.Random(seed)):
            if found is Step.NOT_COMPACT:
                return machine.refusal()[0]
            if found not in ENDS:
                return found.name.lower().replace("_", " ")
            if found is Step.FAULTY:
                break
        machine.undo(0)
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="programs whose paths contain this")
    options = parser.parse_args()
    loaded = formed = walked = 0
    reasons: dict[str, list[str]] = defaultdict(list)
    for path, defines in collected():
        if options.only not in str(path):
            continue
        name = str(path.relative_to(ROOT)).removeprefix("tests/programs/").removesuffix("/prog.c")
        try:
            program = load_program([path], FrontendOptions(CompilerOptions(define=defines)))
            image = Interpreter(program).image
        except UserError:
            continue
        loaded += 1
        try:
            form = flatten(image)
            machine = NativeMachine(form, image)
        except NotCompact as why:
            reasons[why.reason].append(f"{name}:{why.loc.line if why.loc else ''}")
            continue
        formed += 1
        found = walk(machine)
        machine.close()
        walked += not found
        if found:
            reasons[f"on its way: {found}"].append(name)
    for reason, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(names):4}  {reason}: {', '.join(names[:4])}{' …' * (len(names) > 4)}")
    print(
        f"{loaded} programs load, {formed} have a form ({100 * formed / loaded:.1f} %), "
        f"{walked} of them are walked ({100 * walked / loaded:.1f} %)"
    )


if __name__ == "__main__":
    main()
