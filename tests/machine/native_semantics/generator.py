"""Random programs: the same for the same seed, number and features."""

from __future__ import annotations

import random
import re

from native_semantics.feature import Feature
from native_semantics.library_features import LIBRARY
from native_semantics.memory_features import MEMORY
from native_semantics.source import Body, Source, Statement
from native_semantics.thread_features import THREADS

FEATURES = {f.name: f for f in (*MEMORY, *THREADS, *LIBRARY)}
PLAIN = (
    "@g = @e;",
    "@g++;",
    "@x = @g;",
    "@g = @g + @v;",
    "@x = @g - @g;",
    "if (@g @r @v) { @S }",
    "for (int k = 0; k < 2; k++) { @S }",
)
WAITS = re.compile(r"lock|wait|@S|exchange\(&a2")
GAP = re.compile(r"@([a-zS1])")
NOT_IN_MAIN = frozenset({"ends"})


class Generator:
    """Makes one program; with names of features it uses these, else a few by chance."""

    def __init__(self, seed: int, number: int, names: tuple[str, ...] = ()) -> None:
        self.rng = rng = random.Random(f"native {seed} {number}")
        several = rng.sample(sorted(FEATURES), rng.choice((1, 1, 2)))
        self.features: list[Feature] = [FEATURES[n] for n in names or several]

    def source(self) -> Source:
        rng = self.rng
        threads = rng.choice((2, 2, 2, 3))
        size = 3 if threads == 2 else 2
        bodies = tuple(self._body(rng.randint(1, size), self.features) for _ in range(threads))
        calm = [f for f in self.features if f.name not in NOT_IN_MAIN]
        main = self._body(rng.choice((0, 0, 1)), calm)
        recursive = rng.random() < 0.1
        return Source(tuple(self.features), bodies, main, recursive)

    def _body(self, size: int, features: list[Feature]) -> Body:
        return tuple(self._statement(features) for _ in range(size))

    def _statement(self, features: list[Feature], inside: bool = False) -> Statement:
        rng = self.rng
        own = rng.random() < 0.8 and features
        templates = rng.choice(features).statements if own else PLAIN
        fitting = [t for t in templates if not (inside and WAITS.search(t))]
        template = rng.choice(fitting or [t for t in PLAIN if "@S" not in t])
        head, around, tail = template.partition("@S")
        local = rng.choice("xy")
        if not around:
            return Statement(self._fill(head, local))
        body = tuple(self._statement(features, True) for _ in range(rng.choice((1, 1, 2))))
        return Statement(self._fill(head.rstrip(), local), body, self._fill(tail.lstrip(), local))

    def _fill(self, template: str, local: str) -> str:
        rng = self.rng

        def gap(found: re.Match[str]) -> str:
            shared = rng.choice(("g0", "g1"))
            number = str(rng.randint(1, 5))
            match found[1]:
                case "v":
                    return number
                case "x" | "1":
                    return local
                case "g":
                    return shared
                case "e":
                    return rng.choice((number, "(int)" + local, shared))
                case "i":
                    return rng.choice((str(rng.randrange(4)), f"{shared} & 3"))
                case "f":
                    return rng.choice("abc")
                case "r":
                    return rng.choice(("==", "!=", "<", ">"))
            raise ValueError(f"a gap that nobody fills: {found[0]}")

        return GAP.sub(gap, template)
