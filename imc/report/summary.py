"""The end of a text report: verdict, figures, and what the verdict rests on."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from imc.explore.result import Exploration
from imc.program.interpreter import Interpreter
from imc.program.program import Assumption
from imc.program.verdict import Verdict
from imc.report.columns import HANGING
from imc.report.trace import fault_text, trace_text


def exploration_text(
    interpreter: Interpreter, result: Exploration, assumptions: list[Assumption], width: int = 80
) -> str:
    parts = []
    if result.fault is not None:
        table = trace_text(interpreter.image, result.trace, width)
        parts.append(
            (table + "\n\n" if table else "") + fault_text(interpreter.image, result.fault)
        )
    lines = [f"verdict: {result.verdict}{_because(result)}"]
    for figure in figures(result):
        lines += wrap(figure, width, **HANGING)
    for bound in result.bounds:
        lines += wrap(f"bound: {bound}", width, **HANGING)
    lines += assumption_lines(assumptions, width)
    parts.append("\n".join(lines))
    return "\n\n".join(parts)


def assumption_lines(assumptions: Sequence[Assumption], width: int = 80) -> list[str]:
    return [line for a in assumptions for line in wrap(f"assumed: {a}", width, **HANGING)]


def _because(result: Exploration) -> str:
    if result.verdict is Verdict.UNKNOWN:
        return " (no error found within the bounds)"
    if result.fault is not None:
        return f" ({result.fault.kind}{', reproduced' * result.reproduced})"
    return ""


def figures(result: Exploration) -> list[str]:
    """What was explored, in a few lines."""
    mode = "every state once" if result.stateful else "every execution"
    if result.algorithm != "exhaustive":
        mode = "every trace"
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
    if result.livelock is not None:
        who = ", ".join(result.livelock.threads)
        where = ", ".join(str(line) for line in result.livelock.lines)
        lines.append(
            f"livelock: {result.livelocks} of the blocked executions end in one, "
            f"the first with {who} going round at line {where}"
        )
    return lines
