"""A path parameter for a small number, such as a seat or a partie: `{number:few}`."""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor


class SmallIntConvertor(Convertor[int]):
    """Reads up to four digits."""

    regex = "[0-9]{1,4}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


def register_small_int() -> None:
    """Let routes use it; called wherever routes are listed, before the first."""
    register_url_convertor("few", SmallIntConvertor())
