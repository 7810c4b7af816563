"""An execution that goes wrong, as events that can be run again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from imc.program.code import Image
from imc.program.events import Event
from imc.program.faults import Fault
from imc.program.inventions import Invention


@dataclass(frozen=True, slots=True)
class Violation:
    """A way to an error, as concrete events; `reproduced` when the program was run that way."""

    image: Image  # what the events' numbers mean
    fault: Fault
    trace: tuple[Event, ...]
    inputs: Mapping[str, int] | None  # by name; None: the events' choices tell them
    reproduced: bool
    invention: Invention | None = None  # what it depends on, and may not be so
