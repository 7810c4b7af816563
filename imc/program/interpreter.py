"""Runs a loaded program step by step: initial states, successors, who is blocked and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from imc.program.analysis.sharing import Sharing
from imc.program.assumptions import Assumption, assumed
from imc.program.code import Image
from imc.program.concrete import ConcreteDomain
from imc.program.domain import Domain
from imc.program.faults import Blocked, NeedChoice, OutOfTime
from imc.program.machine import Machine, Outcome
from imc.program.program import Program
from imc.program.settings import Settings
from imc.program.state import BlockedOn, State, Status


@dataclass(slots=True)
class Moves:
    """What can happen next in a state."""

    outcomes: list[Outcome] = field(default_factory=list)
    blocked: dict[int, Blocked] = field(default_factory=dict)  # running threads that cannot move


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

    def change_settings(self, settings: Settings) -> None:
        """Runs with other bounds from now on; bounds that were hit before are forgotten."""
        self.settings = self.image.settings = settings
        self.image.bounds.clear()

    def assumptions(self) -> list[Assumption]:
        """What a verdict about the steps that were taken rests on."""
        given = self.program.assumptions
        if self.image.domain.numeric:
            given = (*given, Assumption("address-layout"))
        return assumed(given, self.settings)

    def initial(self) -> list[Outcome]:
        """The program's possible starts, one for each input read before the first event."""

        def start(choices: tuple[int, ...]) -> Outcome:
            state = State()
            state.memory = self.image.variables.copy()
            return Machine(self.image, state, choices).start()

        return self._all_choices(start)

    def moves(self, state: State, postponed: bool = False) -> Moves:
        """Every step that is possible in a state, and why the other threads cannot move.

        A thread that is paused at an input goes first; `postponed` asks for what that leaves out.
        """
        moves = Moves()
        if state.exit_code is None:
            paused = sorted(t.id for t in state.threads.values() if t.paused)[:1]
            others = sorted(state.threads.keys() - paused)
            for number in others if postponed or not paused else paused:
                thread = state.threads[number]
                if thread.status is not Status.RUNNING:
                    continue
                if thread.obstacle is not None and persists(thread.obstacle, state):
                    moves.blocked[number] = thread.obstacle[0]
                    continue
                try:
                    moves.outcomes.extend(self.successors(state, number))
                except Blocked as blocked:
                    moves.blocked[number] = blocked.with_traceback(None)
                    thread.obstacle = obstacle(blocked, state)
        return moves

    def successors(self, state: State, thread: int) -> list[Outcome]:
        """What a running thread's next step may lead to, for all choices; raises Blocked."""
        return self._all_choices(lambda choices: self.step(state, thread, choices))

    def step(self, state: State, thread: int, choices: tuple[int, ...] = ()) -> Outcome:
        """One step with given choices; raises Blocked or NeedChoice."""
        return Machine(self.image, state.copy(), choices).step(thread)

    def _all_choices(self, run: Callable[[tuple[int, ...]], Outcome]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        blocked: Blocked | None = None
        work: list[tuple[int, ...]] = [()]
        while work:
            choices = work.pop()
            if len(outcomes) % 64 == 63 and self.image.out_of_time():
                raise OutOfTime
            try:
                outcomes.append(run(choices))
            except NeedChoice as need:
                work.extend((*choices, k) for k in reversed(range(need.count)))
            except Blocked as why:
                blocked = why
        if blocked is not None and not outcomes:
            raise blocked
        return outcomes

    def thread_name(self, thread: int) -> str:
        return self.image.threads.names[thread]


def obstacle(blocked: Blocked, state: State) -> BlockedOn | None:
    """What to look at before the thread is worth trying again."""
    if not blocked.stable:
        return None
    if isinstance(blocked.pointer, tuple):
        return (blocked, state.memory.get(blocked.pointer[0]))
    return (blocked, None) if blocked.holder is not None else None


def persists(obstacle: BlockedOn, state: State) -> bool:
    blocked, contents = obstacle
    if contents is not None and isinstance(blocked.pointer, tuple):
        return state.memory.get(blocked.pointer[0]) is contents
    if blocked.pointer is not None or blocked.holder is None:
        return False
    awaited = state.threads[blocked.holder]
    return awaited.status is not Status.DONE and not awaited.detached
