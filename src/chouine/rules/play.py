"""Starting a partie, what is legal, and what an action does (§3-§12, §17).

Kernel Python: plain functions over ints, no classes, exceptions, dicts or closures, so that the very same
functions can be compiled. Nothing here checks legality: `step` takes legal actions only, `explain` explains others.
`talon` is the hidden talon in drawing order.
"""

from __future__ import annotations

from collections.abc import Sequence

from chouine.cards import ALL_CARDS, POINTS, SUIT_CARDS
from chouine.rules.combinations import (
    BRISQUE_FIGURES,
    CHOUINE,
    CHOUINES,
    EXCHANGE,
    EXCHANGING,
    FIGURE_VALUES,
    MARIAGE,
    QUINTE,
    SUIT_FIGURES,
    figures_of_five,
    figures_of_three,
)
from chouine.rules.position import NONE, Four, Position, new_position, put
from chouine.rules.rule_table import DIFFERENCE, NEVER, RuleTable

ABOVE = tuple(SUIT_CARDS[card >> 3] & ~((2 << card) - 1) for card in range(32))
"""The stronger cards of each card's suit (§1)."""
DIX_DE_DER = 10


def start(rule_table: RuleTable, hands: Four, turnup: int, dealer: int) -> Position:
    """The position after the deal (§3, §5): the seat after the dealer leads. `turnup` is NONE in Mondoubleau (§17)."""
    leader = (dealer + 1) % rule_table.seats
    trump = turnup >> 3 if turnup >= 0 else NONE
    none = (0, 0, 0, 0)
    return Position(
        hands, turnup, trump, leader, leader, 0, NONE, NONE, 0, 0, none, none, none, none, none, NONE, NONE
    )


def legal(rule_table: RuleTable, p: Position) -> int:
    """All legal actions now, as a set: those of the seat on turn, and the exchange by whoever may make it.

    >>> from chouine.rules.rule_table import rule_table_of
    >>> from chouine.rules.options import Rules
    >>> legal(rule_table_of(Rules()), start(rule_table_of(Rules()), (0b11111, 0b11111 << 8, 0, 0), 31, 1)) == 0b11111
    True
    """
    if p.turn < 0:
        return 0
    cards = playable(rule_table, p)
    if p.pending >= 0:
        return cards & companions(rule_table, p.pending)
    actions = cards | declarable(rule_table, p, cards)
    if exchanger(rule_table, p) >= 0:
        actions |= EXCHANGING
    return actions


def legal_for(rule_table: RuleTable, p: Position, seat: int) -> int:
    """The legal actions of one seat, as a set."""
    actions = legal(rule_table, p) if seat == p.turn else EXCHANGING
    if exchanger(rule_table, p) != seat:
        actions &= ~EXCHANGING
    return actions


def playable(rule_table: RuleTable, p: Position) -> int:
    """Cards that the seat on turn may lay: any while the talon serves (§7), then those that §8 allows."""
    hand = p.hands[p.turn]
    if p.table == 0 or p.tricks < rule_table.drawing:
        return hand
    return bound_cards(rule_table, p, hand)


def bound_cards(rule_table: RuleTable, p: Position, hand: int) -> int:
    """§8: head, follow, overruff, ruff, or any card: the first of these sets that the hand holds."""
    led = led_suit(p)
    best_suit = p.best >> 3
    following = hand & SUIT_CARDS[led]
    heading = only_if(best_suit == led and must_head(rule_table, p, led), following & ABOVE[p.best])
    ruffing = hand & SUIT_CARDS[p.trump] if p.trump >= 0 else 0
    overruffing = only_if(rule_table.overruff != 0 and best_suit == p.trump, ruffing & ABOVE[p.best])
    return first_of(heading, first_of(following, first_of(overruffing, first_of(ruffing, hand))))


def only_if(condition: bool, cards: int) -> int:  # noqa: FBT001  # compiled without a branch
    """These cards, or none."""
    return cards if condition else 0


def first_of(cards: int, others: int) -> int:
    """These cards, or the others if there are none."""
    return cards or others


def led_suit(p: Position) -> int:
    """The suit of the trick's first card; there must be one."""
    return (p.table & 63) - 1 >> 3


def must_head(rule_table: RuleTable, p: Position, led: int) -> bool:
    """Whether §8 asks to head a card of the suit led: in trumps, or in every suit by option."""
    return led == p.trump or rule_table.head_always != 0


def declarable(rule_table: RuleTable, p: Position, cards: int) -> int:
    """Declarations open to the seat on turn (§9); `cards` are its playable cards."""
    if p.table != 0 and rule_table.declare_lead:
        return 0
    hand = p.hands[p.turn]
    held = figures_of_five(hand) if rule_table.seats == 2 else figures_of_three(hand)
    if not held:
        return 0
    held &= ~closed_figures(rule_table, p.said[p.turn])
    if cards != hand:
        held = with_a_card(rule_table, held, cards)
    return held


def closed_figures(rule_table: RuleTable, said: int) -> int:
    """Declarations a seat may not make again (§9.4): repeated ones, and under `again=never` others of that suit."""
    if rule_table.again != NEVER or not said & SUIT_FIGURES:
        return said
    suits = (said >> MARIAGE | said >> MARIAGE + 4 | said >> MARIAGE + 8) & 0b1111
    return said | suits * 0x111 << MARIAGE


def with_a_card(rule_table: RuleTable, held: int, cards: int) -> int:
    """Of these declarations, those that one of these cards may accompany (§9.3)."""
    kept = 0
    for declaration in range(MARIAGE, CHOUINE + 4):
        if held >> declaration & 1 and cards & companions(rule_table, declaration):
            kept |= 1 << declaration
    return kept


def companions(rule_table: RuleTable, declaration: int) -> int:
    """Cards that may accompany a declaration (§9.3): its own, or under `figure=held` any."""
    return ALL_CARDS if rule_table.figure_held else rule_table.figure_cards[declaration - MARIAGE]


def exchanger(rule_table: RuleTable, p: Position) -> int:
    """The seat that may exchange the seven now (§11), or NONE."""
    if p.turn < 0 or p.turnup < 0:
        return NONE
    seven = 1 << 8 * p.trump
    if (p.hands[p.turn] & seven or au_sept(rule_table, p)) and exchange_open(rule_table, p):
        for seat in range(rule_table.seats):
            if p.hands[seat] & seven:
                return seat
    return NONE


def exchange_open(rule_table: RuleTable, p: Position) -> bool:
    """Whether an exchange could be made now by a seat holding the seven (§11)."""
    if p.turn < 0 or p.turnup < 0 or p.turnup & 7 == 0 or p.tricks >= rule_table.drawing or p.pending >= 0:
        return False
    if p.tricks == rule_table.drawing - 1:
        if not rule_table.seven_last:
            return False
        if rule_table.au_sept:
            return p.table == 0
    return p.table == 0 or not rule_table.seven_lead


def au_sept(rule_table: RuleTable, p: Position) -> bool:
    """Whether this is the "au sept" window (§11): the last trick with a draw about to be led, nothing exchanged."""
    return (
        p.tricks == rule_table.drawing - 1
        and p.table == 0
        and p.turnup >= 0
        and p.turnup & 7 != 0
        and rule_table.au_sept != 0
        and rule_table.seven_last != 0
    )


def step(rule_table: RuleTable, talon: Sequence[int], p: Position, action: int) -> Position:
    """The position after a legal action; illegal actions are not checked.

    `talon`: hidden talon cards in drawing order; unknown cards are `UNKNOWN`.
    """
    if action < EXCHANGE:
        return lay(rule_table, talon, p, action)
    if action == EXCHANGE:
        return exchange(p, exchanger(rule_table, p))
    return declare(rule_table, p, action)


def exchange(p: Position, seat: int) -> Position:
    """A seat takes the turnup and leaves the seven (§11). Seat NONE: an unknown seat."""
    seven = 8 * p.trump
    hands = put(p.hands, seat, p.hands[seat] & ~(1 << seven) | 1 << p.turnup) if seat >= 0 else p.hands
    return Position(hands, seven, *p[2:])


def declare(rule_table: RuleTable, p: Position, declaration: int) -> Position:
    """The seat on turn declares (§9); its card must follow. This may fix trump (§17) or win (§10)."""
    seat = p.turn
    action = 1 << declaration
    suit = figure_suit(declaration)
    fixing = p.trump < 0 and p.table == 0 and action & SUIT_FIGURES != 0
    trump = suit if fixing else p.trump
    value = figure_value(rule_table, declaration, trump, fixing)
    if p.chouine >= 0:
        value = 0  # in answer to a chouine nothing counts (§10)
    counted = p.counted
    if action & SUIT_FIGURES:
        best = counted[seat] >> 8 * suit & 0xFF
        counted = put(counted, seat, counted[seat] & ~(0xFF << 8 * suit) | max(best, value) << 8 * suit)
        if rule_table.again == DIFFERENCE:
            value = max(0, value - best)
    chouine = p.chouine
    if action & CHOUINES and (chouine < 0 or suit == trump):
        chouine = seat
    declared = put(p.declared, seat, p.declared[seat] + value)
    said = put(p.said, seat, p.said[seat] | action)
    return Position(
        p.hands, p.turnup, trump, p.leader, seat, p.table, p.best, p.taker, p.pot, p.tricks,
        p.points, declared, p.before, said, counted, declaration, chouine,
    )  # fmt: skip


def figure_value(rule_table: RuleTable, declaration: int, trump: int, fixing: bool) -> int:  # noqa: FBT001  # kernels take no names
    """What a declaration counts: doubled in trumps (§9), by option also where it is `fixing` trump (§17)."""
    value = FIGURE_VALUES[declaration - MARIAGE]
    in_trumps = 1 << declaration & SUIT_FIGURES and figure_suit(declaration) == trump
    if in_trumps and (rule_table.fixing_double or not fixing):
        value *= 2
    return value


def figure_suit(declaration: int) -> int:
    """The suit of a declaration; NONE for a quinte or trente."""
    if 1 << declaration & BRISQUE_FIGURES:
        return NONE
    return declaration - MARIAGE & 3 if declaration < QUINTE else declaration - CHOUINE


def lay(rule_table: RuleTable, talon: Sequence[int], p: Position, card: int) -> Position:
    """The seat on turn lays a card (§5).

    If it completes the trick, a chouine ends the partie (§10), or the trick is taken and cards are drawn, or play ends.
    """
    (
        hands, turnup, trump, leader, seat, table, best, taker, pot, tricks,
        points, declared, before, said, counted, _pending, chouine,
    ) = p  # fmt: skip
    hands = put(hands, seat, hands[seat] & ~(1 << card))
    pot += POINTS[card & 7]
    if table == 0 or beats(card, best, trump):
        best, taker = card, seat
    turn = seat + 1 if seat + 1 < rule_table.seats else 0
    if turn != leader:
        table |= card + 1 << 6 * ((seat - leader) % rule_table.seats)
        return new_position((
            hands, turnup, trump, leader, turn, table, best, taker, pot, tricks,
            points, declared, before, said, counted, NONE, chouine,
        ))  # fmt: skip
    if chouine >= 0:
        declared, turn = before, NONE
    else:
        leader = turn = taker
        last = tricks + 1 == rule_table.tricks
        points = put(points, taker, points[taker] + pot + (DIX_DE_DER if last else 0))
        if last:
            turn = NONE
        elif tricks < rule_table.drawing:
            hands, turnup = draw(rule_table, talon, hands, turnup, tricks, taker)
        tricks += 1
    return new_position((
        hands, turnup, trump, leader, turn, 0, NONE, NONE, 0, tricks,
        points, declared, declared, said, counted, NONE, chouine,
    ))  # fmt: skip


def beats(card: int, best: int, trump: int) -> bool:
    """§6: a higher card of the same suit, or a trump on another suit."""
    if (card ^ best) >> 3 == 0:
        return card > best
    return card >> 3 == trump


def draw(
    rule_table: RuleTable, talon: Sequence[int], hands: Four, turnup: int, tricks: int, taker: int
) -> tuple[Four, int]:
    """The taker draws first, then the others round the table (§5); the turnup is the talon's last card (§3)."""
    seat, seats, hidden = taker, rule_table.seats, rule_table.hidden
    for place in range(tricks * seats, (tricks + 1) * seats):
        if place < hidden:
            card = talon[place]
        else:
            card, turnup = turnup, NONE
        hands = put(hands, seat, hands[seat] | 1 << card & ALL_CARDS)
        seat = seat + 1 if seat + 1 < seats else 0
    return hands, turnup


def total(p: Position, seat: int) -> int:
    """A seat's points as they stand (§12)."""
    return p.points[seat] + p.declared[seat]


def winner(rule_table: RuleTable, p: Position) -> int:
    """The winner of a finished partie (§10, §12): by chouine, else by points; NONE if the top score is shared."""
    if p.chouine >= 0:
        return p.chouine
    return leading(rule_table, p)


def leading(rule_table: RuleTable, p: Position) -> int:
    """The seat with most points so far, or NONE if the top score is shared."""
    best, ahead = -1, NONE
    for seat in range(rule_table.seats):
        points = total(p, seat)
        if points > best:
            best, ahead = points, seat
        elif points == best:
            ahead = NONE
    return ahead
