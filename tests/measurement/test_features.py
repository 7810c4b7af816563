"""What a schedule says about its speed and its waits before it has run."""

from __future__ import annotations

from imc.measurement.tune.features import features, longest_wait
from irs.schedule import (
    Branch,
    Case,
    End,
    Follow,
    Made,
    Next,
    ProgramIdentity,
    Schedule,
    ScheduledEvent,
    Section,
    Site,
)


def schedule(*sections: tuple[str, Next]) -> Schedule:
    """Sections whose events are letters: a thread each; a capital waits for another thread."""
    letters = sorted({c.lower() for events, _ in sections for c in events})
    sites = tuple(Site(letter, 0, "store", None, None, None, letter, "gate") for letter in letters)
    made = [
        Section(
            tuple(
                ScheduledEvent(
                    letters.index(c.lower()),
                    letters.index(c.lower()),
                    (((letters.index(c.lower()) + 1) % len(letters), 0),) if c.isupper() else (),
                )
                for c in events
            ),
            following,
        )
        for events, following in sections
    ]
    return Schedule(
        ProgramIdentity("prog.c", "0" * 64),
        Made("imc", 1, "opt3", "round-robin", ()),
        (),
        (),
        tuple(letters),
        sites,
        False,
        0,
        tuple(made),
    )


def test_hand_overs_are_counted_by_the_round() -> None:
    found = features(schedule(("a", Follow(1)), ("AaaaBbbb", Follow(1))), {("a", 0), ("b", 0)})
    assert found.hand_overs == 2 / 8
    assert found.gates == 1
    assert found.threads == 2


def test_a_program_that_ends_is_judged_as_a_whole() -> None:
    found = features(schedule(("aAbB", End())), {("b", 0)})
    assert found.hand_overs == 1 and found.gates == 2


def test_the_longest_wait_goes_round() -> None:
    assert longest_wait(schedule(("aabbbb", Follow(0)))) == 4
    assert longest_wait(schedule(("abba", Follow(1)), ("bbb", Follow(0)))) == 3
    assert longest_wait(schedule(("ab", Follow(1)), ("bb", Follow(2)), ("b", Follow(0)))) == 4


def test_the_longer_branch_counts() -> None:
    def either(one: int, other: int) -> Branch:
        return Branch(1, (Case(0, None, one), Case(1, None, other)))

    found = schedule(("ab", either(1, 2)), ("b", Follow(0)), ("bbb", Follow(0)))
    assert longest_wait(found) == 4


def test_a_circle_without_a_thread_has_no_bound() -> None:
    def either(one: int, other: int) -> Branch:
        return Branch(1, (Case(0, None, one), Case(1, None, other)))

    assert longest_wait(schedule(("ab", Follow(1)), ("b", either(0, 1)))) is None


def test_who_has_ended_waits_for_nothing() -> None:
    assert longest_wait(schedule(("ab", Follow(1)), ("b", Follow(1)))) == 1
