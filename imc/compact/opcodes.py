"""The operations of the compact form. A record is five ints: the opcode, then d, a, b and c.

d is the register that is written, a and b are registers that are read, unless the list below says
otherwise; `pc` is the number of a record. Operations from VISIBLE on end the step before them,
outside of atomic sections. UNDEF stands for a value that nobody has written.
"""

from __future__ import annotations

from typing import Final

WIDTH: Final = 5  # ints of a record
UNDEF: Final = -1  # no unsigned number; a core with words of 64 bits keeps a bit beside them

# Local operations.
JUMP: Final = 0  # pc a; b: it leads back; c: to a loop without an exit
MOVE: Final = 1  # d := a
BRANCH: Final = 2  # a is the condition; pc b or pc c
ADD: Final = 3  # d := a + b, of c bits, and so on
SUB: Final = 4
EQ: Final = 5  # d := a = b; c bits (signed comparisons need them)
NE: Final = 6
SLT: Final = 7
SLE: Final = 8
ULT: Final = 9
ULE: Final = 10
LOAD: Final = 11  # d := c bytes at a
STORE: Final = 12  # c bytes at a := b
INDEX: Final = 13  # d := a + (b as signed) * c, b of 64 bits
INDEX32: Final = 14  # the same, b of 32 bits
OFFSET: Final = 15  # d := a + b, which is a number itself
SEXT: Final = 16  # d := a of b bits, as c bits
TRUNC: Final = 17  # d := a, as c bits
CALL: Final = 18  # register d := the next pc; pc a
RETURN: Final = 19  # of b, in register d, to the pc in register a; c: the function that ends
MUL: Final = 20
AND: Final = 21
OR: Final = 22
XOR: Final = 23
SHL: Final = 24
LSHR: Final = 25
ASHR: Final = 26
UDIV: Final = 27
UREM: Final = 28
SDIV: Final = 29
SREM: Final = 30
SELECT: Final = 31  # d := a if c else b
SWITCH: Final = 32  # on a; tables[b:] are how many cases, value and pc of each, another pc
FORGET: Final = 33  # d := UNDEF
FREEZE: Final = 34  # d := a, or 0
OVERFLOWS: Final = 35  # fault if a op b does; c: bits + 128 * nsw + 256 * nuw + 1024 * opcode
ALLOCATE: Final = 36  # d := a new local of a bytes (a number)
BEGIN: Final = 37  # the local at a, of b bytes (a number), begins, uninitialised
ASSUME: Final = 38  # a is not 0
ASSERT: Final = 39  # a is not 0
FAIL: Final = 40  # texts[a]: message, texts[b]: property
STUCK: Final = 41  # a: message
ATOMIC_END: Final = 42
SELF: Final = 43  # d := the thread's handle
HEAP: Final = 44  # d := a new object of a bytes, or a * b if b is not -1; c: fill is zero
FREE: Final = 45  # d := UNDEF; the object at a ends
UPDATE: Final = 46  # d := value at a, which is changed by b; tables[c:]: how, bytes, bits, commutes
EXCHANGE: Final = 47  # d, d + 1 := value at a, same as b?; tables[c:]: new value, bytes
FILL: Final = 48  # d := a; c bytes there become b
COPY: Final = 49  # d := a; c bytes from b go there
END: Final = 50  # the local at a ends, and may begin again
DISPATCH: Final = 51  # to the function at a; tables[b:] are how many, object and pc of each
PERFORM: Final = (
    52  # the model does; tables[a:]: how many registers it looks at, they; d: b results
)
RESUME: Final = 53  # a function that PERFORM at pc a has called is over; b: the phase it goes on in

# Operations that others can see.
VISIBLE: Final = 64
VISIBLE_LOAD: Final = 64  # as LOAD; b: atomic
VISIBLE_STORE: Final = 65  # as STORE; d: atomic
VISIBLE_UPDATE: Final = 66
VISIBLE_EXCHANGE: Final = 67
VISIBLE_RETURN: Final = 68
VISIBLE_FREE: Final = 69
INPUT: Final = 70  # d := an input of b bits; a: 0 null, 1 integer, 2 truth value, 3 as PERFORM
SPAWN: Final = 71  # handle at a, function in b, argument in c; tables[d:]: result, attributes
JOIN: Final = 72  # d := status; thread a; its result to b, of c bytes
THREAD_EXIT: Final = 73  # with a; c: function
EXIT: Final = 74  # ends the program with a; b: handlers are looked for
ABORT: Final = 75  # a: message
ATOMIC_BEGIN: Final = 76
MUTEX_INIT: Final = 77  # d := status of the object at a, as below; b: attributes, c: kind, or -1
MUTEX_DESTROY: Final = 78
MUTEX_LOCK: Final = 79
MUTEX_TRYLOCK: Final = 80  # c: status when it is held
MUTEX_UNLOCK: Final = 81
SPIN_INIT: Final = 82
SPIN_LOCK: Final = 83
SPIN_TRYLOCK: Final = 84
SPIN_UNLOCK: Final = 85
COND_INIT: Final = 86
COND_WAIT: Final = 87  # b: the mutex; c: whether it may wake without a signal
COND_SIGNAL: Final = 88
COND_BROADCAST: Final = 89
SEM_INIT: Final = 90  # b: the count
SEM_WAIT: Final = 91
SEM_POST: Final = 92
BARRIER_INIT: Final = 93  # b: how many
BARRIER_WAIT: Final = 94  # b: somebody looks at the result
DESTROY: Final = 95
DETACH: Final = 96
VISIBLE_PERFORM: Final = 97

NAMES: Final = {
    number: name
    for name, number in list(globals().items())
    if name.isupper() and number.__class__ is int and name not in ("WIDTH", "UNDEF", "VISIBLE")
}

COMPARISONS: Final = {EQ: "==", NE: "!=", SLT: "<", SLE: "<=", ULT: "<", ULE: "<="}
