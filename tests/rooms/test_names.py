"""One name, one thing: no two classes of the project have the same name."""

from __future__ import annotations

import ast
from collections import defaultdict

from modules import modules, tree


def test_class_names_are_unique() -> None:
    """Names with an underscore are their module's own affair."""
    places = defaultdict(list)
    for module in modules():
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(f"{module}:{node.lineno}")
    assert not {name: where for name, where in places.items() if len(where) > 1}
