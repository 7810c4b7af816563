"""The end of a text report: verdict, figures, and what the verdict rests on."""

from __future__ import annotations

from textwrap import wrap

from imc.explorer.result import GRAPHS, Exploration
from imc.program.assumptions import Assumption
from imc.program.interpreter import Interpreter
from imc.program.verdict import Verdict
from imc.report.assumptions import assumption_lines, note_lines
from imc.report.columns import HANGING
from imc.report.trace import counterexample_text


def exploration_text(
    interpreter: Interpreter,
    result: Exploration,
    assumptions: list[Assumption],
    width: int = 80,
    every: bool = False,
    full: bool = True,
) -> str:
    """The counterexample, the verdict, and what it rests on; `every` assumption, or in short."""
    parts = []
    if result.fault is not None:
        image, trace = interpreter.image, result.trace
        parts.append(counterexample_text(image, trace, result.fault, width, full))
    lines = wrap(f"verdict: {result.verdict}{_because(result)}", width, **HANGING)
    for figure in figures(result):
        lines += wrap(figure, width, **HANGING)
    for bound in result.bounds:
        if bound == result.reason and result.verdict is Verdict.UNKNOWN:
            continue  # it has been told with the verdict
        lines += wrap(f"bound: {bound}", width, **HANGING)
    lines += note_lines(interpreter.program, interpreter.settings, width)
    lines += assumption_lines(assumptions, width, every)
    parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _because(result: Exploration) -> str:
    if result.verdict is Verdict.UNKNOWN:
        return f" ({result.reason or 'no error found within the bounds'})"
    if result.fault is not None:
        return f" ({result.fault.kind}{', reproduced' * result.reproduced})"
    return ""


def figures(result: Exploration) -> list[str]:
    """What was explored, in a few lines."""
    mode = "every state once" if result.stateful else "every execution"
    if result.algorithm != "exhaustive":
        mode = "every graph" if result.algorithm == GRAPHS else "every trace"
    how = f"{result.algorithm}: {result.why}" if result.why else result.algorithm
    lines = [f"explored: {mode}, {result.events} events in {result.time_s:.2f} s ({how})"]
    if result.stateful:
        lines.append(f"states: {result.states}, final states: {result.final_states}")
        return lines
    endless = f", endless {result.endless}" if result.endless else ""
    twice = f", repeated {result.duplicates}" if result.duplicates else ""
    cut = f", cut {result.redundant}" if result.redundant else ""
    traces = "" if result.traces is None else f"traces: {result.traces}; "
    lines.append(
        f"executions: complete {result.complete}, blocked {result.blocked}{endless}{cut}{twice}; "
        f"{traces}final states: {result.final_states}"
    )
    return lines
