"""The executable of a program whose schedules are not known yet: every operation has its gate."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import Thread

from imc.errors import UserError
from imc.execution.native.build import BuildOptions, build
from imc.execution.native.operations import Operations
from imc.program.program import Program
from imc.program.words.sites import site_text
from imc.schedule.files import identity_of
from irs.schedule import Made, Schedule, Site


class Building(Thread):
    """Builds at once, on a thread of its own."""

    def __init__(self, program: Program, executable: Path, options: BuildOptions) -> None:
        super().__init__(daemon=True)
        self.program = program
        self.executable = executable
        self.options = options
        self._built = False
        self.start()

    def run(self) -> None:
        with suppress(UserError):  # it will be tried again, and told
            self._build(_without_order(self.program))
            self._built = True

    def operations(self, schedule: Schedule) -> Operations:
        """What the executable's tables have to fit to.

        Where the first schedule looks at numbers in memory, it is built once more with these.
        """
        found = Operations(self.program, schedule, site_text)
        if found.cells or not self._built:
            self._build(schedule)
        return found

    def _build(self, schedule: Schedule) -> None:
        build(self.program, schedule, self.executable, site_text, self.options)


def _without_order(program: Program) -> Schedule:
    """A schedule that knows all sites, and nothing else."""
    operations = Operations(program, None, site_text).all
    sites = [Site(o.function.name, o.pc, "", None, None, None, o.text) for o in operations]
    made = Made("", 0, "", "", ())
    named = identity_of(program)
    return Schedule(named, made, (), (), ("main",), tuple(sites), False, 0, ())
