"""What can still be hoped for where all cards are known and the partie is not won: that the other errs.

Kernel Python.
"""

from __future__ import annotations

from array import array

from chouine.ai.playout import WIN, laid_with, open_ending, outcome
from chouine.cards import ALL_CARDS
from chouine.fast.bits import lowest
from chouine.fast.compiler import AVAILABLE, compiled
from chouine.fast.playout import best_with
from chouine.fast.seats import seated
from chouine.partie.actions import Play
from chouine.players.greedy import greedy_card
from chouine.rules.book import Book
from chouine.rules.combinations import DECLARATIONS
from chouine.rules.play import legal
from chouine.rules.position import NONE, Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

ANYTHING = 0.25
"""How often the other is thought to lay any card that it may; else it takes what pays and lets its least card go."""


@compiled
def hope(book: Book, p: Position, seat: int, anything: float, nodes: memoryview) -> float:
    """What two seats' last tricks are worth to one that plays its best against another that errs; from 0 to 1.

    The other lays any card it may in a share `anything`, else it is greedy; where the partie can be won whatever it
    does, it is won. With a card goes the best that it can declare. `nodes`: room to count in.
    """
    if p.turn < 0:
        return outcome(book, p, seat)
    if p.table == 0 and open_ending(book, nodes, p, seat, nodes) == WIN:
        return WIN
    actions = legal(book, p)
    cards, many, altogether, best, likely = actions & ALL_CARDS, 0, 0.0, 0.0, 0.0
    expected, said = (NONE, NONE) if p.turn == seat else greedy_card(book, p)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if expected >= 0 and card != expected and anything == 0:
            continue
        declaration = said if card == expected else best_with(book, actions & DECLARATIONS, card)
        value = hope(book, laid_with(book, nodes, p, card, declaration), seat, anything, nodes)
        best = max(best, value)
        altogether += value
        likely += value if card == expected else 0.0
        many += 1
    return best if p.turn == seat else anything * altogether / many + (1.0 - anything) * likely


def hoped(book: Book, p: Position, play: Play) -> float:
    """What a card laid by the seat on turn is worth to it if the other errs now and then; from 0 to 1."""
    nodes = memoryview(array("q", [0]))
    said = NONE if play.declaration is None else int(play.declaration)
    after = seated(laid_with(book, nodes, p, int(play.card), said))
    return float(hope(book, after, p.turn, ANYTHING, nodes))
