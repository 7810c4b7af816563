"""Compares the engines that reduce with the one that does not, on one program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from prefixes import Prefixes, Size, TooLarge, every_trace

from imc.explorer import Exploration, Limits, explore_exhaustively
from imc.explorer.awaiting import Awaiting
from imc.explorer.dpor import Explorer
from imc.explorer.epor import Epor, EporPlus, EporShort
from imc.explorer.optimal import Optimal
from imc.explorer.result import Clock
from imc.explorer.semantics import Semantics
from imc.explorer.source import Source
from imc.program.analysis.sharing import Sharing
from imc.program.instructions import AtomicRmw
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings

QUIET = Settings(properties=frozenset())  # does not stop at faults, so that it counts everything
MOST_STATES = 60_000
LIMITS = Limits(time_s=600)  # for what hangs, however busy the machine is
ENGINES: tuple[type[Explorer], ...] = (Optimal, Source, Epor, EporShort, EporPlus)


def traces_of(kind: type[Explorer], semantics: Semantics, seed: int | None = None) -> Explorer:
    """An engine that has run, with the traces of its executions in `seen`."""
    engine = kind(semantics, Clock(LIMITS, None), seed, traces=True)
    engine.run()
    return engine


def differences(program: Program, limits: Size, figures: Counter[str], seeds: int = 1) -> list[str]:
    """What engines say and brute force does not."""
    sharing = Sharing(program)
    found = _counts(program, sharing, limits, figures, seeds)
    usual = explore_exhaustively(Interpreter(program, Settings(), sharing=sharing))
    figures[f"verdict {usual.verdict}"] += 1
    for kind in ENGINES:
        semantics = Semantics(Interpreter(program, Settings(), sharing=sharing))
        result = kind(semantics, Clock(LIMITS, None)).run()
        if result.verdict is not usual.verdict:
            found.append(f"{kind.name} says {result.verdict}, not {usual.verdict}")
    return found


def _counts(
    program: Program, sharing: Sharing, size: Size, figures: Counter[str], seeds: int
) -> list[str]:
    traces, ends, found = _truth(Interpreter(program, QUIET, sharing=sharing), size, figures)
    figures["compared"] += 1
    figures["traces"] += traces
    for kind in ENGINES:
        for seed in (None, *range(1, seeds)):
            engine = traces_of(kind, Semantics(Interpreter(program, QUIET, sharing=sharing)), seed)
            result, name = engine.result, f"{kind.name}, seed {seed}"
            runs = (result.complete or 0) + (result.blocked or 0)
            seen = result.traces
            figures[f"{kind.name} executions"] += runs + result.redundant
            if seen != traces:
                found.append(f"{name}: {seen} traces, not {traces}")
            if result.final_states != ends:
                found.append(f"{name}: {result.final_states} ends, not {ends}")
            if kind is Optimal and (runs != seen or result.redundant):
                found.append(f"{name}: {runs} executions, {result.redundant} cut, {seen} traces")
    return found


def _truth(
    interpreter: Interpreter, size: Size, figures: Counter[str]
) -> tuple[int, int, list[str]]:
    """How many traces and ends there are, and complaints about how they were counted."""
    limits = Limits(executions=size.executions, time_s=LIMITS.time_s)
    every = explore_exhaustively(interpreter, False, limits)
    if every.endless:
        raise TooLarge
    if any("stopped" in bound for bound in every.bounds):
        prefixes = Prefixes(Semantics(interpreter), size.prefixes)
        figures["compared by prefixes"] += 1
        return len(prefixes.traces), len(prefixes.finals), prefixes.complaints()
    figures["compared by executions"] += 1
    figures["executions"] += (every.complete or 0) + (every.blocked or 0)
    return every.traces or 0, every.final_states, []


# ---------------------------------------------------------------- loops that wait


def waiting_differences(program: Program, size: Size, figures: Counter[str]) -> list[str]:
    """The same for programs with spin loops: traces without idle iterations, ends, verdict."""
    sharing = Sharing(program)
    limits = Limits(states=MOST_STATES)
    every = explore_exhaustively(Interpreter(program, QUIET, sharing=sharing), True, limits)
    if any("stopped" in bound for bound in every.bounds):
        raise TooLarge
    found = []
    fired: Counter[str] = Counter()
    for adds in (False, True) if _adds(program) else (False,):
        settings = replace(QUIET, independent_adds=adds)
        for awaits in (True, False):
            semantics = Awaiting(Interpreter(program, settings, sharing=sharing), awaits)
            truth = every_trace(semantics, size)
            semantics = Awaiting(Interpreter(program, settings, sharing=sharing), awaits)
            _count(semantics, fired)
            engine = traces_of(Optimal, semantics)
            name = f"awaits {awaits}, adds {adds}"
            found += [f"{name}: {complaint}" for complaint in truth.complaints()]
            found += [f"{name}: {d}" for d in _waits(engine.result, len(truth.traces), every)]
            figures[f"{name}: executions"] += engine.result.traces or 0
    figures.update({f"with {what}": 1 for what, times in fired.items() if times})
    figures["compared"] += 1
    figures["compared by prefixes" if truth.merges else "compared by executions"] += 1
    usual = explore_exhaustively(Interpreter(program, Settings(), sharing=sharing))
    settings = Settings(independent_adds=True)
    semantics = Awaiting(Interpreter(program, settings, sharing=sharing))
    result = Optimal(semantics, Clock(LIMITS, None)).run()
    figures[f"verdict {usual.verdict}"] += 1
    if result.verdict is not usual.verdict:
        found.append(f"{result.verdict}, not {usual.verdict}")
    return found


def _count(semantics: Awaiting, fired: Counter[str]) -> None:
    """Notes when the rarer reasons to wait make a step wait."""

    def watched(what: str, test: Callable[..., bool]) -> Callable[..., bool]:
        def asked(*arguments: object) -> bool:
            answer = test(*arguments)
            fired[what] += answer
            return answer

        return asked

    semantics.restarts.lead_here = watched("restarts", semantics.restarts.lead_here)  # type: ignore[method-assign]
    semantics.postpones = watched("assumptions", semantics.postpones)  # type: ignore[method-assign]


def _adds(program: Program) -> bool:
    """Whether there are atomic additions, which may commute."""
    return any(
        isinstance(i, AtomicRmw) and i.op in ("add", "sub")
        for function in program.functions.values()
        for i in function.code
    )


def _waits(result: Exploration, traces: int, every: Exploration) -> Iterator[str]:
    """What an exploration without idle iterations says otherwise."""
    runs = (result.complete or 0) + (result.blocked or 0)
    if not runs == result.traces == traces or result.redundant:
        yield f"{runs} executions, {result.redundant} cut, {result.traces} of {traces}"
    if every.final_states != result.final_states:
        yield f"{result.final_states} ends, not {every.final_states}"
