"""imc show: what a program consists of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imc.commands.options import load, print_text, read_schedule, source_options, text_width
from imc.errors import UserError
from imc.program.analysis.sharing import Sharing
from imc.report.document import write_document, write_file
from imc.report.dot import to_dot
from imc.report.schedule import schedule_graph, schedule_text
from imc.report.show import control_flow, show_document, show_text
from imc.report.svg import to_svg


@click.command()
@source_options
@click.option(
    "--dot",
    "dot_file",
    metavar="FILE",
    help="Write the control flow for Graphviz ('-': standard output).",
)
@click.option("--svg", "svg_file", metavar="FILE", help="Write the control flow as a picture.")
def show(
    sources: tuple[Path, ...],
    json_file: str | None,
    dot_file: str | None,
    svg_file: str | None,
    **options: Any,
) -> None:
    """Show a program's threads, events, shared variables, locks and loops, or a schedule.

    \b
    imc show examples/prodcons.c
    imc show examples/peterson.c --svg peterson.svg
    imc show prodcons.sched.json
    """
    if (json_file, dot_file, svg_file).count("-") > 1:
        raise UserError("only one of --json, --dot and --svg can go to standard output")
    if sources[0].suffix == ".json":
        _show_schedule(sources, json_file, dot_file, svg_file)
        return
    sharing = Sharing(load(sources, options))
    for target, draw in ((dot_file, to_dot), (svg_file, to_svg)):
        if target is not None:
            text = draw(control_flow(sharing))
            print_text(text) if target == "-" else write_file(Path(target), text)
    if json_file is not None:
        write_document(show_document(sharing), json_file)
    if "-" not in (json_file, dot_file, svg_file):
        print_text(show_text(sharing))


def _show_schedule(
    sources: tuple[Path, ...], json_file: str | None, dot_file: str | None, svg_file: str | None
) -> None:
    """A schedule file as text or picture."""
    if len(sources) > 1:
        raise UserError("a schedule is shown alone", hint=f"imc show {sources[0]}")
    if json_file is not None:
        raise UserError("a schedule is JSON already", hint=f"see {sources[0]} itself")
    schedule = read_schedule(sources[0])
    for target, draw in ((dot_file, to_dot), (svg_file, to_svg)):
        if target is not None:
            text = draw(schedule_graph(schedule, sources[0].name))
            print_text(text) if target == "-" else write_file(Path(target), text)
    if "-" not in (dot_file, svg_file):
        print_text(schedule_text(schedule, str(sources[0]), text_width()))
