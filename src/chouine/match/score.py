"""A match as its score sheet: who deals, who leads, who has won (§13)."""

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
"""Of the plain data a match is saved as."""


@dataclass(frozen=True, slots=True)
class Match:
    """All entries of a match; its standing is derived from them."""

    rules: Rules
    format: Format
    entries: tuple[Entry, ...] = ()
    standing: Standing = field(init=False, compare=False, repr=False)
    known: InitVar[Standing | None] = None
    """Where these entries lead, when one was added to a match: what came before is not folded again."""

    def __post_init__(self, known: Standing | None) -> None:
        if self.rules.seats > 2 and self.format.manches > 1:
            raise InvalidEntry("match/one-manche", seats=self.rules.seats)
        object.__setattr__(self, "standing", known or fold(self.rules, self.format, self.entries))

    @classmethod
    def new(cls, rules: Rules, format: Format) -> Self:  # noqa: A002  # the domain's word
        """A match to be played; `InvalidEntry` for two manches with three or four seats (§13)."""
        return cls(rules, format)

    def drawn(self, tirage: Tirage) -> Self:
        """The match after a draw (§2), which a tie leaves to be made again."""
        return self._with(tirage)

    def record(self, result: Result) -> Self:
        """The match after a partie, or a misdeal (§4)."""
        return self._with(result)

    def forfeit(self, seat: int) -> Self:
        """The match given up by a seat (§16)."""
        return self._with(Forfeit(seat))

    def _with(self, entry: Entry) -> Self:
        known = entered(self.rules, self.format, self.standing, entry)
        return replace(self, entries=(*self.entries, entry), known=known)

    def revanche(self) -> Self:
        """A new match on the same terms, with a new draw (§13); `InvalidEntry` before this one is over."""
        if not self.over:
            raise InvalidEntry("match/not-over")
        return replace(self, entries=())

    @property
    def over(self) -> bool:
        return self.standing.over

    @property
    def winner(self) -> int | None:
        """None while the match goes on, and when a forfeit leaves two best."""
        return self.standing.winner

    @property
    def needs_draw(self) -> bool:
        """Whether a draw comes next: at the start, after a tie, and before the belle (§2, §13)."""
        return self.standing.dealer is None and not self.over

    @property
    def dealer(self) -> int | None:
        """Who deals the partie to come; None while a draw is to be made, or when the match is over."""
        return self.standing.dealer

    @property
    def manche(self) -> int:
        """The manche being played, from 1."""
        return self.standing.manche

    @property
    def partie(self) -> int:
        """The partie being played, from 1 in its manche, nulles counted and misdeals not."""
        return self.standing.partie

    @property
    def score(self) -> Score:
        """Parties won in this manche by seat; all of them by a trump chouine that takes it (§10)."""
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
        """Who lost the last finished manche without a single partie."""
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
