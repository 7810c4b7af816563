"""Line charts: a picture that any reader of XML accepts, with a line for each name."""

from __future__ import annotations

from xml.etree import ElementTree

from imc.report.curves import Curve, line_chart


def test_a_line_per_name() -> None:
    lines = [Curve("a < b", [(1, 1.5), (0.5, 1.2), (0, 1)]), Curve("c", [(1, 30), (0, 0)])]
    root = ElementTree.fromstring(line_chart([("first", lines), ("none", [])], "constraints"))
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert {"a < b", "c", "first", "none", "100 %"} <= set(texts)
    dots = [element for element in root.iter() if element.tag.endswith("circle")]
    assert len(dots) == 5
    assert all(float(dot.attrib["cx"]) >= 60 for dot in dots)
