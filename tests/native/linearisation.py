"""Whether a recorded run is one that its schedule permits; shares no code with what made it."""

from __future__ import annotations

from collections import deque

from irs.schedule import Schedule


def problem(schedule: Schedule, record: list[object]) -> str:
    """What is wrong with a record; empty if nothing is."""
    head, *lines = record
    if head != {"format": "irs record", "version": 1, "program": schedule.program.digest}:
        return f"head {head}"
    before = [0] * len(schedule.threads)  # gated events in the sections that were begun
    done = [0] * len(schedule.threads)
    due: list[deque[tuple[int, int, list[int]]]] = [deque() for _ in schedule.threads]
    last: int | None = None
    for number, line in enumerate(lines):
        match line:
            case [int(section)]:
                allowed = (
                    (schedule.start,) if last is None else schedule.sections[last].next.targets
                )
                if section not in allowed:
                    return f"{number}: section {section} after {last}"
                last, base = section, before.copy()
                for event in schedule.sections[section].events:
                    if schedule.sites[event.site].gated:
                        needed = [0] * len(done) if schedule.overlap else base.copy()
                        for other, count in event.waits:
                            needed[other] = max(needed[other], base[other] + count)
                        due[event.thread].append((event.site, section, needed))
                        before[event.thread] += 1
            case [int(thread), int(site), int(section)]:
                if not due[thread]:
                    return f"{number}: {line} is not due"
                expected, where, needed = due[thread].popleft()
                if (expected, where) != (site, section):
                    return f"{number}: {line}, expected site {expected} of section {where}"
                late = [u for u, count in enumerate(needed) if u != thread and done[u] < count]
                if late:
                    return f"{number}: {line} before threads {late}"
                done[thread] += 1
            case _:
                return f"{number}: {line}"
    return "" if sum(done) else "nothing has happened"
