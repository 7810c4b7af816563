"""Schedule files: what is written comes back, and what breaks a rule is refused with its place."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schedules import EXAMPLE, schedules, values

import irs.format
from irs import BadSchedule, Schedule, load
from irs.format import dump, dumps, loads
from irs.schedule import Branch, Case, End, Follow, ScheduledEvent, Section

DOCUMENT = json.loads(EXAMPLE)
DEEP = 1_000_000  # more than any version of Python descends


@pytest.fixture
def example() -> Schedule:
    return loads(EXAMPLE, "example")


# What is written comes back


@settings(max_examples=100, deadline=None)
@given(schedules())
def test_round_trip(schedule: Schedule) -> None:
    text = dumps(schedule)
    assert loads(text, "again") == schedule
    assert dumps(loads(text, "again")) == text


def test_the_example_of_the_documentation(example: Schedule) -> None:
    assert dumps(example) == EXAMPLE
    assert example.threads == ("main", "main.1")
    assert example.sections[0].events[3] == ScheduledEvent(0, 3, ((1, 2),))
    assert example.sections[1].next == Branch(1, (Case(1, None, 1), Case(None, None, 2)))
    assert example.sections[2].next == End()


def test_a_schedule_is_immutable_and_hashable(example: Schedule) -> None:
    assert len({example, loads(EXAMPLE, "other name")}) == 1
    assert len({replace(example, certificate={}), replace(example, certificate={})}) == 1
    with pytest.raises(FrozenInstanceError):
        example.start = 1  # type: ignore[misc]


def test_version_2_says_less_about_the_program(example: Schedule) -> None:
    document = copy.deepcopy(DOCUMENT) | {"version": 2}
    del document["program"]["functions"], document["program"]["variables"]
    old = loads(json.dumps(document), "old")
    assert (old.program.digest, old.program.functions) == (example.program.digest, None)
    assert replace(old, program=example.program) == example
    assert example.program.functions == (("main", "b5a0c21f"), ("worker", "07d4e96a"))


def test_the_certificate_is_kept_as_it_is(example: Schedule) -> None:
    certificate = {"z": [1, 2.5, None, {"b": "ü", "a": True}], "a": 2**100}
    text = dumps(replace(example, certificate=certificate))
    assert '\n  "z": [1, 2.5, null, {"b": "ü", "a": true}],\n' in text
    assert loads(text, "again").certificate == certificate


def test_guards_that_python_calls_equal_are_different(example: Schedule) -> None:
    cases = (Case(1, ("=", "x", 1), 1), Case(1, ("=", "x", True), 2), Case(1, None, 2))
    section = replace(example.sections[1], next=Branch(1, cases))
    schedule = replace(example, sections=(example.sections[0], section, example.sections[2]))
    assert dumps(loads(dumps(schedule), "again")) == dumps(schedule)


def test_empty_sections_may_follow_each_other(example: Schedule) -> None:
    idle = (Section((), Follow(1)), Section((), Follow(2)), Section((), End()))
    schedule = replace(example, sections=idle)
    assert loads(dumps(schedule), "idle") == schedule


def test_waits_may_count_events_of_an_earlier_line_only(example: Schedule) -> None:
    events = (ScheduledEvent(0, 0), ScheduledEvent(1, 1, ((0, 2),)), ScheduledEvent(0, 3))
    with pytest.raises(BadSchedule, match=r"waits for 2 events of thread 0, of which 1"):
        dumps(replace(example, sections=(Section(events, End()),)))


def test_waits_reach_back_where_sections_overlap(example: Schedule) -> None:
    first, second, last = example.sections
    back = Section((ScheduledEvent(1, 1, ((0, -2),)), *second.events[1:]), second.next)
    schedule = replace(example, overlap=True, sections=(first, back, last))
    assert loads(dumps(schedule), "again") == schedule
    with pytest.raises(BadSchedule, match=r"sections\[1\].events\[0\]"):
        dumps(replace(schedule, overlap=False))


def test_events_that_pass_no_gate_are_not_counted(example: Schedule) -> None:
    sites = (*example.sites[:2], replace(example.sites[2], action="free"), *example.sites[3:])
    with pytest.raises(BadSchedule, match=r"waits for 2 events of thread 1, of which 1"):
        dumps(replace(example, sites=sites))


def test_positions_are_seen_at_gates_only(example: Schedule) -> None:
    unseen = replace(example.sites[6], function="elsewhere", action="free")
    first = example.sections[0]
    assert isinstance(first.next, Branch)
    branch = replace(first.next, cases=(replace(first.next.cases[0], at=7), first.next.cases[1]))
    sections = (replace(first, next=branch), *example.sections[1:])
    with pytest.raises(BadSchedule, match="site 7 is no gate"):
        dumps(replace(example, sites=(*example.sites, unseen), sections=sections))


# Files


def test_dump_and_load(example: Schedule, tmp_path: Path) -> None:
    path = tmp_path / "prog.sched.json"
    dump(example, path)
    first = path.read_bytes()
    assert load(path) == load(str(path)) == example
    dump(load(path), str(path))
    assert path.read_bytes() == first == EXAMPLE.encode()
    assert list(tmp_path.iterdir()) == [path]


def test_names_that_are_not_text(example: Schedule, tmp_path: Path) -> None:
    path = tmp_path / "prog.sched.json"
    name = os.fsdecode(b"\xffstrange.c")
    odd = replace(example, program=replace(example.program, name=name))
    dump(odd, path)
    assert rb"\udcffstrange.c" in path.read_bytes()
    assert load(path) == odd


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_interrupted_write_leaves_the_old_file(
    example: Schedule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "prog.sched.json"
    dump(example, path)

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os if step == "fsync" else Path, step, interrupt)
    with pytest.raises(KeyboardInterrupt):
        dump(replace(example, bounds=("another",)), path)
    assert load(path) == example
    assert list(tmp_path.iterdir()) == [path]


def test_what_could_not_be_loaded_is_not_written(example: Schedule, tmp_path: Path) -> None:
    path = tmp_path / "prog.sched.json"
    deep: Any = []
    for _ in range(DEEP):
        deep = [deep]
    round_and_round: dict[str, Any] = {}
    round_and_round["again"] = round_and_round
    bad: list[tuple[Schedule, str]] = [
        (replace(example, start=3), "start: expected the index of one of 3 sections, found 3"),
        (replace(example, sections=()), "start: expected the index of one of 0 sections"),
        (replace(example, certificate={"a": float("nan")}), "NaN"),
        (replace(example, certificate={"a": deep}), "recursion|nested"),
        (replace(example, certificate=round_and_round), "Circular"),
    ]
    for schedule, words in bad:
        with pytest.raises(BadSchedule, match=words):
            dump(schedule, path)
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "prog.sched.json")
    with pytest.raises(IsADirectoryError):
        load(tmp_path)


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"\xff{}", "byte 0", "not UTF-8"),
        (
            EXAMPLE.encode().replace(b"count", b"co\xc3nt", 1),
            f"byte {EXAMPLE.index('count') + 2}",
            "not UTF-8",
        ),
        (EXAMPLE.encode("utf-16"), "byte 0", "not UTF-8"),
        (EXAMPLE.encode("utf-8-sig"), "line 1, column 1", "not JSON"),
        (b"", "line 1, column 1", "not JSON"),
        (b"\0" * 100, "line 1, column 1", "not JSON"),
    ],
)
def test_bytes_that_are_no_schedule(tmp_path: Path, data: bytes, place: str, words: str) -> None:
    path = tmp_path / "prog.sched.json"
    path.write_bytes(data)
    with pytest.raises(BadSchedule) as caught:
        load(path)
    assert caught.value.file == str(path)
    assert caught.value.place == place
    assert words in caught.value.message


def test_a_file_that_is_too_large(
    example: Schedule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "prog.sched.json"
    dump(example, path)
    assert irs.format.MOST_BYTES == 64_000_000
    monkeypatch.setattr(irs.format, "MOST_BYTES", len(EXAMPLE))
    assert load(path) == example
    monkeypatch.setattr(irs.format, "MOST_BYTES", len(EXAMPLE) - 1)
    for call in (lambda: load(path), lambda: loads(EXAMPLE, "example"), lambda: dumps(example)):
        with pytest.raises(BadSchedule, match="too large"):
            call()


def test_the_run_time_needs_the_standard_library_only() -> None:
    code = "import sys, irs; print(sorted({n.split('.')[0] for n in sys.modules}))"
    command = [sys.executable, "-c", code]
    root = Path(__file__).parent.parent.parent
    printed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    assert not {"imc", "pysmt", "z3", "networkx", "click"} & set(
        json.loads(printed.replace("'", '"'))
    )


# What breaks a rule

# Each has a place in the document, what stands there instead, and the complaint. A path is written
# as Python would index the document; REMOVED takes the value out, Raw is text that json would not
# write.

REMOVED = object()
NEXT = ("sections", 0, "next")
EVENT = ("sections", 0, "events", 3)
WAIT = (*EVENT, 2, 0)
CASE = (*NEXT, "cases", 0)
BY_INDEX = "expected the index of one of"


class Raw(str):
    """JSON text that stands for itself."""


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


def broken(path: tuple[str | int, ...], value: Any) -> str:
    document: Any = copy.deepcopy(DOCUMENT)
    *outer, last = path
    holder = document
    for step in outer:
        holder = holder[step]
    if value is REMOVED:
        del holder[last]
    else:
        holder[last] = "@@" if isinstance(value, Raw) else value
    text = json.dumps(document)
    return text.replace('"@@"', value) if isinstance(value, Raw) else text


BROKEN: list[tuple[tuple[str | int, ...], Any, str, str]] = [
    # the head
    (("format",), REMOVED, "", 'not a schedule: the key "format" is missing'),
    (("format",), "irs", "format", 'not a schedule: expected "irs schedule", found the string'),
    (("version",), REMOVED, "", 'not a schedule: the key "version" is missing'),
    (("version",), 4, "version", "made by a newer irs: expected version 3, found 4"),
    (("version",), 1, "version", "made by an older irs: expected version 2 to 3, found 1"),
    (("version",), True, "version", "expected an integer from 0 to 2^53 - 1, found a boolean"),
    (("version",), 1.0, "version", "found the fraction 1.0"),
    (("bounds",), REMOVED, "", 'the key "bounds" is missing'),
    (("more",), 1, "", 'unknown key "more": expected format, version, program'),
    (("\x1b[2J" + "x" * 90,), 1, "", r'unknown key "\u001b[2Jxxx'),
    (("program",), [], "program", "expected an object, found an array of 0"),
    (("program", "digest"), None, "program.digest", "expected a string, found null"),
    (("program", "path"), "/", "program", 'unknown key "path": expected name, digest'),
    (("program", "functions"), [], "program.functions", "expected an object, found an array"),
    (("program", "functions", "main"), 1, 'program.functions["main"]', "expected a string, found"),
    (("version",), 2, "program", 'unknown key "functions": expected name, digest'),
    (("made", "by"), REMOVED, "made", 'the key "by" is missing'),
    (("made", "result"), -1, "made.result", "expected an integer from 0 to 2^53 - 1, found -1"),
    (("made", "optimisation"), ["opt1"], "made.optimisation", "found an array of 1"),
    (("made", "properties", 1), 5, "made.properties[1]", "expected a string, found 5"),
    (("assumptions",), "none", "assumptions", 'expected an array, found the string "none"'),
    (("assumptions", 0), "none", "assumptions[0]", 'expected an object, found the string "none"'),
    (("assumptions", 0, "code"), REMOVED, "assumptions[0]", 'the key "code" is missing'),
    (("assumptions", 0, "code"), "No Code", "assumptions[0].code", "expected lower-case words"),
    (("assumptions", 0, "code"), 1, "assumptions[0].code", "expected a string, found 1"),
    (("assumptions", 0, "text"), REMOVED, "assumptions[0]", 'the key "text" is missing'),
    (("assumptions", 0, "subject"), None, "assumptions[0].subject", "expected a string, found"),
    (("assumptions", 0, "line"), REMOVED, "assumptions[0]", "expected file and line together"),
    (
        ("assumptions", 0, "weight"),
        1,
        "assumptions[0]",
        'unknown key "weight": expected code, text',
    ),
    (("bounds",), {}, "bounds", "expected an array, found an object"),
    # threads and sites
    (("threads", 1), "main", "threads[1]", "main is listed twice"),
    (("threads", 1), "main.0", "threads[1]", 'expected a name like "main" or "main.1.2"'),
    (("threads", 1), "main.1\n", "threads[1]", r'found "main.1\n"'),
    (("threads",), [], "sections[0].events[0]", f"{BY_INDEX} 0 threads, found 0"),
    (("sites", 0), None, "sites[0]", "expected an object, found null"),
    (("sites", 2, "pc"), "3", "sites[2].pc", "expected an integer"),
    (("sites", 2, "pc"), 2**53, "sites[2].pc", "found a number beyond 2^53"),
    (("sites", 2, "line"), REMOVED, "sites[2]", 'the key "line" is missing'),
    (("sites", 2, "column"), False, "sites[2].column", "found a boolean"),
    (("sites", 2, "file"), 0, "sites[2].file", "expected a string, found 0"),
    (("sites", 2), DOCUMENT["sites"][0], "sites[2]", "the same as sites[0]"),
    # sections and events
    (("sites", 2, "action"), "leap", "sites[2].action", "expected gate, pass, free, skip; found"),
    (("sites", 3, "action"), "free", "sections[0].events[3]", "the action free: no gate"),
    (("sites", 1, "action"), "skip", "sections[0].events[1]", "the action skip: no gate"),
    (("overlap",), 1, "overlap", "expected true or false, found 1"),
    (("start",), 3, "start", f"{BY_INDEX} 3 sections, found 3"),
    (("start",), None, "start", f"{BY_INDEX} 3 sections, found null"),
    (("sections",), [], "start", f"{BY_INDEX} 0 sections"),
    (("sections",), None, "sections", "expected an array, found null"),
    (("sections", 1, "next"), REMOVED, "sections[1]", 'the key "next" is missing'),
    (("sections", 1, "events"), None, "sections[1].events", "expected an array, found null"),
    (EVENT, [0, 3], "sections[0].events[3]", "expected [thread, site, waits], found an array of 2"),
    (EVENT, {}, "sections[0].events[3]", "expected [thread, site, waits], found an object"),
    ((*EVENT, 0), 2, "sections[0].events[3]", f"{BY_INDEX} 2 threads, found 2"),
    ((*EVENT, 0), -1, "sections[0].events[3]", f"{BY_INDEX} 2 threads, found -1"),
    ((*EVENT, 0), False, "sections[0].events[3]", f"{BY_INDEX} 2 threads, found a boolean"),
    ((*EVENT, 1), 7, "sections[0].events[3]", f"{BY_INDEX} 7 sites, found 7"),
    ((*EVENT, 2), None, "sections[0].events[3][2]", "expected an array, found null"),
    (WAIT, [1], "sections[0].events[3][2][0]", "expected [thread, count], found an array of 1"),
    ((*WAIT, 0), 0, "sections[0].events[3][2][0]", "waits for its own thread"),
    ((*WAIT, 0), 9, "sections[0].events[3][2][0]", f"{BY_INDEX} 2 threads, found 9"),
    ((*WAIT, 1), 0, "sections[0].events[3][2][0]", "expected 1 to 2"),
    ((*WAIT, 1), 3, "sections[0].events[3][2][0]", "waits for 3 events of thread 1, of which 2"),
    ((*WAIT, 1), "2", "sections[0].events[3][2][0]", "expected an integer"),
    ((*EVENT, 2), [[1, 1], [1, 2]], "sections[0].events[3][2]", "named twice"),
    (("sections", 0, "events", 0, 2), [[1, 1]], "sections[0].events[0][2][0]", "no such wait"),
    (("sections", 1, "events", 0, 2), [[0, 1]], "sections[1].events[0][2][0]", "of which 0"),
    # what comes next
    (NEXT, None, "sections[0].next", "expected an object, found null"),
    (
        NEXT,
        {},
        "sections[0].next",
        "expected the kind end, free, section, branch or choice",
    ),
    (NEXT, {"kind": "goto"}, "sections[0].next", 'found the string "goto"'),
    (NEXT, {"kind": []}, "sections[0].next", "found an array of 0"),
    (NEXT, {"kind": "end", "section": 1}, "sections[0].next", 'unknown key "section"'),
    (NEXT, {"kind": "section"}, "sections[0].next", 'the key "section" is missing'),
    (NEXT, {"kind": "section", "section": 3}, "sections[0].next.section", f"{BY_INDEX} 3"),
    (NEXT, {"kind": "choice", "sections": []}, "sections[0].next.sections", "at least two"),
    (NEXT, {"kind": "choice", "sections": [1]}, "sections[0].next.sections", "at least two"),
    (NEXT, {"kind": "choice", "sections": [1, 1]}, "sections[0].next.sections", "different"),
    (NEXT, {"kind": "choice", "sections": [1, 3]}, "sections[0].next.sections[1]", "found 3"),
    ((*NEXT, "thread"), 2, "sections[0].next.thread", f"{BY_INDEX} 2 threads, found 2"),
    ((*NEXT, "cases"), {}, "sections[0].next.cases", "expected an array, found an object"),
    ((*NEXT, "cases", 1), REMOVED, "sections[0].next.cases", "at least two cases, found 1"),
    ((*CASE, "at"), None, "sections[0].next.cases[1]", "expected another at or guard"),
    ((*CASE, "at"), 7, "sections[0].next.cases[0].at", f"{BY_INDEX} 7 sites, found 7"),
    (("sites", 2, "action"), "free", "sections[0].events[3][2][0]", "of which 1"),
    ((*CASE, "section"), None, "sections[0].next.cases[0].section", f"{BY_INDEX} 3 sections"),
    ((*CASE, "guard"), REMOVED, "sections[0].next.cases[0]", 'the key "guard" is missing'),
    ((*CASE, "guard"), "x", "sections[0].next.cases[0].guard", "expected an array"),
    ((*CASE, "guard"), ["=", ["x", None]], "sections[0].next.cases[0].guard[1][1]", "found null"),
    ((*CASE, "guard"), ["=", {}], "sections[0].next.cases[0].guard[1]", "booleans and arrays"),
    (
        (*CASE, "guard"),
        nested(101),
        "sections[0].next.cases[0].guard" + "[0]" * 100,
        "nested too deeply: expected at most 100 levels",
    ),
    # the flow
    (("start",), 1, "sections[0]", "not reached from the start: 0; expected"),
    (("start",), 2, "sections[0]", "not reached from the start: 0, 1; expected"),
    (NEXT, {"kind": "end"}, "sections[1]", "not reached from the start: 1, 2; expected"),
    (("sections", 1, "events"), [], "sections[1]", "a cycle of sections without gates: 1;"),
    # the certificate
    (("certificate",), [], "certificate", "expected an object, found an array of 0"),
    (("certificate",), {"a": nested(100)}, 'certificate["a"]' + "[0]" * 99, "nested too deeply"),
    # what json.loads would let pass
    (("certificate",), Raw('{"a": [NaN]}'), 'certificate["a"][0]', "found NaN, which is not JSON"),
    (("certificate",), Raw('{"a": 1, "a": 2}'), "certificate", 'with the key "a" twice'),
    (("certificate",), Raw('{"a": ' * DEEP + "0" + "}" * DEEP), "", "nested too deeply"),
    (("sites", 2, "pc"), Raw("-Infinity"), "sites[2].pc", "found -Infinity, which is not JSON"),
    (("sites", 2, "pc"), Raw("1e999"), "sites[2].pc", "found a number that is too large"),
    (("sites", 2, "pc"), Raw("9" * 641), "sites[2].pc", "found a number of 641 digits"),
    (("sites", 2, "pc"), Raw("9" * 9999), "sites[2].pc", "found a number of 9999 digits"),
    (NEXT, Raw('{"kind": "end", "kind": "end"}'), "sections[0].next", '"kind" twice'),
    ((*CASE, "guard"), Raw("[1e999]"), "sections[0].next.cases[0].guard[0]", "too large"),
    (("bounds",), Raw("[" * DEEP + "]" * DEEP), "", "nested too deeply"),
    (("bounds",), Raw("[" * DEEP), "", "nested too deeply"),
]


@pytest.mark.parametrize(
    ("path", "value", "place", "words"),
    [pytest.param(*row, id=f"{n}: {row[2]} {row[3]}"[:60]) for n, row in enumerate(BROKEN)],
)
def test_broken_document(path: tuple[str | int, ...], value: Any, place: str, words: str) -> None:
    with pytest.raises(BadSchedule) as caught:
        loads(broken(path, value), "prog.sched.json")
    error = caught.value
    assert error.place == place
    assert words in error.message
    assert str(error) == ": ".join(filter(None, ["prog.sched.json", place, error.message]))
    assert len(str(error)) < 500
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "line 1, column 1", "this is not JSON: Expecting value"),
        ("[]", "", "expected an object, found an array of 0"),
        ("null", "", "expected an object, found null"),
        ("NaN", "", "expected an object, found NaN"),
        ("7" * 5000, "", "expected an object, found a number of 5000 digits"),
        ("{}", "", 'not a schedule: the key "format" is missing'),
        ('{\n"format": "irs', "line 2, column 11", "this is not JSON: Unterminated string"),
        (
            EXAMPLE + "{}",
            f"line {EXAMPLE.count(chr(10)) + 1}, column 1",
            "this is not JSON: Extra data",
        ),
        (EXAMPLE.replace("count.c", "count\n.c", 1), "line 4, column 27", "this is not JSON"),
        ("# " + EXAMPLE, "line 1, column 1", "this is not JSON"),
        ("__import__('os').abort()", "line 1, column 1", "this is not JSON"),
        (EXAMPLE[:-2] + ', "start": 0}', "", 'the key "start" twice'),
        ('{"format": "irs schedule", "version": 4, "new": []}', "version", "made by a newer irs"),
    ],
)
def test_broken_text(text: str, place: str, words: str) -> None:
    with pytest.raises(BadSchedule) as caught:
        loads(text, "prog.sched.json")
    assert caught.value.place == place
    assert words in caught.value.message


def test_a_long_cycle_of_empty_sections_is_named(example: Schedule) -> None:
    idle = tuple(Section((), Follow(n % 5000 + 1)) for n in range(5001))
    with pytest.raises(BadSchedule, match=r"without gates: .* and 4990 more; expected") as caught:
        dumps(replace(example, sections=idle))
    named = caught.value.message.split(": ")[1].split(" and")[0].split(", ")
    first, second = int(named[0]), int(named[1])
    assert second == first % 5000 + 1
    assert caught.value.place == f"sections[{first}]"


def places(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    below = [place for step, child in inner for place in places(child, (*path, step))]
    return [path, *below] if path else below


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(places(DOCUMENT)), st.just(REMOVED) | values)
def test_no_other_error_escapes(path: tuple[str | int, ...], value: Any) -> None:
    text = broken(path, value)
    try:
        schedule = loads(text, "prog.sched.json")
    except BadSchedule as error:
        assert error.message
    else:
        assert json.loads(dumps(schedule)) == json.loads(text)
