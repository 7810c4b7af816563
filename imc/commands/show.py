"""imc show: what a program consists of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from imc.commands.options import load, print_text, source_options
from imc.errors import UserError
from imc.program.analysis.sharing import Sharing
from imc.report.document import write_document, write_file
from imc.report.dot import to_dot
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
    """Show a program's threads, events, shared variables, locks and loops.

    \b
    imc show examples/prodcons.c
    imc show examples/peterson.c --svg peterson.svg
    """
    if (json_file, dot_file, svg_file).count("-") > 1:
        raise UserError("only one of --json, --dot and --svg can go to standard output")
    sharing = Sharing(load(sources, options))
    for target, draw in ((dot_file, to_dot), (svg_file, to_svg)):
        if target is not None:
            text = draw(control_flow(sharing))
            print_text(text) if target == "-" else write_file(Path(target), text)
    if json_file is not None:
        write_document(show_document(sharing), json_file)
    if "-" not in (json_file, dot_file, svg_file):
        print_text(show_text(sharing))
