"""The engines that reduce against brute force on small random programs.

`scripts/crosscheck_explore.py` does the same for as many programs as one likes.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from crosscheck.features import FeatureGenerator
from crosscheck.source import Source, to_c
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from prefixes import Prefixes, Size, TooLarge
from reduced import QUIET, differences, waiting_differences
from spinning import spinning_program
from verified import verdict_differences

from imc.explorer import Limits, explore_exhaustively
from imc.explorer.semantics import Semantics
from imc.frontend.cache import NO_CACHE
from imc.frontend.load import load_program
from imc.program.interpreter import Interpreter
from imc.program.program import Program

SMALL = Size(executions=200, prefixes=2000)
seeds = st.integers(min_value=0, max_value=10**6)
few = settings(max_examples=12, derandomize=True, deadline=None)


def loaded(source: Source) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(to_c(source))
        return load_program([path], cache=NO_CACHE)


@few
@given(seeds, seeds)
def test_features_of_threads(seed: int, number: int) -> None:
    source = FeatureGenerator(seed, number, small=True).source()
    try:
        assert differences(loaded(source), SMALL, Counter(), seeds=2) == [], to_c(source)
    except TooLarge:
        assume(False)


@few
@given(seeds, seeds)
def test_loops_that_wait(seed: int, number: int) -> None:
    source = spinning_program(seed, number)
    try:
        assert waiting_differences(loaded(source), SMALL, Counter()) == [], to_c(source)
    except TooLarge:
        assume(False)


@settings(few, max_examples=4)
@given(seeds, seeds, st.booleans())
def test_the_verdict_is_that_of_verification(seed: int, number: int, spins: bool) -> None:
    feature = FeatureGenerator(seed, number, small=True)
    source = spinning_program(seed, number) if spins else feature.source()
    assert verdict_differences(loaded(source), 2, Counter()) == [], to_c(source)


@settings(few, max_examples=8)
@given(seeds, seeds)
def test_equivalent_prefixes_have_the_same_future(seed: int, number: int) -> None:
    """So that going on from one of them is as good as brute force."""
    program = loaded(FeatureGenerator(seed, number, small=True).source())
    limits = Limits(executions=500)
    every = explore_exhaustively(Interpreter(program, QUIET), False, limits)
    assume(not every.bounds and not every.endless)
    merged = Prefixes(Semantics(Interpreter(program, QUIET)), most=20_000)
    assert (len(merged.traces), len(merged.finals)) == (every.traces, every.final_states)
    assert merged.complaints() == []
