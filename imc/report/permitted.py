"""What a live run was permitted from when on, and what it did meanwhile: a chart, and JSON."""

from __future__ import annotations

from imc.execution.live.session import LiveSession
from imc.report.document import JsonObject
from imc.report.timeline import Mark, Timeline, timeline_chart


def live_chart(session: LiveSession) -> str:
    """Stores per second, marked where another schedule came into force."""
    marks = [
        Mark(
            allowed.time_s,
            "gates dropped" if allowed.schedule is None else str(allowed.schedule),
            allowed.schedule is None,
        )
        for allowed in session.live.allowed
    ]
    return timeline_chart([Timeline(session.program.name, session.rates(), marks)], "stores")


def live_document(session: LiveSession) -> JsonObject:
    """The fields that a live run has besides those of every run."""
    broken = session.live.counterexample
    told = None if broken is None else {"text": broken.text, "reproduced": broken.reproduced}
    return {
        "verdict": str(session.live.verdict),
        "counterexample": told,
        "stores_per_s": [[round(t, 3), round(rate)] for t, rate in session.rates()],
        "permitted": [
            {
                "schedule": allowed.schedule,
                "result": allowed.result,
                "nodes": allowed.nodes,
                "from_section": allowed.section,
                "time_s": round(allowed.time_s, 4),
            }
            for allowed in session.live.allowed
        ],
    }
