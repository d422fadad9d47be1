"""The feats of a single partie and of a single match: pure functions of what was played."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from chouine.cards import BRISQUES, Rank
from chouine.match import Forfeit, Tirage
from chouine.match.score import Match
from chouine.partie import AuSept, Declared, Exchanged, State, Taken
from chouine.partie.actions import Figure

CLOSE, DER = 2, 10
"""Points of difference of a close win at most; the points of the last trick (§7)."""
LAST = 5
"""The tricks once the talon is empty, with two seats."""
MARIAGES = 3
COMEBACK = 2
"""Parties by which the other led."""


@dataclass(frozen=True, slots=True)
class OwnPartie:
    """What a seat did in a partie played to its end."""

    state: State
    seat: int

    @property
    def won(self) -> bool:
        result = self.state.result
        return result is not None and result.winner == self.seat

    @property
    def counted(self) -> bool:
        """Whether the partie was decided by points."""
        return self.state.result is not None and self.state.result.by == "points"

    @property
    def lead(self) -> int:
        """The seat's points less those of the best other."""
        result = self.state.result
        points = result.points if result else (0,) * self.state.rules.seats
        return points[self.seat] - max(each for seat, each in enumerate(points) if seat != self.seat)

    @property
    def tricks(self) -> list[Taken]:
        """All tricks, in order."""
        return [event for event in self.state.events if isinstance(event, Taken)]

    def declarations_of(self, figure: Figure) -> list[Declared]:
        """The seat's declarations of a figure that counted, or win (§10)."""
        return [
            event
            for event in self.state.events
            if isinstance(event, Declared)
            and event.seat == self.seat
            and event.declaration.figure is figure
            and (event.counts > 0 or figure is Figure.CHOUINE)
        ]

    def declares(self, seat: int) -> bool:
        """Whether a seat declared anything that counted."""
        return any(
            isinstance(event, Declared) and event.seat == seat and event.counts > 0
            for event in self.state.events
        )


def chouine(partie: OwnPartie) -> bool:
    """Won by a chouine."""
    return partie.won and partie.state.result is not None and partie.state.result.by == "chouine"


def trump_chouine(partie: OwnPartie) -> bool:
    """Won by a chouine in trumps."""
    trump = partie.state.position.trump
    return chouine(partie) and any(
        each.declaration.suit == trump for each in partie.declarations_of(Figure.CHOUINE)
    )


def quinte(partie: OwnPartie) -> bool:
    """A quinte declared that counts."""
    return bool(partie.declarations_of(Figure.QUINTE))


def late_quinte(partie: OwnPartie) -> bool:
    """A quinte declared with the last five cards, when the talon is empty."""
    tricks = 0
    for event in partie.state.events:
        tricks += isinstance(event, Taken)
        if isinstance(event, Declared) and event.seat == partie.seat and event.counts > 0:
            empty = tricks >= partie.state.rule_table.drawing
            if event.declaration.figure is Figure.QUINTE and empty:
                return True
    return False


def trump_quarteron(partie: OwnPartie) -> bool:
    """A quarteron in trumps."""
    trump = partie.state.position.trump
    return any(each.declaration.suit == trump for each in partie.declarations_of(Figure.QUARTERON))


def mariages(partie: OwnPartie) -> bool:
    """Three mariages in a partie."""
    return len(partie.declarations_of(Figure.MARIAGE)) >= MARIAGES


def close(partie: OwnPartie) -> bool:
    """Won by two points at most, such as 61 to 59."""
    return partie.won and partie.counted and partie.lead <= CLOSE


def der(partie: OwnPartie) -> bool:
    """Won by no more than the dix de der, and the last trick taken."""
    last = partie.tricks[-1:]
    return (
        partie.won and partie.counted and partie.lead <= DER and [each.seat for each in last] == [partie.seat]
    )


def au_sept(partie: OwnPartie) -> bool:
    """The seven exchanged in answer to "au sept"."""
    events = partie.state.events
    return any(
        isinstance(event, Exchanged) and event.seat == partie.seat and isinstance(before, AuSept)
        for before, event in itertools.pairwise(events)
    )


def seven_for_ace(partie: OwnPartie) -> bool:
    """The seven exchanged for the ace."""
    return any(
        isinstance(event, Exchanged) and event.seat == partie.seat and event.card.rank is Rank.ACE
        for event in partie.state.events
    )


def last_five(partie: OwnPartie) -> bool:
    """All of the last five tricks, with two seats."""
    last = partie.tricks[-LAST:]
    return partie.state.rules.seats == 2 and partie.counted and {each.seat for each in last} == {partie.seat}


def all_brisques(partie: OwnPartie) -> bool:
    """All eight brisques in one's tricks."""
    own = sum(1 << card for trick in partie.tricks if trick.seat == partie.seat for card in trick.cards)
    return own & BRISQUES == BRISQUES


def silent(partie: OwnPartie) -> bool:
    """Won by points without a declaration, though another declared."""
    others = (seat for seat in range(partie.state.rules.seats) if seat != partie.seat)
    return (
        partie.won
        and partie.counted
        and not partie.declares(partie.seat)
        and any(map(partie.declares, others))
    )


OF_PARTIE: Mapping[str, Callable[[OwnPartie], bool]] = {
    "chouine": chouine,
    "trump-chouine": trump_chouine,
    "quinte": quinte,
    "late-quinte": late_quinte,
    "trump-quarteron": trump_quarteron,
    "mariages": mariages,
    "close": close,
    "der": der,
    "au-sept": au_sept,
    "seven-for-ace": seven_for_ace,
    "last-five": last_five,
    "all-brisques": all_brisques,
    "silent": silent,
}
"""The feats of a partie, by name."""


def scores_of(match: Match) -> list[list[tuple[int, ...]]]:
    """For each manche the score after each of its parties; the last one is its end, unless the match was left."""
    scores: list[list[tuple[int, ...]]] = [[]]
    so_far = Match.new(match.rules, match.format)
    for entry in match.entries:
        if isinstance(entry, Forfeit):
            break
        manches = len(so_far.history)
        so_far = so_far.draw_dealer(entry) if isinstance(entry, Tirage) else so_far.record(entry)
        if len(so_far.history) > manches:
            scores[-1].append(so_far.history[-1])
            scores.append([])
        elif so_far.score != (scores[-1][-1] if scores[-1] else (0,) * match.rules.seats):
            scores[-1].append(so_far.score)
    return [each for each in scores if each]


def manches_won(match: Match) -> list[int | None]:
    """The winner of each manche; None for one that was left."""
    needed = match.format.parties
    return [
        next((seat for seat, won in enumerate(scores[-1]) if won == needed), None)
        for scores in scores_of(match)
    ]


def comeback(match: Match, seat: int) -> bool:
    """A manche won though another led by two parties or more and needed but one."""
    needed = match.format.parties
    return any(
        winner == seat and any(is_behind(score, seat, needed) for score in scores)
        for winner, scores in zip(manches_won(match), scores_of(match), strict=True)
    )


def is_behind(score: Sequence[int], seat: int, needed: int) -> bool:
    """Whether another seat needed one partie more, and led by two."""
    best = max(won for other, won in enumerate(score) if other != seat)
    return best == needed - 1 and best - score[seat] >= COMEBACK


def unders(match: Match) -> list[tuple[int, frozenset[int]]]:
    """The manches that somebody passed under the table (§13), as (winner, seats without a partie)."""
    if match.format.parties == 1:
        return []
    return [
        (winner, frozenset(other for other, won in enumerate(scores[-1]) if not won))
        for winner, scores in zip(manches_won(match), scores_of(match), strict=True)
        if winner is not None and 0 in scores[-1]
    ]


def sends_under(match: Match, seat: int) -> bool:
    """A manche won in which another won no partie."""
    return any(winner == seat for winner, _ in unders(match))


def belle(match: Match, seat: int) -> bool:
    """The belle won: the third manche of a match of two."""
    won = manches_won(match)
    return match.format.manches == 2 and len(won) == 3 and won[2] == seat


OF_MATCH: Mapping[str, Callable[[Match, int], bool]] = {
    "comeback": comeback,
    "under": sends_under,
    "belle": belle,
}
"""The feats of a match, by name."""
