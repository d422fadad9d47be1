"""Verify from what a table publishes that a deal was fixed before the cut, and a tirage before its drawing.

Before the cut (§2) the table shows a digest of the shuffled pack; once the partie is over, the pack itself
and the nonce that hid it. The digest commits to the pack, so that nobody can change it later. The pack spread for
the tirage has a digest too, but neither cut nor deal.
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
"""Fields that a pack spread for the tirage does not have."""


class Unverifiable(ChouineError, ValueError):
    """The published data are incomplete; `code` is `verify/…`."""


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
        """Read a table's JSON or a record's tags. Raises `Unverifiable`, or `NotationError` for the rules."""
        spread = not any(name in data for name in DEALT)
        fields = [name for name in FIELDS if name not in DEALT or not spread]
        missing = [name for name in fields if name not in data]
        if missing:
            raise Unverifiable("verify/missing", names=", ".join(missing))
        texts = {name: str(data[name]).strip() for name in fields}
        for name, text in texts.items():
            if not text.isprintable():  # a lone surrogate, which cannot be encoded
                raise Unverifiable("verify/letters", name=name)
        pieces = (Rules.parse(texts["rules"]), texts["pack"], texts["nonce"], texts["digest"].lower())
        if spread:
            return cls(*pieces)
        if not re.fullmatch("[0-9]{1,2}", texts["cut"]):
            raise Unverifiable("verify/cut-number", token=texts["cut"][:20])
        return cls(*pieces, int(texts["cut"]), texts["deal"])

    @property
    def faults(self) -> tuple[str, ...]:
        """Codes of what does not agree; none if everything does."""
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
        """The proof as JSON data."""
        return {name: str(self.rules) if name == "rules" else getattr(self, name) for name in FIELDS}


def pack_cards(text: str) -> tuple[Card, ...] | None:
    """The pack's cards in order; None unless the text is a permutation of the 32 cards (§1)."""
    try:
        cards = tuple(Card(text[place : place + 2]) for place in range(0, len(text), 2))
    except ValueError:
        return None
    return cards if len(cards) == 32 == len(set(cards)) else None
