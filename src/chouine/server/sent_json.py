"""What strangers send as JSON."""

from __future__ import annotations

from typing import TypeVar

import msgspec

Shape = TypeVar("Shape")


def decode_sent(text: bytes | str, shape: type[Shape]) -> Shape:
    """The value in a JSON text, of this shape.

    Raises `msgspec.ValidationError` for another shape, else `msgspec.DecodeError`: for bytes that are no letters too,
    and for more brackets within brackets than Python's stack bears.
    """
    try:
        return msgspec.json.decode(text, type=shape)
    except (UnicodeError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from error
