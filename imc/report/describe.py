"""Words for events: "count = 3", "lock mutex", with names from the source."""

from __future__ import annotations

from imc.program.code import Image
from imc.program.events import Access, Event, Mode
from imc.program.values import UNDEF, Aggregate, Value, to_signed
from imc.report.expressions import Expressions

_VERBS = {
    "pthread_mutex_lock": "lock",
    "pthread_mutex_trylock": "trylock",
    "pthread_mutex_unlock": "unlock",
    "mtx_lock": "lock",
    "mtx_unlock": "unlock",
    "pthread_cond_wait": "wait",
    "pthread_cond_signal": "signal",
    "pthread_cond_broadcast": "broadcast",
    "cnd_wait": "wait",
    "cnd_signal": "signal",
    "cnd_broadcast": "broadcast",
    "pthread_barrier_wait": "barrier",
    "thrd_join": "join",
}


def verb(operation: str) -> str:
    return _VERBS.get(operation, operation.removeprefix("pthread_"))


class Describer:
    """Describes the events of one loaded program."""

    def __init__(self, image: Image) -> None:
        self.image = image

    def event(self, event: Event) -> str:
        """One line for an event; values are those read or written."""
        data = [a for a in event.accesses if a.value is not None]
        match event.operation:
            case "start":
                return "starts"
            case "load" | "store" | "atomicrmw" | "compareexchange" if data:
                return self._access(data[0], event.operation)
            case "return":
                return "returns from main"
        names = self.image.threads.names
        if event.spawned and not event.operation.startswith("__VERIFIER"):
            return f"create {names[event.spawned[0]]}"
        if event.joined and not event.operation.startswith("__VERIFIER"):
            return f"join {names[event.joined[0]]}"
        if event.note.startswith("input "):
            return event.note
        if event.operation.startswith("__VERIFIER_atomic"):
            inside = "; ".join(self._access(a, "") for a in data)
            return f"atomic {{ {inside} }}"
        if data and isinstance(data[0].value, bytes):
            text = data[0].value.decode(errors="replace")
            return f"print {text!r}"
        if event.operation in ("load", "store", "atomicrmw", "compareexchange"):
            return self._attempt(event)
        name = self.cell(event.accesses[0], outermost=True) if event.accesses else ""
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
        return self.image.objects[access.object].cell(access.offset, outermost)

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
            info = self.image.objects[value[0]]
            return (
                f"&{info.cell(value[1], outermost=True)}" if info.kind != "function" else info.name
            )
        if isinstance(value, Aggregate):
            return "{" + ", ".join(self._name(v) for v in value) + "}"
        return f"{value:g}" if isinstance(value, float) else str(value)
