"""Text for deals, parties and positions: what is written is the canonical form, what is read may be kinder.

Whatever is wrong with a text is a `NotationError` that knows its line and column; its code tells whether the
text cannot be read (`syntax/…`), its deal cannot exist (`deal/…`), an action cannot be played (`illegal/…`),
or what it claims is not so (`checksum/…`).
"""

from chouine.notation.deals import read_deal, whole
from chouine.notation.lines import PartieLine, partie_line, read_state, read_view
from chouine.notation.movetext import Comment, Glyph, Variation
from chouine.notation.position_lines import read_position
from chouine.notation.reader import read_record, read_records
from chouine.notation.records import Record
from chouine.notation.setup import Setup
from chouine.notation.tokens import read_action, read_card, read_cards, read_declaration, read_hand

__all__ = [
    "Comment",
    "Glyph",
    "PartieLine",
    "Record",
    "Setup",
    "Variation",
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
    "whole",
]
