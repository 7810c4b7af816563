"""Schedule files that mean harm, or that something bad has happened to, by name.

Each kind changes the document of a right schedule, or is a text of its own. `REFUSED` are not
schedules at all (exit code 2), `REJECTED` are (1), and `UNDECIDED` are not decided (3).
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from irs.reader import VERSION

Json = Any
Change = Callable[[Json], Json]  # of a document, in place, or another one
Raw = Callable[[str], bytes]  # of the text of one

RAW: dict[str, Raw] = {
    "empty": lambda text: b"",
    "blank": lambda text: b" \n\n\t ",
    "null": lambda text: b"null",
    "an array": lambda text: b"[]",
    "a string": lambda text: b'"irs schedule"',
    "a number": lambda text: b"17",
    "binary": lambda text: bytes(range(256)) * 64,
    "zeros": lambda text: bytes(100_000),
    "utf-16": lambda text: text.encode("utf-16"),
    "a mark of the byte order": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "half of it": lambda text: text[: len(text) // 2].encode(),
    "all but the last brace": lambda text: text.rstrip()[:-1].encode(),
    "something behind it": lambda text: (text + "]").encode(),
    "twice": lambda text: (text + text).encode(),
    "a comment": lambda text: ("// hello\n" + text).encode(),
    "single quotes": lambda text: text.replace('"', "'").encode(),
    "a key twice": lambda text: text.replace('"start": 0', '"start": 0, "start": 0').encode(),
    "not a number": lambda text: text.replace('"start": 0', '"start": NaN').encode(),
    "infinity": lambda text: text.replace('"start": 0', '"start": Infinity').encode(),
    "a huge fraction": lambda text: text.replace('"start": 0', '"start": 1e999').encode(),
    "many digits": lambda text: text.replace('"start": 0', f'"start": {"9" * 9999}').encode(),
    "a hundred thousand brackets": lambda text: b"[" * 100_000,
    "brackets in a certificate": lambda text: _with(text, "certificate", deep(5000)).encode(),
    "too large": lambda text: b" " * 64_000_001,
}


def deep(levels: int) -> str:
    return '{"a": ' * levels + "0" + "}" * levels


def _with(text: str, key: str, value: str) -> str:
    document = json.loads(text)
    document[key] = "HERE"
    return json.dumps(document).replace('"HERE"', value)


def put(*path: Any) -> Change:
    """A value in a place of the document; each step is a key, an index or `ANY` of them."""
    *steps, value = path

    def change(document: Json) -> None:
        at = document
        for step in steps[:-1]:
            at = (
                next(iter(at.values() if isinstance(at, dict) else at)) if step is ANY else at[step]
            )
        last = steps[-1]
        if last is ANY:
            last = next(iter(at)) if isinstance(at, dict) else 0
        at[last] = copy.deepcopy(value)

    return change


ANY = object()
HUGE = 10**600
KNOWN = {"code": "external-function", "text": ""}
NOWHERE = {"events": [], "next": {"kind": "end"}}


def without_waits(document: Json) -> None:
    for section in document["sections"]:
        for event in section["events"]:
            event[2] = []


REFUSED: dict[str, Change] = {
    "another format": put("format", "sched"),
    "a format that is a number": put("format", 1),
    "version 0": put("version", 0),
    "a later version": put("version", VERSION + 1),
    "an unknown assumption": put("assumptions", [{"code": "all-is-well", "text": ""}]),
    "an assumption of a long code": put("assumptions", [{"code": "a" * 10_000, "text": ""}]),
    "an assumption of nothing": put("assumptions", [KNOWN]),
    "an assumption of too much": put(
        "assumptions", [{"code": "no-overflow", "text": "", "subject": "x"}]),
    "assumptions as texts": put("assumptions", ["nothing goes wrong"]),
    "an assumption with a strange code": put("assumptions", [{"code": "\x1b[31m", "text": ""}]),
    "an assumption with a file only": put("assumptions", [{**KNOWN, "file": "prog.c"}]),
    "an assumption with a negative line": put(
        "assumptions", [{**KNOWN, "file": "prog.c", "line": -1}]),
    "version -1": put("version", -1),
    "version 1.0": put("version", 1.0),
    "version as a text": put("version", "1"),
    "version as a truth": put("version", True),
    "a key more": put("more", 1),
    "a strange key more": put("\ud800\x1b[2J" * 1000, 1),
    "a key less": lambda d: {k: v for k, v in d.items() if k != "overlap"},
    "another program": put("program", "digest", "0" * 16),
    "a program that is a text": put("program", "prog.c"),
    "an unknown property": put("made", "properties", ["\x1b[31mspeed"]),
    "many unknown properties": put("made", "properties", [f"p{n}" for n in range(50_000)]),
    "no properties": put("made", "properties", []),
    "a negative result": put("made", "result", -1),
    "no threads": put("threads", []),
    "a thread of a strange name": put("threads", 0, "main.0"),
    "a thread with an escape": put("threads", 0, "\x1b]0;x\x07"),
    "threads as numbers": put("threads", [0, 1, 2]),
    "a thread twice": lambda d: put("threads", [*d["threads"], d["threads"][0]])(d),
    "no sites": put("sites", []),
    "a site twice": lambda d: put("sites", [*d["sites"], d["sites"][0]])(d),
    "a site with a negative place": put("sites", 0, "pc", -1),
    "a site at 2^53": put("sites", 0, "pc", 2**53),
    "a site with a broken place": put("sites", 0, "pc", 0.5),
    "a site with an unknown action": put("sites", 0, "action", "omit"),
    "a site with no action": put("sites", 0, "action", None),
    "a site with an action that is a list": put("sites", 0, "action", ["gate"]),
    "sites as an object": put("sites", {}),
    "overlap as a number": put("overlap", 1),
    "a start that is not there": put("start", 10**6),
    "a negative start": put("start", -1),
    "a start that is a truth": put("start", False),
    "no sections": put("sections", []),
    "a section that is a number": put("sections", 0, 5),
    "events as an object": put("sections", 0, "events", {}),
    "an event of two": put("sections", 0, "events", [[0, 0]]),
    "an event that is a text": put("sections", 0, "events", ["main"]),
    "an event of an unknown thread": put("sections", 0, "events", [[999, 0, []]]),
    "an event of a negative thread": put("sections", 0, "events", [[-1, 0, []]]),
    "an event at a negative site": put("sections", 0, "events", [[0, -1, []]]),
    "waits as a number": put("sections", 0, "events", 0, 2, 1),
    "a wait for oneself": put("sections", 0, "events", 0, 2, [[0, 1]]),
    "a wait for what comes later": put("sections", 0, "events", 0, 2, [[1, 1]]),
    "a wait for 2^60": put("sections", 0, "events", 0, 2, [[1, 2**60]]),
    "a wait of three": put("sections", 0, "events", 0, 2, [[1, 1, 1]]),
    "a wait for a fraction": put("sections", 0, "events", 0, 2, [[1, 0.5]]),
    "a wait twice": lambda d: (put("overlap", True)(d), put(
        "sections", 0, "events", 0, 2, [[1, 0], [1, 0]])(d))[1],
    "a negative wait beyond 2^53": lambda d: (put("overlap", True)(d), put(
        "sections", 0, "events", 0, 2, [[1, -(2**60)]])(d))[1],
    "no next": put("sections", 0, "next", None),
    "an unknown next": put("sections", 0, "next", {"kind": "goto"}),
    "a next that is not there": put("sections", 0, "next", {"kind": "section", "section": 10**9}),
    "a choice of nothing": put("sections", 0, "next", {"kind": "choice", "sections": []}),
    "a choice of the same": put("sections", 0, "next", {"kind": "choice", "sections": [0, 0]}),
    "a branch of one": put("sections", 0, "next", {
        "kind": "branch", "thread": 0, "cases": [{"at": None, "guard": None, "section": 0}]}),
    "a branch of the same": put("sections", 0, "next", {
        "kind": "branch", "thread": 0, "cases": [{"at": None, "guard": None, "section": 0}] * 2}),
    "a branch of nobody": put("sections", 0, "next", {
        "kind": "branch", "thread": 99, "cases": [{"at": None, "guard": None, "section": 0}] * 2}),
    "a guard that is an object": put("sections", 0, "next", {
        "kind": "branch", "thread": 0, "cases": [{"at": None, "guard": {}, "section": 0}] * 2}),
    "a section that nobody comes to": lambda d: put("sections", [*d["sections"], NOWHERE])(d),
    "sections in a circle without events": put("sections", [
        {"events": [], "next": {"kind": "section", "section": n}} for n in (1, 2, 0)]),
    "ten thousand sections in a circle": put("sections", [
        {"events": [], "next": {"kind": "section", "section": (n + 1) % 10_000}}
        for n in range(10_000)]),
    "a certificate that is a text": put("certificate", "QED"),
    "a certificate that is a truth": put("certificate", True),
    "a certificate that is too deep": put("certificate", json.loads(deep(150))),
    "everything happens freely": lambda d: [
        s.update(action="free") for s in d["sites"]] and without_waits(d),
}  # fmt: skip


def label(*formulas: Json) -> Change:
    """These formulas at the root."""

    def change(document: Json) -> None:
        certificate = document["certificate"]
        certificate["nodes"][str(certificate["root"])]["label"] = list(formulas)

    return change


def place(named: Json) -> Change:
    """A place that the root speaks of."""

    def change(document: Json) -> None:
        document["certificate"]["places"] = [named]
        label(["<=", ["place", 0], 5])(document)

    return change


def root(key: str, value: Json) -> Change:
    def change(document: Json) -> None:
        certificate = document["certificate"]
        certificate["nodes"][str(certificate["root"])][key] = value

    return change


def permit(thread: Json, children: Json) -> Change:
    return root("permits", {thread: children})


def covered(by: Callable[[Json, str], Json]) -> Change:
    """What the node that is covered is covered by."""

    def change(document: Json) -> None:
        nodes = document["certificate"]["nodes"]
        number, node = next((n, v) for n, v in nodes.items() if v["cover"] is not None)
        node["cover"] = by(nodes, number)

    return change


def leaf(document: Json) -> Json:
    """A node to which the root permits a step, and which permits nothing."""
    certificate = document["certificate"]
    (children,) = certificate["nodes"][str(certificate["root"])]["permits"].values()
    return certificate["nodes"][str(children[0])]


def a_cycle(document: Json) -> None:
    thread = next(iter(leaf(document)["permits"]))
    leaf(document)["permits"] = {thread: [document["certificate"]["root"]]}


def choose(levels: int) -> Json:
    """A product of choices, which would be 2^levels products."""
    term: Json = 1
    for _ in range(levels):
        term = ["*", term, ["if", ["<=", ["place", 0], 1], ["place", 0], 2]]
    return ["<=", term, 5]


def nested(levels: int) -> Json:
    term: Json = True
    for _ in range(levels):
        term = ["or", ["not", term]]
    return term


def power(factors: int) -> Json:
    term: Json = ["place", 0]
    for _ in range(factors):
        term = ["*", ["place", 0], term]
    return ["<=", term, 5]


def many_threads(document: Json) -> None:
    count = len(document["threads"])
    document["threads"] += [f"main.{n}" for n in range(count, 40_000)]


def waits_far_back(document: Json) -> None:
    document["overlap"] = True
    for section in document["sections"]:
        for thread, site, waits in section["events"]:
            if document["sites"][site]["action"] in ("gate", "pass"):
                other = 1 if thread != 1 else 0
                waits[:] = [[other, -(2**53) + 1]]


def many_events(document: Json) -> None:
    document["sections"][0]["events"] *= 20_000


def many_nodes(document: Json) -> None:
    """Each is the child of the one before."""
    nodes = document["certificate"]["nodes"]
    node = {"choices": [], "label": [], "permits": {}, "cover": None}
    for number in range(10**6, 10**6 + 100_000):
        nodes[str(number)] = {**node, "permits": {"0": [number + 1]}}
    document["certificate"]["root"] = 10**6


REJECTED: dict[str, Change] = {
    "assumptions that are not said": put("assumptions", []),
    "threads in another order": lambda d: put("threads", d["threads"][::-1])(d),
    "a thread that nobody starts": put("threads", ["main", "main.1", "main.7.1"]),
    "a thread with a number of 400 digits": lambda d: put(
        "threads", [*d["threads"], "main." + "1" * 400])(d),
    "a thread forty deep": lambda d: put("threads", [*d["threads"], "main" + ".1" * 40])(d),
    "one thread only": lambda d: put("threads", 1, "main.5")(d),
    "a site of an unknown function": put("sites", 0, "function", "nowhere"),
    "a site behind the end of a function": put("sites", 0, "pc", 10**6),
    "a site of a surrogate": put("sites", 0, "function", "\ud800"),
    "all sites left out": lambda d: [s.update(action="pass") for s in d["sites"]] and None,
    "the end after the first section": lambda d: put(
        "sections", [{**d["sections"][0], "next": {"kind": "end"}}])(d),
    "anything after the first section": lambda d: put(
        "sections", [{**d["sections"][0], "next": {"kind": "free"}}])(d),
    "a section without an end": lambda d: put(
        "sections", [{**d["sections"][0], "next": {"kind": "section", "section": 0}}])(d),
    "a guard that is empty": put("sections", [{"events": [[0, 0, []]], "next": {
        "kind": "branch", "thread": 0, "cases": [
            {"at": None, "guard": [], "section": 0}, {"at": None, "guard": None, "section": 0}]}}]),
    "a guard about nothing": put("sections", [{"events": [[0, 0, []]], "next": {
        "kind": "branch", "thread": 0, "cases": [
            {"at": None, "guard": ["=", ["memory", "global", "\x1b[31m", 0], 1], "section": 0},
            {"at": None, "guard": None, "section": 0}]}}]),
    "a guard with one word": put("sections", [{"events": [[0, 0, []]], "next": {
        "kind": "branch", "thread": 0, "cases": [
            {"at": None, "guard": ["="], "section": 0},
            {"at": None, "guard": ["=", 1], "section": 0}]}}]),
    "no events": put("sections", [{"events": [], "next": {"kind": "end"}}]),
    "waits far back": waits_far_back,
    "a certificate without keys": put("certificate", {}),
    "a certificate with a key more": put("certificate", "more", 1),
    "a root that is a text": put("certificate", "root", "0"),
    "a root that is a truth": put("certificate", "root", False),
    "a root that is a list": put("certificate", "root", []),
    "a huge root": put("certificate", "root", HUGE),
    "a negative root": put("certificate", "root", -1),
    "a root that is not there": put("certificate", "root", 10**9),
    "nodes as a list": put("certificate", "nodes", []),
    "no nodes": put("certificate", "nodes", {}),
    "nodes that are numbers": lambda d: put(
        "certificate", "nodes", dict.fromkeys(d["certificate"]["nodes"], 1))(d),
    "a node without keys": put("certificate", "nodes", ANY, {}),
    "places as a text": put("certificate", "places", "abc"),
    "abstract as a number": put("certificate", "abstract", 5),
    "abstract of nothing": put("certificate", "abstract", [None]),
    "abstract of an object that is not there": put(
        "certificate", "abstract", [["object", ["global", "no"], 0]]),
    "abstract of objects": put("certificate", "abstract", [["object", {}, 0]]),
    "abstract with a list": put("certificate", "abstract", [["site", "a", None, []]]),
    "abstract with a strange place": put("certificate", "abstract", [["site", "a", [1, 2], 0]]),
    "abstract of no function": put("certificate", "abstract", [["register", "nowhere", 1]]),
    "exact as a number": put("certificate", "exact", 5),
    "exact of nothing": put("certificate", "exact", [None]),
    "exact of objects": put("certificate", "exact", [{"a": []}]),
    "exact of a deep list": put("certificate", "exact", [[[[[[[[]]]]]]]]),
    "permits as a list": root("permits", []),
    "permits nobody's": permit("x", []),
    "permits a negative thread": permit("-1", []),
    "permits an odd number": permit("00", []),
    "permits an Arabic digit": permit("\u0661", []),
    "permits a superscript": permit("\u00b2", []),
    "permits with blanks": permit(" 0", []),
    "permits a thread that is not there": permit("999", [1]),
    "permits a huge thread": permit("9" * 300, [1]),
    "permits no way": permit("0", []),
    "permits a way that is a text": permit("0", ["1"]),
    "permits a way that is not there": permit("0", [10**9]),
    "permits a huge way": permit("0", [HUGE]),
    "permits a way as an object": permit("0", {}),
    "permits a step to itself": lambda d: permit("0", [d["certificate"]["root"]])(d),
    "a cycle": a_cycle,
    "choices as a text": lambda d: leaf(d).update(choices="abc"),
    "choices of texts": lambda d: leaf(d).update(choices=["a"]),
    "choices without an end": lambda d: leaf(d).update(choices=[0] * 100_000),
    "a cover of itself": covered(lambda nodes, number: int(number)),
    "a cover that is not there": covered(lambda nodes, number: 10**9),
    "a cover that is negative": covered(lambda nodes, number: -1),
    "a cover that is a truth": covered(lambda nodes, number: True),
    "a cover that is a text": covered(lambda nodes, number: "0"),
    "a cover that is huge": covered(lambda nodes, number: HUGE),
    "no cover": covered(lambda nodes, number: None),
    "a cover of the root by a leaf": lambda d: root("cover", next(
        int(n) for n, node in d["certificate"]["nodes"].items() if not node["permits"]))(d),
    "a cover forwards": lambda d: leaf(d).update(permits={}, cover=max(
        map(int, d["certificate"]["nodes"]))),
    "a label that is a text": root("label", "true"),
    "a label that is an object": root("label", {"a": 1}),
    "a label that is a number": label(1),
    "a label that is nothing": label(None),
    "a label that is a fraction": label(0.5),
    "a label of a word": label("true"),
    "a label without a name": label([]),
    "a label of lists": label([[["and"]]]),
    "a label of an unknown name": label(["xor", True, False]),
    "a label that is false": label(False),
    "a label with a place that is not there": label(["<=", ["place", 10**6], 1]),
    "a label with a negative place": label(["<=", ["place", -1], 1]),
    "a label with a place that is a text": label(["<=", ["place", "0"], 1]),
    "a label with a place that is a truth": label(["<=", ["place", True], 1]),
    "a label with two places in one": label(["<=", ["place", 0, 0], 1]),
    "a truth that is compared": label(["<=", True, 1]),
    "a number that is negated": label(["not", 1]),
    "a number in a conjunction": label(["and", True, 1]),
    "a truth in a sum": label(["<=", ["+", 1, True], 1]),
    "an empty sum": label(["<=", ["+"], 1]),
    "a choice by a number": label(["<=", ["if", 1, 2, 3], 1]),
    "a choice between a number and a truth": label(["<=", ["if", True, 2, False], 1]),
    "a number that is selected from": label(["<=", ["select", 1, 2], 1]),
    "a number that is stored to": label(["=", ["store", 1, 2, 3], ["store", 1, 2, 3]]),
    "an array as a number": label(["<=", ["all", 0], 1]),
    "an array equal to a number": label(["=", ["all", 0], 1]),
    "an array of truths": label(["=", ["all", True], ["all", True]]),
    "a division by zero": label(["<=", ["div", 7, 0], 1]),
    "a division by less": label(["<=", ["div", 7, -2], 1]),
    "a division by a truth": label(["<=", ["div", 7, True], 1]),
    "a division by an array": label(["<=", ["div", 7, ["all", 3]], 1]),
    "a huge claim": label(["<=", HUGE, -HUGE]),
    "deep": label(nested(46)),
    "a place of the width 0": place(["m", ["global", "NAME"], 0, 0]),
    "a place of a negative width": place(["m", ["global", "NAME"], 0, -8]),
    "a place of a huge width": place(["m", ["global", "NAME"], 0, 10**9]),
    "a place of an enormous width": place(["m", ["global", "NAME"], 0, HUGE]),
    "a place of the width true": place(["m", ["global", "NAME"], 0, True]),
    "a place of half a width": place(["m", ["global", "NAME"], 0, 0.5]),
    "a place of no width": place(["m", ["global", "NAME"], 0]),
    "a place at a negative offset": place(["m", ["global", "NAME"], -4, 32]),
    "a place at an offset of a word": place(["m", ["global", "NAME"], "0", 32]),
    "a place with the name of another": place(["m", ["global", "NAME"], 0, "offset:64", 32]),
    "a place with a list in it": place(["m", ["global", "NAME"], 0, [], 32]),
    "a place in an unknown object": place(["m", ["global", "nowhere"], 0, 32]),
    "a place in an object of JSON": place(["m", {"global": "NAME"}, 0, 32]),
    "a place in a number": place(["m", 5, 0, 32]),
    "a place in nothing": place(["m", None, 0, 32]),
    "a place with terminal codes": place(["m", ["global", "\x1b[31m" * 5000], 0, 32]),
    "an array of elements of 0 bytes": place(["a", ["global", "NAME"], 0]),
    "an array of elements of negative bytes": place(["a", ["global", "NAME"], -1]),
    "an array of huge elements": place(["a", ["global", "NAME"], 10**12]),
    "an array as a place": place(["a", ["global", "NAME"], 4]),
    "a register of an unknown function": place(["r", 0, 0, "nowhere", 1, 32]),
    "a register that is not there": place(["r", 0, 0, "main", 10**6, 32]),
    "a negative register": place(["r", 0, 0, "main", -1, 32]),
    "a register of an unknown thread": place(["r", 999, 0, "main", 1, 32]),
    "a register of a negative thread": place(["r", -1, 0, "main", 1, 32]),
    "a register at a negative depth": place(["r", 0, -1, "main", 1, 32]),
    "a register with a width of 0": place(["r", 0, 0, "main", 1, 0]),
    "the result of an unknown thread": place(["t", 999, 64]),
    "the result with a width of 0": place(["t", 0, 0]),
    "an unknown kind of place": place(["x", 0, 32]),
    "a place that is a number": place(5),
    "a place that is empty": place([]),
    "a place that is an object": place({"m": 1}),
    "a product of choices": lambda d: (place(["t", 0, 64])(d), label(choose(38))(d))[1],
    "a power": lambda d: (place(["t", 0, 64])(d), label(power(38))(d))[1],
}  # fmt: skip
# Right or wrong, it takes its time to find out.
LARGE: dict[str, Change] = {
    "a hundred thousand claims that do not hold": label(["or", *([["<=", 1, 0]] * 100_000)]),
    "more nodes than there is": many_nodes,
    "events many times": many_events,
}

# Where nothing is wrong with the proof, but it is none, or with names that nobody has to know.
UNDECIDED: dict[str, Change] = {"no certificate": put("certificate", None)}
ACCEPTED: dict[str, Change] = {
    "forty thousand threads": many_threads,
    "an assumption with terminal codes": lambda d: d["assumptions"].append(
        {"code": "external-function", "text": "\x1b[31m", "subject": "\x1b[31m\ud800\u202e"}),
    "a name with terminal codes": put("program", "name", "\x1b]0;x\x07\ud800"),
    "nodes that nobody comes to": lambda d: d["certificate"]["nodes"].update(
        {str(n): None for n in range(10**6, 10**6 + 50_000)}),
}  # fmt: skip


def changed(document: Json, change: Change, name: str) -> bytes:
    """The bytes of a changed document; NAME stands for a variable that there is."""
    copied = copy.deepcopy(document)
    found = change(copied)
    text = json.dumps(copied if found is None else found)
    return text.replace('"NAME"', json.dumps(name)).encode()
