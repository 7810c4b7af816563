"""What `imc verify` prints: a line per result as it comes, and the verdict at the end."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from imc.program.program import Assumption, Program
from imc.program.settings import Settings
from imc.report.columns import HANGING
from imc.report.document import Document, counterexample
from imc.report.summary import assumption_lines
from imc.report.trace import fault_text, trace_text
from imc.symbolic.result import Outcome, Result, Violation

HEADER = "  no  result    nodes covers  solver     time  permits"


def result_line(result: Result, width: int = 80) -> str:
    """One iteration in one line, with what it newly permits; the words go on below if need be."""
    verdict = "safe" if result.safe else "unsafe"
    figures = (
        f"{result.index:>4}  {verdict:<7}{result.nodes:>8}{result.covers:>7}"
        f"{result.solver_calls:>8}{result.time_s:>7.2f} s  "
    )
    words = wrap(result.permits, max(width - len(figures), 20), break_long_words=False)
    return "\n".join([figures + words[0], *(" " * len(figures) + more for more in words[1:])])


def outcome_text(outcome: Outcome, assumptions: Sequence[Assumption], width: int = 80) -> str:
    """The counterexample, if there is one, the verdict, and what it rests on."""
    parts = []
    if outcome.violation is not None:
        parts.append(_violation_text(outcome.violation, width))
    reason = f" ({outcome.reason})" if outcome.reason else ""
    lines = wrap(f"verdict: {outcome.verdict}{reason}", width, **HANGING)
    count = len(outcome.results)
    lines.append(
        f"verified: {count} result{'s' * (count != 1)}, {outcome.nodes} nodes, "
        f"{outcome.solver_calls} solver calls in {outcome.time_s:.2f} s"
    )
    for bound in outcome.bounds:
        lines += wrap(f"bound: {bound}", width, **HANGING)
    lines += assumption_lines(assumptions, width)
    parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _violation_text(violation: Violation, width: int) -> str:
    table = trace_text(violation.image, violation.trace, width)
    lines = [table, "", fault_text(violation.image, violation.fault)]
    if violation.inputs:
        lines += wrap("with " + ", ".join(violation.inputs), width, **HANGING)
    lines.append(
        "reproduced by running the program this way"
        if violation.reproduced
        else "not reproduced: take it as a hint, not as an error"
    )
    return "\n".join(lines)


def verification_document(
    program: Program, settings: Settings, outcome: Outcome, assumptions: Sequence[Assumption]
) -> Document:
    violation = outcome.violation
    return {
        "program": program.name,
        "digest": program.digest,
        "verdict": str(outcome.verdict),
        "reason": outcome.reason,
        "properties": sorted(str(p) for p in settings.properties),
        "bounds": outcome.bounds,
        "assumptions": [str(a) for a in assumptions],
        "time_s": round(outcome.time_s, 4),
        "time_first_result_s": outcome.time_first_s and round(outcome.time_first_s, 4),
        "results": [_result(r) for r in outcome.results],
        "nodes": outcome.nodes,
        "solver": {"calls": outcome.solver_calls, "time_s": round(outcome.solver_time_s, 4)},
        "interpolation": outcome.interpolation,
        "counterexample": None
        if violation is None
        else {
            **counterexample(violation.image, violation.fault, violation.trace),
            "inputs": list(violation.inputs),
            "reproduced": violation.reproduced,
        },
    }


def _result(result: Result) -> dict[str, Any]:
    return {
        "index": result.index,
        "verdict": "safe" if result.safe else "unsafe",
        "permits": result.permits,
        "time_s": round(result.time_s, 4),
        "nodes": result.nodes,
        "covers": result.covers,
        "solver_calls": result.solver_calls,
        "schedule": None
        if result.schedule is None
        else {
            "nodes": len(result.schedule.nodes),
            "covers": result.schedule.covers,
        },
    }
