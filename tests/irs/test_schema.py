"""The JSON Schema accepts what is written, and refuses what is built otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from schedules import DOCS, EXAMPLE, schedules

from irs.format import dumps
from irs.schedule import Schedule

SCHEMA = json.loads((DOCS / "schedule.schema.json").read_text())
TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "integer": lambda v: type(v) is int,
    "number": lambda v: type(v) in (int, float),
}


def same(a: Any, b: Any) -> bool:
    return json.dumps(a) == json.dumps(b)


# The keywords that the schema uses: whether a value satisfies one of them.
KEYWORDS: dict[str, Callable[[Any, Any, dict[str, Any]], bool]] = {
    "$ref": lambda ref, v, _: valid(SCHEMA["$defs"][ref.removeprefix("#/$defs/")], v),
    "type": lambda t, v, _: any(TYPES[name](v) for name in ([t] if isinstance(t, str) else t)),
    "const": lambda constant, v, _: same(constant, v),
    "enum": lambda constants, v, _: any(same(constant, v) for constant in constants),
    "required": lambda keys, v, _: set(keys) <= set(v),
    "dependentRequired": lambda more, v, _: all(set(more[k]) <= set(v) for k in more if k in v),
    "properties": lambda inner, v, _: all(valid(s, v[k]) for k, s in inner.items() if k in v),
    "additionalProperties": lambda s, v, schema: all(
        valid(s, v[key]) for key in v if key not in schema["properties"]
    ),
    "prefixItems": lambda inner, v, _: all(map(valid, inner, v)),
    "items": lambda s, v, schema: all(valid(s, i) for i in v[len(schema.get("prefixItems", ())) :]),
    "minItems": lambda least, v, _: len(v) >= least,
    "uniqueItems": lambda _, v, __: len({json.dumps(i) for i in v}) == len(v),
    "oneOf": lambda inner, v, _: sum(valid(s, v) for s in inner) == 1,
    "anyOf": lambda inner, v, _: any(valid(s, v) for s in inner),
    "minimum": lambda least, v, _: v >= least,
    "maximum": lambda most, v, _: v <= most,
    "pattern": lambda pattern, v, _: re.search(pattern, v) is not None,
    **dict.fromkeys(("$schema", "$defs", "title", "description"), lambda *_: True),
}


def valid(schema: Any, value: Any) -> bool:
    if isinstance(schema, bool):
        return schema
    if "type" in schema and not KEYWORDS["type"](schema["type"], value, schema):
        return False
    return all(KEYWORDS[word](operand, value, schema) for word, operand in schema.items())


def test_the_example_is_valid() -> None:
    assert valid(SCHEMA, json.loads(EXAMPLE))


@settings(max_examples=50, deadline=None)
@given(schedules())
def test_what_is_written_is_valid(schedule: Schedule) -> None:
    assert valid(SCHEMA, json.loads(dumps(schedule)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"version": 3', '"version": 1'),
        ('"main": "b5a0c21f"', '"main": 7'),
        ('"functions": {', '"function": {'),
        ('"code": "external-function"', '"code": "External"'),
        ('"code": "external-function", ', ""),
        ('"subject": "more"', '"about": "more"'),
        (', "file": "count.c", "line": 7}', ', "line": 7}'),
        ('"main.1"]', '"main.0"]'),
        ('"main.1"]', '"main"]'),
        ('"pc": 4', '"pc": -1'),
        ('"pc": 4', '"pc": 4.5'),
        ('"line": 14', '"line": "14"'),
        ("[0, 0, []]", "[0, 0]"),
        ("[0, 0, []]", "[0, 0, [], 0]"),
        ("[[0, 1]]", "[[0, 0.5]]"),
        ('{"kind": "end"}', '{"kind": "section"}'),
        ('{"kind": "end"}', '{"kind": "choice", "sections": [1, 1]}'),
        ('"certificate": null', '"certificate": []'),
        ('"certificate": null', '"certificate": null, "more": 1'),
        ('"guard": null', '"guard": [null]'),
    ],
)
def test_what_is_built_otherwise_is_not(old: str, new: str) -> None:
    assert old in EXAMPLE
    assert not valid(SCHEMA, json.loads(EXAMPLE.replace(old, new, 1)))
