"""Compares the engine with the enumerator on one program."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from imc.explorer import Exploration, Limits, Verdict, explore_exhaustively
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.faults import Property
from imc.program.interpreter import Interpreter
from imc.program.settings import Settings, Wakeups
from tiny.engine import Backwards, walk
from tiny.interleavings import Behaviour, TooMany, enumerate_interleavings
from tiny.language import Program, Wait
from tiny.language import walk as statements
from tiny.printer import to_c

USUAL = Settings(wakeups=Wakeups.SIGNALLED)
# Does not stop at faults, so that it counts everything.
QUIET = Settings(properties=frozenset(), wakeups=Wakeups.SIGNALLED)
AWAKE = Settings(properties=frozenset(), wakeups=Wakeups.EVERYWHERE)
LIMITS = Limits(time_s=600)  # for what hangs, however busy the machine is
KINDS = (Property.ASSERTION, Property.DEADLOCK, Property.LOCK)


@dataclass
class Comparison:
    behaviour: Behaviour
    disagreements: list[str] = field(default_factory=list)

    def expect(self, what: str, engine: object, enumerator: object) -> None:
        if engine != enumerator:
            self.disagreements.append(f"{what}: the engine says {engine}, not {enumerator}")


def compare(program: Program, source: Path, limit: int) -> Comparison:
    """Writes the program to a file and explores it; TooMany if it has over `limit` executions."""
    comparison = Comparison(enumerate_interleavings(program, limit))
    source.write_text(to_c(program))
    _Comparer(program, source, comparison, limit).run()
    return comparison


class _Comparer:
    def __init__(self, program: Program, source: Path, comparison: Comparison, limit: int) -> None:
        self.program = program
        self.loaded = load_program([source], cache=NO_CACHE)
        self.sharing = Interpreter(self.loaded).image.sharing
        self.comparison = comparison
        self.expect = comparison.expect
        self.limit = limit

    def run(self) -> None:
        behaviour = self.comparison.behaviour
        results = self._verdicts(behaviour)
        if behaviour.faults:
            results = self._explore_both(QUIET)
        self._counts("", *results, behaviour)
        self._backwards(*results)
        walked = walk(self._interpreter(_only(Property.LOCK)), self.program.shared)
        self.expect("final values", walked.final_values, behaviour.final_values)
        self.expect("false independence", walked.false_independence, set())
        if any(isinstance(s, Wait) for body in self.program.threads for s in statements(body)):
            self._spurious_wakeups()

    def _interpreter(
        self, settings: Settings, kind: type[Interpreter] = Interpreter
    ) -> Interpreter:
        return kind(self.loaded, settings, sharing=self.sharing)

    def _explore_both(self, settings: Settings) -> tuple[Exploration, Exploration]:
        stateful, stateless = (_explore(self._interpreter(settings), s) for s in (True, False))
        return stateful, stateless

    def _verdicts(self, behaviour: Behaviour) -> tuple[Exploration, Exploration]:
        """The engine stops at its first fault, so each kind is also looked for alone."""
        results = self._explore_both(USUAL)
        for result in results:
            name = _mode(result)
            self.expect(f"{name}, unsafe", _unsafe(result), bool(behaviour.first_faults))
            if result.fault is not None and result.fault.kind not in behaviour.first_faults:
                wanted = f"one of {sorted(behaviour.first_faults)}"
                self.expect(f"{name}, kind of fault", result.fault.message, wanted)
        if behaviour.faults:
            for kind in KINDS:
                result = _explore(self._interpreter(_only(kind)), stateful=True)
                self.expect(f"{kind} alone, unsafe", _unsafe(result), kind in behaviour.faults)
        race = _explore(self._interpreter(_only(Property.RACE)), stateful=True)
        self.expect("race alone, unsafe", _unsafe(race), behaviour.has_race)
        return results

    def _counts(
        self, name: str, stateful: Exploration, stateless: Exploration, behaviour: Behaviour
    ) -> None:
        for result in (stateful, stateless):
            label = name + _mode(result)
            self.expect(f"{label}, unsafe", _unsafe(result), False)
            if not behaviour.faults:
                self.expect(f"{label}, verdict", result.verdict, Verdict.SAFE)
            self.expect(f"{label}, final states", result.final_states, len(behaviour.finals))
        expected = {
            "complete": behaviour.complete,
            "blocked": behaviour.blocked + behaviour.deadlocked,
            "endless": 0,
            "events": behaviour.events,
            "traces": len(behaviour.traces),
        }
        for figure, count in expected.items():
            self.expect(f"{name}{figure}", getattr(stateless, figure), count)
        if behaviour.faults:
            return  # the engine also remembers why a thread is stuck
        # The engine forgets dead registers, but never where a thread is.
        least, most, states = len(behaviour.places), len(behaviour.states), stateful.states or 0
        if not least <= states <= most:
            self.expect(f"{name}states", states, f"between {least} and {most}")

    def _backwards(self, stateful: Exploration, stateless: Exploration) -> None:
        """The order in which steps are tried must not matter."""
        for forwards in (stateful, stateless):
            interpreter = self._interpreter(QUIET, Backwards)
            backwards = _explore(interpreter, forwards.stateful)
            for figure in ("complete", "blocked", "traces", "states", "final_states", "events"):
                what = f"backwards, {_mode(forwards)}, {figure}"
                self.expect(what, getattr(backwards, figure), getattr(forwards, figure))

    def _spurious_wakeups(self) -> None:
        try:
            behaviour = enumerate_interleavings(self.program, self.limit, spurious_wakeups=True)
        except TooMany:
            return
        self._counts("spurious wake-ups, ", *self._explore_both(AWAKE), behaviour)


def _explore(interpreter: Interpreter, stateful: bool) -> Exploration:
    return explore_exhaustively(interpreter, stateful, LIMITS)


def _only(kind: Property) -> Settings:
    return replace(USUAL, properties=frozenset([kind]))


def _unsafe(result: Exploration) -> bool:
    return result.verdict is Verdict.UNSAFE


def _mode(result: Exploration) -> str:
    return "stateful" if result.stateful else "stateless"
