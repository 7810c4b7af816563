"""What tuning has found, for people and as a document."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from imc.measurement.tune.candidate import Trial
from imc.measurement.tune.tuner import Tuning
from imc.report.scatter import Dot, scatter_chart

HEADER = (
    f"{'schedule':<28}{'verified':>9}{'nodes':>7}{'hand-overs':>11}{'ratio':>8}{'longest wait':>16}"
)


def trial_line(trial: Trial) -> str:
    """One candidate: what it took to verify, and how fast it runs."""
    found = trial.features
    if trial.rates:
        speed, waits = f"{trial.ratio:.2f}" if trial.ratios else _rate(trial.rate), _wait(trial)
    else:
        speed, waits = f"({trial.predicted or 0:.2f})", "not measured"
    return (
        f"{trial.candidate.name:<28}{trial.verified_s:>7.2f} s{trial.nodes:>7}"
        f"{found.hand_overs:>11.3f}{speed:>8}{waits:>16}"
    )


def tuning_text(tuning: Tuning, target: str, width: int) -> str:
    """The choice, what speaks for it, and where it is."""
    lines = [*_conclusion(tuning)]
    if tuning.best is not None:
        lines.append(f"schedule: {target} (run it with --mode {tuning.best.candidate.mode})")
    return "\n".join(
        fill(line, width, subsequent_indent="  ", break_long_words=False) for line in lines
    )


def _conclusion(tuning: Tuning) -> list[str]:
    lines = []
    for refusal in tuning.refusals:
        lines.append(f"not found: {refusal.candidate.name}: {refusal.why}")
    best = tuning.best
    if best is None:
        return [*lines, f"ended: {tuning.ended}"]
    what = "rounds/s" if tuning.endless else "runs/s"
    compared = (
        f", {best.ratio:.2f} of the unconstrained program "
        f"({min(best.ratios):.2f} to {max(best.ratios):.2f})"
        if best.ratios
        else ""
    )
    lines.append(f"best: {best.candidate.name}, {best.rate:,.0f} {what}{compared}")
    if tuning.plain_failures.failed:
        lines.append(f"without a schedule: {tuning.plain_failures}")
    if tuning.strongest is not None:
        name, rate = tuning.strongest
        strength = f", {rate / tuning.plain_rate:.2f}" if tuning.plain_rate else ""
        times = f"; the best is {best.rate / rate:.2f} of it" if rate else ""
        lines.append(f"strongest without a schedule: {name}{strength}{times}")
    lines += [
        f"measured: {_extent(tuning)}",
        f"longest wait of a thread: {_events(best)}{_measured(best)}",
        f"ended: {tuning.ended} ({tuning.time_s:.1f} s, {len(tuning.trials)} schedules)",
    ]
    if tuning.weights is not None:
        _, _, threads, *_ = tuning.weights
        lines.append(f"learned: half as many hand-overs run {2**-threads:.2f} times as fast")
    return lines


def _extent(tuning: Tuning) -> str:
    """How much the choice rests on."""
    turns = f"{tuning.turns} turn{'s' * (tuning.turns != 1)}"
    if tuning.compared:
        return f"the best {tuning.compared} side by side, in {turns}"
    return f"the best in {turns}; no time for a comparison side by side"


def _rate(rate: float) -> str:
    """A rate in a few characters."""
    if rate < 1e3:
        return f"{rate:.3g}/s"
    return f"{rate / 1e3:.3g}k/s" if rate < 1e6 else f"{rate / 1e6:.3g}M/s"


def _events(trial: Trial) -> str:
    longest = trial.features.longest_wait
    return "no bound on the events of others" if longest is None else f"{longest} events of others"


def _measured(trial: Trial) -> str:
    """Only threads of the system look at the clock when they wait."""
    return f", {1e3 * trial.longest_wait_s:.3g} ms measured" if trial.longest_wait_s else ""


def _wait(trial: Trial) -> str:
    events = trial.features.longest_wait
    measured = f" / {1e3 * trial.longest_wait_s:.3g} ms" if trial.longest_wait_s else ""
    return f"{'-' if events is None else events}{measured}"


def tuning_document(tuning: Tuning) -> dict[str, Any]:
    best = tuning.best
    return {
        "best": best.candidate.name if best is not None else None,
        "ratio": best.ratio if best is not None and best.ratios else None,
        "rate_per_s": best.rate if best is not None else None,
        "plain_rate_per_s": tuning.plain_rate,
        "unconstrained": {
            "runs": tuning.plain_failures.runs,
            "failed": tuning.plain_failures.failed,
            "why": tuning.plain_failures.why or None,
        },
        "strongest": _strongest(tuning),
        "measured": {"schedules": tuning.compared, "turns": tuning.turns},
        "ended": tuning.ended,
        "time_s": tuning.time_s,
        "candidates": [_document(trial) for trial in tuning.trials],
        "refused": [
            {"schedule": r.candidate.name, "why": r.why, "time_s": r.spent_s}
            for r in tuning.refusals
        ],
    }


def _strongest(tuning: Tuning) -> dict[str, Any] | None:
    if tuning.strongest is None:
        return None
    name, rate = tuning.strongest
    ratio = rate / tuning.plain_rate if tuning.plain_rate else None
    return {"variant": name, "rate_per_s": rate, "ratio": ratio}


def _document(trial: Trial) -> dict[str, Any]:
    return {
        "schedule": trial.candidate.name,
        "strategy": trial.candidate.strategy,
        "optimisation": trial.candidate.level,
        "mode": trial.candidate.mode,
        "nodes": trial.nodes,
        "verified_s": trial.verified_s,
        "hand_overs_per_round": trial.features.hand_overs,
        "gates_per_round": trial.features.gates,
        "rate_per_s": trial.rate if trial.rates else None,
        "ratio": trial.ratio if trial.ratios else None,
        "ratios": trial.ratios,
        "predicted_ratio": trial.predicted,
        "longest_wait_events": trial.features.longest_wait,
        "longest_wait_s": trial.longest_wait_s or None,
    }


def tuning_chart(tuning: Tuning, name: str) -> str:
    """Throughput against the time that the verification has taken."""
    plain = tuning.plain_rate
    dots = [
        Dot(
            trial.verified_s,
            trial.ratio if trial.ratios else trial.rate,
            trial.candidate.name,
            trial is tuning.best,
        )
        for trial in tuning.trials
        if trial.rates
    ]
    levels = [("unconstrained", 1.0)] if plain else []
    if tuning.strongest is not None and tuning.strongest[0] != "unconstrained":
        name_of, rate = tuning.strongest
        levels.append((name_of, rate / plain if plain else rate))
    speed = "throughput, of the unconstrained program" if plain else "throughput per second"
    axes = "seconds of verification", speed
    return scatter_chart(f"{name}: schedules and their speed", axes, dots, levels)
