"""Schedules that something has happened to: each is a document with one thing changed."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from irs.schedule import ACTIONS

Json = Any
Mutation = Callable[[Json, random.Random], bool]  # changes a document; whether it found something


def mutate(document: Json, rng: random.Random) -> tuple[str, Json] | None:
    """The name of a mutation, and a changed copy; None if there is nothing of the kind chosen."""
    changed = copy.deepcopy(document)
    mutation = rng.choice(MUTATIONS)
    return (mutation.__name__, changed) if mutation(changed, rng) else None


def _events(document: Json) -> list[Json]:
    return [event for section in document["sections"] for event in section["events"]]


def drop_a_wait(document: Json, rng: random.Random) -> bool:
    waiting = [event for event in _events(document) if event[2]]
    if waiting:
        waits = rng.choice(waiting)[2]
        waits.remove(rng.choice(waits))
    return bool(waiting)


def lower_a_clock(document: Json, rng: random.Random) -> bool:
    waits = [wait for event in _events(document) for wait in event[2] if wait[1] > 1]
    if waits:
        rng.choice(waits)[1] -= 1
    return bool(waits)


def swap_two_events(document: Json, rng: random.Random) -> bool:
    sections = [s["events"] for s in document["sections"] if len(s["events"]) > 1]
    if not sections:
        return False
    events = rng.choice(sections)
    n = rng.randrange(len(events) - 1)
    events[n], events[n + 1] = events[n + 1], events[n]
    return bool(events[n] != events[n + 1])


def remove_an_event(document: Json, rng: random.Random) -> bool:
    sections = [s["events"] for s in document["sections"] if s["events"]]
    if sections:
        events = rng.choice(sections)
        events.pop(rng.randrange(len(events)))
    return bool(sections)


def redirect_a_section(document: Json, rng: random.Random) -> bool:
    following = [s["next"] for s in document["sections"] if s["next"]["kind"] == "section"]
    if not following or len(document["sections"]) < 2:
        return False
    chosen = rng.choice(following)
    others = [n for n in range(len(document["sections"])) if n != chosen["section"]]
    chosen["section"] = rng.choice(others)
    return True


def swap_two_cases(document: Json, rng: random.Random) -> bool:
    branches = [s["next"]["cases"] for s in document["sections"] if s["next"]["kind"] == "branch"]
    if not branches:
        return False
    one, other = rng.sample(rng.choice(branches), 2)
    one["section"], other["section"] = other["section"], one["section"]
    return bool(one["section"] != other["section"])


def end_too_early(document: Json, rng: random.Random) -> bool:
    following = [s for s in document["sections"] if s["next"]["kind"] != "end"]
    if following:
        rng.choice(following)["next"] = {"kind": "end"}
    return bool(following)


def weaken_a_label(document: Json, rng: random.Random) -> bool:
    labels = [n["label"] for n in document["certificate"]["nodes"].values() if n["label"]]
    if labels:
        label = rng.choice(labels)
        label.pop(rng.randrange(len(label)))
    return bool(labels)


def negate_a_label(document: Json, rng: random.Random) -> bool:
    labels = [n["label"] for n in document["certificate"]["nodes"].values() if n["label"]]
    if labels:
        label = rng.choice(labels)
        n = rng.randrange(len(label))
        label[n] = ["not", label[n]]
    return bool(labels)


def move_a_cover(document: Json, rng: random.Random) -> bool:
    nodes = document["certificate"]["nodes"]
    covered = [node for node in nodes.values() if node["cover"] is not None]
    if not covered:
        return False
    chosen = rng.choice(covered)
    before = chosen["cover"]
    chosen["cover"] = rng.choice([None, *map(int, nodes)])
    return bool(chosen["cover"] != before)


def remove_a_child(document: Json, rng: random.Random) -> bool:
    nodes = document["certificate"]["nodes"].values()
    children = [c for node in nodes for c in node["permits"].values()]
    if children:
        chosen = rng.choice(children)
        chosen.pop(rng.randrange(len(chosen)))
    return bool(children)


def permit_another_thread(document: Json, rng: random.Random) -> bool:
    nodes = [n for n in document["certificate"]["nodes"].values() if n["permits"]]
    chosen = rng.choice(nodes)["permits"]
    thread = rng.choice(list(chosen))
    other = str(rng.randrange(len(document["threads"])))
    if other in chosen:
        return False
    chosen[other] = chosen.pop(thread)
    return True


def forget_what_is_abstract(document: Json, rng: random.Random) -> bool:
    abstract = document["certificate"]["abstract"]
    if abstract:
        abstract.pop(rng.randrange(len(abstract)))
    return bool(abstract)


def confuse_two_places(document: Json, rng: random.Random) -> bool:
    places = document["certificate"]["places"]
    if len(places) < 2:
        return False
    a, b = rng.sample(range(len(places)), 2)
    places[a], places[b] = places[b], places[a]
    return True


def damage_a_formula(document: Json, rng: random.Random) -> bool:
    labels = [n["label"] for n in document["certificate"]["nodes"].values() if n["label"]]
    if labels:
        rng.choice(labels)[0] = rng.choice(["nonsense", ["<="], ["place", 999], ["what", 1], None])
    return bool(labels)


def change_an_action(document: Json, rng: random.Random) -> bool:
    site = rng.choice(document["sites"])
    site["action"] = rng.choice([a for a in ACTIONS if a != site["action"]])
    return True


def let_sections_overlap(document: Json, rng: random.Random) -> bool:
    before, document["overlap"] = document["overlap"], True
    return not before


MUTATIONS: list[Mutation] = [
    drop_a_wait, lower_a_clock, swap_two_events, remove_an_event, redirect_a_section,
    swap_two_cases, end_too_early, weaken_a_label, negate_a_label, move_a_cover, remove_a_child,
    permit_another_thread, forget_what_is_abstract, confuse_two_places, damage_a_formula,
    change_an_action, let_sections_overlap,
]  # fmt: skip
