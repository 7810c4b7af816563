"""Schedules that take each other's place: whatever section ends, the tree knows what is next."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import imc.api
from imc.checker.refusal import Rejected
from imc.checker.succession import check_succession
from imc.program.program import Program
from imc.schedule.certificate import certificate
from imc.schedule.relaxing import Relaxing
from imc.verifier.iteration import Verification
from irs.relaxation import Relaxation

EXAMPLES = Path(__file__).parents[2] / "examples"


def relaxations(
    name: str, results: int, defines: tuple[str, ...] = (), strategy: str = "round-robin"
) -> tuple[Program, Verification, list[Relaxation]]:
    """The schedules of a program's first results, with their certificates."""
    program = imc.api.load(EXAMPLES / name, define=defines)
    verification = imc.api.verify(program, iterations=results, strategy=strategy)
    relaxing = Relaxing(verification, longest=8)
    found = []
    for result in verification:
        if result.schedule is not None:
            relaxation = relaxing.compile(result)
            assert relaxation.schedule is not None
            proof = certificate(result.schedule, verification.engine.places)
            schedule = replace(relaxation.schedule, certificate=proof)
            found.append(Relaxation(schedule, relaxation.entries))
    return program, verification, found


@pytest.mark.parametrize(
    ("name", "results"),
    [
        ("prodcons.c", 8),
        ("prodcons_unlocked_check.c", 8),
        ("prodcons_off_by_one.c", 7),
        ("scanner.c", 4),
        ("cond_queue.c", 6),
        ("double_lock_wrong.c", 6),
    ],
)
def test_every_entry_is_accepted_by_the_checker(name: str, results: int) -> None:
    program, verification, found = relaxations(name, results)
    first = found[0].schedule
    assert first is not None and len(found) > 1
    assert all(relaxation.entries for relaxation in found[1:])
    check_succession(program, first, found[1:], verification.settings)


def test_several_waiters_are_woken_in_turn() -> None:
    """As they are wherever a schedule is enforced: the environment does not choose."""
    program, verification, (first, *others) = relaxations("scanner.c", 4, strategy="whole-rounds")
    assert first.schedule is not None and others
    check_succession(program, first.schedule, others, verification.settings)


def test_an_entry_at_another_section_is_rejected() -> None:
    program, verification, found = relaxations("prodcons_unlocked_check.c", 3)
    first, later = found[0].schedule, found[1]
    assert first is not None and later.schedule is not None
    for section, right in later.entries.items():
        for wrong in {*range(len(later.schedule.sections))} - {right}:
            mutant = Relaxation(later.schedule, {**later.entries, section: wrong})
            with pytest.raises(Rejected):
                check_succession(program, first, [mutant], verification.settings)


def test_a_label_that_was_not_proved_before_is_rejected() -> None:
    _, verification, found = relaxations("prodcons.c", 2)
    first, later = found[0].schedule, found[1]
    assert first is not None and first.certificate is not None
    assert any(node["label"] for node in first.certificate["nodes"].values())
    relaxing = Relaxing(verification, longest=8)
    relaxing.compile(verification.outcome.results[0])
    tree = relaxing._tree
    assert tree is not None
    weaker = {n: replace(node, label=()) for n, node in tree.nodes.items()}
    relaxing._tree = replace(tree, nodes=weaker)
    entries = relaxing._found(verification.outcome.results[1].schedule)  # type: ignore[arg-type]
    assert set(entries) < set(later.entries)
