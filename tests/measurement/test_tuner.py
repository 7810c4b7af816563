"""The search for a fast schedule, with an arena in which speed is what a formula says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from patience import HANG_S

import imc.api
from imc.errors import UserError
from imc.measurement.bench.samples import Failures
from imc.measurement.tune import tuner
from imc.measurement.tune.arena import Arena
from imc.measurement.tune.candidate import Trial
from imc.measurement.tune.tuner import Tuner, Tuning, Wishes
from imc.program.code import Site
from imc.program.program import Program

EXAMPLES = Path(__file__).parents[2] / "examples"
Speed = Callable[[Trial], float]
LONG_S = 10.0 * HANG_S  # no test ends for lack of time


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found does not depend on the machine, and turns that never end do not last long."""
    monkeypatch.setattr(tuner, "ROOM_S", HANG_S)
    monkeypatch.setattr(tuner, "LENGTHS", (2, 8, 32, 128))


class Formula(Arena):
    """Measures nothing."""

    def __init__(self, speed: Speed, waits: Speed = lambda _: 0.0) -> None:
        self.speed, self.waits = speed, waits
        self.measured: list[str] = []

    building_s = 0.0

    def turn_s(self, trials: Sequence[Trial], longer: int = 1) -> float:
        return 0.0

    def measure(
        self,
        trials: Sequence[Trial],
        turns: int,
        longer: int = 1,
        deadline: float | None = None,
    ) -> int:
        for trial in trials:
            self.measured.append(trial.candidate.name)
            trial.rates = trial.ratios = [self.speed(trial)] * turns
            trial.longest_wait_s = self.waits(trial)
        return turns

    def forget(self, trials: Sequence[Trial]) -> None: ...

    def strongest(
        self, turns: int, longer: int, deadline: float | None = None
    ) -> tuple[str, float] | None:
        return "spin locks", 2.0

    @property
    def plain_rate(self) -> float | None:
        return 1.0

    @property
    def plain_failures(self) -> Failures:
        return Failures()


def load(name: str, *defines: str) -> Program:
    return imc.api.load(EXAMPLES / f"{name}.c", define=defines)


def tuned(program: Program, arena: Arena, wishes: Wishes | None = None) -> Tuning:
    def make(useful: frozenset[Site], endless: bool) -> Arena:
        return arena

    return Tuner(program, wishes or Wishes(LONG_S), make, lambda _: None).run()


def few_hand_overs(trial: Trial) -> float:
    return 1 / trial.features.hand_overs


def test_turns_grow_as_far_as_there_is_room() -> None:
    tuning = tuned(load("prodcons", "SLOTS=5"), Formula(few_hand_overs))
    assert tuning.best is not None and tuning.best.candidate.strategy == "long-runs:5"
    tried = {t.candidate.strategy for t in tuning.trials}
    assert tried == {"round-robin", "long-runs:2", "long-runs:5"}


def test_threads_of_a_kind_share_the_room() -> None:
    program = load("prodcons", "SLOTS=8", "PRODUCERS=2", "CONSUMERS=2")
    tuning = tuned(program, Formula(few_hand_overs))
    tried = {t.candidate.strategy for t in tuning.trials}
    assert {"long-runs:1", "long-runs:2", "long-runs:4", "long-runs:8"} <= tried


def test_the_order_of_threads_is_tried_both_ways() -> None:
    def speed(trial: Trial) -> float:
        return 2.0 if trial.candidate.strategy == "long-runs:1,reversed" else 1.0

    tuning = tuned(load("filesystem"), Formula(speed))
    assert tuning.best is not None and tuning.best.candidate.strategy == "long-runs:1,reversed"


def test_turns_stay_short_where_long_ones_are_slow() -> None:
    arena = Formula(lambda trial: trial.features.hand_overs)
    tuning = tuned(load("double_lock"), arena)
    assert tuning.best is not None and tuning.best.candidate.name == "round-robin"
    assert "long-runs:32" not in arena.measured


def test_few_threads_at_a_time_are_tried() -> None:
    def speed(trial: Trial) -> float:
        return few_hand_overs(trial) * (3 if "repeats=16" in trial.candidate.strategy else 1)

    program = load("prodcons", "PRODUCERS=2", "CONSUMERS=2", "SLOTS=1")
    tuning = tuned(program, Formula(speed))
    assert tuning.best is not None
    assert tuning.best.candidate.strategy == "long-runs:1,repeats=16"


def test_what_is_hopeless_is_not_measured() -> None:
    arena = Formula(lambda trial: few_hand_overs(trial) ** 3)
    tuning = tuned(load("prodcons", "SLOTS=5"), arena)
    left_out = [t for t in tuning.trials if not t.ratios]
    assert left_out and all(t.predicted is not None for t in left_out)
    assert not {t.candidate.name for t in left_out} & set(arena.measured)


def test_it_stops_when_the_overhead_is_small_enough() -> None:
    tuning = tuned(load("prodcons"), Formula(few_hand_overs), Wishes(LONG_S, most_overhead=0.1))
    assert [t.candidate.name for t in tuning.trials] == ["round-robin"]
    assert tuning.ended == "an overhead of at most 10 % was found"


def test_waits_that_are_too_long_are_not_chosen() -> None:
    arena = Formula(few_hand_overs, waits=lambda trial: 1 / trial.features.hand_overs)
    tuning = tuned(load("prodcons", "SLOTS=5"), arena, Wishes(LONG_S, longest_wait_s=2.2))
    assert tuning.best is not None and tuning.best.candidate.strategy == "long-runs:2"


class Slow(Formula):
    """Each sample takes so many seconds of a clock that nothing else moves."""

    def __init__(self, speed: Speed, sample_s: float) -> None:
        super().__init__(speed)
        self.sample_s, self.now, self.turns = sample_s, 0.0, 0

    def turn_s(self, trials: Sequence[Trial], longer: int = 1) -> float:
        return self.sample_s * (len(trials) + 1) * longer

    def measure(
        self,
        trials: Sequence[Trial],
        turns: int,
        longer: int = 1,
        deadline: float | None = None,
    ) -> int:
        done = 0
        turn_s = self.turn_s(trials, longer)
        while done < turns and not (done and deadline and self.now + turn_s > deadline):
            self.now += turn_s
            done += 1
        return super().measure(trials, done, longer)

    def strongest(
        self, turns: int, longer: int, deadline: float | None = None
    ) -> tuple[str, float] | None:
        return None


def tuned_within(limit: float, sample_s: float, patch: pytest.MonkeyPatch) -> tuple[Tuning, float]:
    """What came of it, and when it was over."""
    arena = Slow(few_hand_overs, sample_s)
    clock = SimpleNamespace(monotonic=lambda: arena.now)
    patch.setattr(tuner, "time", clock)
    patch.setattr(tuner, "DECISION_S", LONG_S)
    return tuned(load("prodcons", "SLOTS=5"), arena, Wishes(limit)), arena.now


def test_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the first schedule has been measured: then it is the best one."""
    tuning, _ = tuned_within(LONG_S, LONG_S, monkeypatch)
    assert tuning.ended == "the time is over"
    assert [t.candidate.strategy for t in tuning.trials] == ["round-robin"]
    assert tuning.best is tuning.trials[0]
    assert not tuning.compared and tuning.turns == 1


@pytest.mark.parametrize("part", [10, 20, 50, 100, 1000])
def test_all_measurements_are_within_the_time(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tuning, took = tuned_within(LONG_S, LONG_S / part, monkeypatch)
    assert tuning.best is not None
    assert took <= LONG_S
    assert bool(tuning.compared) == (part > 20)


def test_an_interrupt_leaves_the_best_so_far() -> None:
    class Interrupted(Formula):
        def measure(
            self,
            trials: Sequence[Trial],
            turns: int,
            longer: int = 1,
            deadline: float | None = None,
        ) -> int:
            if len(self.measured) == 2:
                raise KeyboardInterrupt
            return super().measure(trials, turns, longer)

    tuning = tuned(load("prodcons", "SLOTS=5"), Interrupted(few_hand_overs))
    assert tuning.ended == "interrupted" and tuning.best is not None
    assert not tuning.compared


def test_a_program_without_a_schedule(tmp_path: Path) -> None:
    source = tmp_path / "prog.c"
    source.write_text("#include <assert.h>\nint main(int c, char **v) { assert(0); }\n")
    with pytest.raises(UserError, match="no schedule was found"):
        tuned(imc.api.load(source), Formula(few_hand_overs))
