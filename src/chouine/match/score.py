"""A match as its entries: its format, who deals, the score, who has won (§13); and its JSON form."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import InitVar, dataclass, field, replace
from typing import Any, Self, get_args

from chouine.cards import Card
from chouine.errors import NotationError
from chouine.match.draw import InvalidEntry, Tirage
from chouine.partie.deal import SEATS
from chouine.partie.result import By, Result
from chouine.rules.options import Rules


@dataclass(frozen=True, slots=True)
class Format:
    """`Format.parse("5x2")`: five parties won make a manche, two manches won make the match."""

    parties: int
    """Parties to win for a manche."""
    manches: int
    """Manches to win for the match: one, or two with a belle at one all."""

    def __post_init__(self) -> None:
        if self.parties < 1 or self.manches not in (1, 2):
            raise ValueError("a manche has at least one partie, a match is to one manche or two (§13)")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `5x2`, or `5` for one manche. Raises `NotationError`."""
        found = re.fullmatch(r"([1-9][0-9]{0,2})(?:x([12]))?", text)
        if not found:
            raise NotationError("syntax/format", 1, 1, text)
        return cls(int(found[1]), int(found[2] or 1))

    def __str__(self) -> str:
        return f"{self.parties}x{self.manches}"


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
        now = enter(rules, form, now, entry)
    return now


def enter(rules: Rules, form: Format, now: Standing, entry: Entry) -> Standing:
    """The standing after one more entry. Raises `InvalidEntry`."""
    check(rules, entry)
    if now.over:
        raise InvalidEntry("match/over")
    match entry:
        case Forfeit(seat=seat):
            return forfeit(form, now, seat)
        case Tirage():
            if now.dealer is not None:
                raise InvalidEntry("match/no-draw")
            return replace(now, dealer=entry.dealer, highest=entry.highest)
        case _:
            if now.dealer is None:
                raise InvalidEntry("match/draw-first")
            return play_result(rules, form, now, now.dealer, entry)


def play_result(rules: Rules, form: Format, now: Standing, dealer: int, result: Result) -> Standing:
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


def forfeit(form: Format, now: Standing, seat: int) -> Standing:
    """Enter a forfeit: the best of the others wins the match, nobody if they tie (§16)."""
    manches = manches_won(form, now.history, len(now.score))
    others = {other: won for other, won in enumerate(zip(manches, now.score, strict=True)) if other != seat}
    best = [other for other, won in others.items() if won == max(others.values())]
    return replace(now, dealer=None, over=True, winner=best[0] if len(best) == 1 else None)


VERSION = 1
"""Version of the JSON form."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match: all its entries, from which its standing is computed.

    >>> from chouine import Card
    >>> match = Match.new(Rules(), Format.parse("5x2")).draw_dealer(Tirage((Card("7s"), Card("As"))))
    >>> match.dealer, match.score_text
    (0, '0-0 0-0')
    """

    rules: Rules
    format: Format
    entries: tuple[Entry, ...] = ()
    standing: Standing = field(init=False, compare=False, repr=False)
    known: InitVar[Standing | None] = None
    """The standing after these entries, if already known: earlier entries are then not folded again."""

    def __post_init__(self, known: Standing | None) -> None:
        if self.rules.seats > 2 and self.format.manches > 1:
            raise InvalidEntry("match/one-manche", seats=self.rules.seats)
        object.__setattr__(self, "standing", known or fold(self.rules, self.format, self.entries))

    @classmethod
    def new(cls, rules: Rules, format: Format) -> Self:  # noqa: A002  # the domain's word
        """A match before its first entry. Raises `InvalidEntry` for two manches with three or four seats (§13)."""
        return cls(rules, format)

    def draw_dealer(self, tirage: Tirage) -> Self:
        """The match after a tirage (§2), which is repeated after a tie."""
        return self._append(tirage)

    def record(self, result: Result) -> Self:
        """The match after a partie's result, or after a misdeal (§4)."""
        return self._append(result)

    def forfeit(self, seat: int) -> Self:
        """The match after a seat's forfeit (§16)."""
        return self._append(Forfeit(seat))

    def _append(self, entry: Entry) -> Self:
        known = enter(self.rules, self.format, self.standing, entry)
        return replace(self, entries=(*self.entries, entry), known=known)

    def revanche(self) -> Self:
        """A new match in the same format, with a new tirage (§13). Raises `InvalidEntry` before this one is over."""
        if not self.over:
            raise InvalidEntry("match/not-over")
        return replace(self, entries=())

    @property
    def over(self) -> bool:
        return self.standing.over

    @property
    def winner(self) -> int | None:
        """The winner; None while the match goes on, and if a forfeit leaves a tie."""
        return self.standing.winner

    @property
    def needs_draw(self) -> bool:
        """Whether a tirage comes next: at the start, after a tie, and before the belle (§2, §13)."""
        return self.standing.dealer is None and not self.over

    @property
    def dealer(self) -> int | None:
        """The dealer of the next partie; None before a tirage and after the match."""
        return self.standing.dealer

    @property
    def manche(self) -> int:
        """The manche being played, from 1."""
        return self.standing.manche

    @property
    def partie(self) -> int:
        """The number of the current partie in its manche, from 1, counting nulles but not misdeals."""
        return self.standing.partie

    @property
    def score(self) -> Score:
        """Parties won in this manche by seat; a trump chouine that takes the manche counts as all of them (§10)."""
        return self.standing.score

    @property
    def history(self) -> tuple[Score, ...]:
        """The scores of the finished manches."""
        return self.standing.history

    @property
    def manches(self) -> Score:
        """Manches won by seat."""
        return manches_won(self.format, self.history, self.rules.seats)

    @property
    def belle(self) -> bool:
        """Whether this manche is the deciding third."""
        return self.manche == 3

    @property
    def sous_la_table(self) -> tuple[int, ...]:
        """Seats that lost the last finished manche without winning a partie."""
        return (
            tuple(seat for seat, parties in enumerate(self.history[-1]) if not parties)
            if self.history
            else ()
        )

    @property
    def score_text(self) -> str:
        """Manches, then parties in this manche: `0-1 2-0`."""
        return f"{'-'.join(map(str, self.manches))} {'-'.join(map(str, self.score))}"

    def to_data(self) -> dict[str, Any]:
        """The match as a JSON object."""
        return {
            "version": VERSION,
            "rules": str(self.rules),
            "format": str(self.format),
            "entries": [entry_data(entry) for entry in self.entries],
        }

    @classmethod
    def from_data(cls, data: object) -> Self:
        """Read a match from a JSON object. Raises `InvalidEntry`."""
        match data:
            case {"version": int(version)} if version != VERSION:
                raise InvalidEntry("match/version", version=version, known=VERSION)
            case {
                "version": int(),
                "rules": str(rules),
                "format": str(form),
                "entries": [*lines],
                **rest,
            } if not rest:
                try:
                    return cls(Rules.parse(rules), Format.parse(form), tuple(map(entry_of, lines)))
                except NotationError as fault:
                    raise InvalidEntry("match/data", piece=fault.token) from fault
            case _:
                raise InvalidEntry("match/data", piece=reprlib.repr(data))
