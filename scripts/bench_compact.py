"""Steps per second of the compact machine against the model, on the same executions.

Each program is run to its end by random schedules, the same for both; the compact machine also
takes all steps back again. Reading: how much faster a step is where nobody looks at its event, and
where an event is made of it.
"""

from __future__ import annotations

import argparse
import random
import time

from explore_rows import SPEED, Row
from imc.compact.events import event_of
from imc.compact.flatten import flatten
from imc.compact.machine import CompactMachine
from imc.explorer.semantics import Semantics
from imc.program.faults import Blocked
from imc.program.interpreter import Interpreter

PROGRAMS = [*SPEED, Row("ring", 8), Row("ticketlock", 4)]
Schedule = list[int]


def schedules(interpreter: Interpreter, count: int) -> list[Schedule]:
    """Random executions, as the threads that move."""
    semantics = Semantics(interpreter)
    found = []
    for seed in range(count):
        rng = random.Random(seed)
        state, schedule = semantics.starts()[0].state, Schedule()
        while threads := semantics.running(state):
            rng.shuffle(threads)
            for thread in threads:
                try:
                    state = semantics.successors(state, thread)[0].state
                except Blocked:
                    continue
                schedule.append(thread)
                break
            else:
                break
            if len(schedule) == 1000:
                break
        found.append(schedule)
    return found


def run_model(interpreter: Interpreter, schedule: Schedule) -> None:
    state = interpreter.initial()[0].state
    for thread in schedule:
        state = interpreter.step(state, thread).state


def run_compact(machine: CompactMachine, schedule: Schedule, events: bool) -> None:
    machine.start()
    for thread in schedule:
        machine.step(thread)
        if events:
            event_of(machine)
    machine.undo(0)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--executions", type=int, default=200, help="of each program")
    parser.add_argument("--only", default="", help="programs whose names contain this")
    options = parser.parse_args()
    print(
        f"{'program':<20}{'steps':>8}{'model/s':>10}{'compact/s':>11}{'':>7}{'with events/s':>15}"
    )
    for row in PROGRAMS:
        if options.only not in row.name:
            continue
        interpreter = Interpreter(row.load())
        runs = schedules(interpreter, options.executions)
        machine = CompactMachine(flatten(interpreter.image), interpreter.image)
        steps = sum(map(len, runs))
        times = [0.0, 0.0, 0.0]
        for schedule in runs:  # in turns, so that all of them meet the same caches
            marks = [time.process_time()]
            run_model(interpreter, schedule)
            marks.append(time.process_time())
            run_compact(machine, schedule, False)
            marks.append(time.process_time())
            run_compact(machine, schedule, True)
            marks.append(time.process_time())
            times = [t + b - a for t, a, b in zip(times, marks, marks[1:], strict=False)]
        model, compact, told = (steps / t for t in times)
        ratios = f"{compact / model:>6.1f}x{told:>14.0f}{told / model:>6.1f}x"
        print(f"{row.name:<20}{steps:>8}{model:>10.0f}{compact:>11.0f}{ratios}", flush=True)


if __name__ == "__main__":
    main()
