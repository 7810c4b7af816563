"""Schedules as files: written by verify and explore, shown, checked, refused when broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_runs import Imc

import irs
from irs.schedule import Free, Section

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
DOUBLE_LOCK = EXAMPLES / "double_lock_wrong.c"
FIRST = ("--until", "first", "--optimise", "partial")


def test_the_first_schedule_is_written_after_the_program(imc: Imc) -> None:
    done = imc("verify", DOUBLE_LOCK, "--until", "first", "--emit-schedule")
    assert done.code == 6  # nothing is known of the other schedules
    assert "schedule: double_lock_wrong.sched.json (2 sections, 14 events" in done.out
    schedule = irs.load(imc.folder / "double_lock_wrong.sched.json")
    assert schedule.threads == ("main", "main.1", "main.2")
    assert schedule.made.result == 1
    assert schedule.certificate is not None


def test_later_results_replace_earlier_ones(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, "--iterations", "3", "--emit-schedule=all.sched.json")
    schedule = irs.load(imc.folder / "all.sched.json")
    assert schedule.made.result == 3
    assert {p.name for p in imc.files()} == {"all.sched.json"}


def test_optimisations_that_do_not_exist(imc: Imc) -> None:
    done = imc("verify", DOUBLE_LOCK, "--optimise", "opt7", "--emit-schedule")
    done.failed("no optimisation is called 'opt7'")
    assert "opt0, opt1, opt2, opt3" in done.err


def test_show(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, *FIRST, "--emit-schedule=s.sched.json")
    shown = imc("show", "s.sched.json")
    assert shown.code == 0
    assert "lock mutex2 (after 5 of main.1)" in shown.out
    assert imc("show", "s.sched.json", "--svg", "s.svg").code == 0
    assert (imc.folder / "s.svg").read_text().startswith("<svg")
    assert "digraph" in imc("show", "s.sched.json", "--dot", "-").out


def test_show_as_a_page(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, *FIRST, "--emit-schedule=s.sched.json")
    text = imc("show", "s.sched.json").out
    written = imc("show", "s.sched.json", "--html", "-o", "s.html")
    assert (written.code, written.out) == (0, text)
    page = (imc.folder / "s.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert page.count("<li ") == 14
    assert "after 5 of main.1" in page
    for target in ((), ("-o", "-")):
        printed = imc("show", "s.sched.json", "--html", *target)
        assert (printed.code, printed.err) == (0, "")
        assert printed.out.strip() == page.strip()
    assert {p.name for p in imc.files()} == {"s.sched.json", "s.html"}


def test_what_a_page_does_not_go_with(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, "--until", "first", "--emit-schedule=s.json")
    imc("show", DOUBLE_LOCK, "--html").failed("--html shows a schedule", "--emit-schedule")
    imc("show", "s.json", "-o", "s.html").failed("-o says where --html writes to")
    imc("show", "s.json", "--html", "--svg", "-").failed("only one of")
    imc("show", "s.json", "--html", "--json", "-").failed("only one of")
    imc("show", "s.json", "--html", "-o", "no/s.html").failed("cannot write no/s.html")
    assert {p.name for p in imc.files()} == {"s.json"}


def test_an_error_leaves_an_older_page_alone(imc: Imc) -> None:
    imc.write({"s.json": "{}", "s.html": "older"})
    imc("show", "s.json", "--html", "-o", "s.html").failed("this is not a schedule")
    assert (imc.folder / "s.html").read_text() == "older"


def test_strict_order(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, "--until", "first", "--optimise", "opt0", "--emit-schedule=s.json")
    schedule = irs.load(imc.folder / "s.json")
    assert schedule.made.optimisation == "opt0"
    assert sum(len(e.waits) for s in schedule.sections for e in s.events) == 1


def test_without_a_schedule_nothing_is_written(imc: Imc) -> None:
    imc.write({"always.c": "#include <assert.h>\nint main(void) { assert(0); }\n"})
    done = imc("verify", "always.c", "--emit-schedule")
    assert done.code == 1
    assert "schedule: none was found, so none was written" in done.out
    assert not (imc.folder / "always.sched.json").exists()


def test_a_program_is_not_overwritten(imc: Imc) -> None:
    imc.write({"a.c": "int main(void) { return 0; }\n", "b.c": "int f(void) { return 0; }\n"})
    imc("verify", "--emit-schedule", "a.c", "b.c").failed("'a.c' looks like a program")
    assert (imc.folder / "a.c").read_text().startswith("int main")


def test_a_folder_that_is_not_there(imc: Imc) -> None:
    done = imc("verify", DOUBLE_LOCK, "--until", "first", "--emit-schedule=no/s.json")
    done.failed("cannot write")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not JSON"),
        ("[]", "expected an object"),
        ('{"format": "something else"}', "this is not a schedule"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_broken_files_are_refused(imc: Imc, content: str | bytes, words: str) -> None:
    imc.write({"s.json": content})
    imc("show", "s.json").failed("s.json", words, "imc verify --emit-schedule makes a new one")


def test_a_file_that_was_changed_is_refused_with_the_place(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, *FIRST, "--emit-schedule=s.json")
    file = imc.folder / "s.json"
    document = json.loads(file.read_text())
    document["sections"][1]["events"][6][2] = [[1, 50]]
    file.write_text(json.dumps(document))
    imc("show", "s.json").failed("sections[1].events[6]")


def test_what_a_schedule_is_not_shown_as(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, "--until", "first", "--emit-schedule=s.json")
    imc("show", "s.json", "t.json").failed("a schedule is shown alone")
    imc("show", "s.json", "--json", "-").failed("a schedule is JSON already")
    imc("show", "missing.json").failed("cannot read missing.json")


# ------------------------------------------------------------------- imc explore


def test_exploring_writes_a_prefix(imc: Imc) -> None:
    done = imc("explore", EXAMPLES / "lost_update.c", "--emit-schedule")
    assert done.code == 1
    assert "verdict: unsafe (assertion, reproduced)" in done.out
    assert "schedule: lost_update.sched.json (4 events in order, 0 waits, partial" in done.out
    schedule = irs.load(imc.folder / "lost_update.sched.json")
    assert schedule.made.strategy == "trace prefix"
    assert schedule.certificate is None
    assert "then nothing is ordered" in imc("show", "lost_update.sched.json").out
    assert imc("check", EXAMPLES / "lost_update.c", "lost_update.sched.json").code == 3


def test_nothing_is_ordered_where_all_is_safe(imc: Imc) -> None:
    done = imc("explore", EXAMPLES / "bank_race.c", "--emit-schedule=s.json", "--optimise", "opt0")
    assert done.code == 0
    assert "schedule: s.json (no order is needed, opt0)" in done.out
    assert irs.load(imc.folder / "s.json").sections == (Section((), Free()),)
    assert {p.name for p in imc.files()} == {"s.json"}


def test_no_safe_end_no_prefix(imc: Imc) -> None:
    imc.write({"always.c": "#include <assert.h>\nint main(void) { assert(0); }\n"})
    done = imc("explore", "always.c", "--emit-schedule")
    assert done.code == 1
    assert "schedule: none was found that comes safely to an end" in done.out
    assert not (imc.folder / "always.sched.json").exists()


def test_what_prefixes_do_not_go_with(imc: Imc) -> None:
    source = EXAMPLES / "lost_update.c"
    imc("explore", source, "--count", "--emit-schedule").failed("made from states", "--count")
    imc("explore", source, "--emit-schedule", "--optimise", "opt7").failed("'opt7'")
    imc("explore", source, "--emit-schedule=no/s.json").failed("cannot write")


# --------------------------------------------------------------------- imc check


def test_check_accepts_what_was_emitted(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, "--until", "first", "--emit-schedule=s.json")
    done = imc("check", DOUBLE_LOCK, "s.json")
    assert done.code == 0
    assert "s.json: accepted" in done.out
    assert "18 nodes and 2 sections" in done.out
    report = json.loads(imc("check", DOUBLE_LOCK, "s.json", "--json", "-").out)
    assert report["verdict"] == "accepted"
    assert report["solver"]["name"] == "cvc5"


def test_check_rejects_what_was_changed(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, *FIRST, "--emit-schedule=s.json")
    file = imc.folder / "s.json"
    document = json.loads(file.read_text())
    document["sections"][1]["events"][7][2] = []
    file.write_text(json.dumps(document))
    done = imc("check", DOUBLE_LOCK, "s.json")
    assert done.code == 1
    assert "s.json: rejected: section 1: event 7 depends on an earlier event" in done.out


def test_a_stale_schedule_is_refused(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, "--until", "first", "--emit-schedule=s.json")
    other = EXAMPLES / "double_lock.c"
    told = "is of another version of the program: function 'second' differs"
    imc("check", other, "s.json").failed(told, "--emit-schedule")
    other = EXAMPLES / "peterson.c"
    imc("check", other, "s.json").failed("was made for another program", "--emit-schedule")


def test_a_schedule_without_a_certificate(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, "--until", "first", "--emit-schedule=s.json")
    file = imc.folder / "s.json"
    document = json.loads(file.read_text())
    file.write_text(json.dumps({**document, "certificate": None}))
    done = imc("check", DOUBLE_LOCK, "s.json")
    assert done.code == 3
    assert "there is no certificate" in done.out


def test_what_is_bounded_is_not_called_a_proof(imc: Imc) -> None:
    source = EXAMPLES / "lost_update.c"
    bounded = ("--max-threads", "2")
    imc("verify", source, *bounded, "--until", "first", "--emit-schedule=s.json")
    done = imc("check", source, *bounded, "s.json")
    assert done.code == 0
    assert "proved: within the bounds below, whatever the input" in done.out
    assert "bound: at most 2 threads" in done.out


SHOWN_ALONE = "whatever the input, no execution under this schedule"


def _checked(imc: Imc, *options: str) -> tuple[str, dict[str, Any]]:
    """What `imc check` says of s.json, with its words in one line, and as JSON."""
    done = imc("check", DOUBLE_LOCK, "s.json", "--json", "c.json", *options)
    assert done.code == 0, done
    return " ".join(done.out.split()), json.loads((imc.folder / "c.json").read_text())


def test_check_claims_only_what_was_proved(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, *FIRST, "--emit-schedule=s.json", "--no-check", "deadlock")
    text, document = _checked(imc)
    assert "errs or hangs" not in text
    assert "deadlock" not in text
    assert f"{SHOWN_ALONE} violates an assertion, goes round" in text
    assert "and no thread that can move is left out for ever" in text
    assert "deadlock" not in document["properties"]
    text, document = _checked(imc, "--no-check", "assertion")  # asked for less than there is
    assert "assertion" not in text and "assertion" not in document["properties"]


def test_check_says_what_certificates_do_not_show(imc: Imc) -> None:
    checks = ("--check", "race", "--check", "termination")
    imc("verify", DOUBLE_LOCK, *FIRST, "--emit-schedule=s.json", *checks)
    text, document = _checked(imc)
    assert "errs or hangs" in text
    assert "not checked: race, termination (not in certificates)" in text
    assert document["not_checked"] == ["race", "termination"]
    refused = imc("check", DOUBLE_LOCK, "s.json", "--check", "overflow")
    refused.failed("not made for the property overflow", "imc verify --check overflow")


def test_check_rejects_a_schedule_that_claims_nothing(imc: Imc) -> None:
    imc("verify", DOUBLE_LOCK, *FIRST, "--emit-schedule=s.json")
    document = json.loads((imc.folder / "s.json").read_text())
    document["made"]["properties"] = ["termination"]
    imc.write({"s.json": json.dumps(document)})
    done = imc("check", DOUBLE_LOCK, "s.json")
    assert done.code == 1
    assert "rejected: it claims nothing that a certificate shows: termination" in done.out


def test_check_needs_both(imc: Imc) -> None:
    imc("check", DOUBLE_LOCK).failed("a program and a schedule are needed")
    imc("check", DOUBLE_LOCK, "missing.json").failed("cannot read missing.json")
