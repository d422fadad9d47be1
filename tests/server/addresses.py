"""An address of each route: a value for every parameter of the paths."""

from __future__ import annotations

PARAMETERS = {
    "contest": "x",
    "day": "2026-11-20",
    "id": "x",
    "lesson": "takes",
    "name": "x",
    "nth": 1,
    "number": 1,
    "place": "table",
    "seat": 0,
    "secret": "x",
    "verb": "speak",
}
"""A value of each parameter, valid where one is for every site."""


def address_at(path_format: str, table_id: str, **values: object) -> str:
    """A route's address for a table, with these values or `PARAMETERS`."""
    return path_format.format(**{**PARAMETERS, "table_id": table_id, "which": table_id, **values})
