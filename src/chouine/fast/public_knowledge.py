"""The cards that are public: known in a hand, about to be shown, or played. Kernel Python."""

from __future__ import annotations

from typing import NamedTuple

from chouine.cards import BRISQUES
from chouine.fast.kernels import kernel
from chouine.fast.soa_layout import ZEROS, PerSeat, SeatValues, as_kind, of_its_kind
from chouine.rules.combinations import BRISQUE_FIGURES, EXCHANGE, MARIAGE
from chouine.rules.position import Four, Position, put
from chouine.rules.rule_table import RuleTable


class PublicKnowledge(NamedTuple):
    """Card sets by seat."""

    known: Four
    """Cards in hand that the others know: shown (§9.5), taken in exchange for the seven (§11), or drawn as the turnup
    (§5)."""
    to_show: Four
    """Cards to show when the trick is complete; those of a quinte or trente are hidden until then (§9.5)."""
    played: Four


@kernel
def nothing_known(kind: SeatValues = PerSeat) -> PublicKnowledge:
    """What is public after the deal."""
    none = as_kind(kind, ZEROS)
    return PublicKnowledge(none, none, none)


@kernel
def update_knowledge(
    rule_table: RuleTable, before: Position, after: Position, seat: int, action: int, public: PublicKnowledge
) -> PublicKnowledge:
    """Public knowledge after a seat's action; `before` and `after` are the positions around it."""
    known, showing, played = public
    if action == EXCHANGE:
        return PublicKnowledge(put(known, seat, known[seat] | 1 << before.turnup), showing, played)
    if action > EXCHANGE:
        cards = rule_table.figure_cards[action - MARIAGE]
        if 1 << action & BRISQUE_FIGURES:
            cards = before.hands[seat] & BRISQUES
        return PublicKnowledge(known, put(showing, seat, cards), played)
    played = put(played, seat, played[seat] | 1 << action)
    known = put(known, seat, known[seat] & ~(1 << action))
    if after.table != 0:
        return PublicKnowledge(known, showing, played)
    drawn = 1 << before.turnup if before.turnup >= 0 and after.turnup < 0 else 0
    return PublicKnowledge(
        reveal_drawn(after.hands, showing, known, drawn), of_its_kind(known, 0, 0, 0, 0), played
    )


@kernel
def cards_played(public: PublicKnowledge) -> int:
    """All cards played, as one set."""
    return public.played[0] | public.played[1] | public.played[2] | public.played[3]


@kernel
def reveal_drawn(hands: Four, showing: Four, known: Four, drawn: int) -> Four:
    """Known cards once the trick is complete: declared cards are shown, and everyone knows who drew the turnup."""
    return of_its_kind(
        known,
        known[0] | hands[0] & (showing[0] | drawn),
        known[1] | hands[1] & (showing[1] | drawn),
        known[2] | hands[2] & (showing[2] | drawn),
        known[3] | hands[3] & (showing[3] | drawn),
    )
