"""An independent referee: a second, slow and literal reading of the rules, used only to catch errors.

It shares no line with the product: cards are two-character strings, options are words, and every rule
is written out in the rule book's order with its §.
"""

from .deals import random_deal, random_partie, random_rules, rich_deal
from .options import parse_rules
from .referee import Referee, Refused, replay

__all__ = [
    "Referee",
    "Refused",
    "parse_rules",
    "random_deal",
    "random_partie",
    "random_rules",
    "replay",
    "rich_deal",
]
