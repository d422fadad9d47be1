"""How a contest is played, as data: the club's choices, and the presets that hold most of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from chouine.errors import NotationError
from chouine.match.format import Format
from chouine.tournament.errors import ActRefused

Kind = Literal["lavardin", "tree", "poules", "rounds", "swiss"]
"""Knock-out drawn anew each round · fixed tree · poules, then a tree · rounds of drawn opponents · Swiss rounds."""
Stage = Literal["main", "consolante"]
Tie = Literal["manches", "parties", "opponents"]
"""Manches won less lost · parties won less lost · the wins of those one has met."""
Apart = Literal["family", "village"]
STAGES: tuple[Stage, ...] = get_args(Stage)
APART: tuple[Apart, ...] = get_args(Apart)


@dataclass(frozen=True, slots=True)
class Formula:
    """`ActRefused` for what cannot be combined."""

    kind: Kind = "lavardin"
    seats: int = 2
    """At a table: two, three or four entries."""
    members: int = 1
    """People in an entry: two make a team whose results add up."""
    matches: tuple[str, ...] = ("3x2",)
    """What is played in each round of the main draw, as `Format` reads it; the last holds for all that follow."""
    consolante: Literal["none", "first", "hour"] = "none"
    """Who may play it: nobody, who loses in round 1, or who loses before `hour`."""
    consolante_matches: tuple[str, ...] = ("3",)
    hour: int = 0
    """Milliseconds since 1970, UTC."""
    apart: tuple[Apart, ...] = ()
    """Who is kept apart in round 1 where it can be."""
    rounds: int = 5
    """Of `rounds` and `swiss`."""
    pool: int = 4
    """Entries in a poule at most."""
    qualify: int = 2
    """Of each poule, for the tree."""
    ties: tuple[Tie, ...] = ("manches", "parties")
    """What decides between equal wins, in this order; what is left equal, the club settles."""

    def __post_init__(self) -> None:
        in_bounds = (
            2 <= self.seats <= 4
            and 1 <= self.members <= 2
            and 1 <= self.rounds <= 50
            and 3 <= self.pool <= 20
            and 1 <= self.qualify < self.pool
            and self.consolante in {"none", "first", "hour"}
            and self.hour >= 0
        )
        fits = (
            (self.seats == 2 or (self.kind != "poules" and self.members == 1))
            and (self.consolante == "none" or self.knock_out)
            and bool(self.matches)
            and bool(self.consolante_matches)
        )
        if not (in_bounds and fits):
            raise ActRefused("contest/formula")
        for text in (*self.matches, *self.consolante_matches):
            read_match(text, self.seats)

    @property
    def knock_out(self) -> bool:
        """Whether who loses in the first round is out."""
        return self.kind in {"lavardin", "tree"}

    def match_of(self, stage: Stage, number: int) -> str:
        """What is played in a round, from 1."""
        texts = self.matches if stage == "main" else self.consolante_matches
        return texts[min(number, len(texts)) - 1]


def read_match(text: str, seats: int) -> Format:
    """`3x2` as a value; `ActRefused` for what is no format, and for two manches with three or four seats (§13)."""
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
"""The club's starting points."""


def formula_for(kind: Kind, seats: int = 2, **choices: object) -> Formula:
    """A preset, with one manche where three or four sit at a table (§13), and what the club chooses otherwise."""
    one_manche: dict[str, object] = {} if seats == 2 else {"matches": ("3",)}
    return replace(FORMULAS[kind], seats=seats, **{**one_manche, **choices})  # type: ignore[arg-type]


def table_sizes(entries: int, seats: int) -> Sequence[int]:
    """So few tables that all are seated, as even as can be, the larger first; a table of one is an exempt.

    >>> table_sizes(5, 2), table_sizes(9, 4)
    ((2, 2, 1), (3, 3, 3))
    """
    tables = -(-entries // seats)
    if seats == 2:
        return (2,) * (entries // 2) + (1,) * (entries % 2)
    return tuple(entries // tables + (nth < entries % tables) for nth in range(tables))
