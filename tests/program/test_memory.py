"""Cells, bytes and fills of memory objects."""

from __future__ import annotations

import random

import pytest

from imc.program.concrete import ConcreteDomain
from imc.program.memory import MemoryObject
from imc.program.types import I8, I32, I64, PTR, FloatType, IntType
from imc.program.values import UNDEF

DOMAIN = ConcreteDomain()
FLOAT = FloatType("float")


def test_a_load_returns_what_the_same_store_put() -> None:
    memory = MemoryObject(16, UNDEF)
    memory.write(8, 8, (3, 4), DOMAIN)
    assert memory.read(8, 8, PTR, DOMAIN) == (3, 4)
    assert memory.read(8, 8, I64, DOMAIN) == (3, 4)


def test_unwritten_bytes_are_the_fill() -> None:
    assert MemoryObject(4, 0).read(0, 4, I32, DOMAIN) == 0
    assert MemoryObject(4, 0).read(0, 4, FLOAT, DOMAIN) == 0.0
    assert MemoryObject(4, UNDEF).read(0, 4, I32, DOMAIN) is UNDEF


def test_union_of_float_and_int() -> None:
    memory = MemoryObject(4, UNDEF)
    memory.write(0, 4, 1.5, DOMAIN)
    assert memory.read(0, 4, I32, DOMAIN) == 0x3FC00000
    memory.write(0, 4, 0x40490FDB, DOMAIN)
    assert memory.read(0, 4, FLOAT, DOMAIN) == pytest.approx(3.14159274)


def test_a_pointer_survives_being_copied_byte_by_byte() -> None:
    memory = MemoryObject(16, UNDEF)
    memory.write(0, 8, (7, 12), DOMAIN)
    for i in range(8):
        memory.write(8 + i, 1, memory.read(i, 1, I8, DOMAIN), DOMAIN)
    assert memory.read(8, 8, PTR, DOMAIN) == (7, 12)


def test_half_a_pointer_is_half_of_its_address() -> None:
    memory = MemoryObject(8, 0)
    memory.write(0, 8, (7, 12), DOMAIN)
    low = memory.read(0, 4, I32, DOMAIN)
    memory.write(4, 4, 0, DOMAIN)
    assert memory.read(0, 8, I64, DOMAIN) == low == DOMAIN.number((7, 12)) % 2**32 != 0


def test_copy_makes_the_other_fill_explicit() -> None:
    source, target = MemoryObject(12, 0), MemoryObject(12, UNDEF)
    source.write(4, 4, 9, DOMAIN)
    target.copy_range(0, source, 0, 12, DOMAIN)
    assert [target.read(at, 4, I32, DOMAIN) for at in (0, 4, 8)] == [0, 9, 0]


def test_random_accesses_agree_with_an_array_of_bytes() -> None:
    rng = random.Random(7)
    for _ in range(60):
        memory, truth = MemoryObject(32, 0), bytearray(32)
        for _ in range(60):
            size = rng.choice([1, 2, 3, 4, 8, 16])
            at = rng.randrange(0, 32 - size + 1)
            match rng.randrange(4):
                case 0:
                    value = rng.getrandbits(8 * size)
                    memory.write(at, size, value, DOMAIN)
                    truth[at : at + size] = value.to_bytes(size, "little")
                case 1:
                    byte = rng.getrandbits(8)
                    memory.fill_range(at, size, byte, DOMAIN)
                    truth[at : at + size] = bytes([byte]) * size
                case 2:
                    other = rng.randrange(0, 32 - size + 1)
                    memory.copy_range(at, memory.copy(), other, size, DOMAIN)
                    truth[at : at + size] = bytes(truth[other : other + size])
                case 3:
                    found = memory.read(at, size, IntType(8 * size), DOMAIN)
                    assert found == int.from_bytes(truth[at : at + size], "little")
