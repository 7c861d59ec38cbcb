"""FORMAT-build 3: the wire format of protocol buffers."""

from __future__ import annotations

IR_VERSION, OPSET, INT64, INT = 9, 17, 7, 2


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + varint(value // 128)


def message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """Fields by number, in this order: whole numbers, texts, and bytes (such as other messages)."""
    made = b""
    for field, value in fields:
        if isinstance(value, int):
            made += varint(8 * field) + varint(value)
        else:
            data = value.encode() if isinstance(value, str) else value
            made += varint(8 * field + 2) + varint(len(data)) + data
    return made
