"""The command that looks for a fast schedule."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from cli_runs import Imc

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
AT_ONCE = ("--time-limit", "6000", "--max-overhead", "99.99%")  # the first schedule is good enough


def test_a_schedule_a_report_and_a_chart(imc: Imc, tmp_path: Path) -> None:
    chart, schedule = tmp_path / "speed.svg", tmp_path / "fast.json"
    done = imc(
        "tune", EXAMPLES / "double_lock.c", "--backend", "python", *AT_ONCE,
        "-o", schedule, "--svg", chart, "--json", tmp_path / "tune.json",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "best: " in done.out and "longest wait of a thread: " in done.out
    assert all(len(line) <= 80 or str(tmp_path) in line for line in done.out.splitlines())
    report = json.loads((tmp_path / "tune.json").read_text())
    names = [candidate["schedule"] for candidate in report["candidates"]]
    assert report["best"] in names
    assert all(c["longest_wait_events"] > 0 for c in report["candidates"])
    ElementTree.parse(chart)
    assert imc("check", EXAMPLES / "double_lock.c", schedule).code == 0


def test_good_enough_is_enough(imc: Imc) -> None:
    done = imc("tune", EXAMPLES / "prodcons.c", "--backend", "python", *AT_ONCE, "--json", "-")
    assert done.code == 0, done.err
    report = json.loads(done.out)
    assert [candidate["schedule"] for candidate in report["candidates"]] == ["round-robin"]
    assert "overhead" in report["ended"]


def test_programs_that_end_are_run_as_a_whole(imc: Imc) -> None:
    done = imc("tune", EXAMPLES / "bank_race.c", "--backend", "python", *AT_ONCE)
    assert done.code == 0, done.err
    assert "runs/s" in done.out


def test_bad_wishes(imc: Imc) -> None:
    for wrong in ("much", "-1%", "100%"):
        done = imc("tune", EXAMPLES / "prodcons.c", f"--max-overhead={wrong}")
        assert done.code == 2 and "is not a number of percent" in done.err
    assert imc("tune", EXAMPLES / "prodcons.c", "-o", "prog.c").code == 2
    assert imc("tune", "missing.c").code == 2
