"""What `imc run` tells of runs: lines for the user, and JSON."""

from __future__ import annotations

from imc.execution.run_result import RunResult
from imc.execution.runs import Runs
from imc.report.document import JsonObject
from imc.report.permitted import live_document
from irs.errors import Deviation, Stalled


def conclusion_lines(execution: Runs) -> list[str]:
    """What the program, and the native run-time, did not say themselves."""
    results, request = execution.results, execution.request
    last = results[-1]
    lines = []
    problem = None if request.native else last.problem
    if isinstance(problem, Deviation):
        lines.append(f"the run deviated from its schedule: {problem}")
    elif problem is not None and not isinstance(problem, BrokenPipeError):
        lines.append(str(problem))
    lines += [f"a thread has stopped: {thread}" for thread in last.stuck]
    if last.out_of_time:
        after = f"{request.time_limit:g} s ({execution.mode.name})"
        lines.append(f"stopped after {after}: {_figures(last)}")
    if request.runs > 1:
        time_s = sum(result.time_s for result in results)
        lines.append(f"{len(results)} of {request.runs} runs in {time_s:.2f} s")
    return lines


def _figures(result: RunResult) -> str:
    events = sum(result.events.values())
    threads = ", ".join(f"{name} {count}" for name, count in result.events.items())
    sections = f", {result.sections} sections" if result.sections else ""
    return f"{events} events, {events / result.time_s:.0f} per second ({threads}){sections}"


def run_document(execution: Runs, schedule: str | None, status: int) -> JsonObject:
    """`schedule` is the name of its file, `status` what imc ends with."""
    results, program = execution.results, execution.program
    last = results[-1] if results else None
    problem = last.problem if last is not None else None
    deviation = None
    if isinstance(problem, Deviation):
        deviation = {
            "thread": problem.thread,
            "event": problem.event,
            "section": problem.section,
            "expected": list(problem.expected),
        }
    return {
        "program": program.name,
        "digest": program.digest,
        "schedule": schedule,
        "backend": "native" if execution.request.native else "python",
        "mode": execution.mode.name,
        "mode_reason": execution.mode.why,
        "runs": len(results),
        "events": sum(sum(result.events.values()) for result in results),
        "gated_events": sum(result.gated for result in results),
        "threads": last.events if last is not None else {},
        "sections": sum(result.sections for result in results),
        "time_s": round(sum(result.time_s for result in results), 4),
        "exit_status": status,
        "error": last.error or None if last is not None else None,
        "deviation": deviation,
        "stalled": list(problem.lines) if isinstance(problem, Stalled) else None,
        "stopped_threads": last.stuck if last is not None else [],
        "out_of_time": last is not None and last.out_of_time,
        **(live_document(execution.live) if execution.live is not None else {}),
    }
