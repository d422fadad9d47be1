"""The referee: an independent, slow and literal implementation of the rules, used only to test the engine.

It shares no code with the product: cards are two-character strings, options are words, and rules follow the rule
book's order with their §.
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
