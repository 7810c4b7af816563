"""What `imc verify` prints: a line per result as it comes, and the verdict at the end."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from imc.explorer.recording import saved_settings
from imc.program.assumptions import Assumption
from imc.program.concrete.given import reader_of
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.violation import Violation
from imc.program.words.description import fault_text
from imc.report.assumptions import (
    assumption_documents,
    assumption_lines,
    note_documents,
    note_lines,
)
from imc.report.columns import HANGING
from imc.report.document import JsonObject, counterexample
from imc.report.trace import error_table
from imc.verifier.result import Conclusion, Result

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


def outcome_text(
    program: Program,
    settings: Settings,
    outcome: Conclusion,
    assumptions: Sequence[Assumption],
    width: int = 80,
    every: bool = False,
    full: bool = True,
) -> str:
    """The counterexample, if there is one, the verdict, and what it rests on."""
    parts = []
    if outcome.violation is not None:
        parts.append(_violation_text(outcome.violation, width, full))
    reason = f" ({outcome.reason})" if outcome.reason else ""
    lines = wrap(f"verdict: {outcome.verdict}{reason}", width, **HANGING)
    count = len(outcome.results)
    lines.append(
        f"verified: {count} result{'s' * (count != 1)}, {outcome.nodes} nodes, "
        f"{outcome.solver_calls} solver calls in {outcome.time_s:.2f} s"
    )
    for bound in outcome.bounds:
        lines += wrap(f"bound: {bound}", width, **HANGING)
    lines += note_lines(program, settings, width)
    lines += assumption_lines(assumptions, width, every)
    parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _violation_text(violation: Violation, width: int, full: bool) -> str:
    table = error_table(violation.image, violation.trace, violation.fault, width, full)
    lines = [table, "", fault_text(violation.image, violation.fault)]
    if violation.inputs:
        lines += wrap("with " + ", ".join(input_words(violation)), width, **HANGING)
    if violation.invention is not None:
        lines.append(f"not an error yet: it {violation.invention}")
    elif violation.reproduced:
        lines.append("reproduced by running the program this way")
    else:
        lines.append("not reproduced: take it as a hint, not as an error")
    return "\n".join(lines)


def input_words(violation: Violation) -> list[str]:
    """Inputs in words; the name of one tells the thread and how many it had read before."""
    words = []
    for name, value in sorted((violation.inputs or {}).items()):
        thread, number = reader_of(name)
        words.append(f"input {number} of {thread} is {value}")
    return words


def verification_document(
    program: Program, settings: Settings, outcome: Conclusion, assumptions: Sequence[Assumption]
) -> JsonObject:
    violation = outcome.violation
    return {
        "program": program.name,
        "digest": program.digest,
        "verdict": str(outcome.verdict),
        "reason": outcome.reason,
        "error_reproduced": outcome.error_reproduced,
        "properties": sorted(str(p) for p in settings.properties),
        "settings": saved_settings(
            settings if violation is None else violation.image.settings,
        ),
        "bounds": outcome.bounds,
        "assumptions": assumption_documents(assumptions),
        "notes": note_documents(program, settings),
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
            "inputs": None if violation.inputs is None else dict(sorted(violation.inputs.items())),
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
