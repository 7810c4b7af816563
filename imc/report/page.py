"""A schedule as one page for browsers, that needs no other file and no network."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from imc.program.assumptions import by_weight
from imc.program.faults import Property
from imc.report.assumptions import of_schedule
from imc.report.drawing import Drawing, DrawnNode
from imc.report.html import Markup, element, joined
from imc.report.schedule_text import next_words, proved_text, section_edges
from imc.report.section import counted, section_html, section_name, size_text
from imc.report.style import DARK, LIGHT, ON_DARK, Page
from imc.report.svg import to_svg
from irs.schedule import End, Free, Schedule

# Whatever stands in a schedule, nothing is loaded.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def schedule_page(schedule: Schedule, name: str) -> str:
    """All of a schedule but its certificate: what it is, and its sections as lanes."""
    title = f"{name}: schedule of {schedule.program.name}"
    head = element(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        Markup('<meta name="viewport" content="width=device-width">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        element("title", title),
        element("style", Markup(_stylesheet())),
    )
    before: list[list[int]] = [[] for _ in schedule.sections]
    for number, section in enumerate(schedule.sections):
        for target in sorted(set(section.next.targets)):
            before[target].append(number)
    sections = (section_html(schedule, number, some) for number, some in enumerate(before))
    body = element(
        "body",
        element("header", element("h1", "Schedule of ", schedule.program.name), _facts(schedule)),
        element("main", _overview(schedule), *sections),
        element("script", Markup(_resource("page.js"))),
    )
    return f'<!DOCTYPE html>\n<html lang="en">\n{head}\n{body}\n</html>\n'


def _resource(name: str) -> str:
    return files("imc.report").joinpath(name).read_text("utf-8")


def _stylesheet() -> str:
    def colours(page: Page) -> str:
        return ":root{" + "".join(f"--{k}:{v};" for k, v in page._asdict().items()) + "}"

    return f"{colours(LIGHT)}\n{ON_DARK}{{{colours(DARK)}}}\n{_resource('page.css')}"


def _facts(schedule: Schedule) -> Markup:
    """What is said of the schedule as a whole."""
    made = schedule.made
    sections = counted(len(schedule.sections), "section")
    proof = "in the file: imc check does it again"
    if schedule.certificate is None:
        proof = "not in the file"
    facts: list[tuple[str, tuple[str, ...]]] = [
        ("program", (f"{schedule.program.name}, digest {schedule.program.digest[:16]}",)),
        ("made by", (f"{made.by}, {made.strategy}, result {made.result}",)),
        ("optimisation", (made.optimisation,)),
        ("proved", (proved_text(_known(made.properties), bool(schedule.bounds)),)),
        ("properties", (", ".join(made.properties) or "none",)),
        ("proof", (proof,)),
        ("bounds", schedule.bounds),
        ("assumed", tuple(f"{a} [{a.code}]" for a in by_weight(of_schedule(schedule)))),
        ("threads", (", ".join(schedule.threads),)),
        ("size", (f"{sections}, {size_text(schedule, schedule.sections)}",)),
    ]
    rows = (
        joined(element("dt", term), *(element("dd", text) for text in texts or ("none",)))
        for term, texts in facts
    )
    return element("dl", *rows)


def _known(properties: Iterable[str]) -> list[Property]:
    """Those of the properties in a file that there are."""
    names = frozenset(properties)
    return [p for p in Property if p in names]


def _overview(schedule: Schedule) -> Markup:
    """How sections follow each other, and how to read them."""
    nodes = []
    for number, section in enumerate(schedule.sections):
        lines = [section_name(schedule, number), size_text(schedule, (section,))]
        if isinstance(section.next, End | Free):
            lines += map(str, next_words(schedule, number))
        kind = "entry" if number == schedule.start else "exit" if len(lines) > 2 else ""
        nodes.append(DrawnNode(str(number), tuple(lines), kind, link=f"#s{number}"))
    graph = to_svg(Drawing("", tuple(nodes), section_edges(schedule)))
    legend = [
        "Each thread has a lane, in which its events happen from top to bottom. "
        "An arrow leads to an event from what it waits for. "
        "Events that no arrows order may happen in any order, or at once.",
        "Sections overlap: what other threads did in earlier ones is waited for only where a "
        "dashed arrow says so."
        if schedule.overlap
        else "A section begins when all that was before it has happened.",
    ]
    actions = {schedule.sites[e.site].action for s in schedule.sections for e in s.events}
    if "free" in actions:
        legend.append("Faint events happen without asking, and are not counted.")
    if actions & {"skip", "pass"}:
        legend.append("What is struck through is not performed: the order makes it needless.")
    return element(
        "section",
        element("h2", "Sections"),
        element("div", Markup(graph), class_="scroll", tabindex=0),
        element("p", " ".join(legend), class_="legend"),
        id="sections",
    )
