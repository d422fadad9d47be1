"""Text formats for deals, parties and positions. Writers give the canonical form, readers accept variants.

Every error is a `NotationError` with line and column. Its code says whether the text is unreadable (`syntax/…`), its
deal is impossible (`deal/…`), an action is illegal (`illegal/…`), or a claim such as the result is wrong
(`checksum/…`).
"""

from typing import TYPE_CHECKING

from chouine.former import former_names
from chouine.notation.deals import complete_deal, read_deal
from chouine.notation.lines import PartieLine, partie_line, read_state, read_view
from chouine.notation.reader import read_record, read_records
from chouine.notation.records import Comment, Glyph, Record, Variation
from chouine.notation.setup import Setup, read_position
from chouine.notation.tokens import read_action, read_card, read_cards, read_declaration, read_hand
from chouine.notation.visiting import Visited, visit_records

__all__ = [
    "Comment",
    "Glyph",
    "PartieLine",
    "Record",
    "Setup",
    "Variation",
    "Visited",
    "complete_deal",
    "partie_line",
    "read_action",
    "read_card",
    "read_cards",
    "read_deal",
    "read_declaration",
    "read_hand",
    "read_position",
    "read_record",
    "read_records",
    "read_state",
    "read_view",
    "visit_records",
]

if TYPE_CHECKING:
    whole = complete_deal
else:
    __getattr__ = former_names(__name__, {"whole": "chouine.notation.complete_deal"}, gone="1.1")
