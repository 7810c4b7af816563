"""What commands import: exploring needs no solver, no graphs and no run-time."""

from __future__ import annotations

import subprocess
import sys

import pytest
from modules import ROOT

HEAVY = {"cvc5", "irs", "logging", "networkx", "pysmt", "z3"}


def loaded(code: str) -> set[str]:
    """The packages that are there after a few lines, in a process of its own."""
    text = f"import sys; sys.path[:0] = [{str(ROOT)!r}]\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.split()}


def test_exploring_imports_nothing_heavy() -> None:
    assert not HEAVY & loaded("import imc.cli, imc.commands.explore")


def test_a_whole_exploration_imports_nothing_heavy() -> None:
    program = ROOT / "examples" / "prodcons.c"
    assert not (HEAVY - {"logging"}) & loaded(
        "import imc.cli\n"
        f"sys.argv = ['imc', 'explore', {str(program)!r}]\n"
        "try: imc.cli.main()\n"
        "except SystemExit: pass"
    )


@pytest.mark.parametrize("command", ["explore", "verify"])
def test_the_command_line_imports_one_command(command: str) -> None:
    others = {"explore": "verify", "verify": "explore"}
    code = (
        f"import imc.cli, click; imc.cli.cli.get_command(click.Context(imc.cli.cli), {command!r})"
    )
    text = f"import sys; sys.path[:0] = [{str(ROOT)!r}]\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    names = done.stdout.split()
    assert f"imc.commands.{command}" in names
    assert f"imc.commands.{others[command]}" not in names
