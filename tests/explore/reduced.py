"""Compares the engines that reduce with the one that does not, on one program."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from imc.explore import Limits, explore_exhaustively
from imc.explore.awaiting import Awaiting
from imc.explore.dpor import Explorer
from imc.explore.epor import Epor, EporPlus, EporShort
from imc.explore.optimal import Optimal
from imc.explore.result import Clock
from imc.explore.semantics import Semantics
from imc.explore.source import Source
from imc.explore.traces import TraceBuilder
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.analysis.sharing import Sharing
from imc.program.interpreter import Interpreter
from imc.program.machine import Outcome
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.verdict import Verdict

QUIET = Settings(properties=frozenset())  # does not stop at faults, so that it counts everything
ENGINES: tuple[type[Explorer], ...] = (Optimal, Source, Epor, EporShort, EporPlus)


class TooLarge(Exception):
    """The program has too many executions to be compared."""


def traces_of(kind: type[Explorer], semantics: Semantics, seed: int | None = None) -> Explorer:
    """An engine that has run, with the traces of its executions in `seen`."""
    engine = kind(semantics, Clock(Limits(time_s=60), None), seed, traces=True)
    engine.run()
    return engine


def differences(path: Path, executions: int, figures: Counter[str], seeds: int = 1) -> list[str]:
    """What engines say and brute force does not."""
    program = load_program([path], cache=NO_CACHE)
    sharing = Sharing(program)
    found = _counts(program, sharing, executions, figures, seeds)
    usual = explore_exhaustively(Interpreter(program, Settings(), sharing=sharing))
    figures[f"verdict {usual.verdict}"] += 1
    for kind in ENGINES:
        semantics = Semantics(Interpreter(program, Settings(), sharing=sharing))
        result = kind(semantics, Clock(Limits(time_s=60), None)).run()
        if result.verdict is not usual.verdict:
            found.append(f"{kind.name} says {result.verdict}, not {usual.verdict}")
    return found


def _counts(
    program: Program, sharing: Sharing, executions: int, figures: Counter[str], seeds: int
) -> list[str]:
    limits = Limits(executions=executions, time_s=20)
    interpreter = Interpreter(program, QUIET, sharing=sharing)
    every = explore_exhaustively(interpreter, False, limits)
    if every.verdict is not Verdict.SAFE and any("stopped" in b for b in every.bounds):
        raise TooLarge
    if every.endless:
        raise TooLarge
    if every.final_states != 1:  # ends are named anew once an address has been used as a number
        every = explore_exhaustively(interpreter, False, limits)
    figures["compared"] += 1
    figures["executions"] += (every.complete or 0) + (every.blocked or 0)
    figures["traces"] += every.traces or 0
    found = []
    for kind in ENGINES:
        for seed in (None, *range(1, seeds)):
            engine = traces_of(kind, Semantics(Interpreter(program, QUIET, sharing=sharing)), seed)
            result, name = engine.result, f"{kind.name}, seed {seed}"
            runs = (result.complete or 0) + (result.blocked or 0)
            seen = result.traces
            figures[f"{kind.name} executions"] += runs + result.redundant
            if seen != every.traces:
                found.append(f"{name}: {seen} traces, not {every.traces}")
            if result.final_states != every.final_states:
                found.append(f"{name}: {result.final_states} ends, not {every.final_states}")
            if kind is Optimal and (runs != seen or result.redundant):
                found.append(f"{name}: {runs} executions, {result.redundant} cut, {seen} traces")
    return found


# ---------------------------------------------------------------- loops that wait


def waiting_differences(path: Path, executions: int, figures: Counter[str]) -> list[str]:
    """The same for programs with spin loops: traces without idle iterations, ends, verdict."""
    program = load_program([path], cache=NO_CACHE)
    sharing = Sharing(program)
    found = []
    for adds in (False, True):
        settings = replace(QUIET, independent_adds=adds)
        for awaits in (True, False):
            semantics = Awaiting(Interpreter(program, settings, sharing=sharing), awaits)
            traces = every_trace(semantics, executions)
            engine = traces_of(
                Optimal, Awaiting(Interpreter(program, settings, sharing=sharing), awaits)
            )
            runs = (engine.result.complete or 0) + (engine.result.blocked or 0)
            seen = engine.result.traces
            name = f"awaits {awaits}, adds {adds}"
            figures[f"{name}: executions"] += runs
            if not runs == seen == len(traces) or engine.result.redundant:
                cut = engine.result.redundant
                found.append(f"{name}: {runs} executions, {cut} cut, {seen} of {len(traces)}")
            limits = Limits(states=60000)
            every = explore_exhaustively(Interpreter(program, QUIET, sharing=sharing), True, limits)
            if any("stopped" in bound for bound in every.bounds):
                raise TooLarge
            if every.final_states != engine.result.final_states:
                ends = engine.result.final_states
                found.append(f"{name}: {ends} ends, not {every.final_states}")
    figures["compared"] += 1
    usual = explore_exhaustively(Interpreter(program, Settings(), sharing=sharing))
    settings = Settings(independent_adds=True)
    semantics = Awaiting(Interpreter(program, settings, sharing=sharing))
    result = Optimal(semantics, Clock(Limits(time_s=60), None)).run()
    figures[f"verdict {usual.verdict}"] += 1
    if result.verdict is not usual.verdict:
        found.append(f"{result.verdict}, not {usual.verdict}")
    return found


def every_trace(semantics: Semantics, most: int) -> set[tuple[int, ...]]:
    """Brute force over all interleavings that the semantics has."""
    builder = TraceBuilder()
    found: set[tuple[int, ...]] = set()
    runs = 0

    def visit(outcome: Outcome) -> None:
        nonlocal runs
        builder.push(outcome.event)
        moves = semantics.moves(outcome.state)
        if len(builder.events) > 400:
            raise TooLarge
        if not moves.outcomes:
            runs += 1
            if runs > most:
                raise TooLarge
            found.add(builder.canonical())
        for after in moves.outcomes:
            visit(after)
        builder.pop()

    for start in semantics.starts():
        visit(start)
    return found
