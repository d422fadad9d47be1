"""What a finished match counts for one seat."""

from __future__ import annotations

import msgspec

from chouine.ai.levels import level_of
from chouine.partie.actions import Figure
from chouine.server.feats.marks import OF_MATCH, OF_PARTIE, OwnPartie, au_sept, manches_won, unders
from chouine.table.state import TableState

VERSION = 1
"""Raised when matches are counted otherwise: each is then counted again, while its log is kept."""


class Tally(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a match counts for a seat. `parties` has a letter for each decided partie: `w` won, `l` lost, `n` nulle."""

    variant: str
    seat: int
    level: int = 0
    """The computer's level at a table of two; 0 for a person, and at larger tables."""
    won: bool | None = None
    """Whether the match was won; None if nobody won it."""
    helped: bool = False
    parties: str = ""
    manches_won: int = 0
    manches_lost: int = 0
    under_given: int = 0
    """Manches won in which another won no partie."""
    under_taken: int = 0
    """Manches in which the seat itself won none."""
    chouines: int = 0
    quintes: int = 0
    sevens: int = 0
    """Sevens exchanged at "au sept"."""
    feats: dict[str, int] = {}
    """Feats, each with the number of the partie, from 1; 0 for those of the match."""


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Tally).decode


def tally_of(table: TableState, seat: int) -> Tally:
    """The tally of a match that is over."""
    match = table.match
    feats: dict[str, int] = {}
    letters, chouines, quintes, sevens = "", 0, 0, 0
    for number, played in enumerate(table.played, 1):
        result = played.result
        if result.by in ("misdeal", "unfinished"):
            continue
        lost = result.winner is not None or played.stopped == seat
        letters += "w" if result.winner == seat else "l" if lost else "n"
        own = OwnPartie(played.state, seat)
        chouines += result.by == "chouine" and result.winner == seat
        quintes += len(own.declarations_of(Figure.QUINTE))
        sevens += au_sept(own)
        for name, earns in OF_PARTIE.items():
            if name not in feats and earns(own):
                feats[name] = number
    of_manches = not table.opened.deals  # sealed deals are no manche: each is compared for itself
    feats |= {name: 0 for name, earns in OF_MATCH.items() if of_manches and earns(match, seat)}
    winners = [winner for winner in manches_won(match) if of_manches and winner is not None]
    passed = unders(match) if of_manches else []
    return Tally(
        variant=match.rules.preset,
        seat=seat,
        level=level_beside(table, seat),
        won=None if match.winner is None or not of_manches else match.winner == seat,
        helped=bool(table.helped),
        parties=letters,
        manches_won=winners.count(seat),
        manches_lost=len(winners) - winners.count(seat),
        under_given=sum(winner == seat for winner, _ in passed),
        under_taken=sum(seat in without for _, without in passed),
        chouines=chouines,
        quintes=quintes,
        sevens=sevens,
        feats=feats,
    )


def level_beside(table: TableState, seat: int) -> int:
    """The level of the computer at the other seat of a table of two; else 0."""
    others = [holder for other, holder in enumerate(table.holders) if other != seat]
    return (level_of(others[0].player) or 0) if len(others) == 1 else 0
