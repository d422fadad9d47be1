"""The entries of a match: tirages, results, a forfeit; and their JSON form."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from typing import Any, get_args

from chouine.cards import Card
from chouine.match.draw import Tirage
from chouine.match.errors import InvalidEntry
from chouine.partie.deal import SEATS
from chouine.partie.result import By, Result
from chouine.rules.options import Rules


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A seat forfeits the match (§16)."""

    seat: int


Entry = Tirage | Result | Forfeit

_SEATS = {letter: seat for seat, letter in enumerate(SEATS)}
_BYS: dict[str, By] = {by: by for by in get_args(By)}


def check(rules: Rules, entry: Entry) -> None:
    """Raise `InvalidEntry` for an entry that cannot occur with these rules."""
    if not _sound(rules, entry):
        raise InvalidEntry("match/entry", entry=entry)


def _sound(rules: Rules, entry: Entry) -> bool:
    match entry:
        case Tirage(cards=cards):
            return len(cards) == rules.seats and len(set(cards)) == len(cards)
        case Forfeit(seat=seat):
            return 0 <= seat < rules.seats
        case _:
            return _has_seats(rules, entry) and _has_winner(rules, entry) and _takes_manche(rules, entry)


def _has_seats(rules: Rules, result: Result) -> bool:
    return len(result.points) == rules.seats and (result.winner is None or 0 <= result.winner < rules.seats)


def _has_winner(rules: Rules, result: Result) -> bool:
    """Whether a stopped partie has a winner: with three or four seats not if the best others are equal (§16)."""
    if result.by in ("nulle", "misdeal"):
        return result.winner is None
    if result.by in ("points", "chouine") or rules.seats == 2:
        return result.winner is not None and result.by != "unfinished"
    return result.by != "unfinished"


def _takes_manche(rules: Rules, result: Result) -> bool:
    return not result.manche or (result.by == "chouine" and rules.trump_chouine == "manche")


def entry_data(entry: Entry) -> dict[str, Any]:
    """An entry as a JSON object."""
    match entry:
        case Tirage(cards=cards):
            return {"tirage": [str(card) for card in cards]}
        case Forfeit(seat=seat):
            return {"forfeit": SEATS[seat]}
        case _:
            winner, points, by = entry.winner, entry.points, entry.by
            data = {"by": by, "winner": None if winner is None else SEATS[winner], "points": list(points)}
            return data | {"manche": True} if entry.manche else data


def entry_of(data: object) -> Entry:
    """Read an entry from a JSON object. Raises `InvalidEntry`."""
    try:
        match data:
            case {"tirage": [*cards], **rest} if not rest and all(isinstance(card, str) for card in cards):
                return Tirage(tuple(map(Card, cards)))
            case {"forfeit": str(seat), **rest} if not rest:
                return Forfeit(_SEATS[seat])
            case {"by": str(by), "winner": str() | None as seat, "points": [*points], **rest} if rest in (
                {},
                {"manche": True},
            ) and all(type(number) is int for number in points):
                winner = None if seat is None else _SEATS[seat]
                return Result(winner, tuple(points), _BYS[by], manche=bool(rest))
    except (KeyError, ValueError):
        pass
    raise InvalidEntry("match/data", piece=reprlib.repr(data))
