"""The check of schedules that take each other's place: each is checked, and so is where it enters.

After a section of the schedule before, executions are at nodes of its tree. The next schedule must
have them in its own, with nothing proved there that was not proved before, and must permit from
there only what its tree does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from imc.checker.check import checked
from imc.checker.conformance import Conformance
from imc.checker.deadline import Deadline
from imc.checker.refusal import Rejected
from imc.checker.sight import Nodes
from imc.program.program import Program
from imc.program.settings import Settings
from irs.relaxation import Relaxation
from irs.schedule import Schedule

Json = Any


def check_succession(
    program: Program, first: Schedule, relaxed: Sequence[Relaxation], settings: Settings
) -> None:
    """Raises `Rejected` unless every schedule may take the place of the one before."""
    settings = settings.enforced()
    before = _conformance(program, first, settings, [])
    for relaxation in relaxed:
        if relaxation.schedule is None:
            return  # that all schedules are safe is another proof
        problem = relaxation.misfit(before.schedule)
        if problem:
            raise Rejected(problem)
        entries = [
            (to, nodes)
            for section, to in relaxation.entries.items()
            for nodes in before.after.get(section, ())
        ]
        for _, nodes in entries:
            for node in nodes:
                _check_label(before.schedule, relaxation.schedule, node)
        before = _conformance(program, relaxation.schedule, settings, entries)


def _conformance(
    program: Program, schedule: Schedule, settings: Settings, entries: list[tuple[int, Nodes]]
) -> Conformance:
    found = Conformance(checked(program, schedule, settings, Deadline()), schedule, entries)
    found.check()
    return found


def _check_label(old: Schedule, new: Schedule, node: int) -> None:
    if not _label(new, node) <= _label(old, node):
        raise Rejected(f"node {node} is entered, but more is proved there than was before")


def _label(schedule: Schedule, node: int) -> set[str]:
    """What is proved at a node, by names that do not depend on the certificate."""
    assert schedule.certificate is not None
    found = schedule.certificate["nodes"].get(str(node))
    if found is None:
        raise Rejected(f"node {node} is entered, but is not in the tree")
    return {repr(_named(claim, schedule.certificate["places"])) for claim in found["label"]}


def _named(formula: Json, places: list[Json]) -> Json:
    match formula:
        case ["place", int(number)]:
            return places[number]
        case [*parts]:
            return [_named(part, places) for part in parts]
    return formula
