"""Records are frozen data classes in all that anybody can see of them."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace

import pytest

from imc.records import record


@record
class Point:
    x: int
    y: int = 2
    place: str = field(default="here", compare=False)


@dataclass(frozen=True, slots=True)
class Reference:
    x: int
    y: int = 2
    place: str = field(default="here", compare=False)


@record(kw_only=True)
class Base:
    result: int | None = None


@record(kw_only=True)
class Derived(Base):
    """With more fields than there are digits: setters must not change places."""

    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    j: int
    k: int = 10


@record
class Nothing:
    pass


@record
class Named:
    name: str

    def __repr__(self) -> str:
        return self.name


def test_values_go_to_their_fields() -> None:
    names = "abcdefghij"
    made = Derived(**{name: n for n, name in enumerate(names)}, result=-1)
    assert [getattr(made, name) for name in names] == list(range(10))
    assert (made.k, made.result) == (10, -1)


def test_equality_hash_and_text_are_those_of_a_data_class() -> None:
    one, other = Point(1, place="a"), Point(1, 2, "b")
    assert one == other and hash(one) == hash(other) and one != Point(2)
    assert hash(one) == hash(Reference(1))
    assert one != Reference(1) and one != (1, 2)
    assert repr(one) == repr(Reference(1, place="a")).replace("Reference", "Point")
    assert Nothing() == Nothing() and hash(Nothing()) == hash(Nothing()) and repr(Nothing())
    assert repr(Named("me")) == "me"


def test_nothing_can_be_changed() -> None:
    one = Point(1)
    for change in (lambda: setattr(one, "x", 2), lambda: delattr(one, "x")):
        with pytest.raises(FrozenInstanceError):
            change()
    with pytest.raises((FrozenInstanceError, AttributeError)):
        one.z = 1  # type: ignore[attr-defined]
    assert not hasattr(one, "__dict__")


def test_what_works_on_data_classes_works_on_records() -> None:
    one = Point(1)
    assert is_dataclass(one) and [f.name for f in fields(one)] == ["x", "y", "place"]
    assert replace(one, y=5) == Point(1, 5)
    assert copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
    match one:
        case Point(x, y):
            assert (x, y) == (1, 2)


@pytest.mark.parametrize(
    "call",
    [lambda: Point(), lambda: Point(1, 2, "a", 4), lambda: Point(z=1), lambda: Derived(1, 2)],
)
def test_wrong_arguments_are_refused(call: object) -> None:
    with pytest.raises(TypeError):
        call()  # type: ignore[operator]


def test_what_a_record_cannot_be_is_refused() -> None:
    with pytest.raises(TypeError, match="needs a dataclass"):

        @record
        class WithFactory:
            items: list[int] = field(default_factory=list)

    with pytest.raises(TypeError, match="needs a dataclass"):

        @record
        class WithMore:
            x: int

            def __post_init__(self) -> None:
                pass

    with pytest.raises(TypeError, match="without a default"):

        @record
        class OutOfOrder:
            x: int = 1
            y: int
