"""Real threads that do what a schedule has for them, and what is recorded of it."""

from __future__ import annotations

import io
import json
import random
import threading
import time
from collections.abc import Callable

from patience import HANG_S

from irs.errors import Deviation, Finished, Stopped
from irs.gate import Gate
from irs.passage import Passage
from irs.plan import Plan
from irs.record import Recorder
from irs.schedule import Made, Next, ProgramIdentity, Schedule, ScheduledEvent, Section, Site, Wait


def schedule_of(
    sections: list[tuple[list[tuple[int, int, list[Wait]]], Next]],
    threads: int = 2,
    sites: int = 4,
    overlap: bool = False,
    actions: dict[int, str] | None = None,
) -> Schedule:
    """A schedule whose sites are called a, b, c, …"""
    names = ["main", *(f"main.{n}" for n in range(1, threads))]
    places = [
        Site(chr(97 + n), 0, "point", "p.c", n + 1, 1, chr(97 + n), (actions or {}).get(n, "gate"))
        for n in range(sites)
    ]
    return Schedule(
        ProgramIdentity("p", "0"),
        Made("a test", 1, "opt1", "hand", ()),
        (),
        (),
        tuple(names),
        tuple(places),
        overlap,
        0,
        tuple(
            Section(tuple(ScheduledEvent(t, s, tuple(waits)) for t, s, waits in events), after)
            for events, after in sections
        ),
    )


Script = Callable[[Passage, Callable[[int], bool]], None]


class Play:
    """A run of scripts, one for each thread; `errors` by thread has what they raised."""

    def __init__(self, schedule: Schedule, **options: object) -> None:
        self.stream = io.BytesIO()
        self.plan = Plan(schedule)
        self.gate = Gate(self.plan, recorder=Recorder(self.stream, schedule), **options)  # type: ignore[arg-type]
        self.errors: dict[int, Exception] = {}
        self.random = random.Random(0)

    def run(self, scripts: dict[int, list[int] | Script], delays: float = 0.0) -> Play:
        """Lists of sites are done one after the other, then the thread ends."""
        self.scripts = scripts
        threads = [
            threading.Thread(target=self._play, args=(n, script, delays), daemon=True)
            for n, script in scripts.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(HANG_S)
            assert not thread.is_alive(), self.gate.report()
        return self

    def _play(self, number: int, script: list[int] | Script, delays: float) -> None:
        passage = self.gate.passages[number]

        def do(site: int) -> bool:
            if delays:
                time.sleep(self.random.random() * delays)
            if not passage.enter(site):
                return False
            if delays and self.random.random() < 0.5:
                time.sleep(self.random.random() * delays)
            passage.leave()
            return True

        try:
            if callable(script):
                script(passage, do)
            else:
                for site in script:
                    do(site)
                passage.end()
        except (Deviation, Stopped, Finished) as error:
            self.errors[number] = error

    @property
    def lines(self) -> list[object]:
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]

    @property
    def events(self) -> list[tuple[int, int]]:
        """Threads and sites in the order in which they came."""
        return [(e[0], e[1]) for e in self.lines if isinstance(e, list) and len(e) == 3]
