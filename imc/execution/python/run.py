"""One run of a program: its threads, the gate they pass, and how it ends."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock
from typing import NoReturn

from imc.execution.python.failure import error_text, status_of
from imc.execution.python.fibers import Fibers
from imc.execution.python.gates import Gates
from imc.execution.python.in_place import InPlaceMachine
from imc.execution.python.inputs import Inputs
from imc.execution.python.waiting import Waiting
from imc.execution.python.worker import Worker
from imc.execution.run_result import RunResult
from imc.program.analysis.sharing import Sharing
from imc.program.code import Site
from imc.program.concrete import ConcreteDomain
from imc.program.deadlock import deadlock
from imc.program.faults import Blocked, FaultRaised, NeedChoice
from imc.program.interpreter import Interpreter
from imc.program.machine import Machine
from imc.program.program import Program
from imc.program.settings import Settings, Wakeups
from imc.program.state import State, Thread
from irs.errors import Stalled, Stopped
from irs.gate import Choose, Gate
from irs.parking import HandOverParking, lock_parking
from irs.passage import Passage
from irs.permission import Told
from irs.plan import Plan
from irs.record import Recorder
from irs.schedule import Guard
from irs.watchdog import Watchdog

JOIN_S = 1.0  # for threads of a run that has been stopped
MOST_THREADS, MOST_FRAMES = 128, 20_000


class RunOver(Exception):
    """The program has ended."""


@dataclass(slots=True)
class PythonOptions:
    """How a program is run."""

    arguments: tuple[str, ...] = ()
    time_limit: float | None = None
    stall_s: float = 10.0  # 0: never
    choose: Choose | None = None
    useful: frozenset[Site] = frozenset()  # whose events are counted as rounds of their threads
    on_stall: Callable[[tuple[str, ...]], None] | None = None  # told who waits while others compute
    fibers: bool = False  # all threads in one of Python's; only under a schedule
    on_start: Callable[[PythonRun], None] | None = (
        None  # is given the run, before its first thread is
    )
    told: Told | None = None  # of what the gate permits


class Runner:
    """Runs one program again and again; what is the same for all runs is found out once."""

    def __init__(self, program: Program, plan: Plan | None, options: PythonOptions) -> None:
        self.program = program
        self.plan = plan
        self.options = options
        self._sharing = Sharing(program)

    def run(
        self,
        inputs: Inputs,
        put_out: Callable[[bytes, str], None],
        recorder: Recorder | None = None,
    ) -> RunResult:
        """One run, to its end or to the time limit."""
        settings = Settings(
            arguments=self.options.arguments,
            wakeups=Wakeups.SIGNALLED,  # waiting is done by us
            in_turn=self.plan is not None,
            thread_limit=MOST_THREADS,
            stack_limit=MOST_FRAMES,
        )
        interpreter = Interpreter(self.program, settings, ConcreteDomain(), self._sharing)
        if self.plan is not None:
            interpreter.image.threads.seed(self.plan.threads)  # signals wake by their numbers
        run = PythonRun(interpreter, self.plan, self.options, inputs, put_out, recorder)
        return run.complete()


class PythonRun:
    """A program on its way. The first reason to stop is the one that counts."""

    def __init__(
        self,
        interpreter: Interpreter,
        plan: Plan | None,
        options: PythonOptions,
        inputs: Inputs,
        put_out: Callable[[bytes, str], None],
        recorder: Recorder | None,
    ) -> None:
        self.image = interpreter.image
        self.options = options
        self.inputs = inputs
        self.put_out = put_out
        self.state = State()
        self.state.memory = {n: contents.copy() for n, contents in self.image.variables.items()}
        self.fibers = Fibers(self._nobody_can_go_on) if options.fibers and plan else None
        self.waiting = Waiting(self._turn if self.fibers else lock_parking)
        self.workers: list[Worker] = []
        self.stuck: list[str] = []  # threads that an assumption has stopped
        self.blocked: list[str] = []  # threads that wait where the schedule ends
        self.opened = False
        self.result = RunResult()
        self.gate: Gate | None = None
        self.gates: Gates | None = None
        if plan is not None:
            self.gates = Gates(self.image, plan, self.waiting.lock)
            parking = self._scheduled_turn if self.fibers else lock_parking
            self.gate = Gate(plan, self, recorder, options.choose, options.told, parking)
        self._lock = Lock()
        self._living = 0
        self._stopped: Exception | None = None
        self._over = Event()
        self._told_of: object = None  # where it was said that nothing moves

    # ------------------------------------------------------------ beginning and end

    def complete(self) -> RunResult:
        """Runs the program until it ends or has to be stopped."""
        started = time.perf_counter()
        machine = self._machine()
        if self.options.on_start is not None:
            self.options.on_start(self)
        with Watchdog(self.options.stall_s, self._progress, self._stalled):
            try:
                self._begin(Worker(self, machine, machine.main_thread(), "main"))
                in_time = self._over.wait(self.options.time_limit)
                self.result.out_of_time = not in_time
                self._end(RunOver("the time is up"))
            except BaseException as interrupt:
                self._end(RunOver(interrupt))
                raise
            finally:
                self._collect(time.perf_counter() - started)
        return self.result

    def _collect(self, time_s: float) -> None:
        deadline = time.monotonic() + JOIN_S
        threads = [worker.python for worker in self.workers]
        if self.fibers is not None:
            threads = [self.fibers.python]
        for thread in threads:
            thread.join(max(deadline - time.monotonic(), 0.01))
        result = self.result
        result.time_s = time_s
        result.stuck = self.stuck
        result.fibers = self.fibers is not None
        result.events = {worker.name: worker.events for worker in self.workers}
        result.rounds = {worker.name: worker.rounds for worker in self.workers if worker.rounds}
        if self.gate is not None:
            result.gated, result.sections = sum(self.gate.done), self.gate.sections

    def _machine(self) -> InPlaceMachine:
        return InPlaceMachine(
            self.image, self.state, self.inputs, self.waiting.lock, self.put_out, self.check_stop
        )

    def _turn(self, thread: int) -> HandOverParking:
        assert self.fibers is not None
        return self.fibers.turn(self.image.threads.names[thread])

    def _scheduled_turn(self, thread: int) -> HandOverParking:
        assert self.fibers is not None and self.gates is not None
        return self.fibers.turn(self.gates.plan.threads[thread])

    def begin(self, thread: Thread) -> None:
        """Lets a new thread run."""
        self._begin(Worker(self, self._machine(), thread, self.image.threads.names[thread.id]))

    def _begin(self, worker: Worker) -> None:
        with self._lock:
            if self._stopped is not None:
                return
            self.workers.append(worker)
            self._living += 1
        worker.start()

    def leave(self, worker: Worker) -> None:
        """A thread is not running any more; without threads the program is over."""
        with self._lock:
            self._living -= 1
            over = not self._living
        if over:
            if self.blocked and not self.stuck:
                self.stop(Stalled(0, tuple(self.blocked)))
            self._end(RunOver())
        else:
            with self.waiting.lock:
                self.check_deadlock()

    # ------------------------------------------------------------- reasons to stop

    def exit(self, status: int) -> NoReturn:
        """The program ends as a whole."""
        self._finish(status)
        raise Stopped

    def fail(self, worker: Worker, fault: FaultRaised) -> None:
        """The program has done something wrong, and dies of it."""
        frames = worker.machine.frames
        function = frames[-1].code.function.name if frames else worker.name
        loc = worker.machine.place()
        self._finish(status_of(fault), error_text(self.image.program.name, function, loc, fault))

    def _finish(self, status: int, error: str = "") -> None:
        with self._lock:
            if self._stopped is None:
                self.result.exit_status, self.result.error = status, error
        self._end(RunOver())

    def stop(self, problem: Exception) -> None:
        """The run cannot go on, for a reason that is not the program's own."""
        with self._lock:
            if self._stopped is None:
                self.result.problem = problem
        self._end(problem)

    def _end(self, reason: Exception) -> None:
        with self._lock:
            if self._stopped is not None:
                return
            self._stopped = reason
        if self.gate is not None:
            self.gate.halt(reason)
        self.waiting.stop(reason)
        self._over.set()

    def check_stop(self) -> None:
        if self._stopped is not None:
            raise Stopped from self._stopped

    def open(self) -> None:
        """Nothing is ordered any more."""
        with self._lock:
            if not self.opened and self.gates is not None:
                self.gates.open()
                self.opened = True

    # ---------------------------------------------------------- what the gate asks

    def value(self, place: Guard) -> object:
        """The number in a variable or register."""
        match place:
            case ("memory", *name, int(offset)):
                number = self.image.objects.find(tuple(name))
                contents = None if number is None else self.state.memory.get(number)
                if contents is not None:
                    return contents.cells.get(offset, (0, 0))[1]
            case ("register", str(thread), int(depth), str(function), int(register)):
                names = self.image.threads.names
                found = self.state.threads.get(names.index(thread)) if thread in names else None
                if found is not None and depth < len(found.frames):
                    frame = found.frames[depth]
                    if frame.code.function.name == function:
                        return frame.regs[register]
        return None

    def is_blocked(self, thread: int) -> bool:
        """Whether a thread of the schedule could not do its next event."""
        assert self.gates is not None
        number = self.image.threads.names.index(self.gates.plan.threads[thread])
        try:
            Machine(self.image, self.state.copy()).step(number)
        except Blocked:
            return True
        except NeedChoice:
            pass
        return False

    # ---------------------------------------------------------------------- stalls

    def _progress(self) -> object:
        gated = sum(self.gate.done) if self.gate is not None else 0
        return gated, sum(worker.free_events for worker in self.workers)

    def check_deadlock(self) -> None:
        """All threads wait for each other; called under the lock of those who wait."""
        blocked = self.waiting.reasons()
        if blocked and len(blocked) == self._living:
            if self.stuck:  # they wait for a thread that an assumption has stopped
                self._end(RunOver())
                return
            fault = deadlock(self.image, self.state, blocked, [])
            self.stop(Stalled(0, (fault.message, *fault.details)))

    def _nobody_can_go_on(self) -> None:
        """All fibers wait, and no other thread is there to change that."""
        if self.stuck and not any(passage.awaits for passage in self._passages()):
            self._end(RunOver())
        self.stop(Stalled(0, tuple(self._who_waits())))

    def _passages(self) -> list[Passage]:
        return self.gate.passages if self.gate is not None else []

    def _who_waits(self) -> list[str]:
        blocked = self.waiting.reasons()
        lines = list(self.gate.report()) if self.gate is not None else []
        if blocked:
            lines += deadlock(self.image, self.state, blocked, []).details
        return lines

    def _stalled(self) -> None:
        lines = self._who_waits()
        computing = self._living - len(lines)
        if not lines:
            return
        if computing > 0:
            stands = self._progress()
            if self.options.on_stall is not None and stands != self._told_of:
                self.options.on_stall(tuple(lines))
            self._told_of = stands
            return
        self.stop(Stalled(self.options.stall_s, tuple(lines)))
