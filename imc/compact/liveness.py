"""Which registers hold something that local code still looks at."""

from __future__ import annotations

from collections.abc import Iterator

from imc.compact import opcodes as op
from imc.compact.form import CompactProgram

# Fields that are registers which an operation looks at; all others look at a and b.
READS = {
    op.JUMP: "", op.MOVE: "a", op.BRANCH: "a", op.LOAD: "a", op.OFFSET: "a", op.SEXT: "a",
    op.TRUNC: "a", op.CALL: "", op.RETURN: "b", op.SELECT: "abc", op.SWITCH: "a", op.FORGET: "",
    op.FREEZE: "a", op.ALLOCATE: "", op.BEGIN: "a", op.ASSUME: "a", op.ASSERT: "a", op.FAIL: "",
    op.STUCK: "", op.ATOMIC_END: "", op.SELF: "", op.FREE: "a", op.END: "a", op.FILL: "abc",
    op.COPY: "abc", op.DISPATCH: "a", op.PERFORM: "", op.RESUME: "",
}  # fmt: skip


def reads(form: CompactProgram, pc: int) -> Iterator[int]:
    """Registers that a local operation looks at."""
    opcode, _, a, b, c = form.record(pc)
    fields = READS.get(opcode, "ab")
    for name, register in (("a", a), ("b", b), ("c", c)):
        if name in fields and register >= 0:
            yield register
    if opcode == op.EXCHANGE:
        yield form.tables[c]
    if opcode == op.PERFORM:
        yield from form.tables[a + 1 : a + 1 + form.tables[a]]


def successors(form: CompactProgram, pc: int) -> list[int]:
    """Where local code goes on; what is behind a call looks only at what is part of a state.

    A function that is called looks at its parameters, which may be part of none.
    """
    opcode, _, a, b, c = form.record(pc)
    if opcode in (op.JUMP, op.CALL):
        return [a]
    if opcode == op.BRANCH:
        return [b, c]
    if opcode == op.SWITCH:
        count = form.tables[b]
        return [*form.tables[b + 2 : b + 2 + 2 * count : 2], form.tables[b + 1 + 2 * count]]
    if opcode == op.DISPATCH:
        return form.tables[b + 2 : b + 2 + 2 * form.tables[b] : 2]
    if opcode == op.RESUME:
        return [a]
    if opcode == op.PERFORM:
        return [pc + 2 if c else pc + 1]
    if opcode in (op.RETURN, op.FAIL, op.STUCK) or opcode >= op.VISIBLE:
        return []
    return [pc + 1]


def live_at(form: CompactProgram) -> list[int]:
    """For each pc, the registers that the local code from there on looks at, as bits."""
    count = len(form.sites)
    looked, written, after = [], [], []
    for pc in range(count):
        opcode, d, _, b, _ = form.record(pc)
        local = opcode < op.VISIBLE
        looked.append(sum({1 << register for register in reads(form, pc)}) if local else 0)
        defines = local and d >= 0 and opcode not in (op.STORE, op.CALL, op.RETURN)
        results = b if opcode == op.PERFORM else 1
        written.append((1 << results) - 1 << d if defines else 0)
        after.append(successors(form, pc))
    live = [0] * count
    changed = True
    while changed:
        changed = False
        for pc in range(count - 1, -1, -1):
            bits = 0
            for to in after[pc]:
                bits |= live[to]
            bits = bits & ~written[pc] | looked[pc]
            if bits != live[pc]:
                live[pc] = bits
                changed = True
    return live
