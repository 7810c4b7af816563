"""Writing certificates: the verified tree, with what is proved at each of its nodes."""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode

from imc.checker.formulas import to_json
from imc.checker.naming import Naming
from imc.terms.places import Places
from imc.verifier.result import VerifiedTree

Json = Any


def certificate(schedule: VerifiedTree, places: Places) -> dict[str, Json]:
    """All that a checker needs besides the program; raises `Inexpressible` if it has no words."""
    naming = Naming(places)
    table: dict[FNode, int] = {}
    named: list[Json] = []

    def place(symbol: FNode) -> int:
        if symbol not in table:
            table[symbol] = len(named)
            named.append(naming.place(symbol))
        return table[symbol]

    nodes = {
        str(number): {
            "choices": list(node.node.event.choices),
            "label": [to_json(conjunct, place) for conjunct in node.label],
            "permits": {str(t): list(children) for t, children in node.permits.items()},
            "cover": node.cover,
        }
        for number, node in schedule.nodes.items()
    }
    abstract = sorted(map(naming.variable, places.abstract), key=str)
    exact = sorted(map(naming.object, places.domain.exact), key=str)
    return {
        "root": schedule.root,
        "abstract": abstract,
        "exact": exact,
        "places": named,
        "nodes": nodes,
    }
