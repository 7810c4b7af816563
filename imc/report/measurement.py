"""Measurements for people: a table, and the same as a document."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

from imc.measurement.bench.bench import UNCONSTRAINED
from imc.measurement.bench.samples import SampleSummary

WIDTH = 80


def measurement_text(title: str, summaries: Sequence[SampleSummary], endless: bool) -> str:
    """A line for each variant; ratios are to the unconstrained one, and more is better."""
    what = "rounds/s" if endless else "runs/s"
    lines = [
        title,
        f"{'':<15}{what:>11}{'lowest':>11}{'highest':>11}{'ratio':>7}"
        + (f"{'balance':>8}{'a gate':>9}{'waiting':>8}" if endless else ""),
    ]
    for s in summaries:
        if not s.measured:
            lines.append(fill(f"{s.name:<15}{s.failures}", WIDTH, subsequent_indent=" " * 15))
            continue
        row = f"{s.name:<15}{s.rate:>11,.0f}{s.lowest:>11,.0f}{s.highest:>11,.0f}"
        row += f"{ratio_text(ratio(s, summaries)):>7}"
        if endless:
            gate = _time(s.gate_ns) if s.gate_ns is not None else "-"
            row += f"{s.balance:>8.2f}{gate:>9}{100 * s.waiting:>7.0f}%"
        lines.append(row)
    some = [s for s in summaries if s.measured and s.failures.failed]
    lines += [fill(f"{s.name} {s.failures}", WIDTH, subsequent_indent="  ") for s in some]
    return "\n".join(lines)


def _time(ns: float) -> str:
    """As short as a column is wide, even where a machine stands still in between."""
    if ns < 1e3:
        return f"{ns:.0f} ns"
    larger = ((1e6, "us"), (1e9, "ms"))
    most, unit = next((m for m in larger if ns < m[0]), (1e12, "s"))
    return f"{1000 * ns / most:.1f} {unit}"


def ratio(one: SampleSummary, summaries: Sequence[SampleSummary]) -> float | None:
    """How much faster than the first variant; None where one of them has no rate."""
    first = summaries[0]
    if first.name != UNCONSTRAINED or not (one.measured and first.rate):
        return None
    return one.rate / first.rate


def ratio_text(found: float | None) -> str:
    if found is None:
        return "-"
    return f"{found:.2f}" if found < 100 else f"{found:.0f}"


def measurement_document(summaries: Sequence[SampleSummary]) -> list[dict[str, Any]]:
    return [
        {
            "variant": s.name,
            "rate_per_s": s.rate if s.measured else None,
            "lowest_per_s": s.lowest if s.measured else None,
            "highest_per_s": s.highest if s.measured else None,
            "ratio": ratio(s, summaries),
            "balance": s.balance if s.measured else None,
            "gate_ns": s.gate_ns,
            "waiting": s.waiting if s.measured else None,
            "time_s": s.seconds if s.measured else None,
            "turns": s.turns,
            "runs": s.failures.runs,
            "failed": s.failures.failed,
            "why": s.failures.why or None,
        }
        for s in summaries
    ]
