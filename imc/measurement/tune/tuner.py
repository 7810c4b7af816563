"""The search for a fast schedule, within a time that is given."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from imc.errors import UserError
from imc.execution.mode import ThreadMode, can_be_fibers, choose_mode
from imc.measurement.bench.bench import UNCONSTRAINED
from imc.measurement.bench.rounds import repeats, useful_sites
from imc.measurement.bench.samples import Failures
from imc.measurement.tune.arena import Arena
from imc.measurement.tune.candidate import Candidate, Refusal, Trial
from imc.measurement.tune.features import features
from imc.measurement.tune.model import Model
from imc.measurement.tune.room import Room, find_room
from imc.program.alarm import alarm
from imc.program.code import Site
from imc.program.faults import OutOfTime
from imc.program.program import Program
from imc.program.settings import Settings
from imc.schedule import compile
from imc.schedule.beliefs import Ambiguous
from imc.verifier.iteration import Verification
from imc.verifier.options import Until, VerifyOptions
from imc.verifier.result import Result
from irs.schedule import Schedule

INTERRUPTED, OVER = "interrupted", "the time is over"
LENGTHS = (2, 8, 32, 128, 512, 2048)  # rounds in a turn
HOPELESS = 0.5  # of the best ratio: what is expected to stay below is not measured
FALLING = 2  # longer turns in a row that are slower, before even longer ones are given up
FINALISTS = 3
TURNS = 3  # in which a candidate is measured at first
FINAL_TURNS, FINAL_LENGTH = 5, 2
FEWEST_TURNS = 2  # of a last comparison, which otherwise would say no more than is known
DECISION_S, DECISION_SHARE = 15.0, 3  # kept back for that, or so much of the time
STRONGEST_SHARE = 3  # of that, one part is for the program without a schedule
ROOM_S, ROOM_SHARE = 8.0, 6  # to find out how long turns can be, or so much of the time
NODES_PER_S = 2000  # that are verified and compiled, where all values are known
SHARE = 2  # of the time that is left, one part may go into one verification
FIRST_SHARE = 0.75  # of all the time, into the first one


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user asks for."""

    time_s: float = 60.0
    most_overhead: float | None = None  # stop when a schedule costs no more than this
    longest_wait_s: float | None = None  # that a thread may have
    mode: ThreadMode = ThreadMode.AUTO  # auto: as threads, and as fibers where that can be
    native: bool = True


@dataclass(slots=True)
class Tuning:
    """What came of it."""

    trials: list[Trial] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    best: Trial | None = None
    strongest: tuple[str, float] | None = None  # without a schedule: its name, and its rate
    plain_rate: float | None = None  # None: no run has completed
    plain_failures: Failures = field(default_factory=Failures)
    compared: int = 0  # schedules that have met in the end
    turns: int = 0  # in which that was, or in which the best one was measured
    endless: bool = True
    time_s: float = 0.0
    ended: str = ""  # why the search has stopped
    weights: list[float] | None = None


class Enough(Exception):
    """The time is over, or what was asked for has been found."""


class NotFound(Exception):
    """There is no schedule of a strategy, or none was found in time."""


MakeArena = Callable[[frozenset[Site], bool], Arena]


class Tuner:
    """Verifies and measures candidates; each tells which ones to try next."""

    def __init__(
        self,
        program: Program,
        wishes: Wishes,
        make_arena: MakeArena,
        progress: Callable[[str], None],
        told: Callable[[Trial], None] = lambda _: None,
    ) -> None:
        self.program = program
        self.wishes = wishes
        self.progress = progress
        self.told = told
        self.result = Tuning()
        self._make_arena = make_arena
        self._arena: Arena
        self._useful: frozenset[Site] = frozenset()
        self._model = Model()
        self._results: dict[str, tuple[Verification, Result]] = {}
        self._start = time.monotonic()

    def run(self) -> Tuning:
        result = self.result
        try:
            try:
                with alarm(self.wishes.time_s - self._elapsed()):
                    self._search()
                    result.ended = "nothing better is in sight"
            except Enough as why:
                result.ended = str(why)
            except OutOfTime:
                result.ended = OVER
            if self._ranked():
                self._decide()
        except KeyboardInterrupt:
            result.ended = INTERRUPTED
        if self._ranked():
            self._conclude()
        result.weights = self._model.weights
        result.time_s = self._elapsed()
        return result

    # ------------------------------------------------------------ what is tried

    def _search(self) -> None:
        first = self._try(Candidate())
        if first is None:
            raise UserError(
                f"no schedule was found: {self.result.refusals[0].why}",
                hint="a longer --time-limit",
            )
        self._longer_turns()
        self._other_orders()
        for trial in self._ranked()[:FINALISTS]:
            self._try(Candidate(trial.candidate.strategy, "opt2"))

    def _longer_turns(self) -> None:
        """More rounds in a turn, for as long as that pays."""
        self.progress("looking how long turns can be")
        room = find_room(self.program, LENGTHS[-1], min(ROOM_S, self._left() / ROOM_SHARE))
        falling, best = 0, self._best().rate
        before: Trial | None = None
        grouped = [1] if self._best().features.threads > 2 else []
        for runs in (*grouped, *(LENGTHS if room is None else _lengths(room))):
            if before is not None and self._takes_too_long(before, runs / _runs(before)):
                return
            trial = self._try(Candidate(f"long-runs:{runs}"))
            if trial is None:
                return
            falling = 0 if trial.rate > best else falling + 1
            if falling == FALLING:
                return
            best, before = max(best, trial.rate), trial

    def _takes_too_long(self, trial: Trial, times: float) -> bool:
        """Whether a schedule that is so many times as long could not be found in time."""
        return min(trial.verified_s, trial.nodes / NODES_PER_S) * times > self._left() / SHARE

    def _other_orders(self) -> None:
        """Fewer threads at a time, or all of a kind after each other."""
        best = self._best()
        if best.features.threads <= 2:
            return
        runs = _runs(best)
        for order in ("ungrouped", "reversed"):
            self._try(Candidate(f"long-runs:{runs},{order}"))
        for times in (16, 64):
            if not self._takes_too_long(best, times):
                self._try(Candidate(f"long-runs:{runs},repeats={times}"))

    # -------------------------------------------------------------- one of them

    def _try(self, candidate: Candidate) -> Trial | None:
        """The candidate in all modes; the fastest of them, None if there is none."""
        known = [t for t in self.result.trials if t.candidate.strategy == candidate.strategy]
        known = [t for t in known if t.candidate.level == candidate.level]
        if known:
            return max(known, key=lambda t: t.rate)
        trial = self._verified(candidate)
        if trial is None:
            return None
        trials = [
            replace(trial, candidate=replace(candidate, mode=str(mode)), ratios=[], rates=[])
            for mode in self._modes(trial.schedule)
        ]
        for own in trials:
            self._measured(own)
        return max(trials, key=lambda t: t.rate)

    def _modes(self, schedule: Schedule) -> list[ThreadMode]:
        """How threads can be run under a schedule, of what is asked for."""
        wanted, native = self.wishes.mode, self.wishes.native
        if wanted is not ThreadMode.AUTO:
            choose_mode(self.program, schedule, wanted, native)  # may refuse it
            return [wanted]
        fibers = can_be_fibers(self.program, schedule, native)
        return [ThreadMode.THREADS, ThreadMode.FIBERS] if fibers else [ThreadMode.THREADS]

    def _verified(self, candidate: Candidate) -> Trial | None:
        began = time.monotonic()
        try:
            with alarm(self._left()):
                verification, result = self._result(candidate.strategy)
                self.progress(f"compiling: {candidate.name}")
                schedule = compile(verification, result, candidate.level).schedule
        except OutOfTime:
            self._refuse(candidate, "there was no time to compile it", began)
            raise Enough(OVER) from None
        except (NotFound, Ambiguous) as problem:
            self._refuse(candidate, str(problem), began)
            return None
        spent = time.monotonic() - began
        if not self._useful:
            self._prepare(frozenset(useful_sites(schedule)), repeats(schedule))
        found = features(schedule, self._useful)
        return Trial(candidate, schedule, result.nodes, spent, found)

    def _refuse(self, candidate: Candidate, why: str, began: float) -> None:
        self.result.refusals.append(Refusal(candidate, why, time.monotonic() - began))

    def _result(self, strategy: str) -> tuple[Verification, Result]:
        """The first result of a strategy; raises `NotFound`."""
        left = self._left()
        if strategy not in self._results:
            self.progress(f"verifying: {strategy}")
            chosen = VerifyOptions(
                until=Until.FIRST,
                time_s=left / SHARE if self._results else left * FIRST_SHARE,
                strategy=strategy,
                progress=lambda text: self.progress(f"verifying: {strategy}: {text}"),
            )
            verification = Verification(self.program, Settings(), chosen)
            result = next((r for r in verification if r.schedule is not None), None)
            if result is None:
                outcome = verification.outcome
                raise NotFound(outcome.reason or str(outcome.verdict))
            self._results[strategy] = verification, result
        return self._results[strategy]

    def _prepare(self, useful: frozenset[Site], endless: bool) -> None:
        self._useful = useful
        self.result.endless = endless
        self.progress(f"building: {UNCONSTRAINED}")
        self._arena = self._make_arena(useful, endless)

    def _measured(self, trial: Trial) -> None:
        """Measures a trial, unless what is known speaks against it."""
        vector = trial.features.vector(trial.candidate.mode == ThreadMode.FIBERS)
        expected = self._model.predict(vector)
        if self._ranked():
            self._left(self._arena.building_s + self._arena.turn_s([trial]))
        self.result.trials.append(trial)
        if expected is not None and expected < HOPELESS * self._best().rate:
            trial.predicted = expected / (self._arena.plain_rate or 1.0)
        else:
            self.progress(f"building: {trial.candidate.name}")
            self._arena.measure([trial], TURNS, deadline=self._end_of_search())
            self._model.learn(vector, trial.rate)
        self.told(trial)
        most = self.wishes.most_overhead
        if most is not None and trial.ratios and self._allowed(trial) and trial.ratio >= 1 - most:
            raise Enough(f"an overhead of at most {100 * most:g} % was found")

    # ------------------------------------------------------------------ the end

    def _decide(self) -> None:
        """The best ones once more, for longer, side by side, as far as there is time."""
        arena, end = self._arena, self._start + self.wishes.time_s
        finalists = self._ranked()[:FINALISTS]
        now = time.monotonic()
        until = end - (end - now) / STRONGEST_SHARE
        longer = self._affordable(finalists, until - now)
        if longer:
            before = [(trial, list(trial.rates)) for trial in finalists]
            arena.forget(finalists)
            try:
                self.result.turns = arena.measure(finalists, FINAL_TURNS, longer, until)
            except KeyboardInterrupt:
                for trial, rates in before:
                    trial.rates[:] = rates
                raise
            self.result.compared = len(finalists)
            self.result.best = self._best(finalists)
        self.result.strongest = arena.strongest(TURNS, max(longer, 1), end)

    def _affordable(self, finalists: list[Trial], left: float) -> int:
        """How many samples long their turns can be; 0: too little would come of it."""
        for longer, turns in ((FINAL_LENGTH, TURNS), (1, FEWEST_TURNS)):
            if turns * self._arena.turn_s(finalists, longer) <= left:
                return longer
        return 0

    def _conclude(self) -> None:
        result = self.result
        if result.best is None:
            result.best = self._best(self._ranked())
            result.turns = len(result.best.rates)
        result.plain_rate = self._arena.plain_rate
        result.plain_failures = self._arena.plain_failures

    def _ranked(self) -> list[Trial]:
        measured = [t for t in self.result.trials if t.rates]
        return sorted(measured, key=lambda t: (self._allowed(t), t.rate), reverse=True)

    def _best(self, among: list[Trial] | None = None) -> Trial:
        trials = self.result.trials if among is None else among
        return max(trials, key=lambda t: (self._allowed(t), t.rate))

    def _allowed(self, trial: Trial) -> bool:
        longest = self.wishes.longest_wait_s
        return longest is None or trial.longest_wait_s <= longest

    def _elapsed(self) -> float:
        return time.monotonic() - self._start

    def _end_of_search(self) -> float:
        """What comes after is kept back for the decision; without a schedule there is none."""
        limit = self.wishes.time_s
        kept = min(limit / DECISION_SHARE, DECISION_S) if self._ranked() else 0.0
        return self._start + limit - kept

    def _left(self, needed: float = 0.0) -> float:
        """Seconds for the search; raises `Enough` where they are not enough."""
        left = self._end_of_search() - time.monotonic()
        if left <= needed:
            raise Enough(OVER)
        return left


def _lengths(room: Room) -> list[int]:
    """Where turns leave nothing over, numbers come back, which is the quickest to verify."""
    return sorted({LENGTHS[0], room.share, room.rounds} - {1})


def _runs(trial: Trial) -> int:
    """Rounds in a turn; once, if the strategy knows of no turns."""
    _, _, runs = trial.candidate.strategy.partition(":")
    return int(runs or 1)
