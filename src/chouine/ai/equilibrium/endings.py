"""Endings with the talon empty, both hands known: what is gained from there, every declaration made as soon as it can.

Once nothing is hidden a declaration kept back is worth nothing (§9.1): with `again=never` and `figure=played` the best
one that a card can go with is the right one, so that none is a choice here. `fast.openplay` tries them all.
"""

from __future__ import annotations

from chouine.cards import BRISQUES
from chouine.fast.bits import highest, how_many, lowest
from chouine.fast.cardplay import TAKING, WORTH, answers, card_margin, to_play_for
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.rules.combinations import MARIAGE, QUEENS, QUINTE, one_bit_a_suit

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

MORE = 10_000
"""More than any margin."""
CHOUINE_WINS = 1000
QUINTE_SHUT = 16


@kernel
def shut_by(said: int) -> int:
    """What declarations already made shut (§9.4): a bit for each suit, and one for the quinte."""
    suits = (said >> MARIAGE | said >> MARIAGE + 4 | said >> MARIAGE + 8) & 15
    return suits | (said >> QUINTE & 1) << 4


@kernel
def may_declare(hand: int, shut: int) -> int:
    """What a hand could declare, in the bits of `shut_by`; a chouine is of a suit, shut or not."""
    suits = one_bit_a_suit(hand & hand >> 1 & QUEENS)
    whole = one_bit_a_suit(hand & hand >> 1 & hand << 1 & hand >> 2 & hand >> 3 & QUEENS)
    quinte = QUINTE_SHUT if how_many(hand & BRISQUES) >= 5 else 0
    return (suits | quinte) & ~shut | whole


@kernel
def best_said(hand: int, card: int, shut: int, trump: int) -> int:
    """What the best declaration that may go with a card counts (§9), 0 without one; a chouine wins (§10)."""
    suit = card >> 3
    held, rank = hand >> 8 * suit & 0xFF, 1 << (card & 7)
    counts = 0
    if held & 0x30 == 0x30 and rank & 0xF8:
        if held & 0xF8 == 0xF8:
            return 3 * CHOUINE_WINS if suit == trump else CHOUINE_WINS
        if not shut >> suit & 1:
            if held & 0x88 == 0x88 and rank & 0xB8:
                counts = 40
            elif held & 0x08 and rank & 0x38:
                counts = 30
            elif rank & 0x30:
                counts = 20
            if suit == trump:
                counts *= 2
    if not shut & QUINTE_SHUT and rank & 0xC0 and how_many(hand & BRISQUES) >= 5:
        counts = 50
    return counts


@kernel
def then_shut(shut: int, card: int, counts: int) -> int:
    """What is shut once a declaration that counts so much has gone with a card."""
    if counts == 0:
        return shut
    return shut | (QUINTE_SHUT if counts == 50 else 1 << (card >> 3))


@compiled
def ending(
    table: int,
    trump: int,
    lead_only: int,
    leading: int,
    answering: int,
    shut: int,
    shut_answering: int,
    alpha: int,
    beta: int,
) -> int:
    """What the leader gains on the other, exact between alpha and beta; `shut` is the leader's."""
    declaring = may_declare(leading, shut) | may_declare(answering, shut_answering)
    if declaring == 0 or leading & leading - 1 == 0:
        return card_margin(table, leading, answering, to_play_for(leading | answering), alpha, beta)
    best, leads = -MORE, leading
    while leads:
        lead = highest(leads)
        leads ^= 1 << lead
        said = best_said(leading, lead, shut, trump)
        kept = leading ^ 1 << lead
        still_shut = then_shut(shut, lead, said)
        if said >= CHOUINE_WINS:
            said += CHOUINE_WINS // 2  # said first (§10)
        worst, replies, lowest_wanted = MORE, answers(table, lead, answering), max(alpha, best)
        while replies:
            reply = lowest(replies)
            replies &= replies - 1
            answered = 0 if lead_only else best_said(answering, reply, shut_answering, trump)
            gain = said - answered
            if gain < CHOUINE_WINS // 2 and gain > -CHOUINE_WINS // 2:
                trick = WORTH[lead] + WORTH[reply]
                rest = answering ^ 1 << reply
                other_shut = then_shut(shut_answering, reply, answered)
                most = min(beta, worst)
                if TAKING[table + lead] >> reply & 1:
                    gain -= trick
                    gain -= ending(
                        table,
                        trump,
                        lead_only,
                        rest,
                        kept,
                        other_shut,
                        still_shut,
                        gain - most,
                        gain - lowest_wanted,
                    )
                else:
                    gain += trick
                    gain += ending(
                        table,
                        trump,
                        lead_only,
                        kept,
                        rest,
                        still_shut,
                        other_shut,
                        lowest_wanted - gain,
                        most - gain,
                    )
            worst = min(worst, gain)
            if worst <= lowest_wanted:
                break
        best = max(best, worst)
        if best >= beta:
            break
    return best
