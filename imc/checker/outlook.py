"""The next events that a thread may come to, by its code alone.

A tree ends where the program does. A thread that computes does not know of that, and may come to
its next event while the end is still ahead. All ways through the code are taken for possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from imc.program.analysis.sharing import END_OF_THREAD, successors
from imc.program.code import Image, Site
from imc.program.instructions import Library, Return
from imc.program.state import Thread

STOPPED = "stopped"  # by an assumption that does not hold


class Outlook:
    """Where code leads to before anything happens, function by function."""

    def __init__(self, image: Image, is_site: Callable[[str, int], bool]) -> None:
        self.image = image
        self.is_site = is_site

    def of(self, thread: Thread) -> set[object]:
        """Sites, None (it ends before), `STOPPED`."""
        found: set[object] = set()
        for frame in reversed(thread.frames):
            seen = self._reach((frame.code.function.name, frame.pc))
            found |= {self._what(site) for site in seen} - {None}
            if not any(s[0] == frame.code.function.name and self._is_return(s) for s in seen):
                return found
        if self.image.ends_visibly:
            found |= {self._what(site) for site in self._reach((END_OF_THREAD, 0))}
        return found | {None}

    def _what(self, site: Site) -> object:
        """What happens at a site that is come to, if it is anything."""
        if self.is_site(*site):
            return site
        instruction = self.image.program.functions[site[0]].code[site[1]]
        stops = isinstance(instruction, Library) and instruction.function == "assume"
        return STOPPED if stops else None

    def _reach(self, start: Site) -> set[Site]:
        """All that is come to from a place in the code before its function is over."""
        seen = {start}
        work = [start]
        while work:
            new = set(self._after(work.pop())) - seen
            seen |= new
            work += new
        return seen

    def _after(self, site: Site) -> Iterator[Site]:
        """Where a step that is no event leads: into a function, or behind it already."""
        name, pc = site
        if self.is_site(name, pc):
            return
        functions = self.image.program.functions
        for callee in self.image.sharing.pointers.callees.get(site, ()):
            if not functions[callee].is_declaration:
                yield callee, 0
        for to in successors(functions[name], pc):
            yield name, to

    def _is_return(self, site: Site) -> bool:
        instruction = self.image.program.functions[site[0]].code[site[1]]
        return isinstance(instruction, Return) and not self.is_site(*site)
