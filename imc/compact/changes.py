"""What has changed in an object, as words for the scalars that the machine knows of it.

How memory is cut into scalars stays as it is; what the model has written in other pieces is put
together. Where nobody has looked yet, the model's own pieces are the scalars, of eight bytes at
most.
"""

from __future__ import annotations

from imc.compact.form import NotCompact
from imc.compact.opcodes import UNDEF
from imc.compact.words import to_word
from imc.program.domain import Domain
from imc.program.memory import MAX_CELL, MemoryObject
from imc.program.types import IntType
from imc.program.values import UNDEF as UNDEFINED
from imc.program.values import Fragment

Written = tuple[int, int, int]  # offset, size, word
WORD = 8


class Changes:
    """One object's: `written` are scalars, `filled` are bytes that no scalar is known of.

    Such bytes are alike in all of an object, whatever it holds in other executions; so they are
    filled all together, or not at all.
    """

    def __init__(
        self, was: MemoryObject | None, now: MemoryObject, layout: list[int], domain: Domain
    ) -> None:
        self.now = now
        self.domain = domain
        self.layout = layout
        self.written: list[Written] = []
        self.filled: list[Written] = []
        self._before = to_word((was or now).fill, IntType(8))  # of bytes that nobody has looked at
        self._fill = to_word(now.fill, IntType(8))
        self._blank: list[tuple[int, int]] = []  # bytes that now hold another fill
        self._all(was)

    def _all(self, was: MemoryObject | None) -> None:
        at = 0
        for start, end in self._ranges(was):
            at = max(at, start)
            while at < end:
                at = self._one(at)
        open_bytes = self.now.size - sum(1 for size in self.layout if size)
        taken = sum(size for at, size, _ in self.written if not self._known(at))
        blank = sum(size for _, size in self._blank)
        if blank and taken + blank == open_bytes:
            self.filled = [(at, size, self._fill) for at, size in self._blank]
        else:
            self.written += [(at, size, self._fill) for at, size in self._blank]

    def _known(self, at: int) -> bool:
        return at < len(self.layout) and self.layout[at] != 0

    def _ranges(self, was: MemoryObject | None) -> list[tuple[int, int]]:
        """Bytes that may hold something else than before, in order."""
        now = self.now
        if was is None:
            return sorted((at, at + n) for at, (n, _) in now.cells.items())
        if was.fill is not now.fill:
            return [(0, now.size)]
        old, new = was.cells, now.cells
        found = [(at, at + c[0]) for at, c in new.items() if not _same(old.get(at), c)]
        found += [(at, at + c[0]) for at, c in old.items() if not _same(new.get(at), c)]
        return sorted(found)

    def _one(self, at: int) -> int:
        """The scalar, or the bytes, at an offset; where the next ones begin."""
        size = self.layout[at] if at < len(self.layout) else 0
        while size < 0:  # in the middle of a scalar
            at -= 1
            size = self.layout[at]
        if size > 0:
            self.written.append((at, size, self._word(at, size)))
            return at + size
        size = self._piece(at)
        word = self._word(at, size) if size else self._fill
        size = max(size, 1)
        if word == self._before and word in (0, UNDEF):
            return at + size  # as if nobody had written it
        if word == self._fill and word in (0, UNDEF):
            self._blank.append((at, size))
        else:
            self.written.append((at, size, word))
        return at + size

    def _piece(self, at: int) -> int:
        """How large the model's scalar at an offset is; 0: there is none, the fill shows."""
        now = self.now
        found = now.cells.get(at)
        if found is None:
            around = [k for k in range(max(at - MAX_CELL + 1, 0), at) if k in now.cells]
            inside = [k for k in around if k + now.cells[k][0] > at]
            rest = min(WORD, inside[0] + now.cells[inside[0]][0] - at) if inside else 0
            is_free = rest in (1, 2, 4, 8) and not any(self.layout[at : at + rest])
            return rest if is_free else min(rest, 1)
        if at % WORD == 0 and self._zeros(at):
            return WORD
        size = min(found[0], WORD)
        if isinstance(found[1], Fragment) and found[1].index == 0:
            size = found[1].size
        if any(k != 0 for k in self.layout[at : at + size]):
            return 1
        return size

    def _zeros(self, at: int) -> bool:
        """Whether zeroed bytes make a word, which can be taken apart, or hold an address."""
        bytes = range(at, at + WORD)
        return (
            all(self.now.cells.get(k) == (1, 0) and not self._known(k) for k in bytes)
            and at + WORD <= self.now.size
        )

    def _word(self, at: int, size: int) -> int:
        type = IntType(8 * size)
        value = self.now.read(at, size, type, self.domain)
        if value is UNDEFINED:
            data = self.now.read_bytes(at, size, self.domain)
            if any(byte is not UNDEFINED for byte in data):
                raise NotCompact("a number that is partly undefined")
        return to_word(value, type)


def _same(one: tuple[int, object] | None, other: tuple[int, object]) -> bool:
    if one is None or one[0] != other[0] or one[1].__class__ is not other[1].__class__:
        return False
    return one[1] == other[1]
