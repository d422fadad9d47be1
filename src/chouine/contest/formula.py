"""A contest's formula as data: the club's choices, and presets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from chouine.errors import ActRefused, NotationError
from chouine.match.score import Format

Kind = Literal["lavardin", "tree", "poules", "rounds", "swiss"]
"""Knock-out drawn anew each round · fixed tree · poules, then a tree · random rounds · Swiss rounds."""
Stage = Literal["main", "consolante"]
Tie = Literal["manches", "parties", "opponents"]
"""Manches won minus lost · parties won minus lost · opponents' wins."""
Apart = Literal["family", "village"]
MOST_DEALS = 10
"""Most sealed deals of a round."""
STAGES: tuple[Stage, ...] = get_args(Stage)
APART: tuple[Apart, ...] = get_args(Apart)


@dataclass(frozen=True, slots=True)
class Formula:
    """A contest's formula. Raises `ActRefused` for choices that conflict."""

    kind: Kind = "lavardin"
    seats: int = 2
    """Entries at a table: two, three or four."""
    members: int = 1
    """People in an entry: two make a team whose results are added up."""
    matches: tuple[str, ...] = ("3x2",)
    """Match formats of the main draw's rounds, as `Format` reads them; the last applies to all further rounds."""
    consolante: Literal["none", "first", "hour"] = "none"
    """Who may play the consolante: nobody, losers of round 1, or losers before `hour`."""
    consolante_matches: tuple[str, ...] = ("3",)
    hour: int = 0
    """Milliseconds since 1970, UTC."""
    apart: tuple[Apart, ...] = ()
    """Entries kept apart in round 1 if possible: of one family, or of one village."""
    rounds: int = 5
    """Number of rounds of `rounds` and `swiss`."""
    pool: int = 4
    """Most entries in a poule."""
    qualify: int = 2
    """Entries of each poule that advance to the tree."""
    ties: tuple[Tie, ...] = ("manches", "parties")
    """Tie-breaks after wins, in order; remaining ties are settled by the club."""
    deals: int = 0
    """Sealed deals of each round, the same at all tables: a duplicate contest, ranked by IMPs; 0 for matches to win."""

    def __post_init__(self) -> None:
        in_bounds = (
            2 <= self.seats <= 4
            and 1 <= self.members <= 2
            and 1 <= self.rounds <= 50
            and 3 <= self.pool <= 20
            and 1 <= self.qualify < self.pool
            and self.consolante in {"none", "first", "hour"}
            and self.hour >= 0
            and 0 <= self.deals <= MOST_DEALS
        )
        fits = (
            (self.seats == 2 or (self.kind != "poules" and self.members == 1))
            and (self.consolante == "none" or self.knock_out)
            and bool(self.matches)
            and bool(self.consolante_matches)
            and (not self.deals or (self.kind, self.seats, self.members) == ("rounds", 2, 1))
        )
        if not (in_bounds and fits):
            raise ActRefused("contest/formula")
        for text in (*self.matches, *self.consolante_matches):
            read_match(text, self.seats)

    @property
    def knock_out(self) -> bool:
        """Whether losers of the first round are out."""
        return self.kind in {"lavardin", "tree"}

    @property
    def all_play(self) -> bool:
        """Whether everybody plays every round, so that one can join later, or skip a round."""
        return self.kind in {"rounds", "swiss"}

    def match_of(self, stage: Stage, number: int) -> str:
        """The match format of a round, from 1."""
        texts = self.matches if stage == "main" else self.consolante_matches
        return texts[min(number, len(texts)) - 1]


def read_match(text: str, seats: int) -> Format:
    """Parse `3x2`. Raises `ActRefused` for no format, and for two manches with three or four seats (§13)."""
    try:
        form = Format.parse(text)
    except NotationError as fault:
        raise ActRefused("contest/match", text=text) from fault
    if seats > 2 and form.manches > 1:
        raise ActRefused("contest/one-manche", seats=seats)
    return form


FORMULAS: dict[Kind, Formula] = {
    "lavardin": Formula("lavardin", consolante="first"),
    "tree": Formula("tree", consolante="first"),
    "poules": Formula("poules"),
    "rounds": Formula("rounds"),
    "swiss": Formula("swiss", ties=("opponents", "manches", "parties")),
}
"""The presets."""


def formula_for(kind: Kind, seats: int = 2, **choices: object) -> Formula:
    """A preset with the club's changes; with three or four seats it has one manche (§13)."""
    one_manche: dict[str, object] = {} if seats == 2 else {"matches": ("3",)}
    return replace(FORMULAS[kind], seats=seats, **{**one_manche, **choices})  # type: ignore[arg-type]


def table_sizes(entries: int, seats: int) -> Sequence[int]:
    """The fewest tables that seat all, as even as possible, larger ones first; a table of one is an exempt entry.

    >>> table_sizes(5, 2), table_sizes(9, 4)
    ((2, 2, 1), (3, 3, 3))
    """
    tables = -(-entries // seats)
    if seats == 2:
        return (2,) * (entries // 2) + (1,) * (entries % 2)
    return tuple(entries // tables + (nth < entries % tables) for nth in range(tables))
