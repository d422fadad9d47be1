"""Whether a deal was fixed before the cut, and a pack before its drawing: what a table publishes, checked by anyone.

Before the cut (§2) the table shows a digest of the shuffled pack; once the partie is over, the pack itself
and the nonce that hid it. Nobody could have changed the pack after the digest was seen. The pack spread for the
drawing (the tirage) has a digest too, and neither cut nor deal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from chouine.cards import Card
from chouine.errors import ChouineError
from chouine.match.draw import cut, cut_void
from chouine.partie.deal import SEATS, Deal
from chouine.rules.options import Rules
from chouine.table.state import digest_of

FIELDS = ("rules", "pack", "nonce", "cut", "digest", "deal")
DEALT = ("cut", "deal")
"""What a pack that is only spread has not."""


class Unverifiable(ChouineError, ValueError):
    """What is published is not complete; `code` is `verify/…`."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a table publishes of one deal."""

    rules: Rules
    pack: str
    """The shuffled pack, two characters a card, top card first."""
    nonce: str
    digest: str
    """Shown before the cut, or while cards are drawn."""
    cut: int | None = None
    """Cards in the upper packet; None: a pack spread for the drawing."""
    deal: str = ""
    """As dealt."""

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Self:
        """Read what the table's JSON or a record holds; `Unverifiable`, or `NotationError` for the rules."""
        spread = not any(name in data for name in DEALT)
        fields = [name for name in FIELDS if name not in DEALT or not spread]
        missing = [name for name in fields if name not in data]
        if missing:
            raise Unverifiable("verify/missing", names=", ".join(missing))
        texts = {name: str(data[name]).strip() for name in fields}
        for name, text in texts.items():
            if not text.isprintable():  # half a character among them, which no digest is made of
                raise Unverifiable("verify/letters", name=name)
        pieces = (Rules.parse(texts["rules"]), texts["pack"], texts["nonce"], texts["digest"].lower())
        if spread:
            return cls(*pieces)
        if not re.fullmatch("[0-9]{1,2}", texts["cut"]):
            raise Unverifiable("verify/cut-number", token=texts["cut"][:20])
        return cls(*pieces, int(texts["cut"]), texts["deal"])

    @property
    def faults(self) -> tuple[str, ...]:
        """What does not agree, as codes; none when all is in order."""
        if digest_of(self.pack, self.nonce) != self.digest:
            return ("verify/digest",)
        cards = pack_cards(self.pack)
        if cards is None:
            return ("verify/pack",)
        if self.cut is None:
            return ()
        if cut_void(self.cut):
            return ("verify/void-cut",)
        dealer = SEATS.find(self.deal[:1])
        if not 0 <= dealer < self.rules.seats:
            return ("verify/deal",)
        dealt = Deal.from_pack(self.rules, dealer, cut(cards, self.cut))
        return () if str(dealt) == self.deal else ("verify/deal",)

    def to_data(self) -> dict[str, str | int]:
        """As JSON has it."""
        return {name: str(self.rules) if name == "rules" else getattr(self, name) for name in FIELDS}


def pack_cards(text: str) -> tuple[Card, ...] | None:
    """The 32 cards of §1 in this order; None if it is not a pack."""
    try:
        cards = tuple(Card(text[place : place + 2]) for place in range(0, len(text), 2))
    except ValueError:
        return None
    return cards if len(cards) == 32 == len(set(cards)) else None
