"""Instructions that have no operation of their own are performed by the model, in their machine.

The host sets up a state of the model in which the machine's memory is seen, lets the one semantics
run the instruction there, and tells the machine in words what it has done: in sight of the step's
event as the model says, so that the tripwire holds for it as for all others. What cannot be told
in words raises NotCompact, and the model does all the work.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from imc.compact.changes import Changes
from imc.compact.form import FUNCTION_WIDTH, OBJECT, SHIFT, CompactProgram, NotCompact
from imc.compact.late import STARTS
from imc.compact.opcodes import UNDEF as UNDEF_WORD
from imc.compact.performed import Comes, Performed
from imc.compact.seen import SeenMemory, View
from imc.compact.words import from_word, from_words, to_word, to_words
from imc.errors import Unsupported
from imc.program.code import Image
from imc.program.events import Access
from imc.program.faults import Blocked, FaultRaised, NeedChoice, StuckForever
from imc.program.instructions import Alloca, Call, Instruction, Library, Reg
from imc.program.library.heap import OWN
from imc.program.machine import AGAIN, RELOAD, STOP, Machine
from imc.program.state import Frame, State, Status, Thread
from imc.program.types import PTR, FloatType, IntType, Type
from imc.program.values import UNDEF, Aggregate, Value

KINDS = {"global": 1, "constant": 2, "function": 3, "stack": 4, "heap": 5, "tls": 6, "library": 7}
END, EXIT_HANDLERS, OTHERS = 1, 2, 3  # what a library's object is; those of the machines first
FAR_SITE, OWN_SITE = 1 << 24, 1 << 25  # sites that are no instruction's
LARGEST_VALUE = 8  # bytes of an access whose value is told
NO_VALUE = -2  # of an access that does not tell


@dataclass(slots=True)
class Asked:
    """Who is to perform which instruction, with what."""

    thread: int
    pc: int
    words: list[int]  # of its registers
    choices: tuple[int, ...]
    phase: int
    scratch: int
    atomic: int


class Numbers:
    """Things as numbers, 0 for nothing."""

    def __init__(self, nothing: Hashable) -> None:
        self.all: list[Hashable] = [nothing]
        self._known: dict[Hashable, int] = {_key(nothing): 0}

    def number(self, thing: Hashable) -> int:
        found = self._known.setdefault(_key(thing), len(self.all))
        if found == len(self.all):
            self.all.append(thing)
        return found


def _key(thing: Hashable) -> Hashable:
    """Equal only for what is alike: 1 and 1.0 are not."""
    if isinstance(thing, tuple):
        return (type(thing), *map(_key, thing))
    return (type(thing), repr(thing) if isinstance(thing, float) else thing)


class Host:
    """Performs instructions of one program, for one machine."""

    def __init__(self, form: CompactProgram, view: View) -> None:
        self.form = form
        self.view = view
        self.texts = Numbers("")
        self._scratches = Numbers(None)
        self._extras = Numbers(((), 0))
        self._outputs = Numbers(())
        self._identities = Numbers(None)
        self._limits = Numbers(frozenset())
        self._sites = {(site.function, site.pc): n for n, site in enumerate(form.where)}

    @property
    def image(self) -> Image:
        return self.view.image

    # ------------------------------------------------------------ an instruction

    def perform(self, asked: Asked) -> Performed:
        image = self.image
        before, numeric, met = set(image.bounds), image.domain.numeric, len(image.objects.infos)
        image.domain.numeric = False
        image.bounds.clear()
        try:
            done = self._run(asked, met)
        except Unsupported as why:  # as the model says, when it comes there
            raise NotCompact(why.message, why.loc) from why
        finally:
            looked, image.domain.numeric = image.domain.numeric, numeric
            hit = self._limits.number(frozenset(image.bounds))
            image.bounds |= before
        if looked:
            raise NotCompact("whether a number is an address matters")
        done.bounded = hit
        return done

    def _run(self, asked: Asked, met: int) -> Performed:
        machine = self._machine(asked)
        done = Performed()
        if asked.pc < 0:
            if self.image.thread_end(machine):
                self._call(done, machine.frames[-1])
            done.known = [self._identity(n) for n in range(met, len(self.image.objects.infos))]
            self._tell_memory(done, machine)
            self._tell_thread(done, machine, None)
            return done
        frame = machine.frames[-1]
        i = frame.code.function.code[frame.pc]
        again = False
        is_late = isinstance(i, Alloca) or (isinstance(i, Library) and i.function == STARTS)
        try:
            after = frame.code.full[frame.pc](machine, frame.regs)
            again = after == AGAIN
            self._come(done, machine, frame, i, after)
            if is_late:
                done.results = [to_word((frame.objects[-1], 0), PTR)]
        except NeedChoice as need:
            done.comes, done.wanted = Comes.CHOICE, need.count
        except Blocked as why:
            done.comes, done.what, done.holder = Comes.WAITS, why.what, why.holder
            done.stable, done.pointer = why.stable, self._address(why.pointer)
        except FaultRaised as raised:
            done.comes, done.what, done.kind = Comes.FAULT, raised.message, raised.kind.value
        except StuckForever as stuck:
            done.comes, done.what = Comes.STICKS, stuck.reason
            done.sticks_at_bound = stuck.bounded
        done.chosen = machine.chosen
        done.accesses = [self._access(access) for access in machine.accesses]
        done.known = [self._identity(n) for n in range(met, len(self.image.objects.infos))]
        if done.comes in (Comes.CHOICE, Comes.WAITS):
            return done
        self._tell_memory(done, machine)
        self._tell_thread(done, machine, frame if again else None)
        return done

    def _machine(self, asked: Asked) -> Machine:
        """The model's machine, with the thread before the instruction, or without frames."""
        state = State()
        state.memory = SeenMemory(self.view)
        for number, standing in self.view.threads().items():
            thread = state.threads[number] = Thread(number)
            thread.status, thread.allocated = Status(standing.status), standing.allocated
            thread.detached, thread.joined = standing.detached, standing.joined
            thread.result = from_word(standing.result, PTR, len(self.image.objects.infos))
            thread.keys, thread.ending = self._extras.all[standing.extra]  # type: ignore[misc]
        state.output = self._outputs.all[self.view.output()]  # type: ignore[assignment]
        machine = Machine(self.image, state, asked.choices)
        machine.thread = thread = state.threads[asked.thread]
        machine.frames, machine.atomic = thread.frames, asked.atomic
        if asked.pc < 0:
            return machine
        for standing_frame in self.view.frames(asked.thread):
            site = self.form.where[self.form.sites[standing_frame.pc]]
            frame = self.image.code(site.function).frame([])
            frame.pc, frame.objects = site.pc, self._in_order(standing_frame.locals)
            frame.phase = standing_frame.phase
            if frame.phase:
                self._fill(frame, standing_frame.words)
            thread.frames.append(frame)
        frame = thread.frames[-1]
        frame.phase = asked.phase
        frame.scratch = self._scratches.all[asked.scratch]
        self._make_room(frame, self._fill(frame, asked.words))
        return machine

    def _in_order(self, locals: list[int]) -> list[int]:
        """A frame's locals as they were made, without late ones that have ended."""
        identities = self.image.objects.identities
        late = self.form.late_sites
        there = [
            n
            for n in locals
            if identities[n][3] not in late or self.view.contents(n) is not None  # type: ignore[index]
        ]
        return sorted(there, key=lambda n: identities[n][2])  # type: ignore[index]

    def _make_room(self, frame: Frame, late: list[int]) -> None:
        """Of a late local: it must not be there yet; and the arguments that it is made of."""
        if not late:
            return
        own, *given = late
        if own != UNDEF_WORD and self.view.contents(own >> SHIFT) is not None:
            raise NotCompact("a local that is made again before it has ended")
        if given:
            shape, objects = self.form.shapes[given[0]], len(self.image.objects.infos)
            words = iter(given[1:])
            frame.varargs = tuple(
                (type, copied, from_words(words, type, objects)) for type, copied in shape
            )

    def _fill(self, frame: Frame, words: list[int]) -> list[int]:
        """The registers that the instruction looks at; what else there is."""
        function, left = frame.code.function, iter(words)
        objects = len(self.image.objects.infos)
        for register in looked_at(function.code[frame.pc]):
            type = function.registers[register].type
            frame.regs[register] = from_words(left, type, objects)
        return list(left)

    # ------------------------------------------------------------------ telling

    def _come(
        self, done: Performed, m: Machine, frame: Frame, i: Instruction, after: int | None
    ) -> None:
        if m.started or m.spawned:
            raise NotCompact("a thread is started in a way that has no form", i.loc)
        if after is None:
            if i.result is not None:
                type = frame.code.function.registers[i.result].type
                done.results = to_words(frame.regs[i.result], type)
        elif after == AGAIN:
            done.comes = Comes.AGAIN
        elif after == STOP and m.exits:
            done.comes = Comes.EXITS
            done.code = m.state.exit_code or 0
        elif after == RELOAD:
            self._come_elsewhere(done, m, frame, i)
        else:
            raise NotCompact("a jump that has no form", i.loc)

    def _come_elsewhere(self, done: Performed, m: Machine, frame: Frame, i: Instruction) -> None:
        if not m.frames:
            done.comes = Comes.ENDS
            return
        if m.frames[-1] is frame or len(m.frames) < 2 or m.frames[-2] is not frame:
            raise NotCompact("a jump out of functions", i.loc)
        called = m.frames[-1]
        if called.code.function.type.varargs:
            raise NotCompact("any number of arguments are passed", i.loc)
        self._call(done, called)
        if not isinstance(i, Call):
            done.comes = Comes.CALLS_BACK

    def _call(self, done: Performed, called: Frame) -> None:
        done.comes = Comes.CALLS
        function = called.code.function
        objects = self.form.functions[OBJECT::FUNCTION_WIDTH]
        if self.image.symbols[function.name] not in objects:
            raise NotCompact("a call of something else than was expected", function.loc)
        done.called = objects.index(self.image.symbols[function.name])
        words: list[int] = []
        for parameter in function.params:
            words += to_words(called.regs[parameter.register], parameter.type)
        done.arguments = list(zip(self.form.parameters[done.called], words, strict=True))
        done.arguments += [(register, UNDEF_WORD) for register in self.form.late[done.called]]

    def _access(self, access: Access) -> tuple[int, int, int, int, int, int]:
        mode, number, offset, size, atomic, value, _ = access
        told = NO_VALUE
        if value is not None:
            plain = size <= LARGEST_VALUE and value.__class__ is not Aggregate
            kind: Type = IntType(8 * size)
            if value.__class__ is float:
                kind = FloatType({2: "half", 4: "float"}.get(size, "double"))
            told = to_word(value, kind) if plain and _is_scalar(value) else 0
        return int(mode), number, offset, size, int(bool(atomic)), told

    def _address(self, pointer: object) -> int | None:
        return None if pointer is None else to_word(pointer, PTR)

    def _identity(self, number: int) -> tuple[int, int, int, int]:
        """What an object is, as the numbers that the native machine knows it by."""
        identity = self.image.objects.identities[number]
        kind = KINDS.get(self.image.objects[number].kind, KINDS["library"])
        if isinstance(identity, tuple) and identity[0] in ("stack", "heap"):
            _, thread, nth, site = identity
            at = self._sites.get(site)
            return kind, thread, nth, self._elsewhere(site) if at is None else at
        if isinstance(identity, tuple) and identity[0] == "tls":
            return kind, identity[2], self._identities.number(identity[1]), 0
        if isinstance(identity, tuple) and identity[0] == "thread":
            return kind, END, identity[1], -1
        if identity == "atexit":
            return kind, EXIT_HANDLERS, 0, -1
        return KINDS["library"], OTHERS + self._identities.number(identity), 0, -1

    def _elsewhere(self, site: tuple[str, int]) -> int:
        """Of a place that is no instruction; the library's own objects are not to be freed."""
        return FAR_SITE + OWN_SITE * (site[1] == OWN) + self._identities.number(site)

    def _tell_memory(self, done: Performed, m: Machine) -> None:
        memory = m.memory
        assert isinstance(memory, SeenMemory)
        for number in sorted(m.owned):
            now = dict.get(memory, number)
            if now is None:
                continue
            was, known = memory.loaded.get(number, (None, None))
            if now is was:
                continue
            if known is None or now.size != known.size:
                if known is not None:
                    raise NotCompact("an object that changes its size")
                depth = now.owner[1] if now.owner is not None else 0
                done.made.append((number, now.size, int(now.fill == 0), depth))
            layout = known.layout if known else self.view.layout(number, now.size)
            changes = Changes(was, now, layout, m.domain)
            done.written += [(number, at, size, word) for at, size, word in changes.written]
            done.filled += [(number, at, size, word) for at, size, word in changes.filled]
        done.ended = memory.ended()

    def _tell_thread(self, done: Performed, m: Machine, frame: Frame | None) -> None:
        thread = m.thread
        done.hidden_reads, done.hidden_writes = list(m.unseen_reads), list(m.unseen_writes)
        done.acquired = [to_word(pointer, PTR) for pointer in m.acquired]
        done.tries, done.wakes, done.invents = m.tries, m.wakes, m.invents
        done.note = self.texts.number(m.note)
        done.joined = list(m.joined)
        done.allocated = thread.allocated
        done.extra = self._extras.number((thread.keys, thread.ending))
        done.output = self._outputs.number(m.state.output)
        done.leaves = m.leaves
        done.effect = bool(m.invents or thread.inputs or done.output != self.view.output())
        if done.comes is Comes.ENDS:
            done.result = to_word(thread.result, PTR)
        if frame is not None:
            done.phase = frame.phase
            done.scratch = self._carried(frame.scratch)
        elif done.comes is Comes.CALLS_BACK:
            done.phase = m.frames[-2].phase
            done.scratch = self._carried(m.frames[-2].scratch)

    def _carried(self, value: Value) -> int:
        if _has_address(value, self.image.objects.dynamic):
            raise NotCompact("an address is carried between two events")
        return self._scratches.number(value)


def looked_at(i: Instruction) -> list[int]:
    """The registers of an instruction's operands, each once, in order."""
    return list(dict.fromkeys(o.index for o in i.operands() if isinstance(o, Reg)))


def _is_scalar(value: Value) -> bool:
    """Of a text, or of a number with holes, only that it is there is told."""
    return value is UNDEF or value.__class__ in (int, float, tuple)


def _has_address(value: Value, dynamic: list[bool]) -> bool:
    if value.__class__ is Aggregate:
        return any(_has_address(part, dynamic) for part in value)
    return value.__class__ is tuple and dynamic[value[0]]
