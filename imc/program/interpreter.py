"""Runs a loaded program step by step: initial states, successors, who is blocked and why."""

from __future__ import annotations

from collections.abc import Callable

from imc.program.analysis.sharing import Sharing
from imc.program.code import Image
from imc.program.concrete import ConcreteDomain
from imc.program.domain import Domain
from imc.program.faults import Blocked, NeedChoice
from imc.program.machine import Machine, Outcome
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.state import State, Status


class Interpreter:
    """The transition relation of a program in a domain."""

    def __init__(
        self,
        program: Program,
        settings: Settings | None = None,
        domain: Domain | None = None,
        sharing: Sharing | None = None,
    ) -> None:
        self.program = program
        self.settings = settings or Settings()
        self.image = Image(
            program,
            domain or ConcreteDomain(),
            self.settings,
            sharing or Sharing(program),
        )

    def initial(self) -> list[Outcome]:
        """The program's possible starts, one for each input read before the first event."""

        def start(choices: tuple[int, ...]) -> Outcome:
            state = State()
            state.memory = self.image.variables.copy()
            return Machine(self.image, state, choices).start()

        return self._all_choices(start)

    def successors(self, state: State, thread: int) -> list[Outcome]:
        """What a thread's next step may lead to, for all choices of the environment."""
        if state.threads[thread].status is not Status.RUNNING:
            return []
        try:
            return self._all_choices(lambda choices: self.step(state, thread, choices))
        except Blocked:
            return []

    def step(self, state: State, thread: int, choices: tuple[int, ...] = ()) -> Outcome:
        """One step with given choices; raises Blocked or NeedChoice."""
        return Machine(self.image, state.copy(), choices).step(thread)

    def blocked(self, state: State, thread: int) -> Blocked | None:
        """Why a running thread cannot move, or None if it can."""
        try:
            self.step(state, thread)
        except Blocked as blocked:
            return blocked
        except NeedChoice:
            pass
        return None

    def _all_choices(self, run: Callable[[tuple[int, ...]], Outcome]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        work: list[tuple[int, ...]] = [()]
        while work:
            choices = work.pop()
            try:
                outcomes.append(run(choices))
            except NeedChoice as need:
                work.extend((*choices, k) for k in reversed(range(need.count)))
            except Blocked:
                if not choices:
                    raise
        return outcomes

    def thread_name(self, thread: int) -> str:
        return self.image.threads.names[thread]
