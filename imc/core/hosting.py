"""The model performs instructions for the core: questions and answers as numbers, see core/host.c.

The core numbers threads and dynamic objects as it meets them. The model gets tables of its own in
which they have the same numbers, so that pointers and handles mean the same on both sides.
"""

from __future__ import annotations

import ctypes
from collections.abc import Hashable, Iterator

from imc.compact.form import CompactProgram, NotCompact, Origin
from imc.compact.host import EXIT_HANDLERS, KINDS, NO_VALUE, Asked, Host
from imc.compact.opcodes import INPUT, PERFORM, UNDEF, VISIBLE_PERFORM, WIDTH
from imc.compact.performed import Comes, Performed
from imc.compact.performing import BY_MODEL
from imc.compact.seen import Contents, Standing, StandingFrame
from imc.core.interface import Ask
from imc.program.code import Image
from imc.program.concrete import ConcreteDomain
from imc.program.faults import Property
from imc.program.instructions import Alloca
from imc.program.objects import ObjectInfo, ObjectTable

WORD = (1 << 64) - 1
ROOM = 1 << 16
ABSENT = -1
FACTS = 7  # that are told of each thread
KIND_NAMES = {number: name for name, number in KINDS.items()}
PROPERTIES = {kind.value: 1 << n for n, kind in enumerate(Property)}


def performs(form: CompactProgram) -> bool:
    """Whether some instruction is the model's to perform."""
    records = (form.code[k : k + WIDTH] for k in range(0, len(form.code), WIDTH))
    return form.end_of_thread >= 0 or any(
        op in (PERFORM, VISIBLE_PERFORM) or (op == INPUT and how == BY_MODEL)
        for op, _, how, _, _ in records
    )


class NativeHost:
    """What a context of the core calls; lives as long as it does."""

    def __init__(
        self, form: CompactProgram, image: Image, library: ctypes.CDLL, context: int, objects: int
    ) -> None:
        self.form = form
        self._image = Image(image.program, ConcreteDomain(), image.settings, image.sharing)
        self._image.objects = _first(image.objects, objects)
        self.reason = ""
        self.raised: BaseException | None = None
        self._library = library
        self._context = context
        self._buffer = (ctypes.c_int64 * ROOM)()
        self._host = Host(form, self)
        self._callback = Ask(self._called)
        library.core_host(context, self._callback, None)

    @property
    def image(self) -> Image:
        return self._image

    @property
    def texts(self) -> list[Hashable]:
        return self._host.texts.all

    # -------------------------------------------------------------- being called

    def _called(self, _: object, asked: object, length: int, reply: object, room: int) -> int:
        """Answers how many numbers there are, -1 where the model has to do all of it."""
        self.reason = ""
        try:
            words = self._performed(_Reader(asked[:length]))  # type: ignore[index]
        except NotCompact as why:
            self.reason = why.reason
            return -1
        except BaseException as raised:
            self.reason, self.raised = "the model could not go on", raised
            return -1
        if len(words) > room:
            self.reason = "an instruction with a very large effect"
            return -1
        signed = [w - (1 << 64) if w >> 63 > 0 else w for w in words]
        ctypes.memmove(reply, (ctypes.c_int64 * len(words))(*signed), 8 * len(words))  # type: ignore[arg-type]
        return len(words)

    def _performed(self, asked: _Reader) -> list[int]:
        self._keep_up()
        thread, pc, phase, scratch, atomic = (asked.number() for _ in range(5))
        choices = tuple(asked.number() for _ in range(asked.number()))
        words = [asked.word() for _ in range(asked.number())]
        done = self._host.perform(Asked(thread, pc, words, choices, phase, scratch, atomic))
        return list(_numbers(done, self._host))

    # -------------------------------------------------------- tables like the core's

    def _keep_up(self) -> None:
        """Learns of the threads and objects that the core has met since the last time."""
        image, library = self.image, self._library
        nth = (ctypes.c_int64 * 1)()
        while True:
            child = len(image.threads.names)
            parent = library.core_parent(self._context, child, nth)
            if parent < 0:
                break
            image.threads.child(parent, nth[0])
        for number in range(len(image.objects.infos), library.core_objects(self._context)):
            self._meet(number)

    def _meet(self, number: int) -> None:
        kind, a, b, *more = self._told(self._library.core_identity, number)
        name = KIND_NAMES[kind]
        if name == "library":
            identity: Hashable = "atexit" if a == EXIT_HANDLERS else ("thread", b)
            info = ObjectInfo(name, "library")
        else:
            origin = self.form.where[more[0]]
            site = (origin.function, origin.pc)
            identity = (name, a, b, site)
            if self.image.objects.find(identity):  # made by another copy of the function
                identity = (name, a, b, (*site, number))
            now = self._told(self._library.core_object, number)[:1]
            info = self._info(name, origin, now or more[1:2])
        if self.image.objects.intern(identity, info) != number:
            raise NotCompact("objects are not numbered alike")

    def _info(self, kind: str, origin: Origin, size: list[int]) -> ObjectInfo:
        """As the compact machine tells of what it makes: the model looks at types."""
        site, loc = (origin.function, origin.pc), origin.loc
        if kind == "stack":
            made = self.image.program.functions[origin.function].code[origin.pc]
            assert isinstance(made, Alloca)
            return self.image.told(kind, origin.name, site, 0, loc, made.type)
        name = "heap object" + (f" (line {loc.line})" if loc else "")
        if not size:
            raise NotCompact("an object that has ended before the model has seen it")
        return self.image.told(kind, name, site, size[0], loc, None)

    def _told(self, ask: object, *which: int) -> list[int]:
        count = ask(self._context, *which, self._buffer, ROOM)  # type: ignore[operator]
        if count > ROOM:
            raise NotCompact("a large object")
        return self._buffer[:count]

    # ------------------------------------------------------------- being looked at

    def contents(self, number: int) -> Contents | None:
        told = self._told(self._library.core_object, number)
        if not told:
            return None
        values, undefined, layout = told[1::3], told[2::3], told[3::3]
        words = [UNDEF if u else v & WORD for v, u in zip(values, undefined, strict=True)]
        return Contents(told[0], words, layout)

    def layout(self, number: int, size: int) -> list[int]:
        return self._told(self._library.core_layout, number, size)

    def threads(self) -> dict[int, Standing]:
        told = _Reader(self._told(self._library.core_threads))
        found = {}
        while told.left():
            result, number = told.word(), told.number
            status, detached, joined = number(), bool(number()), bool(number())
            standing = Standing(status, detached, joined, number(), number(), result)
            if status != ABSENT:
                found[told.taken() // FACTS - 1] = standing
        return found

    def frames(self, thread: int) -> list[StandingFrame]:
        told = _Reader(self._told(self._library.core_frames, thread))
        found = []
        while told.left():
            pc, phase = told.number(), told.number()
            locals = [n for n in [told.number() for _ in range(told.number())] if n > 0]
            words = [told.word() for _ in range(told.number())]
            found.append(StandingFrame(pc, locals, phase, words))
        return found[::-1]

    def output(self) -> int:
        return int(self._library.core_output(self._context))


class _Reader:
    """Numbers, one after the other."""

    def __init__(self, numbers: list[int]) -> None:
        self._numbers = numbers
        self._at = 0

    def number(self) -> int:
        self._at += 1
        return self._numbers[self._at - 1]

    def word(self) -> int:
        value, undefined = self.number(), self.number()
        return UNDEF if undefined else value & WORD

    def taken(self) -> int:
        return self._at

    def left(self) -> bool:
        return self._at < len(self._numbers)


def _first(table: ObjectTable, count: int) -> ObjectTable:
    """The same numbers for the first objects."""
    made = ObjectTable()
    for identity, info in zip(table.identities[1:count], table.infos[1:count], strict=True):
        made.intern(identity, info)
    return made


def _word(word: int) -> tuple[int, int]:
    return (0, 1) if word == UNDEF else (word, 0)


def _numbers(done: Performed, host: Host) -> Iterator[int]:
    """An answer in the order in which host.c takes it."""
    yield from (done.comes, done.chosen, done.wanted)
    yield len(done.known)
    for identity in done.known:
        yield from identity
    yield len(done.accesses)
    for *place, held in done.accesses:
        yield from (*place, held != NO_VALUE, *_word(0 if held == NO_VALUE else held))
    pointer = done.pointer
    yield from (host.texts.number(done.what), PROPERTIES.get(done.kind, 0))
    yield from (pointer is not None, pointer or 0, -1 if done.holder is None else done.holder)
    yield from (done.stable, done.sticks_at_bound)
    yield len(done.made)
    for made in done.made:
        yield from made
    for changed in (done.written, done.filled):
        yield len(changed)
        for *where, word in changed:
            yield from (*where, *_word(word))
    for numbers in (
        done.ended, done.hidden_reads, done.hidden_writes, done.joined, done.acquired
    ):  # fmt: skip
        yield len(numbers)
        yield from numbers
    yield from (done.allocated, done.extra, done.output, done.note)
    yield from (done.tries, done.wakes, done.effect, done.bounded)
    yield from (done.phase, done.scratch, done.code, done.result is not None)
    yield from _word(0 if done.result is None else done.result)
    if done.comes in (Comes.CALLS, Comes.CALLS_BACK):
        yield done.called
        yield len(done.arguments)
        for register, word in done.arguments:
            yield from (register, *_word(word))
        return
    yield len(done.results)
    for word in done.results:
        yield from _word(word)
