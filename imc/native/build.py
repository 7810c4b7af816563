"""From a program and its schedule to an executable: instrument, compile, link with the run-time."""

from __future__ import annotations

import json
import os
import shlex
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import irs.native
from imc.errors import UserError
from imc.frontend.clang import Compiler, CompilerOptions, find_compiler, run_compiler
from imc.frontend.lower import NO_SPURIOUS
from imc.native.instrument import Instrumented
from imc.native.operations import Operations
from imc.program.analysis.sharing import Sharing
from imc.program.program import Program
from irs.native.tables import encode
from irs.schedule import GATED, Schedule

RUNTIME = Path(irs.native.__file__).parent
SUFFIX = ".irs"
# Gates are compiled into the program, everything else of the run-time stays apart.
GATE = "gate.c"
_OPTIMISED = ("-O2", "-fPIE", "-w")


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How an executable is made.

    `embed`: the schedule becomes part of it, instead of a file beside it. `inline`: gates are
    inlined, instead of called. `count`: lines of the source whose operations are counted.
    """

    compiler: CompilerOptions = CompilerOptions()  # noqa: RUF009 (immutable)
    embed: bool = False
    inline: bool = True
    count: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Built:
    """What was made: the executable, and the file of the schedule's tables unless embedded.

    `gates` is how many operations have one, `left_out` how many are not performed.
    """

    executable: Path
    tables: Path | None
    gates: int
    left_out: int


def build(
    program: Program,
    schedule: Schedule | None,
    output: Path,
    describe: Callable[[Sharing, str, int], str],
    options: BuildOptions | None = None,
) -> Built:
    """Makes an executable; without a schedule its threads run as the system lets them."""
    options = options or BuildOptions()
    operations = Operations(program, schedule, describe)
    counted = [o for o in operations.all if o.loc and o.loc.line in options.count]
    instrumented = Instrumented(operations, {o.number: n for n, o in enumerate(counted)})
    tables = b""
    if schedule is not None:
        spurious = not any(text.startswith(NO_SPURIOUS) for text in schedule.assumptions)
        tables = encode(schedule, operations.sites, operations.digest, spurious)
    beside = output.with_name(output.name + SUFFIX)
    compiler = find_compiler(options.compiler)
    with tempfile.TemporaryDirectory(prefix="imc-") as folder:
        work = _Work(compiler, Path(folder), options)
        objects = [work.compile_module(text) for text in instrumented.texts.values()]
        (Path(folder) / "tables").write_bytes(tables)
        default = str(beside.absolute()) if schedule is not None else ""
        texts = [o.text for o in counted]
        objects.append(work.compile_data(operations.digest, default, texts, not operations.cells))
        work.link(objects, output)
    if schedule is not None and not options.embed:
        _write(beside, tables)
    gates = sum(o.known and o.action in GATED for o in operations.all)
    left_out = sum(o.action in ("skip", "pass") for o in operations.all)
    written = beside if schedule is not None and not options.embed else None
    return Built(output, written, gates if schedule is not None else 0, left_out)


class _Work:
    """The compiler's steps in a folder of their own."""

    def __init__(self, compiler: Compiler, folder: Path, options: BuildOptions) -> None:
        self.compiler = compiler
        self.folder = folder
        self.options = options
        self.count = 0
        self._gate: Path | None = None

    def compile_module(self, text: str) -> Path:
        """IR with gates to an object; the gates come as bitcode and are inlined."""
        self.count += 1
        source = self.folder / f"{self.count}.ll"
        source.write_text(text, encoding="utf-8")
        flags = [*_OPTIMISED, "-c", "-x", "ir", str(source)]
        if self.options.inline:
            flags += ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(self.gate())]
        return self._compile(flags, source.with_suffix(".o"))

    def gate(self) -> Path:
        if self._gate is None:
            unoptimised = ("-emit-llvm", "-O2", "-Xclang", "-disable-llvm-passes", "-std=gnu11")
            flags = [*unoptimised, "-fPIE", "-w", "-c", str(RUNTIME / GATE)]
            self._gate = self._compile(flags, self.folder / "gate.bc")
        return self._gate

    def compile_data(
        self, digest: bytes, default: str, counted: list[str], without_cells: bool
    ) -> Path:
        """What the run-time wants to know about the program, as C."""
        texts = "".join(f"{_c_string(json.dumps(text)[1:-1])}, " for text in counted) + "0"
        embedded = self.folder / "tables"
        size = embedded.stat().st_size if self.options.embed else 0
        lines = [
            '#include "runtime.h"',
            f"const unsigned char irs_digest[32] = {{{', '.join(map(str, digest))}}};",
            f"const char irs_default_plan[] = {_c_string(default)};",
            f"const uint64_t irs_embedded_size = {size};",
            f"const uint32_t irs_counters = {len(counted)};",
            f"const char *const irs_counter_texts[] = {{{texts}}};",
            '__asm__(".section .rodata\\n.globl irs_embedded\\n.balign 16\\nirs_embedded:\\n"',
            f'        ".incbin " {_c_string(_c_string(str(embedded)))} "\\n.byte 0\\n.text\\n");',
        ]
        if without_cells:
            lines.append("const struct irs_cell irs_cells[1] = {{0, 0}};")
        source = self.folder / "data.c"
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        flags = [*_OPTIMISED, "-std=gnu11", f"-I{RUNTIME}", "-c", str(source)]
        return self._compile(flags, self.folder / "data.o")

    def _compile(self, flags: list[str], output: Path) -> Path:
        command = [*self.compiler.command, *self.compiler.target(64), *flags, "-o", str(output)]
        self._run(command, "compile")
        return output

    def link(self, objects: list[Path], output: Path) -> None:
        """Zig's own driver knows the system's C library; any other clang is its own driver."""
        command = list(self.compiler.command)
        if self.compiler.library is not None:
            command[-1] = "cc"
        sources = [str(path) for path in sorted(RUNTIME.glob("*.c"))]
        if self.options.inline:
            sources.remove(str(RUNTIME / GATE))
        flags = ["-std=gnu11", "-O2", "-fno-sanitize=all", "-w", "-pthread"]
        output.parent.mkdir(parents=True, exist_ok=True)
        made = self.folder / "program"
        self._run([*command, *flags, *sources, *map(str, objects), "-lm", "-o", str(made)], "link")
        try:
            _write(output, made.read_bytes(), executable=True)
        except OSError as error:
            raise UserError(
                f"cannot write {output}: {error.strerror}", hint="name a file in a writable folder"
            ) from None

    def _run(self, command: list[str], what: str) -> None:
        code, _, messages = run_compiler(command)
        if code == 0:
            return
        lines = [
            line for line in messages.decode("utf-8", "replace").splitlines() if "error" in line
        ]
        undefined = next((line for line in lines if "undefined symbol" in line), "")
        if undefined:
            raise UserError(
                f"nobody defines what the program uses: {undefined.partition('undefined ')[2]}",
                hint="name the file that defines it",
            )
        first = lines[0] if lines else f"exit code {code}"
        tool = shlex.join(command[:2])
        raise UserError(f"{tool} could not {what} the program: {first}")


def _write(path: Path, data: bytes, executable: bool = False) -> None:
    """Whole or not at all: another name first."""
    temporary = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        temporary.write_bytes(data)
        temporary.chmod(0o755 if executable else 0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _c_string(text: str) -> str:
    """A string literal of C; bytes outside of ASCII by their numbers."""
    safe = "".join(
        chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text.encode()
    )
    return f'"{safe}"'
