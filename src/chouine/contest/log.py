"""The log: one line an act, each sealed by the SHA-256 of itself and of the line before (a hash chain).

Acts are JSON data there, read back strictly: a foreign log can hold nothing unexpected.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from hashlib import sha256
from typing import (
    Any,
    ClassVar,
    Generic,
    Literal,
    Self,
    TypeGuard,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from chouine.contest import acts
from chouine.contest.acts import ContestAct
from chouine.errors import ActRefused
from chouine.plaintext import parse_json

A = TypeVar("A")
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


def parse_record(kind: type[A], text: object) -> A:
    """A dataclass from the JSON of its fields. Raises `ActRefused` for anything else."""
    return cast("A", build(kind, data_in(text), kind.__name__))


def data_in(text: object) -> Any:
    """The data in JSON. Raises `ActRefused`, also for what a damaged file holds in a text's place."""
    try:
        return parse_json(text)  # type: ignore[arg-type]
    except (ValueError, TypeError) as fault:
        raise ActRefused("contest/json") from fault


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


S = TypeVar("S")
"""What a log comes to: a contest, a season."""
L = TypeVar("L", bound="SealedLine[Any]")

START = "0" * 64
"""The seal before the first line."""
LATEST = 253_000_000_000_000
"""No act is later than this, in the year 9987: the clock has no hour for later ones."""


@dataclass(frozen=True, slots=True)
class SealedLine(Generic[A]):
    """A line of any log of acts; a subclass says which kinds of acts its log knows."""

    kinds: ClassVar[Mapping[str, type]] = {}
    n: int
    """From 1."""
    at: int
    """Milliseconds since 1970, UTC; never decreasing."""
    by: str
    """The desk's role; never a person's name, since the log cannot be erased."""
    act: A
    seal: str
    """`seal_after` the seal of the line before."""

    @classmethod
    def after(cls, before: Self | None, act: A, by: str, at: int) -> Self:
        """The next line. If the clock was set back, it gets the time of the line before."""
        n, at = (1, at) if before is None else (before.n + 1, max(at, before.at))
        line = cls(n, at, by, act, "")
        return cls(n, at, by, act, line.seal_after(before.seal if before else START))

    def seal_after(self, before: str) -> str:
        """SHA-256 of the previous line's seal, a newline and this line without its own."""
        return sha256(f"{before}\n{text(self.sealed_data())}".encode()).hexdigest()

    def sealed_data(self) -> dict[str, Any]:
        """The sealed fields as JSON data."""
        return {"n": self.n, "at": self.at, "by": self.by, "act": act_data(self.act, self.kinds)}

    def __str__(self) -> str:
        """The line as JSON."""
        return text({**self.sealed_data(), "seal": self.seal})

    @classmethod
    def parse(cls, line: str) -> Self:
        """Parse the JSON that `str` gives. Raises `ActRefused`. Does not verify the seal."""
        data = data_in(line)
        if not isinstance(data, dict) or data.keys() != {"n", "at", "by", "act", "seal"}:
            raise ActRefused("contest/shape", piece="line")
        n, at, by, seal = data["n"], data["at"], data["by"], data["seal"]
        whole = all(
            type(number) is int and 0 <= number <= most for number, most in ((n, LARGEST), (at, LATEST))
        )
        if not (whole and is_readable(by) and is_readable(seal)):
            raise ActRefused("contest/shape", piece="line")
        return cls(n, at, by, act_of(data["act"], cls.kinds), seal)


class LogLine(SealedLine[ContestAct]):
    """A line of a contest's log."""

    __slots__ = ()
    kinds = KINDS


def text(data: object) -> str:
    """Canonical JSON: sorted keys, no blanks, no escapes for letters."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def first_broken_line(lines: Iterable[SealedLine[Any]]) -> int | None:
    """The number of the first line whose seal is wrong; None if there is none."""
    before: SealedLine[Any] | None = None
    for nth, line in enumerate(lines, 1):
        if line != type(line).after(before, line.act, line.by, line.at) or line.n != nth:
            return nth
        before = line
    return None


def fold_log(lines: Iterable[L], after: Callable[[S | None, L], S]) -> S:
    """What a whole log comes to. Raises `ActRefused` at the first invalid line."""
    found: S | None = None
    for line in lines:
        found = after(found, line)
    if found is None:
        raise ActRefused("contest/empty")
    return found


def undone_by(lines: Iterable[SealedLine[Any]]) -> frozenset[int]:
    """The numbers of the acts that these lines undo."""
    return frozenset(line.act.act for line in lines if isinstance(line.act, acts.Undone))


def act_to_undo(lines: Sequence[SealedLine[A]], act: int) -> A:
    """The act of this number. Raises `ActRefused` if there is none, or no undo takes it back."""
    if not 1 < act <= len(lines) or act in undone_by(lines):
        raise ActRefused("contest/no-act", act=act)
    target = lines[act - 1].act
    if isinstance(target, acts.Undone):
        raise ActRefused("contest/undo-undo", act=act)
    if isinstance(target, acts.Erased):
        raise ActRefused("contest/undo-erased", act=act)
    return target


def fold_without(act: int, start: S, lines: Sequence[L], follow: Callable[[S, L], S]) -> S:
    """What a log comes to without an act, and without those undone before; `start` is what its first line left.

    Raises `ActRefused` with the later line that depends on the act.
    """
    gone = undone_by(lines) | {act}
    for line in lines[1:]:
        try:
            start = start if line.n in gone else follow(start, line)
        except ActRefused as fault:
            raise ActRefused("contest/stands-on", act=act, line=line.n) from fault
    return start
