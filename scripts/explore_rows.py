"""The programs that exploration is measured on, with the figures that papers and peers publish.

The programs are our own, written after descriptions: only where the same program is meant can the
counts be the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import imc.api
from imc.explorer import Exploration, Limits, Reduction, explore
from imc.explorer.native import NATIVE
from imc.program.faults import DEFAULT_PROPERTIES, Property
from imc.program.interpreter import Interpreter
from imc.program.program import Program
from imc.program.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "programs" / "reduction"


@dataclass(frozen=True, slots=True)
class Row:
    program: str
    size: int
    published: tuple[str, ...] = ()  # one for all columns, or one for each
    defines: tuple[str, ...] = ()  # what the program is told besides its size
    parameter: str = "THREADS"

    @property
    def name(self) -> str:
        name = Path(self.program).stem if self.program.endswith(".c") else Path(self.program).name
        return f"{name.replace('_', ' ')}({self.size})"

    @property
    def source(self) -> Path:
        path = PROGRAMS / self.program
        return (path / "prog.c" if path.is_dir() else path).resolve()

    @property
    def macros(self) -> tuple[str, ...]:
        return (*self.defines, f"{self.parameter}={self.size}")

    def load(self) -> Program:
        return imc.api.load(self.source, define=self.macros)

    def run(
        self,
        algorithm: str,
        reduction: Reduction,
        adds: bool,
        seconds: float,
        core: str = NATIVE,
        livelocks: bool = True,
    ) -> Exploration:
        properties = DEFAULT_PROPERTIES - (set() if livelocks else {Property.LIVELOCK})
        settings = Settings(properties=properties, independent_adds=adds)
        interpreter = Interpreter(self.load(), settings)
        return explore(interpreter, algorithm, reduction, Limits(time_s=seconds), core=core)


def rows(program: str, counts: dict[int, int], *defines: str, name: str = "THREADS") -> list[Row]:
    return [Row(program, n, (str(count),), defines, name) for n, count in counts.items()]


def operations(harness: int) -> tuple[str, ...]:
    """How many operations each thread of safestack performs: 21 is two threads, with 2 and 1."""
    digits = str(harness).ljust(3, "0")
    return tuple(f"OPS{n}={digit}" for n, digit in enumerate(digits, 1))


THESIS = [
    *rows("readers_writers", {n: 2 ** (n - 1) for n in (9, 12, 14)}),
    *rows("indexer", {11: 1, 12: 8, 13: 64, 14: 512, 15: 4096}),
    *rows("last_zero", {n: n * 2 ** (n - 2) for n in (2, 4, 6, 8, 10)}, "UPWARDS"),
    *rows("shared_pointer", {n: 2 * n + 1 for n in (10, 50)}, name="N"),
    *rows("ring", {n: 2**n - 2 for n in (5, 8, 11, 14)}),
    *rows("branching", {2: 11, 3: 28, 4: 103, 5: 311, 6: 1010, 7: 3165}),
    *rows("ring_extended", {2: 6, 3: 90, 4: 786, 5: 5730}),
]
GODOT = [
    Row("qspinlock", 2, ("6+2", "6+2", "6+2")),
    Row("qspinlock", 3, ("564+462", "564+456", "564+456")),
    Row("mcslock", 3, ("336+426", "336+72", "336+72")),
    Row("twalock", 3, ("96+90", "96+0", "96+0")),
    Row("twalock", 4, ("6144+7224", "6144+0", "6144+0")),
    Row("mutex_musl", 2, ("20+2", "20+0", "20+0")),
    Row("mutex", 2, ("12+2", "12+0", "10+0")),
    Row("mutex", 3, ("6582+1188", "6582+336", "3618+312")),
    Row("ms_queue", 3, ("901+374", "901+374", "901+374")),
    Row("linuxrwlocks", 3, ("38033+31993", "38033+0", "3840+0")),
    Row("ttaslock", 3, ("36+81", "36+0", "36+0")),
    Row("ttaslock", 4, ("576+2308", "576+0", "576+0")),
    Row("seqlock", 3, ("9+83", "9+36", "9+36")),
    Row("seqlock", 4, ("88+2769", "88+729", "88+729")),
    Row("mpmc_queue", 3, ("166+840", "166+517", "76+421")),
    Row("treiber_stack", 3, ("274+80", "274+60", "274+60"), ("PUSHERS=2",)),
    Row("ticketlock", 4),
    Row("sortnet", 4, ("1+312", "1+0", "1+0")),
    Row("sortnet", 5, ("1+4517", "1+0", "1+0")),
    Row("sortnet", 6, ("1+38285", "1+0", "1+0")),
    *(
        Row("safestack", harness, published, operations(harness), "HARNESS")
        for harness, published in (
            (21, ("34+2", "34+1", "19+1")),
            (31, ("103+27", "103+25", "56+25")),
            (32, ("1073+27", "1073+12", "463+12")),
            (33, ("6434+1636", "6434+1584", "2600+1160")),
            (211, ("2690+1126", "2690+928", "962+686")),
            (311, ("0+26536", "0+24078", "0+14960")),
        )
    ),
]
SPEED = [
    Row("readers_writers", 14, ("Nidhugg 3400, GenMC 27000",)),
    Row("indexer", 15, ("Nidhugg 650, GenMC 1100",)),
    Row("last_zero", 13, ("Nidhugg 2200, GenMC 5700",)),
    Row("reads_lock", 8, ("Nidhugg 6300, GenMC 7900",)),
    Row("mcslock", 3),
    Row("treiber_stack", 3),
    Row("ms_queue", 3),
    Row("sortnet", 6),
    *(Row("safestack", n, (), operations(n), "HARNESS") for n in (31, 32, 33)),
    Row("../classic/fib", 5, (), ("BOUND=144",), "N"),
]
STATES = [
    Row("../../../examples/prodcons.c", 100, (), (), "SLOTS"),
    Row("../../../examples/prodcons.c", 5, (), ("PRODUCERS=3", "CONSUMERS=3"), "SLOTS"),
    Row("../../../examples/scanner.c", 3, (), (), "TEXTS"),
    Row("../classic/philosophers", 7, (), ("ORDERED",), "SEATS"),
    Row("../classic/philosophers", 8, (), ("ORDERED", "ROUNDS=1"), "SEATS"),
    Row("readers_writers", 14),
    Row("../classic/fib", 8, (), ("BOUND=6765",), "N"),
]


# Whole processes: the program, and the seconds that are aimed at.
START = [
    (Row("readers_writers", 14), 0.3),
    (Row("indexer", 15), 1.5),
    (Row("last_zero", 13), 2.5),
    (Row("reads_lock", 8), 2.5),
]
# Rows of the papers that were out of reach of the Python engines, as `optimal-await` explores them,
# by what is left out: iterations without effect (pure), waiting (await), additions (adds).
REACH = [
    (Row("readers_writers", 20, ("524288",)), "await"),
    (Row("indexer", 16, ("32768",)), "await"),
    (Row("last_zero", 16, ("262144",), ("UPWARDS",)), "await"),
    (Row("ring", 19, ("524286",)), "await"),
    (Row("branching", 11, ("318363",)), "await"),
    (Row("ring_extended", 8, ("1548546",)), "await"),
    (Row("sortnet", 6, ("1+38285",)), "pure"),
    (Row("twalock", 4, ("6144+7224",)), "pure"),
    (Row("twalock", 4, ("6144+0",)), "await"),
    (Row("mcslock", 4, ("26232+33432",)), "pure"),
    (Row("mcslock", 4, ("26232+4824",)), "await"),
    (Row("mutex_musl", 3, ("25146+81972",)), "await"),
    (Row("mutex_musl", 3, ("14736+36846",)), "adds"),
    (Row("mpmc_queue", 4, ("39706+360426",)), "await"),
    (Row("mpmc_queue", 4, ("5410+114208",)), "adds"),
    (Row("treiber_stack", 4, ("250088+90896",), ("PUSHERS=2",)), "await"),
    (Row("safestack", 321, ("288057+216830",), operations(321), "HARNESS"), "adds"),
    (Row("safestack", 331, ("the bug",), operations(331), "HARNESS"), "adds"),
]
# Eager POR: the thesis's dependency checks with source sets and with EPOR, and the time it saves.
SECTIONS = [
    (Row("readers_writers", 12), 1_197_851, 37_165, "48 %"),
    (Row("indexer", 13), 485_600, 239_590, "16 %"),
    (Row("last_zero", 8, (), ("UPWARDS",)), 1_109_904, 647_298, "9 %"),
    (Row("ring", 9), 191_381, 5_577, "54 %"),
]
