"""Whether operations that a schedule leaves out are missed by nobody.

Under the schedule an operation that is left out does nothing and returns 0, and everything else is
done in an order that the waits keep. So it is not missed if, wherever the tree has it, it would
have returned 0 and done nothing but change memory, and nobody looks at that memory: neither an
operation that is performed nor the code between two of them. What the steps of the tree look at
is seen by watching them. Where that is not all there is to see, nothing may be left out: foreign
code may rely on a lock, and an atomic section does not tell which of its operations did what.
"""

from __future__ import annotations

from collections.abc import Collection

from imc.checker.checker import Checker
from imc.checker.footprint import Extents, Footprint
from imc.checker.refusal import Rejected
from imc.program.code import Site
from imc.program.events import Event
from imc.program.instructions import Library
from imc.program.library import LIBRARY, Role


class Absence:
    """Checks what the sites of a schedule leave out, given its proved tree."""

    def __init__(self, checker: Checker, left_out: Collection[Site]) -> None:
        self.checker = checker
        self.image = checker.image
        self.left_out = left_out
        self.missing = Extents()  # what would have been written
        self.looked_at = Extents()

    def check(self) -> None:
        """Raises `Rejected` where an operation is needed, and left out."""
        if not self.left_out:
            return
        for point in self.checker.points.values():
            self.checker.deadline.look()
            for edges in point.permits.values():
                for event, _ in edges:
                    self._note(event, self.checker.footprints[event])
        for number in self.missing.objects():
            if self.image.objects.dynamic[number]:  # nodes may call it by different numbers
                name = self.image.objects[number].name
                raise Rejected(f"operations on {name} are left out: it is made while running")
        met = self.missing.meets(self.looked_at)
        if met is not None:
            (function, pc), (other, at) = met
            raise Rejected(
                f"the operation at {function} {pc} is left out, but needed by what is at "
                f"{other} {at}"
            )

    def _note(self, event: Event, found: Footprint) -> None:
        site = event.function, event.pc
        if found.foreign or found.atomic:
            why = "foreign code" if found.foreign else "an atomic section"
            raise Rejected(f"operations are left out, and {why} at {site[0]} {site[1]} may rely on")
        self.looked_at.add(found.local.reads, site)
        if site not in self.left_out:
            if not self._is_indifferent(site):
                self.looked_at.add(found.operation.reads, site)
            return
        returns_0 = found.result.__class__ is int and found.result == 0
        if not (found.synchronises and found.only_memory and returns_0):
            raise Rejected(f"the operation at {site[0]} {site[1]} does more than to synchronise")
        self.missing.add(found.operation.writes, site)

    def _is_indifferent(self, site: Site) -> bool:
        """Whether what it finds decides about a result that nobody sees, and nothing else."""
        function, pc = site
        instruction = self.image.program.functions[function].code[pc]
        return (
            isinstance(instruction, Library)
            and LIBRARY[instruction.function].role is Role.END
            and instruction.result is None
        )
