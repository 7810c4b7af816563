"""Number literals of the IR, read as Python numbers."""

from __future__ import annotations

import math
import re
import struct

from imc.program.types import FLOAT_BITS

_DECIMAL_INT = re.compile(r"[-+]?\d+\Z")
_HEX_INT = re.compile(r"([us])0x([0-9A-Fa-f]+)\Z")
_DECIMAL_FLOAT = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?\Z")
_HEX_FLOAT = re.compile(r"(f?)0x([KHLR]?)([0-9A-Fa-f]+)\Z")
_SPECIAL = re.compile(r"([-+]?)(?:(inf)|[sq]?nan)\Z")
_PREFIX_KINDS = {"": "double", "K": "x86_fp80", "H": "half", "L": "fp128", "R": "bfloat"}
# bits of the exponent and of the fraction; x86_fp80 stores its leading one
_FORMATS = {"half": (5, 10), "bfloat": (8, 7), "x86_fp80": (15, 63), "fp128": (15, 112)}


def integer(token: str) -> int | None:
    """The value of an integer literal, not yet reduced to its width."""
    if _DECIMAL_INT.match(token):
        return int(token)
    if match := _HEX_INT.match(token):
        value = int(match[2], 16)
        width = 4 * len(match[2])
        return value - (1 << width) if match[1] == "s" and value >> (width - 1) else value
    return None


def floating(token: str, kind: str) -> float | None:
    """The value of a float literal of type `kind`: the nearest Python float."""
    if _DECIMAL_FLOAT.match(token):
        return float(token)
    if match := _HEX_FLOAT.match(token):
        bits = int(match[3], 16)
        if match[1]:
            return from_bits(bits, kind)
        if match[2] == "L":
            bits = (bits & (1 << 64) - 1) << 64 | bits >> 64  # printed low half first
        # Without a letter the digits are a double's, even for a float.
        return from_bits(bits, _PREFIX_KINDS[match[2]])
    if match := _SPECIAL.match(token):
        value = math.inf if match[2] else math.nan
        return -value if match[1] == "-" else value
    return None


def from_bits(bits: int, kind: str) -> float | None:
    """The float with this bit pattern; None if it has too many bits."""
    if bits >> FLOAT_BITS[kind]:
        return None
    if kind == "double":
        return float(struct.unpack("<d", bits.to_bytes(8, "little"))[0])
    if kind == "float":
        return float(struct.unpack("<f", bits.to_bytes(4, "little"))[0])
    exponent_bits, fraction_bits = _FORMATS[kind]
    explicit_one = kind == "x86_fp80"
    fraction = bits & (1 << fraction_bits) - 1
    bits >>= fraction_bits
    leading = bits & 1 if explicit_one else None
    bits >>= explicit_one
    exponent = bits & (1 << exponent_bits) - 1
    sign = -1.0 if bits >> exponent_bits else 1.0
    if exponent == (1 << exponent_bits) - 1:
        return math.nan if fraction else sign * math.inf
    if leading is None:
        leading = int(exponent != 0)
    bias = (1 << (exponent_bits - 1)) - 1
    mantissa = leading << fraction_bits | fraction
    try:
        return sign * math.ldexp(mantissa, max(exponent, 1) - bias - fraction_bits)
    except OverflowError:
        return sign * math.inf
