"""Measurements for people: a table, and the same as a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imc.bench.samples import Summary


def measurement_text(title: str, summaries: Sequence[Summary], endless: bool) -> str:
    """A line for each variant; ratios are to the first one, and more is better."""
    what = "rounds/s" if endless else "runs/s"
    lines = [
        title,
        f"{'':<15}{what:>11}{'lowest':>11}{'highest':>11}{'ratio':>7}"
        + (f"{'balance':>8}{'a gate':>9}{'waiting':>8}" if endless else ""),
    ]
    for s in summaries:
        row = f"{s.name:<15}{s.rate:>11,.0f}{s.lowest:>11,.0f}{s.highest:>11,.0f}"
        times = ratio(s, summaries)
        row += f"{times:>7.2f}" if times < 100 else f"{times:>7.0f}"
        if endless:
            gate = _time(s.gate_ns) if s.gate_ns is not None else "-"
            row += f"{s.balance:>8.2f}{gate:>9}{100 * s.waiting:>7.0f}%"
        lines.append(row)
    return "\n".join(lines)


def _time(ns: float) -> str:
    return f"{ns:.0f} ns" if ns < 1000 else f"{ns / 1000:.1f} us"


def ratio(one: Summary, summaries: Sequence[Summary]) -> float:
    """How much faster than the first variant."""
    return one.rate / summaries[0].rate if summaries[0].rate else 0.0


def measurement_document(summaries: Sequence[Summary]) -> list[dict[str, Any]]:
    return [
        {
            "variant": s.name,
            "rate_per_s": s.rate,
            "lowest_per_s": s.lowest,
            "highest_per_s": s.highest,
            "ratio": ratio(s, summaries),
            "balance": s.balance,
            "gate_ns": s.gate_ns,
            "waiting": s.waiting,
            "time_s": s.seconds,
        }
        for s in summaries
    ]
