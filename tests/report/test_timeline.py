"""Charts of a rate over time: well-formed whatever is in them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from imc.execution.live.rates import Samples
from imc.report.timeline import Mark, Timeline, timeline_chart


@pytest.mark.parametrize(
    "line",
    [
        Timeline("nothing", []),
        Timeline("one < two", [(0.1, 0.0)], [Mark(0.05, "1")]),
        Timeline("much", [(0.1, 7.0), (9.9, 3e7)], [Mark(4, "gates dropped", True)]),
        Timeline("marks", [(1.0, 80.0)], [Mark(n / 10, str(n)) for n in range(100)]),
    ],
)
def test_a_chart_is_one_picture(line: Timeline) -> None:
    picture = ElementTree.fromstring(timeline_chart([line, line], "stores"))
    texts = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count(f"{line.title}: stores per second") == 2
    assert ("gates dropped" in texts) == any(mark.strong for mark in line.marks)


def test_rates_are_between_two_looks() -> None:
    samples = Samples()
    for clock, count in [(10.0, 0), (10.5, 100), (10.5, 100), (11.5, 150)]:
        samples.add(count, clock)
    assert samples.rates(10.0) == [(0.5, 200.0), (1.5, 50.0)]
