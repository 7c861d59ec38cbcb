"""FORMAT 1: reading an untrusted file: strict JSON, strict shape, in bounded time and memory."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import zlib
from math import gcd
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fractions import Fraction

MOST_BYTES, MOST_DEPTH, MOST_DIGITS = 16 * 2**20, 16, 4000
MOST_BITS = 13_300  # of a number of 4,000 digits, and some
# of a file that isn't followed, waited for or handed on, where the system has such words
READING = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
_RATIONAL = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:/([1-9][0-9]*))?")
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.?)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)  # always matches on: one pass
SYMBOLIC, EXPORT = "verifier.proof/2", "verifier.export/2"
PAGE, LENGTHS = "verifier.certificate/2", "verifier.lengths/1"
FORMATS, OLD = (PAGE, LENGTHS, SYMBOLIC, EXPORT), "verifier.certificate/1"
VERDICTS = ("holds", "refuted", "vacuous", "skipped")


# What a file must have at a place of a certificate's shape, in words.
_WANTED = {"count": "a whole number, 0 or more", "text": "a line of ASCII text"}


class Unreadable(Exception):
    """A file, or a part of the call, can't be understood; nothing was checked."""


def brief(value: Any) -> str:
    """A value of a file for a message: on one line, in ASCII, not long."""
    try:
        text = text_of(value) if type(value) is int else json.dumps(value)
    except ValueError:  # Python doesn't write whole numbers of more than 4,300 digits
        text = f"{type(value).__name__} with a number of more than {MOST_DIGITS} digits"
    return text if len(text) <= 160 else f"{text[:120]}... ({len(text)} characters)"


def plain(words: str, most: int) -> str:
    """Words on one line, in printable ASCII, not longer than this and an ellipsis."""
    escaped = re.sub("[^ -~]", lambda character: ascii(character[0])[1:-1], words)
    return escaped if len(escaped) <= most else f"{escaped[:most]}..."


def load(path: str) -> str:
    """The text of a regular file (no link, device or pipe), or for `-` of stdin, of at most 16 MiB."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1) if sys.stdin is not None else b""
            return decoded(data)
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise Unreadable("not a regular file")
        with open(os.open(path, READING), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable("not a regular file")
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise Unreadable(getattr(error, "strerror", None) or "no such name") from None
    return decoded(data)


def unpacked(data: bytes) -> bytes:
    """The content of a gzip file of one member, up to the limit on size: no more is ever unpacked."""
    unpack = zlib.decompressobj(wbits=31)
    try:
        text = unpack.decompress(data, MOST_BYTES + 1)
    except zlib.error:
        raise Unreadable("not a gzip file") from None
    if len(text) <= MOST_BYTES and (not unpack.eof or unpack.unused_data):
        raise Unreadable("bytes after the end of the gzip file" if unpack.eof else "a gzip file that ends too early")
    return text


def decoded(data: bytes) -> str:
    """The text that these bytes are, or the content of a gzip file."""
    if data.startswith(b"\x1f\x8b"):  # as every gzip file does
        data = unpacked(data)
    if not data or len(data) > MOST_BYTES:
        raise Unreadable("more than 16 MiB" if data else "empty")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start}: not UTF-8") from None


def parse(text: str) -> Any:
    """One JSON value, and at most a newline after it."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        for key, value in items:
            if key in seen:
                raise Unreadable(f"the key {brief(key)} occurs twice in one object")
            seen[key] = value
        return seen

    def whole(number: str) -> int:
        if len(number) > MOST_DIGITS or number == "-0":
            raise Unreadable(f"a number of more than {MOST_DIGITS} digits, or -0: {number[:20]}")
        return int(number)

    def refused(number: str) -> Any:
        raise Unreadable(f"{number[:40]} is no whole number")

    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        if depth > MOST_DEPTH:
            raise Unreadable(f"character {match.start()}: nested deeper than {MOST_DEPTH}")
    decoder = json.JSONDecoder(object_pairs_hook=pairs, parse_int=whole, parse_float=refused, parse_constant=refused)
    try:
        value, end = decoder.raw_decode(text, len(text) - len(text.lstrip(" \t\r\n")))
    except json.JSONDecodeError as error:
        raise Unreadable(f"line {error.lineno}, column {error.colno}: no JSON: {error.msg}") from None
    if text[end:] not in ("", "\n"):
        raise Unreadable(f"character {end}: something follows the object")
    return value


def text_of(value: int | Fraction) -> str:
    """FORMAT 1: the text of a rational. None that stands in a file is longer; of a longer one its size is told."""
    parts = (value.numerator, value.denominator)
    if max(part.bit_length() for part in parts) > MOST_BITS:
        return f"a number of {max(part.bit_length() for part in parts):,} bits"
    return str(value)


def rational(text: Any, place: str) -> tuple[int, int]:
    """Numerator and denominator of a rational, if it is written as FORMAT 1 has it."""
    short = type(text) is str and len(text) <= MOST_DIGITS + 2 and sum(map(str.isdigit, text)) <= MOST_DIGITS
    match = _RATIONAL.fullmatch(text) if short else None
    if not match or match[1] == "-0":
        raise Unreadable(f"{place}: {brief(text)} is no rational of at most {MOST_DIGITS} digits")
    p, q = int(match[1]), int(match[2] or 1)
    if gcd(p, q) != 1 or match[2] == "1":
        raise Unreadable(f"{place}: {brief(text)} is not in lowest terms")
    return p, q


# A shape: a kind's name, a tuple of the words allowed, [the shape of each], or {member: shape}, where "name?" may be
# absent and "<kind>" stands for any names of that kind.
def fits(shape: Any, value: Any, place: str) -> None:
    """Raises Unreadable, with the place in the file, unless the value has the shape."""
    if isinstance(shape, dict) and type(value) is dict:
        every = next((key[1:-1] for key in shape if key[0] == "<"), None)
        for name, part in value.items():
            inner = shape[f"<{every}>"] if every else shape.get(name, shape.get(f"{name}?"))
            if every:
                fits(every, name, f"{place}, a member's name")
            if inner is None or name[-1:] == "?":
                raise Unreadable(f"{place or 'the file'}: unknown member {brief(name)}")
            said = name if len(name) < 80 else brief(name)
            fits(inner, part, f"{place}.{said}" if place else said)
        for name in shape:
            if name[-1] not in "?>" and name not in value:
                raise Unreadable(f"{place or 'the file'}: member {name} is missing")
    elif isinstance(shape, list) and type(value) is list:
        for k, part in enumerate(value):
            fits(shape[0], part, f"{place}[{k}]")
    elif shape == "rational":
        rational(value, place)
    else:
        good = {"count": type(value) is int and value >= 0}
        good["text"] = type(value) is str and value.isascii() and value.isprintable()
        if not (type(value) is str and value in shape if isinstance(shape, tuple) else good.get(str(shape), False)):
            wanted = f"one of {', '.join(shape)}" if isinstance(shape, tuple) else _WANTED.get(str(shape))
            wanted = wanted or f"{'a list' if isinstance(shape, list) else 'an object'}"
            raise Unreadable(f"{place or 'the file'}: {brief(value)} is not {wanted}")


def of_no_format(value: Any) -> Unreadable:
    """Why a file of no format that is checked can't be read."""
    if type(value) is not dict:
        return Unreadable(f"the file: {brief(value)} is not an object")
    if "format" not in value:
        return Unreadable("the file: member format is missing")
    if value["format"] == OLD:
        return Unreadable(
            f"format: {OLD} is no longer read; make the file anew, with the same sizes, claims and variant:"
            " verify ... --certificate FILE"
        )
    return Unreadable(f"format: {brief(value['format'])} is none of {', '.join(FORMATS)}")
