"""What somebody who mends an error of ours needs: the command, files, versions, the traceback."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("imc", "z3-solver", "pysmt", "ziglang")
LARGEST_SOURCE = 1 << 20  # bytes of a file that is put in


def save(error: BaseException, arguments: list[str]) -> Path | None:
    """Writes a report to a new file in the temporary folder; None where that cannot be done."""
    text = "\n\n".join(_parts(error, arguments))
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", prefix="imc-error-", suffix=".txt", delete=False
        ) as file:
            file.write(text + "\n")
            return Path(file.name)
    except OSError:
        return None


def _parts(error: BaseException, arguments: list[str]) -> list[str]:
    parts = [
        "$ imc " + " ".join(arguments),
        f"python {platform.python_version()} on {sys.platform}\n"
        + "\n".join(f"{name} {_version(name)}" for name in PACKAGES),
        "".join(traceback.format_exception(error)).rstrip(),
    ]
    for argument in arguments:
        path = Path(argument)
        try:
            if path.is_file() and path.stat().st_size <= LARGEST_SOURCE:
                parts.append(f"==== {argument}\n{path.read_text(errors='replace').rstrip()}")
        except (OSError, ValueError):
            continue
    return parts


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
