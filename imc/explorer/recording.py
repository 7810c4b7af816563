"""Counterexamples in documents: what it takes to run one again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from imc.errors import UserError
from imc.program.faults import Property
from imc.program.program import Program
from imc.program.settings import Settings, Wakeups
from imc.records import record

SAVED = ("inputs", "loop_bound", "max_threads", "wakeups", "arguments")


@record
class Recording:
    """A counterexample that `imc explore --json` or `imc verify --json` has written."""

    digest: str
    settings: Settings
    kind: Property
    message: str
    steps: tuple[tuple[str, tuple[int, ...]], ...]  # names of threads, choices
    inputs: dict[str, int] | None  # by name; None: they are among the choices


def saved_settings(settings: Settings) -> dict[str, Any]:
    """What a run depends on besides the program, as JSON."""
    saved: dict[str, Any] = {name: getattr(settings, name) for name in SAVED}
    return {**saved, "stdin": settings.stdin.decode("latin-1")}


def is_recording(path: Path) -> bool:
    """Whether a file is one document, as opposed to the lines of a recorded run."""
    try:
        return isinstance(json.loads(path.read_text()), dict)
    except (OSError, ValueError):
        return False


def demand_same_recording(program: Program, recording: Recording, path: Path) -> None:
    """Raises `UserError` if a counterexample is of another program."""
    if program.digest != recording.digest:
        raise UserError(
            f"{path} is of another program, or of another version of it",
            hint="imc explore PROGRAM --json FILE writes it anew",
        )


def read_recording(path: Path) -> Recording:
    """The counterexample in a file; raises `UserError` where there is none."""
    if not is_recording(path):
        raise UserError(
            f"{path} is no counterexample",
            hint="imc explore prog.c --json FILE writes one; a recorded run needs --schedule",
        )
    document = json.loads(path.read_text())
    found = document.get("counterexample")
    if "settings" not in document or "digest" not in document:
        raise UserError(
            f"{path} has no execution", hint="imc explore prog.c --json FILE writes one"
        )
    if not found:
        raise UserError(f"{path} has no counterexample", hint=f"it says {document.get('verdict')}")
    try:
        saved = dict(document["settings"])
        stdin = saved.pop("stdin").encode("latin-1")
        given: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in saved.items()
        }
        if set(given) != set(SAVED):
            raise ValueError
        given["wakeups"] = Wakeups(given["wakeups"])
        properties = frozenset(Property(p) for p in document["properties"])
        return Recording(
            str(document["digest"]),
            Settings(properties=properties, stdin=stdin, **given),
            Property(found["property"]),
            str(found["message"]),
            tuple((str(e["thread"]), tuple(map(int, e["choices"]))) for e in found["trace"]),
            _inputs(found.get("inputs")),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UserError(
            f"{path} is damaged", hint="imc explore prog.c --json FILE writes it anew"
        ) from None


def _inputs(given: Any) -> dict[str, int] | None:
    return None if given is None else {str(name): int(value) for name, value in given.items()}
