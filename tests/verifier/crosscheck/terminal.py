"""Compares where all schedules of a program end with where the complete tree ends.

An ending is a state in which no thread can move: the integers of the program, and where each
thread stands. Reductions may leave out states on the way, but not a single ending. Threads have the
names of the spawn tree, since their numbers tell in which order a search has met them.
"""

from __future__ import annotations

import re
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from game import TooLarge

from crosscheck.features import FeatureGenerator
from crosscheck.run import Report
from crosscheck.shrink import report_on
from crosscheck.source import Source, to_c
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.code import Image
from imc.program.faults import DEFAULT_PROPERTIES, OutOfTime, Property
from imc.program.interpreter import Interpreter
from imc.program.keys import Key, StateKeys
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.state import State
from imc.program.values import Value
from imc.verifier.engine import Budget, BudgetSpent, Engine, UserLimit
from imc.verifier.proof.complete import Unproved
from imc.verifier.tree.art import Kind

# A deadlock is an ending like any other.
SETTINGS = Settings(properties=DEFAULT_PROPERTIES - {Property.DEADLOCK})
PATIENCE = 1 << 20  # values stay known, so that both sides have the same states

Ending = tuple[str, ...]


@dataclass(frozen=True)
class Task:
    seed: int
    number: int
    features: tuple[str, ...]  # none: at random
    time_s: float
    states: int
    shrink_s: float

    @property
    def name(self) -> str:
        return f"{self.seed}-{self.number}"


@dataclass(frozen=True)
class Endings:
    """All states in which nobody can move, unless a fault may have hidden some."""

    states: set[Ending]
    fault: str  # the first one, if any
    size: int  # states or nodes


def check(task: Task) -> Report:
    """Compares one program; if there is a disagreement, also looks for a smaller program."""
    source = FeatureGenerator(task.seed, task.number, task.features).source()
    return report_on(
        task.name,
        source,
        lambda less, path, figures: differences(less, path, task, figures),
        task.shrink_s,
    )


def differences(source: Source, path: Path, task: Task, figures: Counter[str]) -> list[str]:
    """What one side says and the other does not; nothing where one of them gives up."""
    path.write_text(to_c(source))
    program = load_program([path], cache=NO_CACHE)
    names = [m[1] for d in source.declarations if (m := re.match(r"static int (\w+)", d))]
    try:
        every = all_endings(program, names, task.states, task.time_s)
        kept = tree_endings(program, names, task.time_s)
    except TooLarge:
        figures["too large"] += 1
        return []
    except (OutOfTime, UserLimit, BudgetSpent):
        figures["out of time"] += 1
        return []
    except Unproved as why:
        figures[f"unproved: {why}"] += 1
        return []
    except Exception:
        lines = traceback.format_exc().splitlines()
        return [f"crash {lines[-1]}: " + " | ".join(lines[-9:-1])]
    figures["compared"] += 1
    if every.fault or kept.fault:
        figures["with faults"] += 1
        if every.fault and kept.fault:
            return []
        who = "the tree" if kept.fault else "some schedule"
        return [f"fault only in {who}: {every.fault or kept.fault}"]
    figures["endings"] += len(every.states)
    figures["states"] += every.size
    figures["nodes"] += kept.size
    return [
        *_told("missing", every.states - kept.states, every),
        *_told("too much:", kept.states - every.states, every),
    ]


def _told(what: str, endings: set[Ending], every: Endings) -> list[str]:
    if not endings:
        return []
    return [f"{what} endings: {len(endings)} (of {len(every.states)}): {'; '.join(min(endings))}"]


def all_endings(program: Program, names: list[str], states: int, seconds: float) -> Endings:
    """What the concrete interpreter reaches; raises TooLarge or OutOfTime."""
    interpreter = Interpreter(program, SETTINGS)
    image, keys = interpreter.image, StateKeys(interpreter.image)
    deadline = image.deadline = time.monotonic() + seconds
    seen: set[Key] = set()
    endings: set[Ending] = set()
    fault = ""
    work = interpreter.initial()
    while work:
        outcome = work.pop()
        if outcome.fault is not None:
            fault = fault or outcome.fault.message
            continue
        key = keys.key(outcome.state)
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > states:
            raise TooLarge(f"more than {states} states")
        if time.monotonic() > deadline:
            raise OutOfTime
        after = interpreter.moves(outcome.state).outcomes
        if not after and outcome.state.exit_code is None:
            endings.add(_ending(image, outcome.state, names))
        work.extend(after)
    return Endings(endings, fault, len(seen))


def tree_endings(program: Program, names: list[str], seconds: float) -> Endings:
    """What the complete tree keeps; raises what its search raises where it gives up."""
    engine, budget = Engine(program, SETTINGS), Budget(seconds)
    budget.allow(seconds, "complete tree")
    engine.image.deadline = time.monotonic() + seconds
    search = engine.complete_search(PATIENCE, budget)
    search.run()
    nodes = search.tree.nodes
    if search.found is not None:
        return Endings(set(), search.found.fault.message, len(nodes))
    endings: set[Ending] = set()
    for node in nodes:
        if node.removed or node.cover is not None or node.state.exit_code is not None:
            continue
        assert node.kind is not Kind.OPEN
        if not node.children and not search.skipped.get(node):
            endings.add(_ending(engine.image, node.state, names))
    return Endings(endings, "", len(nodes))


def _ending(image: Image, state: State, names: list[str]) -> Ending:
    values = [f"{n} = {_value(image, state, n)}" for n in names if n in image.symbols]
    threads = []
    for number, thread in state.threads.items():
        at = [f"{f.code.function.name}+{f.pc}.{f.phase}" for f in thread.frames]
        where = " ".join((image.threads.names[number], thread.status.name.lower(), *at))
        threads.append(where)
    return (*values, *sorted(threads))


def _value(image: Image, state: State, name: str) -> Value:
    _, value = state.memory[image.symbols[name]].cells.get(0, (4, 0))
    return value
