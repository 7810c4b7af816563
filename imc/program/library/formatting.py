"""The text side of printf and scanf: formatting values by a template, and reading them by one.

Both work on Python values only; fetching arguments from, and storing results to, the memory of the
program is the caller's part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from imc.program.values import Value, to_signed

DIRECTIVE = re.compile(
    rb"%(?:(?P<position>\d+)\$)?"
    rb"(?P<flags>[-+ #0']*)"
    rb"(?P<width>\*(?:\d+\$)?|\d+)?"
    rb"(?:\.(?P<precision>\*(?:\d+\$)?|\d*))?"
    rb"(?P<length>hh|h|ll|l|q|z|t|j|L)?"
    rb"(?P<conversion>.)?",
    re.DOTALL,
)
_ADDRESS_BITS = 32  # of an offset, when a pointer has to become a number


class NotModelled(Exception):
    """A directive that C has, or some C library, and we do not."""


def places(directive: re.Match[bytes]) -> list[tuple[str, int | None]]:
    """The arguments of a directive in the order in which they are taken, with their positions."""
    found: list[tuple[str, int | None]] = []
    for part in ("width", "precision"):
        text = directive[part] or b""
        if text.startswith(b"*"):
            found.append((part, int(text[1:-1]) if text[1:] else None))
    if directive["conversion"] not in (b"%", b"m"):
        position = directive["position"]
        found.append(("value", int(position) if position else None))
    return found


def in_order(template: bytes) -> list[tuple[re.Match[bytes], str]]:
    """What takes each argument: a directive, and which part of it.

    Arguments either all have positions or none has; of a position that nobody names no type is
    known, so that those behind it cannot be found.
    """
    taken = [(p, d, part) for d in DIRECTIVE.finditer(template) for part, p in places(d)]
    if all(position is None for position, _, _ in taken):
        return [(directive, part) for _, directive, part in taken]
    by_position = {position: (d, part) for position, d, part in reversed(taken)}
    if by_position.keys() != set(range(1, len(by_position) + 1)):
        raise NotModelled("a format with positions for some arguments only")
    return [by_position[position] for position in range(1, len(by_position) + 1)]


def format_printf(
    template: bytes,
    next_arg: Callable[[], Value],
    read_string: Callable[[Value, int | None], bytes],
    long_bits: int = 64,
    store_count: Callable[[Value, str, int], None] | None = None,
    number: Callable[[Value], Value] = lambda value: value,
    error: Callable[[], bytes] | None = None,
) -> bytes:
    """What C's printf prints for `template`.

    `next_arg` gives the arguments one after the other, integers as unsigned patterns.
    `read_string(pointer, limit)` gives the C string at `pointer`, at most `limit` bytes of it;
    beyond these it must not look, since nothing need end the string there.
    `store_count(pointer, length, count)` is told of %n; without it, C does not have that.
    `number` makes numbers of pointers; `error` gives the text of %m.
    An argument that does not fit its directive raises ValueError, a directive that is not known
    NotModelled.
    """
    order = in_order(template)
    all_at_once = any(p is not None for d in DIRECTIVE.finditer(template) for _, p in places(d))
    taken = [next_arg() for _ in order] if all_at_once else []

    def argument(position: bytes | None) -> Value:
        return taken[int(position) - 1] if all_at_once and position else next_arg()

    def star_or_digits(text: bytes | None) -> int | None:
        if text is not None and text.startswith(b"*"):
            return to_signed(_integer(argument(text[1:-1]), "*") % 2**32, 32)
        return None if text is None else int(text or b"0")

    def convert(directive: re.Match[bytes]) -> bytes:
        def value() -> Value:
            return argument(directive["position"])

        flags = directive["flags"].decode().replace("'", "")  # numbers are not grouped in C's own
        width = star_or_digits(directive["width"]) or 0
        precision = star_or_digits(directive["precision"])
        if width < 0:
            flags, width = flags + "-", -width
        if precision is not None and precision < 0:
            precision = None
        length = (directive["length"] or b"").decode()
        conversion = (directive["conversion"] or b"").decode("latin-1")
        match conversion:
            case "%":
                return b"%"
            case "d" | "i" | "u" | "x" | "X" | "o" if length != "L":
                bits = _integer_bits(length, long_bits)
                whole = _integer(number(value()), conversion) % 2**bits
                if conversion in "di":
                    whole = to_signed(whole, bits)
                return _format_integer(whole, conversion, flags, width, precision)
            case "f" | "F" | "e" | "E" | "g" | "G" | "a" | "A" if length in (
                "",
                "l",
                "L",
            ):
                real = _float(value(), conversion)
                return _format_float(real, conversion, flags, width, precision)
            case "p" if not length:
                address = _integer(number(value()), conversion) % 2**64
                if not address:
                    return _pad("(nil)", flags, width)
                return _format_integer(address, "x", flags + "#", width, precision)
            case "c" if not length:
                return _pad(chr(_integer(value(), conversion) % 256), flags, width)
            case "s" if not length:
                return _pad(read_string(value(), precision).decode("latin-1"), flags, width)
            case "m" if error is not None and not length:
                return _pad(error()[:precision].decode("latin-1"), flags, width)
            case "n" if store_count is not None:
                store_count(value(), length, len(printed))
                return b""
        raise NotModelled(f"printf's directive '{directive[0].decode('latin-1')}'")

    printed, at = bytearray(), 0
    for directive in DIRECTIVE.finditer(template):
        printed += template[at : directive.start()]
        printed += convert(directive)
        at = directive.end()
    return bytes(printed + template[at:])


def _integer_bits(length: str, long_bits: int) -> int:
    return {"hh": 8, "h": 16, "": 32, "ll": 64, "q": 64, "j": 64}.get(length, long_bits)


def _integer(value: Value, conversion: str) -> int:
    """An integer argument; a pointer is turned into a number that tells its object and offset."""
    match value:
        case int():
            return value
        case (int(obj), int(offset)):
            return (obj << _ADDRESS_BITS) + offset
    raise ValueError(f"The argument of %{conversion} is not an integer.")


def _float(value: Value, conversion: str) -> float:
    if isinstance(value, float):
        return value
    raise ValueError(f"The argument of %{conversion} is not a floating-point number.")


def _sign(negative: bool, flags: str) -> str:
    return "-" if negative else "+" if "+" in flags else " " if " " in flags else ""


def _pad(body: str, flags: str, width: int, prefix: str = "", zeros: bool = False) -> bytes:
    """`prefix` and `body` in a field; zeros, if it is filled with them, stand between the two."""
    if zeros and "0" in flags and "-" not in flags:
        body = body.rjust(width - len(prefix), "0")
    text = prefix + body
    return (text.ljust(width) if "-" in flags else text.rjust(width)).encode("latin-1")


def _format_integer(
    value: int, conversion: str, flags: str, width: int, precision: int | None
) -> bytes:
    prefix = _sign(value < 0, flags) if conversion in "di" else ""
    digits = format(abs(value), conversion if conversion in "xXo" else "d")
    if precision is not None:
        digits = digits.rjust(precision, "0") if value or precision else ""
    if "#" in flags:
        if conversion == "o" and not digits.startswith("0"):
            digits = "0" + digits
        elif conversion in "xX" and value:
            prefix = "0" + conversion
    return _pad(digits, flags, width, prefix, zeros=precision is None)


def _format_float(
    value: float, conversion: str, flags: str, width: int, precision: int | None
) -> bytes:
    prefix = _sign(math.copysign(1, value) < 0, flags)
    magnitude = abs(value)
    finite = math.isfinite(value)
    if not finite:
        body = "nan" if math.isnan(value) else "inf"
    elif conversion in "aA":
        prefix += "0x"
        body = _hexadecimal(magnitude, precision, "#" in flags)
    else:
        alternative = "#" if "#" in flags else ""
        digits = 6 if precision is None else precision
        body = f"%{alternative}.{digits}{conversion.lower()}" % magnitude
    if conversion.isupper():
        prefix, body = prefix.upper(), body.upper()
    return _pad(body, flags, width, prefix, zeros=finite)


def _hexadecimal(magnitude: float, precision: int | None, point: bool) -> str:
    """The digits and the exponent of %a."""
    first, rest = magnitude.hex().removeprefix("0x").split(".")
    digits, exponent = rest.split("p")
    if precision is None:
        digits = digits.rstrip("0")
    elif precision < len(digits):
        dropped = 16 ** (len(digits) - precision)
        kept, remainder = divmod(int(first + digits, 16), dropped)
        kept += 2 * remainder + kept % 2 > dropped
        whole, fraction = divmod(kept, 16**precision)
        first, digits = (
            str(whole),
            format(fraction, "x").rjust(precision, "0") if precision else "",
        )
    else:
        digits = digits.ljust(precision, "0")
    return f"{first}{'.' if digits or point else ''}{digits}p{exponent}"


_SPACE = re.compile(rb"\s*")
_SCAN_PART = re.compile(
    rb"(?P<space>\s+)"
    rb"|%(?P<skip>\*)?(?P<width>\d+)?(?P<length>hh|h|ll|l|q|z|t|j|L)?"
    rb"(?P<conversion>\[\^?\]?[^\]]*\]|[^\[])?"
    rb"|(?P<literal>.)",
    re.DOTALL,
)
# What a conversion takes from the input. "0x" and "1e+" are used up although the number is not
# complete; as in glibc they stand for 0 and 1.
_ITEMS = {
    "d": rb"[-+]?\d*",
    "u": rb"[-+]?\d*",
    "o": rb"[-+]?[0-7]*",
    "x": rb"[-+]?(?:0[xX])?[0-9a-fA-F]*",
    "p": rb"\(nil\)|[-+]?(?:0[xX])?[0-9a-fA-F]*",
    "i": rb"[-+]?(?:0[xX][0-9a-fA-F]*|0[0-7]*|\d*)",
    "f": rb"[-+]?(?:(?i:inf(?:inity)?|nan)|\d*\.?\d*(?:(?<=[\d.])[eE][-+]?\d*)?)",
    "s": rb"\S*",
    "c": rb"(?s:.*)",
}
_SYNONYMS = {"X": "x"} | dict.fromkeys("FeEgGaA", "f")
_BASES = {"d": 10, "u": 10, "o": 8, "x": 16, "p": 16}


def parse_scanf(
    template: bytes, text: bytes, position: int
) -> tuple[list[tuple[str, int | float | bytes]], int, bool]:
    """What C's scanf reads by `template` from `text`, beginning at `position`.

    Returns the values to assign, the position after what was read, and whether the text ended
    before anything could be assigned (scanf then returns EOF instead of a count). A value comes
    with its length modifier and conversion, such as ("ld", -5), ("s", b"word") or ("lf", 0.5): X is
    given as x, the other conversions of floats as f, and a set as "["; what %n stores comes as "n",
    and does not count as read. Integers are not reduced to their width. Hexadecimal floats are not
    read; wide characters and whatever else is unknown raise NotModelled.
    """
    values: list[tuple[str, int | float | bytes]] = []
    start = position

    for part in _SCAN_PART.finditer(template):
        conversion = (part["conversion"] or b"").decode("latin-1")
        conversion = _SYNONYMS.get(conversion, conversion)
        kind = conversion[:1]
        length = (part["length"] or b"").decode()
        if part["space"] or (not part["literal"] and kind not in ("c", "[", "n")):
            position = _skip_space(text, position)
        if part["space"]:
            continue

        if part["literal"] or kind == "%":
            found = text[position : position + 1]
            if found != (part["literal"] or b"%"):
                return values, position, not found and not values
            position += 1
            continue

        if kind == "n" and not part["skip"]:
            values.append((length + kind, position - start))
            continue
        if (kind != "[" and kind not in _ITEMS) or (length and kind in ("s", "c", "[")):
            raise NotModelled(f"scanf's directive '{part[0].decode('latin-1')}'")
        if position >= len(text):
            return values, position, not values
        width = int(part["width"] or (b"1" if kind == "c" else b"0")) or len(text)
        pattern = _set_pattern(part["conversion"]) if kind == "[" else _ITEMS[kind]
        match = re.compile(pattern).match(text, position, position + width)
        item = match[0] if match else b""
        position += len(item)
        try:
            value = _convert(item, kind)
        except ValueError:
            return values, position, False
        if not part["skip"]:
            values.append((length + kind, value))

    return values, position, False


def _skip_space(text: bytes, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _set_pattern(conversion: bytes) -> bytes:
    """The regular expression of a set such as [a-z] or [^]x]."""
    inverted = conversion.startswith(b"[^")
    members = re.sub(rb"([]\\[^&~|])", rb"\\\1", conversion[2 if inverted else 1 : -1])
    return b"[" + b"^" * inverted + members + b"]*"


def _convert(item: bytes, kind: str) -> int | float | bytes:
    """The value of what was read; ValueError if it has none."""
    if kind == "f":
        return float(item.rstrip(b"eE+-"))
    if item == b"(nil)" and kind == "p":
        return 0
    if kind in _BASES or kind == "i":
        digits = item.lstrip(b"+-").lower()
        any_base = 16 if digits.startswith(b"0x") else 8 if digits.startswith(b"0") else 10
        return int(item.rstrip(b"xX"), _BASES.get(kind, any_base))
    if not item:
        raise ValueError
    return item
