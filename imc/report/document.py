"""Results as JSON, with the same field names for every command."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from imc.errors import SourceLoc, UserError
from imc.explorer.recording import saved_settings
from imc.explorer.result import Exploration
from imc.program.assumptions import Assumption
from imc.program.code import Image
from imc.program.events import Event
from imc.program.faults import Fault
from imc.program.interpreter import Interpreter
from imc.program.words.description import Describer
from imc.report.assumptions import assumption_documents, note_documents

JsonObject = dict[str, Any]


def exploration_document(
    interpreter: Interpreter, result: Exploration, assumptions: list[Assumption]
) -> JsonObject:
    return {
        "program": interpreter.program.name,
        "digest": interpreter.program.digest,
        "algorithm": result.algorithm,
        "form": result.form,
        "core": result.core,
        "core_bytes": result.core_bytes,
        "why": result.why,
        "stateful": result.stateful,
        "verdict": str(result.verdict),
        "properties": sorted(str(p) for p in interpreter.settings.properties),
        "settings": saved_settings(interpreter.settings),
        "bounds": result.bounds,
        "assumptions": assumption_documents(assumptions),
        "notes": note_documents(interpreter.program, interpreter.settings),
        "time_s": round(result.time_s, 4),
        "executions": {
            "complete": result.complete,
            "blocked": result.blocked,
            "endless": result.endless,
            "redundant": result.redundant,
            "duplicates": result.duplicates,
        },
        "race_checks": result.race_checks,
        "dependency_checks": result.dependency_checks,
        "traces": result.traces,
        "states": result.states,
        "final_states": result.final_states,
        "events": result.events,
        "reproduced": result.reproduced,
        "counterexample": None
        if result.fault is None
        else counterexample(interpreter.image, result.fault, result.trace),
    }


def counterexample(image: Image, fault: Fault, trace: Iterable[Event]) -> JsonObject:
    describer = Describer(image)
    names = image.threads.names
    return {
        "property": str(fault.kind),
        "message": fault.message,
        "location": location(fault.loc),
        "thread": None if fault.thread is None else names[fault.thread],
        "details": list(fault.details),
        "loop": fault.loop,
        "trace": [
            {
                "thread": names[e.thread],
                "operation": e.operation,
                "text": describer.event(e),
                "location": location(e.loc),
                "choices": list(e.choices),
            }
            for e in trace
        ],
    }


def location(loc: SourceLoc | None) -> JsonObject | None:
    return None if loc is None else {"file": loc.file, "line": loc.line, "column": loc.column}


def write_document(document: JsonObject, target: str) -> None:
    """Writes to standard output for "-", else atomically to a file."""
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if target == "-":
        sys.stdout.write(text)
        return
    write_file(Path(target), text)


def write_file(path: Path, text: str) -> None:
    """Writes a file whole or not at all."""
    from irs.writing import write_whole  # the run-time is imported by those who need it

    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise UserError(
            f"cannot write {path}: {error.strerror}", None, "name a file in a writable folder"
        ) from None
