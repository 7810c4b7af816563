"""Words for events and faults: "count = 3", "lock mutex", with names from the source."""

from __future__ import annotations

from dataclasses import replace

from imc.errors import SourceLoc
from imc.program.code import Image, reads_input
from imc.program.events import Access, Event, Mode
from imc.program.faults import Fault
from imc.program.library import verb
from imc.program.objects import ObjectInfo
from imc.program.values import UNDEF, Aggregate, Value, to_signed
from imc.program.words.expressions import Expressions


class Describer:
    """Describes the events of one loaded program."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self._made: dict[int, str] = {}  # what objects of the heap are called, in order

    def made(self) -> list[str]:
        """Where the objects of the heap that were named have been made."""
        by_line: dict[SourceLoc, list[str]] = {}
        for number, name in self._made.items():
            loc = self.image.objects[number].loc
            if loc is not None:
                by_line.setdefault(loc, []).append(name)
        return [f"{_listed(names)}: made at line {loc.line}" for loc, names in by_line.items()]

    def _object(self, number: int) -> ObjectInfo:
        """What is said of an object; several that are made alike are told apart by numbers."""
        info = self.image.objects[number]
        if info.kind != "heap":
            return info
        name = self._made.get(number)
        if name is None:
            kind = info.name.partition(" (line ")[0].removeprefix("struct ").removeprefix("union ")
            kind = kind.replace("heap object", "object")
            alike = sum(other.partition("#")[0] == kind for other in self._made.values())
            name = self._made[number] = f"{kind}#{alike + 1}"
        return replace(info, name=name)

    def event(self, event: Event) -> str:
        """One line for an event; values are those read or written."""
        data = [a for a in event.accesses if a.value is not None]
        match event.operation:
            case "start":
                return "starts"
            case "load" | "store" | "atomicrmw" | "compareexchange" if data:
                return self._access(data[0], event.operation)
            case "copy" if data:
                return f"{self._access(data[0], 'load')} (by value)"
            case "return":
                return "returns from main"
        names = self.image.threads.names
        if event.spawned and not event.operation.startswith("__VERIFIER"):
            return f"create {names[event.spawned[0]]}"
        if event.joined and not event.operation.startswith("__VERIFIER"):
            return f"join {names[event.joined[0]]}"
        if event.note and reads_input(self.image.program.functions[event.function].code[event.pc]):
            return event.note
        if event.operation.startswith("__VERIFIER_atomic"):
            inside = "; ".join(self._access(a, "") for a in data)
            return f"atomic {{ {inside} }}"
        if data and isinstance(data[0].value, bytes):
            text = data[0].value.decode(errors="replace")
            return f"print {text!r}"
        if event.operation in ("load", "store", "atomicrmw", "compareexchange"):
            return self._attempt(event)
        name = self._target(event.accesses[0]) if event.accesses else ""
        note = f" ({event.note})" if event.note else ""
        return f"{verb(event.operation)} {name}".rstrip() + note

    def _attempt(self, event: Event) -> str:
        """An access that went wrong before it touched anything, as the source has it."""
        function = self.image.program.functions[event.function]
        pointer = getattr(function.code[event.pc], "pointer")  # noqa: B009 (several classes)
        place = Expressions(self.image.program, function).place(pointer)
        return f"{'read' if event.operation == 'load' else 'write'} {place}"

    def _access(self, access: Access, operation: str) -> str:
        cell, value = self.cell(access), self.value(access)
        if operation == "compareexchange":
            return (
                f"{cell} := {value} (cas)"
                if access.mode is Mode.WRITE
                else f"{cell} is {value} (cas fails)"
            )
        if access.mode is Mode.READ:
            return f"{cell} is {value}"
        return f"{cell} := {value}" + (" (atomic)" if operation == "atomicrmw" else "")

    def cell(self, access: Access, outermost: bool = False) -> str:
        return self._object(access.object).cell(access.offset, outermost)

    def _target(self, access: Access) -> str:
        """What a library function is called for: an object, or a part of one."""
        info = self._object(access.object)
        whole = info.source_type is not None and access.size >= info.source_type.size
        return info.name if whole and access.offset == 0 else info.cell(access.offset, True)

    def value(self, access: Access) -> str:
        value = access.value
        if value.__class__ is int:
            source = self.image.objects[access.object].source_type
            leaf = source.leaf(access.offset) if source else None
            is_signed = leaf.signed if leaf else True
            return str(to_signed(value, 8 * access.size) if is_signed and access.size else value)
        return self._name(value)

    def _name(self, value: Value) -> str:
        if value is UNDEF:
            return "?"
        if value.__class__ is tuple:
            info = self._object(value[0])
            if info.kind == "function":
                return info.name
            record = info.source_type is not None and info.source_type.fields
            whole = value[1] == 0 and (record or info.kind == "heap")
            return f"&{info.name if whole else info.cell(value[1], outermost=True)}"
        if isinstance(value, Aggregate):
            return "{" + ", ".join(self._name(v) for v in value) + "}"
        return f"{value:g}" if isinstance(value, float) else str(value)


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


def fault_text(image: Image, fault: Fault) -> str:
    """What went wrong and why: the last lines of a counterexample."""
    place = f"{fault.loc}: " if fault.loc else ""
    who = (
        f" (in {image.threads.names[fault.thread]})"
        if fault.thread is not None and not fault.details
        else ""
    )
    return "\n".join([f"{place}{fault.message}{who}", *(f"  {line}" for line in fault.details)])
