"""Convert acts to JSON data and back, strictly: a foreign log can hold nothing unexpected."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeGuard, get_args, get_origin, get_type_hints

from chouine.contest import acts
from chouine.contest.errors import ActRefused

LONGEST_TEXT = 500
LARGEST = 2**53 - 1
"""The largest whole number that every JSON reader represents exactly."""
KINDS: dict[str, type] = {
    "opened": acts.ContestOpened,
    "changed": acts.Changed,
    "entered": acts.Entered,
    "listed": acts.ListEntered,
    "amended": acts.Amended,
    "present": acts.Present,
    "paid": acts.Paid,
    "drawn": acts.RoundDrawn,
    "called": acts.Called,
    "played": acts.ResultEntered,
    "dealt": acts.DealsPlayed,
    "corrected": acts.Corrected,
    "forfeited": acts.TableForfeited,
    "withdrew": acts.Withdrew,
    "swapped": acts.Swapped,
    "paired": acts.Paired,
    "settled": acts.Settled,
    "prizes": acts.PrizesSet,
    "undone": acts.Undone,
    "revealed": acts.Revealed,
    "ended": acts.Ended,
    "erased": acts.Erased,
}
"""Kinds of acts by their names in logs, which never change since logs are sealed."""


def kind_of(act: object, kinds: Mapping[str, type] = KINDS) -> str:
    """The name of an act's kind."""
    return next(name for name, kind in kinds.items() if type(act) is kind)


def act_data(act: object, kinds: Mapping[str, type] = KINDS) -> dict[str, Any]:
    """An act as JSON data: its kind, then its fields."""
    return {"kind": kind_of(act, kinds), **as_json(act)}


def as_json(value: Any) -> Any:
    """A value as JSON data.

    Default values are left out, so that a new field breaks no old seal; hence defaults never change.
    """
    if is_dataclass(value):
        return {
            field.name: as_json(own)
            for field in fields(value)
            if (own := getattr(value, field.name)) != field.default or field.default is MISSING
        }
    return [as_json(one) for one in value] if isinstance(value, tuple) else value


def act_of(data: object, kinds: Mapping[str, type] = KINDS) -> Any:
    """The act of one of these kinds from the data that `act_data` gives. Raises `ActRefused`."""
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str) or data["kind"] not in kinds:
        raise ActRefused("contest/shape", piece="kind")
    kind = data["kind"]
    return build(kinds[kind], {name: own for name, own in data.items() if name != "kind"}, kind)


def build(kind: Any, data: object, where: str) -> Any:
    """A value of this type. Raises `ActRefused` with the faulty part."""
    if is_dataclass(kind) and isinstance(kind, type):
        return record(kind, data, where)
    if get_origin(kind) is tuple:
        return row(get_args(kind), data, where)
    if get_origin(kind) is Literal:
        fits = isinstance(data, str) and data in get_args(kind)
    elif kind is str:
        fits = is_readable(data)
    else:
        fits = type(data) is kind and (kind is bool or abs(data) <= LARGEST)  # type: ignore[arg-type]
    if not fits:
        raise ActRefused("contest/shape", piece=where)
    return data


def record(kind: type, data: object, where: str) -> Any:
    """A dataclass from its fields: no unknown field, none missing without a default."""
    hints, required = shape(kind)
    if not isinstance(data, dict) or not required <= data.keys() <= hints.keys():
        raise ActRefused("contest/shape", piece=where)
    return kind(**{name: build(hints[name], own, f"{where}.{name}") for name, own in data.items()})


@cache
def shape(kind: type) -> tuple[dict[str, Any], frozenset[str]]:
    """The types of a dataclass's fields, and the required ones."""
    return get_type_hints(kind), frozenset(field.name for field in fields(kind) if field.default is MISSING)


def row(kinds: tuple[Any, ...], data: object, where: str) -> tuple[Any, ...]:
    """`tuple[int, ...]`, or a tuple of a fixed length."""
    if not isinstance(data, list):
        raise ActRefused("contest/shape", piece=where)
    inner = (kinds[0],) * len(data) if kinds[-1] is types.EllipsisType or kinds[-1] is ... else kinds
    if len(inner) != len(data):
        raise ActRefused("contest/shape", piece=where)
    return tuple(build(kind, own, where) for kind, own in zip(inner, data, strict=True))


def is_readable(data: object) -> TypeGuard[str]:
    """Whether a text is short enough and can be encoded in UTF-8 (no lone surrogates)."""
    return (
        isinstance(data, str)
        and len(data) <= LONGEST_TEXT
        and not any("\ud800" <= letter <= "\udfff" for letter in data)
    )
