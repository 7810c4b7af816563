"""What the source calls the parts of locals, and of objects that the program makes on the heap.

For words only: a heap object is taken for what the code that uses it takes it for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property

from imc.program.analysis.addresses import AbstractObject
from imc.program.analysis.pointsto import PointsTo
from imc.program.instructions import GetElementPtr
from imc.program.program import Program, SourceType
from imc.program.types import ArrayType, IntType, PtrType, StructType, Type

Site = tuple[str, int]  # function, program counter


class Shapes:
    """Answers for one program."""

    def __init__(self, program: Program, pointers: PointsTo) -> None:
        self.program = program
        self.pointers = pointers

    def local(self, type: Type | None) -> SourceType | None:
        """The source's view of a variable of a type, as far as the type tells."""
        size = self.program.layout.size(type) if type is not None else 0
        match type:
            case StructType(name=name):
                return self.program.struct_types.get(name)
            case ArrayType(element=element, count=count):
                inner = self.local(element)
                return None if inner is None else SourceType("", size, (), inner, count)
            case IntType() | PtrType():
                return SourceType("", size, signed=isinstance(type, IntType))
        return None

    def record(self, site: Site, size: int) -> SourceType | None:
        """The struct that objects of so many bytes, made at a place, are used as.

        What has its size counts first, then what it can be an array of, then what is used most: a
        pointer may be thought to lead to objects of which it is only near.
        """
        fitting = [r for r in self._records.get(site, ()) if 0 < r.size <= size]
        return max(fitting, key=lambda r: (r.size == size, size % r.size == 0), default=None)

    def heap(self, site: Site, size: int) -> SourceType | None:
        """The source's view of an object of so many bytes: a struct, or an array of them."""
        record = self.record(site, size)
        if record is None or size == record.size:
            return record
        return SourceType("", size, (), record, size // record.size)

    @cached_property
    def _records(self) -> dict[Site, list[SourceType]]:
        """The structs that objects made at a place may be used as, the most used first."""
        used: dict[Site, Counter[str]] = defaultdict(Counter)
        for function, _, i in self.program.instructions():
            if isinstance(i, GetElementPtr) and isinstance(i.source, StructType):
                for thing in self.pointers.of(function.name, i.pointer):
                    if _is_heap(thing) and i.source.name in self.program.struct_types:
                        used[thing.function, thing.pc][i.source.name] += 1
        return {
            site: [self.program.struct_types[name] for name, _ in counts.most_common()]
            for site, counts in used.items()
        }


def _is_heap(thing: AbstractObject) -> bool:
    return thing.kind == "heap"
