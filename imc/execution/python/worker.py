"""One thread of a running program."""

from __future__ import annotations

from threading import Thread as PythonThread
from typing import TYPE_CHECKING, NoReturn

from imc.execution.python.in_place import InPlaceMachine
from imc.execution.python.inputs import NoInputLeft
from imc.execution.run_result import NotEnough
from imc.program.faults import Blocked, FaultRaised, StuckForever, TooManyThreads
from imc.program.instructions import Instruction, Library
from imc.program.state import Frame, Status, Thread
from irs.errors import Deviation, Finished, Stopped
from irs.parking import HandOver
from irs.passage import UNKNOWN, Passage
from irs.plan import site_text

if TYPE_CHECKING:
    from imc.execution.python.run import PythonRun


class Worker:
    """Executes a thread of the model, through the gate if there is one.

    It has a thread of Python's for itself, or is a fiber. A fiber that has to wait raises HandOver
    out of whatever it does and does it again when it goes on; up to there nothing has happened.
    """

    def __init__(self, run: PythonRun, machine: InPlaceMachine, thread: Thread, name: str) -> None:
        self.run = run
        self.name = name
        self.thread = thread
        self.machine = machine
        self.waiting = run.waiting
        self.passage: Passage | None = None
        self.useful = run.options.useful
        self.rounds = 0  # events at useful sites
        self.free_events = 0  # where there is no gate, or where it is open for ever
        self.python = PythonThread(target=self.live, name=name, daemon=True)
        self._computes = True  # whether what it does next needs no gate
        machine.take(thread)
        machine.settle = self._settle
        machine.watched = run.waiting.parked

    @property
    def events(self) -> int:
        """Events so far; under a schedule those that its sections list, left out or not."""
        return self.free_events + (self.passage.listed if self.passage is not None else 0)

    def start(self) -> None:
        if self.run.gate is not None:
            number = self.run.gate.plan.thread(self.name)
            self.passage = None if number is None else self.run.gate.passages[number]
        if self.run.fibers is not None:
            self.run.fibers.add(self)
        else:
            self.python.start()

    # --------------------------------------------------------------------- a life

    def live(self) -> bool:
        """Runs the thread to its end; False: it is a fiber that has to wait."""
        run, thread = self.run, self.thread
        over = True
        if self.passage is not None:
            self.passage.at = self.passage.awaits = None
        try:
            if self._computes:
                self._compute()
            while thread.status is Status.RUNNING and not self.machine.exits:
                self._computes = False
                if self._step():
                    self._computes = True
                    self._compute()
            if self.machine.exits:
                run.exit(run.state.exit_code or 0)
            if self.passage is not None:
                self.passage.end()
            self.waiting.ended(thread.id)
        except StuckForever as stuck:
            self._stick(stuck)
        except FaultRaised as fault:
            run.fail(self, fault)
        except NoInputLeft:
            place = self.machine.place()
            run.stop(NotEnough(f"the inputs are used up: {self.name} asks for one more at {place}"))
        except Deviation as problem:
            run.stop(problem)
        except TooManyThreads as problem:
            run.stop(NotEnough(str(problem)))
        except Finished:
            run.blocked.append(f"{self.name} at {self.machine.place()} can never go on")
        except Stopped:
            pass
        except HandOver:
            over = False
        except BaseException as error:  # an error of ours, or a stream that cannot be written
            run.stop(error if isinstance(error, Exception) else Stopped(error))
        finally:
            if over:
                run.leave(self)
        return over

    def _stick(self, stuck: StuckForever) -> None:
        if stuck.bounded:
            self.run.stop(NotEnough(f"{self.name}: {stuck.reason}"))
            return
        self.thread.status, self.thread.reason = Status.STUCK, stuck.reason
        self.run.stuck.append(f"{self.name}: {stuck.reason}")
        try:
            if self.passage is not None:
                self.passage.end(stopped=True)
        except Deviation as problem:
            self.run.stop(problem)

    def _compute(self) -> None:
        """Runs what needs no gate, up to the next event that does, or to the thread's end."""
        while True:
            try:
                self.machine.run()
            except Blocked:  # at an event that asks nobody
                if not self._perform(self.machine.frames[-1]):
                    continue
            else:
                if not self._is_inside_free_event():
                    return

    def _is_inside_free_event(self) -> bool:
        """Whether the thread has stopped between the phases of an event that asks nobody."""
        frames, gates = self.machine.frames, self.run.gates
        if not frames or not frames[-1].phase or gates is None or self.run.opened:
            return False
        site = gates.sites[frames[-1].code].get(frames[-1].pc, UNKNOWN)
        return site != UNKNOWN and gates.plan.sites[site].action == "free"

    # -------------------------------------------------------------------- an event

    def _step(self) -> bool:
        """The event that the thread stands at; whether local instructions follow."""
        frame = self.machine.frames[-1]
        useful = self.useful and (frame.code.function.name, frame.pc) in self.useful
        gates = self.run.gates
        if gates is None or self.run.opened:
            self.rounds += bool(useful)
            self.free_events += 1
            return self._perform(frame)
        passage = self.passage
        site = gates.sites[frame.code][frame.pc]
        if passage is None:
            self._refuse(site)
        if not passage.enter(site):
            self.run.open()
            return self._step()
        if gates.passes[site]:
            gates.leave_out(frame)
            more = True
        else:
            more = self._perform_gated(frame, passage, site)
        passage.leave()
        if useful:
            self.rounds += 1
        return more

    def _perform_gated(self, frame: Frame, passage: Passage, site: int) -> bool:
        """Does the event whose turn it is: the schedule promises that it need not wait."""
        assert self.run.gates is not None
        if self.run.gates.singles[site]:
            return self.machine.operate(frame)
        while True:
            with self.waiting.lock:
                try:
                    more = self._operate(frame)
                    self._settle()
                    return more
                except Blocked as why:
                    if why.what != "end of thread":  # it may still be on its last local steps
                        self._deviate(passage, site, why)
                    bell = self.waiting.park(self.thread.id, why)
            self.waiting.sleep(bell)

    def _refuse(self, site: int) -> NoReturn:
        """The schedule does not know this thread."""
        assert self.run.gates is not None
        event = site_text(self.run.gates.plan.sites[site]) if site >= 0 else "an unknown event"
        raise Deviation(self.name, event, None, ("only threads that the schedule knows",))

    def _deviate(self, passage: Passage, site: int, why: Blocked) -> NoReturn:
        event = f"{site_text(passage.gate.plan.sites[site])} has to wait for a {why.what}"
        raise Deviation(self.name, event, passage.section, ("an event that need not wait",))

    def _perform(self, frame: Frame) -> bool:
        """Does an event that asks nobody, as soon as it can be done."""
        while True:
            self.run.check_stop()
            with self.waiting.lock:
                try:
                    more = self._operate(frame)
                    self._settle()
                    break
                except Blocked as why:
                    self.machine.undo_atomic()
                    frame = self.machine.frames[-1]
                    bell = self.waiting.park(self.thread.id, why)
                    self.run.check_deadlock()
            self.waiting.sleep(bell)
        return more

    def _operate(self, frame: Frame) -> bool:
        """The operation; an atomic section is done to its end, or has not begun."""
        machine = self.machine
        if not _begins_atomic(frame.code.function.code[frame.pc]):
            return machine.operate(frame)
        machine.begin_atomic()
        machine.operate(frame)
        try:
            machine.run()
        except Blocked:
            if machine.atomic:
                raise
            machine.end_atomic()
            return True  # it has come through, to an event behind it that asks nobody
        machine.end_atomic()
        return False

    def _settle(self) -> None:
        """Wakes who waits for what the operation has changed, and lets new threads run."""
        machine = self.machine
        if machine.touched:
            self.waiting.changed(machine.touched)
            machine.touched.clear()
        if machine.started:
            for child in machine.started:
                self.run.begin(child)
            machine.started.clear()


def _begins_atomic(instruction: Instruction) -> bool:
    return isinstance(instruction, Library) and instruction.function == "atomic_begin"
