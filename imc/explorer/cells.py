"""Which events touch a cell: an index of an execution that grows and shrinks at its end."""

from __future__ import annotations

from imc.program.events import Access

Cell = tuple[int, int, int]  # object, offset, size


class Cells:
    """Positions of events by cell; which cells overlap is worked out once."""

    def __init__(self) -> None:
        self._positions: dict[Cell, list[int]] = {}
        self._of_object: dict[int, list[Cell]] = {}
        self._overlapping: dict[Cell, list[Cell]] = {}

    def push(self, access: Access, position: int) -> None:
        cell = access.object, access.offset, access.size
        positions = self._positions.get(cell)
        if positions is None:
            positions = self._add(cell)
        positions.append(position)

    def pop(self, access: Access) -> None:
        self._positions[access.object, access.offset, access.size].pop()

    def touching(self, cells: list[Cell]) -> list[int]:
        """Positions of events that touch one of the cells, in order."""
        lists = []
        for cell in cells:
            if cell not in self._positions:
                self._add(cell)
            lists += [found for c in self._overlapping[cell] if (found := self._positions[c])]
        if len(lists) == 1:
            return list(dict.fromkeys(lists[0]))
        return sorted({position for found in lists for position in found})

    def _add(self, cell: Cell) -> list[int]:
        number, offset, size = cell
        others = self._of_object.setdefault(number, [])
        overlapping = [c for c in others if c[1] < offset + size and offset < c[1] + c[2]]
        for other in overlapping:
            self._overlapping[other].append(cell)
        self._overlapping[cell] = [*overlapping, cell]
        others.append(cell)
        self._positions[cell] = []
        return self._positions[cell]
