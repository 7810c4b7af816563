"""Which schedule was written, in one line."""

from __future__ import annotations

from imc.program.verdict import Verdict
from imc.schedule.emission import EmittingVerification, PrefixEmission


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def emission_text(verification: EmittingVerification) -> str:
    """What a verification has written."""
    if verification.written is None and verification.problem is not None:
        return f"schedule: none could be written, by no strategy: {verification.problem}"
    if verification.problem is not None:
        return f"schedule: the last one was not written: {verification.problem}"
    if verification.written is None:
        return "schedule: none was found, so none was written"
    s, why = verification.written.statistics, verification.written.uncertified
    needless = verification.outcome.verdict is Verdict.SAFE
    return (
        f"schedule: {verification.path} ({_count(s.sections, 'section')}, "
        f"{_count(s.events, 'event')}, {_count(s.gates, 'gate')}, {_count(s.waits, 'wait')} "
        f"of {s.dependences}, {verification.optimisation}"
        + ("; not needed, all others are safe too" if needless else "")
        + (f", without a certificate: it cannot express {why})" if why else ")")
    )


def prefix_text(emission: PrefixEmission) -> str:
    """What an exploration has written."""
    if emission.prefixes.problem is not None:
        return f"schedule: the last one was not written: {emission.prefixes.problem}"
    if emission.written is None:
        return (
            "schedule: none was found that comes safely to an end, so none was written "
            "(imc verify has those of programs that run for ever)"
        )
    s = emission.written.statistics
    order = f"{_count(s.events, 'event')} in order, {_count(s.waits, 'wait')}"
    return (
        f"schedule: {emission.path} ({order if s.events else 'no order is needed'}, "
        f"{emission.prefixes.optimisation})"
    )
