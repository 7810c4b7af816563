"""An executable, made as it is asked for: with the gates of a schedule, or without any."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from imc.errors import UserError
from imc.execution.mode import Chosen, ThreadMode, choose_mode
from imc.execution.native.build import BuildOptions, Built, build
from imc.frontend.clang import CompilerOptions
from imc.program.program import Program
from imc.program.words.sites import site_text
from irs.schedule import Schedule

NOT_EXECUTABLE = (".c", ".h", ".i", ".ll", ".json")


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """What is asked for: an executable that keeps to a schedule, or an unconstrained one.

    Raises `UserError` where that cannot be meant.
    """

    output: Path
    schedule: Schedule | None = None
    unconstrained: bool = False  # no gates: threads run freely
    embed: bool = False  # the schedule becomes part of the executable
    count: tuple[int, ...] = ()  # lines whose events are counted
    calls: bool = False  # gates are called instead of inlined
    mode: ThreadMode = ThreadMode.AUTO
    cc: str | None = None  # the clang
    inputs: tuple[int, ...] = ()  # that it reads, unless IRS_INPUT says otherwise
    debug: bool = False  # for debuggers, not for speed

    def __post_init__(self) -> None:
        if (self.schedule is None) != self.unconstrained:
            raise UserError("one of --schedule FILE, --replay FILE and --unconstrained is needed")
        if self.output.suffix in NOT_EXECUTABLE:
            raise UserError(
                f"'{self.output}' looks like a source, not like an executable to be written"
            )


@dataclass(frozen=True, slots=True)
class Executable:
    """What was made, and how its threads will be run."""

    built: Built
    mode: Chosen

    @property
    def path(self) -> Path:
        return self.built.executable


def build_executable(program: Program, request: BuildRequest) -> Executable:
    """Compiles and links; raises `UserError` where the request cannot be met."""
    mode = choose_mode(program, request.schedule, request.mode)
    options = BuildOptions(
        CompilerOptions(cc=request.cc),
        request.embed,
        not request.calls,
        request.count,
        fibers=mode.fibers,
        demanded=mode.demanded,
        inputs=request.inputs,
        debug=request.debug,
    )
    return Executable(build(program, request.schedule, request.output, site_text, options), mode)
