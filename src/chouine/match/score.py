"""A match as its entries: who deals, the score, who has won (§13)."""

from __future__ import annotations

import reprlib
from dataclasses import InitVar, dataclass, field, replace
from typing import Any, Self

from chouine.errors import NotationError
from chouine.match.draw import Tirage
from chouine.match.entries import Entry, Forfeit, entry_data, entry_of
from chouine.match.errors import InvalidEntry
from chouine.match.format import Format
from chouine.match.standing import Score, Standing, entered, fold, manches_won
from chouine.partie.result import Result
from chouine.rules.options import Rules

VERSION = 1
"""Version of the JSON form."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match: all its entries, from which its standing is computed.

    >>> from chouine import Card
    >>> match = Match.new(Rules(), Format.parse("5x2")).drawn(Tirage((Card("7s"), Card("As"))))
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

    def drawn(self, tirage: Tirage) -> Self:
        """The match after a tirage (§2), which is repeated after a tie."""
        return self._with(tirage)

    def record(self, result: Result) -> Self:
        """The match after a partie's result, or after a misdeal (§4)."""
        return self._with(result)

    def forfeit(self, seat: int) -> Self:
        """The match after a seat's forfeit (§16)."""
        return self._with(Forfeit(seat))

    def _with(self, entry: Entry) -> Self:
        known = entered(self.rules, self.format, self.standing, entry)
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
