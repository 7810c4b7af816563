"""The search for a fast schedule, with an arena in which speed is what a formula says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import imc.api
from imc.errors import UserError
from imc.frontend import FrontendOptions
from imc.frontend.clang import CompilerOptions
from imc.program.code import Site
from imc.program.program import Program
from imc.tune.arena import Arena
from imc.tune.candidate import Trial
from imc.tune.tuner import Tuner, Tuning, Wishes

EXAMPLES = Path(__file__).parents[2] / "examples"
Speed = Callable[[Trial], float]


class Formula(Arena):
    """Measures nothing."""

    def __init__(self, speed: Speed, waits: Speed = lambda _: 0.0) -> None:
        self.speed, self.waits = speed, waits
        self.measured: list[str] = []

    def measure(self, trials: Sequence[Trial], turns: int, longer: int = 1) -> None:
        for trial in trials:
            self.measured.append(trial.candidate.name)
            trial.rates = trial.ratios = [self.speed(trial)] * turns
            trial.longest_wait_s = self.waits(trial)

    def forget(self, trials: Sequence[Trial]) -> None: ...

    def strongest(self, turns: int, longer: int) -> tuple[str, float]:
        return "spin locks", 2.0

    @property
    def plain_rate(self) -> float:
        return 1.0


def load(name: str, *defines: str) -> Program:
    return imc.api.load(EXAMPLES / f"{name}.c", FrontendOptions(CompilerOptions(define=defines)))


def tuned(program: Program, arena: Arena, wishes: Wishes | None = None) -> Tuning:
    def make(useful: frozenset[Site], endless: bool) -> Arena:
        return arena

    return Tuner(program, wishes or Wishes(time_s=300), make, lambda _: None).run()


def few_hand_overs(trial: Trial) -> float:
    return 1 / trial.features.hand_overs


def test_turns_grow_as_far_as_there_is_room() -> None:
    tuning = tuned(load("prodcons", "SLOTS=5"), Formula(few_hand_overs))
    assert tuning.best is not None and tuning.best.candidate.strategy == "long-runs:5"
    tried = {t.candidate.strategy for t in tuning.trials}
    assert tried == {"round-robin", "long-runs:2", "long-runs:5"}


def test_threads_of_a_kind_share_the_room() -> None:
    program = load("prodcons", "SLOTS=24", "PRODUCERS=2", "CONSUMERS=2")
    tuning = tuned(program, Formula(few_hand_overs))
    tried = {t.candidate.strategy for t in tuning.trials}
    assert {"long-runs:1", "long-runs:2", "long-runs:12", "long-runs:24"} <= tried


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
    tuning = tuned(load("prodcons"), Formula(few_hand_overs), Wishes(300, most_overhead=0.1))
    assert [t.candidate.name for t in tuning.trials] == ["round-robin"]
    assert tuning.ended == "an overhead of at most 10 % was found"


def test_waits_that_are_too_long_are_not_chosen() -> None:
    arena = Formula(few_hand_overs, waits=lambda trial: 1 / trial.features.hand_overs)
    tuning = tuned(load("prodcons", "SLOTS=5"), arena, Wishes(300, longest_wait_s=2.2))
    assert tuning.best is not None and tuning.best.candidate.strategy == "long-runs:2"


def test_the_time_is_over() -> None:
    arena = Formula(few_hand_overs)
    tuning = tuned(load("prodcons"), arena, Wishes(time_s=1.0))
    assert tuning.trials and tuning.best is not None


def test_a_program_without_a_schedule(tmp_path: Path) -> None:
    source = tmp_path / "prog.c"
    source.write_text("#include <assert.h>\nint main(int c, char **v) { assert(0); }\n")
    with pytest.raises(UserError, match="no schedule was found"):
        tuned(imc.api.load(source), Formula(few_hand_overs))
