"""What verdicts rest on without its having been checked: data with a code, and words for people.

No other code reads the words. A new assumption is a new row of `KINDS`.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Callable, Iterable
from enum import IntEnum

from imc.errors import SourceLoc
from imc.program.settings import Settings, Wakeups
from imc.records import record

PLACE = "{subject}"  # where a text names what the assumption is about
MOST_NAMED = 6  # subjects in a line
MOST_SHOWN = 40  # characters of a code that there is not


class Weight(IntEnum):
    """How much an assumption should worry a reader; heavier ones come first."""

    VERDICT = 0  # of this program: if it does not hold, the verdict may be wrong
    STANDING = 1  # of the model: the same for all programs that do such a thing


@record
class AssumptionKind:
    """A sort of assumption; `short` is for lists of standing ones, `many` for several subjects."""

    weight: Weight
    text: str
    short: str = ""
    many: str = ""

    @property
    def has_subject(self) -> bool:
        return PLACE in self.text


VERDICT, STANDING = Weight
KINDS: dict[str, AssumptionKind] = {
    "external-function": AssumptionKind(
        VERDICT,
        "'{subject}' is external: its result is arbitrary, and so is what it leaves in memory that "
        "it is given; it uses no other memory of the program, and keeps no address",
        many="{subject} are external: their results are arbitrary, and so is what they leave in "
        "memory that they are given; they use no other memory of the program, and keep no address",
    ),
    "invented-result": AssumptionKind(
        VERDICT,
        "what '{subject}' says of the world outside is arbitrary",
        many="what {subject} say of the world outside is arbitrary",
    ),
    "external-variable": AssumptionKind(
        VERDICT,
        "the external variable '{subject}' is zero at the start",
        many="the external variables {subject} are zero at the start",
    ),
    "undefined-weak": AssumptionKind(
        VERDICT,
        "the weak name '{subject}', which nobody defines, is null",
        many="the weak names {subject}, which nobody defines, are null",
    ),
    "no-overflow": AssumptionKind(
        VERDICT, "signed arithmetic does not overflow (--check overflow proves it)"
    ),
    "no-arguments": AssumptionKind(
        VERDICT, "the program is run without arguments (--arg gives one)"
    ),
    "arguments": AssumptionKind(VERDICT, "the program is run with the arguments {subject}"),
    "no-stdin": AssumptionKind(VERDICT, "standard input is empty (--stdin gives one)"),
    "stdin": AssumptionKind(VERDICT, "standard input is what --stdin gave: {subject}"),
    "short-environment": AssumptionKind(
        VERDICT, "strings of the environment have at most 8 characters"
    ),
    "few-processors": AssumptionKind(VERDICT, "there are at most 4 processors"),
    "small-files": AssumptionKind(
        VERDICT,
        "no more than 4 bytes are read at a time, or all that is asked for",
    ),
    "mapped-whole": AssumptionKind(
        VERDICT, "files are not smaller, by pages, than what is mapped of them"
    ),
    "streams-open": AssumptionKind(VERDICT, "the standard streams are open"),
    "thread-numbers": AssumptionKind(
        VERDICT, "threads have the numbers behind that of the process (gettid)"
    ),
    "no-signals": AssumptionKind(
        VERDICT, "no signal comes from outside, and none is blocked at first"
    ),
    "signals-arrive": AssumptionKind(
        VERDICT, "a signal that sigwait waits for comes from outside, some time"
    ),
    "address-layout": AssumptionKind(
        VERDICT,
        "objects lie in the order in which they are made, each at a multiple of 4096 bytes",
    ),
    "long-double": AssumptionKind(VERDICT, "long double has the precision of double"),
    "no-unguarded-wakeups": AssumptionKind(
        VERDICT, "a wait that is not in a loop that tests again ends only when it is signalled"
    ),
    "unexplored": AssumptionKind(
        VERDICT, "what follows the prefix is safe in every order (it was not explored)"
    ),
    "sequential-consistency": AssumptionKind(
        STANDING,
        "atomics and plain accesses are sequentially consistent",
        "sequential consistency",
    ),
    "allocation-succeeds": AssumptionKind(
        STANDING, "malloc and its like never fail", "malloc succeeds"
    ),
    "no-reuse": AssumptionKind(
        STANDING, "memory that is freed is never handed out again", "freed memory is not reused"
    ),
    "no-spurious-wakeups": AssumptionKind(
        STANDING,
        "a wait in a loop that tests again ends only when it is signalled "
        "(--spurious-wakeups lifts that)",
        "no spurious wake-ups",
    ),
    "weak-exchange": AssumptionKind(
        STANDING,
        "weak compare-exchange fails only when the values differ",
        "weak exchanges fail only for other values",
    ),
    "copies-ascend": AssumptionKind(
        STANDING,
        "memcpy and its like, and copies of structs, begin at the lowest address",
        "copies begin at the lowest address",
    ),
    "strings-in-one-step": AssumptionKind(
        STANDING,
        "printf and its like read their strings in one step",
        "printf reads strings in one step",
    ),
    "cancelled-at-entry": AssumptionKind(
        STANDING,
        "a thread that is cancelled in read, printf or their like is so before that does anything",
        "threads are cancelled before read, printf and their like",
    ),
    "exit-handlers": AssumptionKind(
        STANDING,
        "exit handlers run when main returns or exit is called",
        "exit handlers run at main's end",
    ),
}

# What a verdict rests on instead when the user has said more about the surroundings.
INSTEAD = {"no-arguments": "arguments", "no-stdin": "stdin"}


@record
class Assumption:
    """Something a verdict rests on; `code` is a key of `KINDS`, `subject` a name if it has one."""

    code: str
    subject: str = ""
    loc: SourceLoc | None = None

    @property
    def kind(self) -> AssumptionKind:
        return KINDS[self.code]

    @property
    def key(self) -> tuple[str, str]:
        """What makes two of them the same assumption."""
        return self.code, self.subject

    @property
    def text(self) -> str:
        return self.kind.text.replace(PLACE, self.subject)

    def __str__(self) -> str:
        return f"{self.text} ({self.loc})" if self.loc else self.text


def flaw(code: str, subject: str | None) -> str:
    """Why there is no such assumption; empty if there is."""
    kind = KINDS.get(code)
    if kind is None:
        return f"an assumption that imc does not know: {code[:MOST_SHOWN]!r}"
    if kind.has_subject != (subject is not None):
        return f"the assumption {code} {'needs a' if kind.has_subject else 'has no'} subject"
    try:
        recorded_arguments([(code, subject)])
    except ValueError as problem:
        return str(problem)
    return ""


def by_weight(assumptions: Iterable[Assumption]) -> list[Assumption]:
    """Those that could change the verdict first; otherwise as given, and none twice."""
    once = {(a.key, a.loc): a for a in assumptions}
    return sorted(once.values(), key=lambda a: a.kind.weight)


def assumed(assumptions: Iterable[Assumption], settings: Settings) -> list[Assumption]:
    """What is left of a program's assumptions under the settings, the heaviest first."""
    lifted: dict[str, Callable[[], list[Assumption]]] = {}
    if settings.wakeups is not Wakeups.SIGNALLED:
        lifted["no-unguarded-wakeups"] = list
    if settings.wakeups is Wakeups.EVERYWHERE:
        lifted["no-spurious-wakeups"] = list
    if settings.arguments:
        lifted["no-arguments"] = lambda: [Assumption("arguments", shlex.join(settings.arguments))]
    if settings.stdin:
        lifted["no-stdin"] = lambda: [Assumption("stdin", described_input(settings.stdin))]
    found: list[Assumption] = []
    for a in assumptions:
        found += lifted[a.code]() if a.code in lifted else [a]
    return by_weight(found)


def recorded_arguments(
    given: Iterable[tuple[str, str | None]],
) -> tuple[str, ...] | None:
    """The arguments that a list of codes and subjects speaks of; None if it speaks of none.

    Raises `ValueError` where they are not written as we write them.
    """
    for code, subject in given:
        if code == "no-arguments":
            return ()
        if code == "arguments":
            try:
                found = tuple(shlex.split(subject or ""))
            except ValueError:  # a quotation that does not end
                found = ()
            if not found or shlex.join(found) != subject:
                raise ValueError(f"not a list of arguments: {(subject or '')[:MOST_SHOWN]!r}")
            return found
    return None


def described_input(data: bytes) -> str:
    """Enough of an input to tell whether another one is the same."""
    return f"{len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()[:16]}"


def unguarded(assumptions: Iterable[Assumption]) -> list[Assumption]:
    """Those of waits that are not in a loop that tests again."""
    return [a for a in assumptions if a.code == "no-unguarded-wakeups"]


def may_wake(assumptions: Iterable[Assumption], settings: Settings) -> bool:
    """Whether a wait of the program may end without a signal."""
    wakes = {"no-unguarded-wakeups", "no-spurious-wakeups"}
    waits = [a for a in assumptions if a.code in wakes]
    return len(waits) > sum(a.code in wakes for a in assumed(waits, settings))


def missing(
    needed: Iterable[Assumption], given: Iterable[tuple[str, str | None]]
) -> Assumption | None:
    """The first assumption that a list of codes and subjects does not name, if there is one."""
    listed = {(code, subject or "") for code, subject in given}
    return next((a for a in needed if a.key not in listed), None)


def needed(
    assumptions: Iterable[Assumption], given: Iterable[tuple[str, str | None]]
) -> list[Assumption]:
    """What a proof about a program must rest on; `given` may say more about the surroundings."""
    codes = {code for code, _ in given}
    return [a for a in assumptions if INSTEAD.get(a.code) not in codes]
