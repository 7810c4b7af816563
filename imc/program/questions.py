"""What a step asks its environment: choices, inputs, and what to do about faults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

from imc.errors import SourceLoc
from imc.program.domain import Domain
from imc.program.events import Access
from imc.program.faults import UNCHECKED, FaultRaised, NeedChoice, Property, StuckForever
from imc.program.state import State, Thread
from imc.program.types import Type
from imc.program.values import UNDEF, Value

if TYPE_CHECKING:
    from imc.program.code import Image

Range = tuple[int, int, int, bool]  # an object, an offset, a size, and whether it was written


class Questions:
    """A step's own copy of a state, and the environment that answers its questions."""

    draws = False  # whether answers are drawn by lot, one for each question

    def __init__(self, image: Image, state: State, choices: tuple[int, ...] = ()) -> None:
        self.image = image
        self.domain: Domain = image.domain
        self.settings = image.settings
        self.state = state
        self.memory = state.memory
        self.choices = choices
        self.chosen = 0
        self.owned: set[int] = set()
        self.accesses: list[Access] = []
        self.ranges: list[Range] = []  # what library functions have used since the last `account`
        self.unseen_reads: dict[int, SourceLoc | None] = {}  # objects used out of sight, and where
        self.unseen_writes: dict[int, SourceLoc | None] = {}
        self.atomic = 0  # how many atomic sections the step is inside
        self.writes = 0
        self.invents = ""  # the function that nobody defines whose effect is being made up
        self.thread: Thread

    def choose(self, count: int) -> int:
        """One of `count` alternatives, which the environment picks and not the scheduler."""
        if count <= 1:
            return 0
        if self.chosen == len(self.choices):
            raise NeedChoice(count)
        self.chosen += 1
        return self.choices[self.chosen - 1]

    def decide(self, value: Value) -> bool:
        """Whether an i1 holds; where the domain cannot tell, both answers are tried."""
        if value is UNDEF:
            self.fault(Property.UNINITIALISED, "an uninitialised value decides a branch")
        known = self.domain.truth(value)
        if known is None:
            known = bool(self.choose(2))
            self.state.conditions += ((value, known),)
        return known

    def surely(self, value: Value) -> bool:
        """Whether an i1 holds that a step cannot do without: it is asked for the best answer."""
        return self.decide(value)

    def input(self, type: Type) -> Value:
        """A new unknown, named by thread and order; None when a value must be chosen."""
        self.thread.inputs += 1
        kind = "invented" if self.invents else "input"
        name = self.image.threads.names[self.thread.id]
        return self.domain.input(f"{kind}.{name}.{self.thread.inputs}", type)

    def drawn(self, low: int, high: int) -> int | None:
        """A number between bounds that was drawn by lot; None where all have to be thought of."""
        return None

    def unsaid(self, args: list[Value], type: Type) -> Value:
        """A result that depends on arguments which are not known: an unknown too."""
        return self.input(type)

    def standard_input(self) -> bytes:
        """All that the program can read."""
        return self.settings.stdin

    def put_out(self, data: bytes, stream: str) -> None:
        """What a program writes to standard output is part of its state."""
        if stream == "stdout":
            self.state.output += (data,)

    def known(self, value: Value, width: int = 64) -> Value:
        """The value as a number; where it is a term, the step goes on for each it can be."""
        return value

    def one_of(self, offset: Value, candidates: Iterable[list[int]], step: int) -> int:
        """The first of the candidates that an offset is among; all of them are tried."""
        for candidate in candidates:
            if self.decide(self.domain.among(offset, candidate, step)):
                return candidate[0]
        self.fault(Property.MEMORY, "an access at an offset between two elements")

    def equal(self, left: Value, right: Value, width: int = 32) -> bool:
        return self.decide(self.image.equality(width)(left, right))

    def fault(self, kind: Property, message: str, claim: str = "") -> NoReturn:
        """Reports a violation, or stops the thread quietly when the property is not asked for."""
        if kind in self.settings.properties:
            raise FaultRaised(kind, message, claim)
        undefined = kind in (
            Property.LOCK,
            Property.MEMORY,
            Property.UNINITIALISED,
        )  # a real run might go on
        raise StuckForever(UNCHECKED[kind], undefined)

    def own(self, thread: Thread) -> Thread:
        """Another thread, made this step's own to be changed."""
        copy = self.state.threads[thread.id] = thread.copy()
        return copy
