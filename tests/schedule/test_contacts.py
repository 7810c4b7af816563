"""What is found by an index must be what a comparison of all pairs finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from imc.checker.partners import Partners
from imc.program.dependence import dependence
from imc.program.events import Access, Event, Mode
from imc.schedule.contacts import Contacts
from imc.schedule.relation import depends

Threads = tuple[int, ...]


def access(mode: Mode, number: int, offset: int, size: int) -> Access:
    return Access(mode, number, offset, size, False, 0)


def event(
    thread: int, touched: list[Access], spawned: Threads, joined: Threads, exits: bool
) -> Event:
    return Event(
        thread, 0, "f", 0, "store", tuple(touched), spawned=spawned, joined=joined, exits=exits
    )


sizes = st.one_of(st.integers(1, 9), st.just(4000))  # now and then all of an object
accesses = st.builds(
    access, st.sampled_from(list(Mode)), st.integers(0, 1), st.integers(0, 40), sizes
)
others = st.sampled_from([(), (), (), (0,), (1,), (2,)])
events = st.builds(
    event,
    st.integers(0, 2),
    st.lists(accesses, max_size=2),
    others,
    others,
    st.sampled_from([False] * 9 + [True]),
)


@given(st.lists(events, max_size=12))
def test_steps_that_depend_on_each_other_are_near(steps: list[Event]) -> None:
    contacts = Contacts()
    for step in steps:
        contacts.add([step])
    for step in steps:
        near = contacts.near([step])
        for number, other in enumerate(steps):
            if step.thread != other.thread and dependence(step, other) is not None:
                assert number in near


@given(st.lists(events, max_size=12))
def test_partners_are_those_of_all_pairs(steps: list[Event]) -> None:
    partners = Partners(depends, local=True)
    kinds = [partners.number(step.thread, [step]) for step in steps]
    for kind, step in zip(kinds, steps, strict=True):
        for thread in {0, 1, 2} - {step.thread}:
            expected = {
                other_kind
                for other_kind, other in zip(kinds, steps, strict=True)
                if other.thread == thread
                and step.thread not in other.spawned
                and dependence(other, step) is not None
            }
            assert set(partners.of(kind, thread)) == expected
