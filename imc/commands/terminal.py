"""What commands print: results for people, on standard output."""

from __future__ import annotations

import os
import shutil
import sys

import click


def text_width() -> int:
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80


def print_text(text: str) -> None:
    """Prints a result; a reader that has left does not change what we found."""
    try:
        click.echo(text)
    except BrokenPipeError:
        silence_output()


def silence_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
