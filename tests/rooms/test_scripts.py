"""Scripts find what they import, also what they share with the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from modules import ROOT


@pytest.mark.parametrize("script", sorted((ROOT / "scripts").glob("*.py")), ids=lambda s: s.name)
def test_script_can_be_imported(script: Path) -> None:
    """In a process of its own: what tests have put on the path would hide what is missing."""
    code = f"import runpy; runpy.run_path({str(script)!r}, run_name='imported')"
    path = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(script.parent)!r}]; "
    done = subprocess.run([sys.executable, "-c", path + code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
