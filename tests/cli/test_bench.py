"""Measurements: what counts, how samples are put together, and the command."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from cli_runs import Imc
from patience import HANG_S

import imc.measurement.bench.samples as samples_of
from imc.api import load
from imc.measurement.bench.bench import first_schedule
from imc.measurement.bench.rounds import repeats, useful_sites
from imc.measurement.bench.samples import Sample, measure, summary
from imc.report.bars import Bar, bar_chart
from imc.report.measurement import measurement_text, ratio

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
QUICK = ("--turns", "1", "--seconds", "0.1", "--runs", "2")


@dataclass
class Counting:
    """Notes when it is run."""

    name: str
    log: list[str] = field(default_factory=list)

    def sample(self) -> Sample:
        self.log.append(self.name)
        return Sample(1.0)


def test_variants_take_turns() -> None:
    log: list[str] = []
    samples, ended = measure([Counting("a", log), Counting("b", log)], 3, lambda _: None)
    assert log == ["a", "b", "a", "b", "a", "b"]
    assert [len(own) for own in samples] == [3, 3] and not ended


def test_what_does_not_fit_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    monkeypatch.setattr(samples_of, "time", SimpleNamespace(monotonic=lambda: float(len(log))))
    samples, ended = measure([Counting("a", log), Counting("b", log)], 9, lambda _: None, 5.5)
    assert log == ["a", "b", "a", "b", "a"]
    assert [len(own) for own in samples] == [3, 2] and ended == "the time is over"


def test_an_interrupt_leaves_what_is_there() -> None:
    log: list[str] = []

    class Interrupted(Counting):
        def sample(self) -> Sample:
            if len(self.log) == 3:
                raise KeyboardInterrupt
            return super().sample()

    variants = [Counting("a", log), Interrupted("b", log)]
    samples, ended = measure(variants, 9, lambda _: None)
    assert [len(own) for own in samples] == [2, 1] and ended == "interrupted"


def test_medians_and_spread() -> None:
    samples = [
        Sample(2.0, {"t": 10, "u": 40}, gates=100, busy_s=1e-6, waited_s=3e-6),
        Sample(1.0, {"t": 10, "u": 10}),
        Sample(1.0, {"t": 50, "u": 50}),
    ]
    found = summary("x", samples)
    assert (found.lowest, found.rate, found.highest) == (20, 25, 100)
    assert found.balance == 1.0
    assert found.gate_ns == pytest.approx(10)
    whole = summary("x", [replace(sample, runs=10) for sample in samples], whole=True)
    assert whole.rate == 10


def test_only_runs_that_complete_have_a_rate() -> None:
    bad = Sample(0.0, runs=0, failures=("it broke",))
    found = summary("x", [bad, Sample(2.0, {"t": 10}), bad])
    assert found.rate == 5 and found.measured
    assert str(found.failures) == "failed in 2 of 3 runs: it broke"
    none = summary("unconstrained", [bad, bad])
    assert not none.measured and none.failures.failed == none.failures.runs == 2
    assert ratio(found, [none, found]) is None
    text = measurement_text("title", [none, found], endless=True)
    assert "unconstrained  failed in 2 of 2 runs: it broke" in text


@pytest.mark.parametrize("seconds", [1e-6, 1e-3, 0.1, 30.0])
def test_slow_gates_fit_their_column(seconds: float) -> None:
    found = summary("unconstrained", [Sample(seconds, {"t": 5}, gates=1, busy_s=seconds)])
    text = measurement_text("title", [found], endless=True)
    assert all(len(line) <= 80 for line in text.splitlines())


def test_a_round_is_a_store_that_others_wait_for() -> None:
    program = load(EXAMPLES / "prodcons.c")
    schedule = first_schedule(program, HANG_S, lambda _: None)["opt3"]
    functions = {function for function, _ in useful_sites(schedule)}
    assert repeats(schedule)
    assert functions == {"produce", "consume"}
    ends = first_schedule(load(EXAMPLES / "lost_update.c"), HANG_S, lambda _: None)
    assert not repeats(ends["opt0"])


def test_the_chart_is_a_picture() -> None:
    chart = bar_chart([("a <b>", [Bar("one", 2.0, 1.0, 4.0, "2")])])
    assert chart.startswith("<svg") and chart.endswith("</svg>\n")
    assert "a &lt;b&gt;" in chart and chart.count('class="bar"') == 1


def test_an_endless_program(imc: Imc) -> None:
    done = imc("bench", EXAMPLES / "prodcons.c", *QUICK, "--backend", "both", "--svg", "p.svg")
    assert done.code == 0
    native, python = done.out.split("\n\n")
    names = ["unconstrained", "adaptive locks", "spin locks", "opt0", "opt1", "opt2", "opt3"]
    names.append("fibers")
    rows = native.splitlines()[2:]
    assert all(row.startswith(name) for row, name in zip(rows, names, strict=True))
    assert len(python.splitlines()) == 8
    assert all(len(line) <= 80 for line in done.out.splitlines())
    assert (imc.folder / "p.svg").read_text().startswith("<svg")


def test_a_program_that_ends(imc: Imc) -> None:
    source = EXAMPLES / "lost_update.c"
    imc("verify", source, "--until", "first", "--emit-schedule=s.json")
    done = imc("bench", source, "--schedule", "s.json", *QUICK, "--json", "-")
    rows = json.loads(done.out)["backends"]["native"]
    assert [row["variant"] for row in rows] == ["unconstrained", "opt3", "fibers"]
    assert all(row["rate_per_s"] > 0 for row in rows)


def test_what_cannot_be_measured(imc: Imc) -> None:
    imc("verify", EXAMPLES / "lost_update.c", "--until", "first", "--emit-schedule=s.json")
    imc("bench", EXAMPLES / "peterson.c", "--schedule", "s.json").failed("another program")
    imc("bench", EXAMPLES / "peterson.c", "--schedule", "none.json").failed("none.json")
