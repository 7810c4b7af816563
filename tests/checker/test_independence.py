"""The checker imports neither an engine nor the compiler: what must be believed is a folder."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECKER = sorted((ROOT / "imc" / "checker").glob("*.py"))
MAY_IMPORT = (
    *("imc.checker", "imc.program", "imc.terms", "irs"),
    *("imc.errors", "imc.interrupts"),  # how a check ends that does not come to its end
)
LONGEST = 300  # lines of a file that has to be believed


@pytest.mark.parametrize("path", CHECKER, ids=lambda path: path.stem)
def test_what_a_file_imports(path: Path) -> None:
    text = path.read_text()
    for node in ast.walk(ast.parse(text)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module or ""]
        for name in names:
            ours = name.split(".")[0] in ("imc", "irs")
            assert not ours or name.startswith(MAY_IMPORT), name
    assert len(text.splitlines()) <= LONGEST


def test_what_is_loaded_with_it() -> None:
    code = (
        "import sys, imc.checker.check, imc.checker.succession\n"
        "print(*sorted({'.'.join(n.split('.')[:2]) for n in sys.modules if n.startswith('imc.')}))"
    )
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    harmless = {"imc.errors", "imc.interrupts", "imc.records", "imc.version"}
    assert set(loaded.split()) <= {"imc.checker", "imc.program", "imc.terms"} | harmless
