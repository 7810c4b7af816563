"""The map in docs/architecture.md has every file of the project, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from modules import PACKAGES, ROOT

SUFFIXES = {".py", ".c", ".h"}


def listed() -> set[Path]:
    """The files and folders of the map, whose sections name the folder they are about."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = set()
    for section in text.partition("## The map")[2].partition("\n## ")[0].split("\n### ")[1:]:
        heading, _, rows = section.partition("\n")
        folder = ROOT / re.findall(r"`([^`]+)`", heading)[0]
        for row in re.findall(r"^\| (`.*?`) \| ", rows, re.MULTILINE):
            found |= {folder / name for name in re.findall(r"`([^`]+)`", row)}
    return found


def test_the_map_names_what_is_there() -> None:
    assert not {str(path.relative_to(ROOT)) for path in listed() if not path.exists()}


def test_all_that_is_there_is_on_the_map() -> None:
    known = listed()
    assert not {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.suffix in SUFFIXES
        and path.name != "__init__.py"
        and path not in known
        and not known & set(path.parents)
    }
