"""Swaps of schedules at random times, more than any verification would make: do they ever fail?

Schedules that were proved one after the other take each other's place in any order: each is entered
where executions under the one before can be. Runs are recorded and checked piece by piece.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Event, Thread

import networkx as nx

from imc.execution.live.building import Building
from imc.execution.live.live import Target
from imc.execution.live.native_target import NativeTarget
from imc.execution.native.build import BuildOptions
from imc.execution.native.process import NativeOptions
from imc.execution.python.inputs import Inputs
from imc.execution.python.run import PythonOptions, PythonRun, Runner
from imc.execution.surroundings import recording
from imc.program.program import Program
from imc.schedule.relaxing import Relaxing
from imc.verifier.iteration import Verification
from imc.verifier.options import VerifyOptions
from irs.plan import Plan
from irs.record import check_record, read_record
from irs.relaxation import Permitted, Relaxation
from irs.schedule import Schedule

LONGEST = 16  # events of a section
RESULTS = 12  # of the verifier, that schedules are taken from
ENOUGH_S = 600.0  # for all swaps of a run, however busy the machine is


class Unexpected(Exception):
    """A run has not ended as it should."""


class _Enough(Exception):
    """All swaps have been made."""


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """How many swaps a run has made, and how many of its events were checked."""

    swaps: int
    events: int


class Rehearsal:
    """A program with so many schedules, in a random order."""

    def __init__(self, program: Program, swaps: int, seed: int, iterations: int = RESULTS) -> None:
        self.program = program
        self.swaps = swaps
        self.random = Random(seed)
        verification = Verification(program, options=VerifyOptions(iterations=iterations))
        results = [result for result in verification if result.schedule is not None]
        relaxing = Relaxing(verification, longest=LONGEST)
        last = self.first = _schedule(relaxing.compile(results[0]))
        self.relaxed: list[Relaxation] = []
        for _ in range(swaps):
            fitting = [r for r in results if _comes_to(last, relaxing.entered(r))]
            self.relaxed.append(relaxing.compile(self.random.choice(fitting)))
            last = _schedule(self.relaxed[-1])

    def on_threads(self, trace: Path) -> Rehearsed:
        """A run on Python threads, until all swaps have been made."""
        feed = _Feed(self)

        def begin(run: PythonRun) -> None:
            assert run.gate is not None
            feed.begin(run.gate, lambda: run.stop(_Enough()))

        options = PythonOptions(
            on_start=begin,
            told=feed.hear,
            time_limit=ENOUGH_S,
            choose=lambda thread, site, sections: feed.random.choice(sections),
        )
        runner = Runner(self.program, Plan(self.first), options)
        with recording(trace, self.first) as recorder:
            result = runner.run(Inputs(1, None, b""), lambda data, stream: None, recorder)
        feed.end()
        if not isinstance(result.problem, _Enough):
            raise Unexpected(f"{result.problem or result.error or f'only {feed.swapped} swaps'}")
        return self._checked(trace, feed)

    def natively(self, folder: Path, runs: int) -> list[Rehearsed]:
        """Runs of an executable, each until all swaps have been made."""
        building = Building(self.program, folder / "rehearsed", BuildOptions(embed=True))
        building.join()
        operations = building.operations(self.first)
        tables, trace = folder / "rehearsed.irs", folder / "rehearsed.jsonl"
        found = []
        for _ in range(runs):
            feed = _Feed(self)
            with NativeTarget(operations, feed.hear) as target:
                tables.write_bytes(target.tables())
                options = NativeOptions(
                    tables=tables, trace=trace, relax=target.hand_over(), seconds=ENOUGH_S
                )
                self._run(building.executable, options, target, feed)
            found.append(self._checked(trace, feed))
        return found

    def _run(self, executable: Path, options: NativeOptions, target: Target, feed: _Feed) -> None:
        assert options.relax is not None
        with subprocess.Popen(
            [executable],
            env=options.environment(),
            pass_fds=(options.relax,),
            stderr=subprocess.PIPE,
        ) as child:
            os.close(options.relax)
            feed.begin(target, lambda: child.send_signal(signal.SIGTERM))
            _, told = child.communicate(timeout=2 * ENOUGH_S)
        feed.end()
        if child.returncode != 128 + signal.SIGTERM:
            raise Unexpected(f"ended with {child.returncode}: {told.decode()}")

    def _checked(self, trace: Path, feed: _Feed) -> Rehearsed:
        events = check_record(self.first, read_record(trace), self.relaxed)
        return Rehearsed(feed.swapped, events)


def _schedule(relaxation: Relaxation) -> Schedule:
    assert relaxation.schedule is not None
    return relaxation.schedule


def _comes_to(schedule: Schedule, sections: Collection[int]) -> bool:
    """Whether a run cannot stay out of these sections for ever."""
    graph = nx.DiGraph()
    for number, section in enumerate(schedule.sections):
        if number not in sections:
            graph.add_edges_from((number, to) for to in section.next.targets if to not in sections)
    return bool(nx.is_directed_acyclic_graph(graph))


class _Feed:
    """Gives schedules to a run, sometimes several at once, and ends it after the last swap."""

    def __init__(self, rehearsal: Rehearsal) -> None:
        self.relaxed: list[Relaxation] = rehearsal.relaxed
        self.random = Random(rehearsal.random.random())
        self.swapped = 0
        self._all = Event()
        self._thread = Thread(target=lambda: None)

    def begin(self, target: Target, enough: Callable[[], None]) -> None:
        def feed() -> None:
            for relaxation in self.relaxed:
                target.relax(relaxation)
                if self.random.random() < 0.5:
                    time.sleep(0.002 * self.random.random())
            self._all.wait(ENOUGH_S)
            enough()

        self._thread = Thread(target=feed, daemon=True)
        self._thread.start()

    def hear(self, permitted: Permitted, clock: float = 0.0) -> None:
        self.swapped = max(self.swapped, permitted.schedule or 0)  # they may overtake each other
        if self.swapped == len(self.relaxed):
            self._all.set()

    def end(self) -> None:
        self._all.set()
        self._thread.join()
