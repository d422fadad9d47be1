"""The standing of a match: a fold of its entries (§13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from chouine.match.draw import Tirage
from chouine.match.entries import Entry, Forfeit, check
from chouine.match.errors import InvalidEntry
from chouine.match.format import Format
from chouine.partie.result import Result
from chouine.rules.options import Rules

Score = tuple[int, ...]
"""Parties won, or manches, by seat."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing. After the match `manche`, `partie` and `score` stay those of its last partie."""

    score: Score
    dealer: int | None = None
    """The dealer of the next partie; None before a tirage and after the match."""
    highest: int | None = None
    """The seat that drew the highest card for manche 1, and so deals first in manche 2."""
    manche: int = 1
    partie: int = 1
    history: tuple[Score, ...] = ()
    over: bool = False
    winner: int | None = None


def fold(rules: Rules, form: Format, entries: Iterable[Entry]) -> Standing:
    """The standing after these entries. Raises `InvalidEntry` at the first invalid one."""
    now = Standing((0,) * rules.seats)
    for entry in entries:
        now = entered(rules, form, now, entry)
    return now


def entered(rules: Rules, form: Format, now: Standing, entry: Entry) -> Standing:
    """The standing after one more entry. Raises `InvalidEntry`."""
    check(rules, entry)
    if now.over:
        raise InvalidEntry("match/over")
    match entry:
        case Forfeit(seat=seat):
            return forfeited(form, now, seat)
        case Tirage():
            if now.dealer is not None:
                raise InvalidEntry("match/no-draw")
            return replace(now, dealer=entry.dealer, highest=entry.highest)
        case _:
            if now.dealer is None:
                raise InvalidEntry("match/draw-first")
            return played(rules, form, now, now.dealer, entry)


def played(rules: Rules, form: Format, now: Standing, dealer: int, result: Result) -> Standing:
    """Enter a partie's result; the deal moves on except after a misdeal (§4) and, by option, a nulle (§12)."""
    if result.by == "misdeal":
        return now
    next_dealer = (dealer + 1) % rules.seats
    if result.winner is None:
        deals_again = rules.tie == "replay"
        return replace(now, dealer=dealer if deals_again else next_dealer, partie=now.partie + 1)
    won = form.parties if result.manche else now.score[result.winner] + 1
    score = tuple(won if seat == result.winner else parties for seat, parties in enumerate(now.score))
    if won < form.parties:
        return replace(now, score=score, dealer=next_dealer, partie=now.partie + 1)
    return manche_won(form, replace(now, score=score), result.winner)


def manche_won(form: Format, now: Standing, seat: int) -> Standing:
    """Give a manche to a seat. The seat that drew the highest card deals manche 2; the belle has a new tirage."""
    history = (*now.history, now.score)
    if manches_won(form, history, len(now.score))[seat] == form.manches:
        return replace(now, history=history, dealer=None, over=True, winner=seat)
    dealer = now.highest if now.manche == 1 else None
    return replace(
        now, history=history, score=(0,) * len(now.score), manche=now.manche + 1, partie=1, dealer=dealer
    )


def manches_won(form: Format, history: Sequence[Score], seats: int) -> Score:
    """Manches won by seat."""
    return tuple(sum(score[seat] == form.parties for score in history) for seat in range(seats))


def forfeited(form: Format, now: Standing, seat: int) -> Standing:
    """Enter a forfeit: the best of the others wins the match, nobody if they tie (§16)."""
    manches = manches_won(form, now.history, len(now.score))
    others = {other: won for other, won in enumerate(zip(manches, now.score, strict=True)) if other != seat}
    best = [other for other, won in others.items() if won == max(others.values())]
    return replace(now, dealer=None, over=True, winner=best[0] if len(best) == 1 else None)
