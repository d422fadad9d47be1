"""Many deals at once, as arrays with named fields: for statistics."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chouine.errors import check_type, count_of
from chouine.rules.options import Rules
from chouine.rules.position import NONE
from chouine.rules.rule_table import rule_table_of


class Deals(NamedTuple):
    """Random deals (§3), one a row; cards are numbered 0 to 31 as in `chouine.Card`."""

    hands: Any
    """`int64[count, seats]`: each hand as a set of bits, card n being `1 << n`."""
    turnup: Any
    """`int64[count]`: the card turned up, -1 in Mondoubleau."""
    talon: Any
    """`int64[count, places]`: the hidden talon in drawing order."""


def deals(count: int, rules: Rules | None = None, seed: int = 0) -> Deals:
    """This many uniformly random deals.

    >>> of = deals(1000, seed=1)
    >>> of.hands.shape, of.turnup.shape, of.talon.shape
    ((1000, 2), (1000,), (1000, 21))
    """
    rules = Rules() if rules is None else rules
    check_type("rules", rules, Rules, "Rules, such as Rules.parse('three')")
    count, seed = count_of("count", count, "a number of deals"), count_of("seed", seed, "an int")
    rule_table = rule_table_of(rules)
    packs = np.random.default_rng(seed).permuted(np.tile(np.arange(32), (count, 1)), axis=1)
    dealt, rest = np.split(packs, [rule_table.seats * rule_table.hand], axis=1)
    hands = np.bitwise_or.reduce(1 << dealt.reshape(count, rule_table.seats, rule_table.hand), axis=2)
    if rule_table.turned:
        return Deals(hands, rest[:, -1], rest[:, :-1])
    return Deals(hands, np.full(count, NONE), rest)
