"""A duplicate round once it is over: one partie over all tables, and what each player gained."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import partial

from chouine.cards import CardSet
from chouine.contest import Round
from chouine.contest.duplicate import (
    RULES,
    SeatResult,
    by_seat,
    datum_of,
    deal_digest,
    deal_nonce,
    gained_by,
    imps_of,
    numbers_of,
    sealed_deal,
)
from chouine.contest.ranking import made_in
from chouine.notation.display import arrange
from chouine.phrases import N_, signed_number
from chouine.server.contest.online import Online, table_id_of
from chouine.server.pages.cards import face
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of

ENDINGS = {
    "played": "",
    "gave-up": N_("gave up or left"),
    "spared": N_("the other gave up"),
    "unplayed": N_("the other was not there"),
}
"""How a partie ended that was not played to its end, as told beside a player."""


@dataclass(frozen=True, slots=True)
class HolderRow:
    """A player who held a hand, and what they made of it."""

    entry: int
    other: int
    made: SeatResult
    imps: int
    replay: str
    """The address of the partie at their table; empty if it was not played there."""


@dataclass(frozen=True, slots=True)
class HeldHand:
    """A seat's cards, and all who held them, best first."""

    cards: CardSet
    deals: bool
    rows: tuple[HolderRow, ...]
    own: SeatResult | None
    """What the visitor made of these cards; None if they did not hold them."""
    datum: float | None
    """The mean of the others who held them, for the visitor."""
    gained: int
    """The visitor's IMPs."""


def round_sums(round_: Round) -> dict[int, int]:
    """The IMPs of each entry in a duplicate round."""
    sums: dict[int, int] = defaultdict(int)
    for (entry, _), gained in imps_of(made_in(round_)).items():
        sums[entry] += gained
    return sums


def round_of_deal(online: Online, number: int) -> Round | None:
    """The round in which a deal was played; None unless it is over, since others may still have to play it."""
    deals = online.contest.formula.deals
    if not deals or not 1 <= number <= deals * len(online.contest.main):
        return None
    round_ = online.contest.main[(number - 1) // deals]
    return None if round_.open else round_


def held_hands(online: Online, round_: Round, number: int, mine: int | None) -> list[HeldHand]:
    """Both seats' cards of a deal with all who held them."""
    deal, nth = (
        sealed_deal(RULES, online.seed, number),
        number - numbers_of(round_.number, len(round_.deals))[0],
    )
    made = by_seat(one for one in made_in(round_) if one.deal == number)
    hands = []
    for seat in range(RULES.seats):
        same, rows = made.get((number, seat), []), []
        for one in same:
            table = next(table for table in round_.played if one.entry in table.players)
            played = table.made is not None and nth < len(table.made.differences)
            replay = f"/match/{table_id_of(online, round_, table)}/{nth + 1}" if played else ""
            rows.append(HolderRow(one.entry, table.players[1 - seat], one, gained_by(one, same), replay))
        rows.sort(key=lambda row: (-row.imps, -row.made.difference, row.entry))
        own = next((one for one in same if one.entry == mine), None)
        hands.append(
            HeldHand(
                deal.hands[seat],
                seat == deal.dealer,
                tuple(rows),
                own,
                datum_of(own, same) if own else None,
                gained_by(own, same) if own else 0,
            )
        )
    return hands


def deal_page(visit: Visit, online: Online, round_: Round, number: int, mine: int | None) -> str:
    """The page of one deal over all tables."""
    numbers, deal = numbers_of(round_.number, len(round_.deals)), sealed_deal(RULES, online.seed, number)
    hands = held_hands(online, round_, number, mine)
    return render(
        visit,
        "contests/deal.html",
        here=f"/contests/{online.id}/deals/{number}",
        online=online,
        names=online.names,
        mine=mine,
        number=number,
        round=round_,
        numbers=numbers,
        hands=sorted(hands, key=lambda held: held.own is None),
        turnup=deal.turnup,
        arranged=arrange,
        endings=ENDINGS,
        signed=partial(signed_number, language=visit.language),
        words=words_of(visit),
        face=face,
        deal=str(deal),
        nonce=deal_nonce(online.seed, number),
        digest=deal_digest(RULES, online.seed, number),
    )
