"""Drawn graphs: what the SVG and DOT text contains, and that boxes keep their distance."""

from __future__ import annotations

import random
import shutil
import subprocess
from itertools import combinations
from xml.etree import ElementTree

import pytest
from patience import HANG_S

from imc.report.dot import to_dot
from imc.report.drawing import STYLES, Drawing, DrawnEdge, DrawnNode
from imc.report.svg import to_svg

SVG = "{http://www.w3.org/2000/svg}"
ODD_TEXT = 'a < b && "c" > \\l <b>&lt;</b> naïve 日本語 \N{SNOWMAN}'


def graph(edges: str, names: str = "", style: str = "solid") -> Drawing:
    """From "ab bc": one letter is one node."""
    ids = dict.fromkeys(names + edges.replace(" ", ""))
    return Drawing(
        "test",
        tuple(DrawnNode(name, (f"{name}  line", "second"), "block") for name in ids),
        tuple(DrawnEdge(pair[0], pair[1], style=style) for pair in edges.split()),
    )


def drawn(graph: Drawing) -> ElementTree.Element:
    """The parsed picture, after checks that hold for every picture."""
    text = to_svg(graph)
    root = ElementTree.fromstring(text)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert root.attrib["viewBox"] == f"0 0 {width:.0f} {height:.0f}"
    assert "nan" not in text
    ids = [g.attrib["data-id"] for g in root.iter(f"{SVG}g") if "data-id" in g.attrib]
    assert sorted(ids) == sorted(node.id for node in graph.nodes)
    assert len(root.findall(f".//{SVG}path[@class='head']")) == len(graph.edges)
    boxes = list(rectangles(root).values())
    for left, top, right, bottom in boxes:
        assert left >= 0 and top >= 0 and right <= width and bottom <= height
    for one, other in combinations(boxes, 2):
        apart = one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
        assert apart, "two boxes overlap"
    return root


def rectangles(root: ElementTree.Element) -> dict[str, tuple[float, float, float, float]]:
    result = {}
    for node in root.iter(f"{SVG}g"):
        if "data-id" in node.attrib:
            rectangle = node.find(f"{SVG}rect")
            assert rectangle is not None
            x, y, width, height = (
                float(rectangle.attrib[k]) for k in ("x", "y", "width", "height")
            )
            result[node.attrib["data-id"]] = x, y, x + width, y + height
    return result


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    "edges",
    [
        "",
        "ab",
        "ab bc cb cd",
        "aa",
        "aa aa ab bb ba",
        "ab ab ba ba",
        "ab cd",
        "ab bc ca",
        "ad bd cd",
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_shapes(edges: str, style: str) -> None:
    drawn(graph(edges, "xyz", style))


def test_empty() -> None:
    drawn(Drawing(""))
    drawn(Drawing("only a title"))
    drawn(Drawing("", (DrawnNode("a", (), "block"), DrawnNode("b", ("",), "block"))))


def test_long_chain_needs_no_recursion() -> None:
    names = [str(number) for number in range(1200)]
    nodes = tuple(DrawnNode(name, (name,), "block") for name in names)
    edges = tuple(map(DrawnEdge, names, names[1:]))
    layers = Drawing("", nodes, edges).layers()
    assert list(layers.values()) == list(range(1200))


def test_layers() -> None:
    loop = graph("ab bc cb bd")
    assert loop.layers() == {"a": 0, "b": 1, "c": 2, "d": 2}
    boxes = rectangles(drawn(loop))
    assert boxes["a"][3] < boxes["b"][1] and boxes["b"][3] < boxes["c"][1]
    assert boxes["c"][1] == boxes["d"][1]
    assert graph("ab bd ce ed").layers()["c"] == 0
    assert graph("ab bc cd ed").layers()["e"] == 2, "an entry stands just above its successor"


def test_cover_edges_leave_a_tree_as_it_is() -> None:
    tree = graph("ab ac bd be cf")
    covers = tuple(
        DrawnEdge(pair[0], pair[1], style="dashed") for pair in ("da", "ec", "fe", "fd", "db")
    )
    covered = Drawing("test", tree.nodes, tree.edges + covers)
    assert covered.layers() == tree.layers()
    assert "constraint=false" in to_dot(covered)
    drawn(covered)


def test_groups_stand_side_by_side() -> None:
    nodes = tuple(
        DrawnNode(f"{g}{n}", ("x",), "block", g) for n in range(3) for g in ("f", "<g>", "")
    )
    edges = tuple(DrawnEdge(f"{g}0", f"{g}{n}", "next") for g in ("f", "<g>", "") for n in (1, 2))
    bridges = (
        DrawnEdge("f0", "<g>0", "call"),
        DrawnEdge("<g>2", "f0"),
        DrawnEdge("0", "f2", "x"),
        DrawnEdge("f1", "2"),
    )
    root = drawn(Drawing("title", nodes, edges + bridges))
    assert len(root.findall(f".//{SVG}rect[@class='group']")) == 2
    assert {"f", "<g>", "title", "call"} <= set(texts(root))
    boxes = rectangles(root)
    assert max(boxes[f"f{n}"][2] for n in range(3)) < min(boxes[f"<g>{n}"][0] for n in range(3))


def test_text_is_kept() -> None:
    odd = Drawing(
        ODD_TEXT,
        (
            DrawnNode("a", (ODD_TEXT, "44  lock mutex"), "no such kind", ODD_TEXT),
            DrawnNode(ODD_TEXT, (), ""),
        ),
        (DrawnEdge("a", "a", ODD_TEXT), DrawnEdge("a", ODD_TEXT, ODD_TEXT)),
    )
    root = drawn(odd)
    assert texts(root).count(ODD_TEXT) == 5
    assert "44  lock mutex" in texts(root)


def test_links() -> None:
    root = drawn(
        Drawing(
            "",
            (DrawnNode("a", ("x",), "", link='#"a'), DrawnNode("b", (), "")),
            (DrawnEdge("a", "b"),),
        )
    )
    links = root.findall(f".//{SVG}a")
    assert [link.attrib["href"] for link in links] == ['#"a']
    assert links[0].find(f"{SVG}g/{SVG}rect") is not None


def test_text_that_would_turn_other_text() -> None:
    root = drawn(Drawing("", (DrawnNode("a", ("x\u202ey\u2067z",), "block"),)))
    assert texts(root) == ["x\ufffdy\ufffdz"]


def test_text_that_xml_cannot_hold() -> None:
    root = drawn(Drawing("", (DrawnNode("a", ("x\0\x1b[1m\ud800y", "p\nq", "z" * 500), "block"),)))
    shown = texts(root)
    assert shown[:2] == ["x\ufffd\ufffd[1m\ufffdy", "p q"]
    assert shown[2].endswith("z…") and len(shown[2]) < 100
    assert "z" * 500 in "".join(root.itertext()), "the tooltip has it all"


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = to_svg(graph("ab bc ca"))
    assert "href" not in text and "url(" not in text and "@import" not in text
    assert text == to_svg(graph("ab bc ca")), "the same graph gives the same picture"


@pytest.mark.parametrize("seed", range(12))
def test_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    names = [str(number) for number in range(rng.randint(5, 40))]
    nodes = tuple(
        DrawnNode(name, ("x" * rng.randint(0, 30),) * rng.randint(0, 4), "block", rng.choice("  f"))
        for name in names
    )
    edges = tuple(
        DrawnEdge(
            rng.choice(names), rng.choice(names), rng.choice(["", "label"]), rng.choice(STYLES)
        )
        for _ in range(int(len(names) * rng.uniform(0.5, 1.6)))
    )
    drawn(Drawing("random", nodes, edges))


def test_bad_graphs() -> None:
    node = DrawnNode("a", (), "block")
    with pytest.raises(ValueError, match="same id"):
        Drawing("", (node, node))
    with pytest.raises(ValueError, match="unknown node: 'b'"):
        Drawing("", (node,), (DrawnEdge("a", "b"),))
    with pytest.raises(ValueError, match="style"):
        Drawing("", (node,), (DrawnEdge("a", "a", style="wavy"),))


def test_dot() -> None:
    nodes = (
        DrawnNode("a", ('say "hi" \\n', "b & c"), "entry", "f"),
        DrawnNode('q"\\', ("é",), "block"),
    )
    text = to_dot(Drawing("t", nodes, (DrawnEdge("a", 'q"\\', "T", "dashed"), DrawnEdge("a", "a"))))
    assert r'"a" [label="say \"hi\" \\n\lb &amp; c\l", ' in text
    assert r'"a" -> "q\"\\" [label="T", style=dashed];' in text
    assert '"a" -> "a";' in text
    assert "subgraph cluster_0 {" in text


@pytest.mark.skipif(not shutil.which("dot"), reason="Graphviz is not installed")
def test_graphviz_reads_the_text_back() -> None:
    # Graphviz leaves out what its own XML cannot hold, so this text has no such letters
    nodes = (DrawnNode("a\\", (ODD_TEXT,), "block", ODD_TEXT), DrawnNode(ODD_TEXT, (), "error"))
    odd = Drawing(
        ODD_TEXT, nodes, (DrawnEdge("a\\", ODD_TEXT, ODD_TEXT), DrawnEdge(ODD_TEXT, "a\\"))
    )
    svg = subprocess.run(
        ["dot", "-Tsvg"],
        input=to_dot(odd).encode(),
        capture_output=True,
        check=True,
        timeout=HANG_S,
    )
    assert not svg.stderr
    found = [text.replace("\xa0", " ") for text in texts(ElementTree.fromstring(svg.stdout))]
    assert found.count(ODD_TEXT) == 4
