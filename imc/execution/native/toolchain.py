"""The compiler's part of a build: gates as bitcode, modules, data, the link with the run-time."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import irs.native
from imc.errors import UserError
from imc.frontend.clang import Clang, run_compiler

RUNTIME = Path(irs.native.__file__).parent
GATE = "gate.c"  # is compiled into the program, everything else of the run-time stays apart
_OPTIMISED = ("-O2", "-fPIE", "-w")


# As zig, lld and GNU ld say it.
_NO_LIBRARY = re.compile(
    r"(?:unable to find (?:dynamic|static) system library |unable to find library -l"
    r"|cannot find -l)"
    r"['\"]?([^'\":\s]+)"
)


class Toolchain:
    """The compiler's steps in a folder of their own; `inline`: gates are inlined, not called."""

    def __init__(
        self, compiler: Clang, folder: Path, inline: bool = True, debug: bool = False
    ) -> None:
        self.compiler = compiler
        self.folder = folder
        self.inline = inline and not debug
        self.debug = debug  # the program's own code is as a debugger likes it
        self.count = 0
        self._gate: Path | None = None

    def compile_module(self, text: str, more: Sequence[str] = ()) -> Path:
        """IR with gates to an object; the gates come as bitcode and are inlined."""
        self.count += 1
        source = self.folder / f"{self.count}.ll"
        source.write_text(text, encoding="utf-8")
        level = ["-O0"] if self.debug else []
        flags = [*_OPTIMISED, *level, *more, "-c", "-x", "ir", str(source)]
        if self.inline:
            flags += ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(self.gate())]
        return self._compile(flags, source.with_suffix(".o"))

    def gate(self) -> Path:
        if self._gate is None:
            unoptimised = ("-emit-llvm", "-O2", "-Xclang", "-disable-llvm-passes", "-std=gnu11")
            flags = [*unoptimised, "-fPIE", "-w", "-c", str(RUNTIME / GATE)]
            self._gate = self._compile(flags, self.folder / "gate.bc")
        return self._gate

    def compile_data(
        self,
        digest: bytes,
        plan: str | bytes,
        counted: Sequence[str],
        cells: int,
        shared_thread_locals: bool,
        inputs: str = "",
    ) -> Path:
        """What the run-time wants to know about the program, as C.

        `plan` is the schedule's tables, or the file to look for them; `cells`: how many cells
        guards look at, which the modules define; `shared_thread_locals`: whether the end of
        every thread is an event; `inputs`: a file of them.
        """
        texts = "".join(f"{_c_string(json.dumps(text)[1:-1])}, " for text in counted) + "0"
        embedded = self.folder / "tables"
        embedded.write_bytes(plan if isinstance(plan, bytes) else b"")
        default = plan if isinstance(plan, str) else ""
        lines = [
            '#include "runtime.h"',
            f"const unsigned char irs_digest[32] = {{{', '.join(map(str, digest))}}};",
            f"const char irs_default_plan[] = {_c_string(default)};",
            f"const char irs_default_input[] = {_c_string(inputs)};",
            f"const uint64_t irs_embedded_size = {embedded.stat().st_size};",
            f"const uint32_t irs_counters = {len(counted)}, irs_cell_count = {cells};",
            f"const uint32_t irs_shared_thread_locals = {int(shared_thread_locals)};",
            f"const char *const irs_counter_texts[] = {{{texts}}};",
            '__asm__(".section .rodata\\n.globl irs_embedded\\n.balign 16\\nirs_embedded:\\n"',
            f'        ".incbin " {_c_string(_c_string(str(embedded)))} "\\n.byte 0\\n.text\\n");',
        ]
        lines += [f"extern const struct irs_cell irs_cell_{n};" for n in range(cells)]
        table = "".join(f"&irs_cell_{n}, " for n in range(cells)) + "0"
        lines.append(f"const struct irs_cell *const irs_cells[] = {{{table}}};")
        source = self.folder / "data.c"
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        flags = [*_OPTIMISED, "-std=gnu11", f"-I{RUNTIME}", "-c", str(source)]
        return self._compile(flags, self.folder / "data.o")

    def _compile(self, flags: list[str], output: Path) -> Path:
        command = [*self.compiler.command, *self.compiler.target(64), *flags, "-o", str(output)]
        self._run(command, "compile")
        return output

    def link(
        self,
        objects: list[Path],
        output: Path,
        more: Sequence[str] = (),
        libraries: Sequence[str] = (),
    ) -> None:
        """Zig's own driver knows the system's C library; any other clang is its own driver."""
        command = list(self.compiler.command)
        if self.compiler.library is not None:
            command[-1] = "cc"
        sources = [str(path) for path in sorted(RUNTIME.glob("*.c"))]
        if self.inline:
            sources.remove(str(RUNTIME / GATE))
        flags = ["-std=gnu11", "-O2", "-fno-sanitize=all", "-w", "-pthread"]
        output.parent.mkdir(parents=True, exist_ok=True)
        made = self.folder / "program"
        parts = [*more, *sources, *map(str, objects), *libraries, "-lm"]
        self._run([*command, *flags, *parts, "-o", str(made)], "link")
        try:
            write_whole(output, made.read_bytes(), executable=True)
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
                hint="name the file that defines it, or its library: -- -lNAME",
            )
        missing = next((found[1] for line in lines if (found := _NO_LIBRARY.search(line))), "")
        if missing:
            raise UserError(
                f"there is no library '{missing}' to link the program with",
                hint="install it, or say where it is: -- -L DIR",
            )
        first = lines[0] if lines else f"exit code {code}"
        tool = shlex.join(command[:2])
        raise UserError(f"{tool} could not {what} the program: {first}")


def write_whole(path: Path, data: bytes, executable: bool = False) -> None:
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
