"""imc show: what a program consists of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imc.commands.options import ProgramCommand, assumptions_option, load, source_options
from imc.commands.terminal import print_text, text_width
from imc.errors import UserError
from imc.program.analysis.sharing import Sharing
from imc.report.document import write_document, write_file
from imc.report.dot import to_dot
from imc.report.overview import control_flow, show_document, show_text
from imc.report.page import schedule_page
from imc.report.schedule_text import schedule_graph, schedule_text
from imc.report.svg import to_svg
from imc.schedule.files import read_schedule


@click.command(cls=ProgramCommand)
@source_options
@click.option(
    "--dot",
    "dot_file",
    metavar="FILE",
    help="Write the control flow for Graphviz ('-': standard output).",
)
@click.option("--svg", "svg_file", metavar="FILE", help="Write the control flow as a picture.")
@click.option("--html", is_flag=True, help="Show a schedule as a page for browsers.")
@click.option(
    "-o", "html_file", metavar="FILE", help="Where --html writes to (default: standard output)."
)
@assumptions_option
def show(
    sources: tuple[Path, ...],
    json_file: str | None,
    dot_file: str | None,
    svg_file: str | None,
    html: bool,
    html_file: str | None,
    every: bool,
    **options: Any,
) -> None:
    """Show a program's threads, events, shared variables, locks and loops, or a schedule.

    \b
    imc show examples/prodcons.c
    imc show examples/peterson.c --svg peterson.svg
    imc show prodcons.sched.json
    imc show prodcons.sched.json --html -o prodcons.html
    """
    if html_file is not None and not html:
        raise UserError("-o says where --html writes to", hint=f"--html -o {html_file}")
    if html and html_file is None:
        html_file = "-"
    if (json_file, dot_file, svg_file, html_file).count("-") > 1:
        raise UserError("only one of --json, --dot, --svg and --html can go to standard output")
    if sources and sources[0].suffix == ".json":
        _show_schedule(sources, json_file, dot_file, svg_file, html_file, every)
        return
    if html:
        raise UserError(
            "--html shows a schedule, not a program",
            hint="imc verify --emit-schedule makes one",
        )
    sharing = Sharing(load(sources, options))
    for target, draw in ((dot_file, to_dot), (svg_file, to_svg)):
        if target is not None:
            _write(draw(control_flow(sharing)), target)
    if json_file is not None:
        write_document(show_document(sharing), json_file)
    if "-" not in (json_file, dot_file, svg_file):
        print_text(show_text(sharing, every))


def _show_schedule(
    sources: tuple[Path, ...],
    json_file: str | None,
    dot_file: str | None,
    svg_file: str | None,
    html_file: str | None,
    every: bool,
) -> None:
    """A schedule file as text, picture or page."""
    if len(sources) > 1:
        raise UserError("a schedule is shown alone", hint=f"imc show {sources[0]}")
    if json_file is not None:
        raise UserError("a schedule is JSON already", hint=f"see {sources[0]} itself")
    schedule = read_schedule(sources[0])
    for target, draw in ((dot_file, to_dot), (svg_file, to_svg)):
        if target is not None:
            _write(draw(schedule_graph(schedule, sources[0].name)), target)
    if html_file is not None:
        _write(schedule_page(schedule, sources[0].name), html_file)
    if "-" not in (dot_file, svg_file, html_file):
        print_text(schedule_text(schedule, str(sources[0]), text_width(), every))


def _write(text: str, target: str) -> None:
    """To standard output for "-", else to a file."""
    print_text(text) if target == "-" else write_file(Path(target), text)
