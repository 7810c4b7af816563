"""What is said while there is no schedule that a live run could start under."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import cast

import pytest
from patience import HANG_S

from imc.execution.live import live
from imc.execution.live.live import Live, NotVerified
from imc.execution.live.verifier_process import Concluded, Message, Verifier
from imc.program.verdict import Verdict


class Slow:
    """A verifier that finds nothing until somebody has heard of it."""

    def __init__(self, heard: Event) -> None:
        self.heard = heard

    def __iter__(self) -> Iterator[Message]:
        assert self.heard.wait(HANG_S)
        yield Concluded(Verdict.UNKNOWN, "nothing was found")

    def stop(self) -> None: ...


def test_waiting_for_the_first_schedule_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SOON_S", 0.01)
    heard = Event()
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        heard.set()

    with Live(cast(Verifier, Slow(heard)), say) as run, pytest.raises(NotVerified, match="nothing"):
        run.first()
    assert any("no schedule yet" in line for line in lines)
