"""Brute-force best response to uniform play with hidden cards; shares only the rules with the solver."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations
from typing import Any, NamedTuple

from chouine.ai.beliefs import Range
from chouine.fast.double_dummy import open_margin
from chouine.fast.soa_layout import compiled_position
from chouine.partie.actions import Action, Exchange, Play, spell_actions
from chouine.rules.combinations import CHOUINE, FIGURE_VALUES, MARIAGE, QUINTE
from chouine.rules.play import au_sept, declare, exchange, exchange_open, lay, legal_for
from chouine.rules.position import Position, put
from chouine.rules.rule_table import RuleTable


class World(NamedTuple):
    p: Position
    talon: tuple[int, ...]
    weight: float


def best_against_chance(
    rule_table: RuleTable, p: Position, pool: list[int], ranges: tuple[Range, Range], seat: int
) -> float:
    """A seat's value, -1 to 1, of the best response to an opponent who plays uniformly at random."""
    total, value = 0.0, 0.0
    for hand, weight in zip(ranges[seat].hands.tolist(), ranges[seat].weights.tolist(), strict=True):
        worlds = []
        for other, share in zip(
            ranges[1 - seat].hands.tolist(), ranges[1 - seat].weights.tolist(), strict=True
        ):
            if hand & other == 0:
                hands = put(put((0, 0, 0, 0), seat, hand), 1 - seat, other)
                rest = [card for card in pool if not (hand | other) >> card & 1]
                drawn = (0,) * (rule_table.hidden - len(rest))
                worlds += [
                    World(p._replace(hands=hands), drawn + order, weight * share)
                    for order in permutations(rest)
                ]
        total += sum(world.weight for world in worlds)
        value += best(rule_table, worlds, seat, 0) if worlds else 0.0
    return value / total


def best(rule_table: RuleTable, worlds: list[World], seat: int, asked: int) -> float:
    """The total weighted value of worlds that the seat cannot distinguish."""
    p = worlds[0].p
    if p.chouine >= 0:
        return sum(world.weight for world in worlds) * (1 if p.chouine == seat else -1)
    if p.tricks == rule_table.drawing:
        return sum(world.weight * outcome(rule_table, world.p, seat) for world in worlds)
    actor = next((each for each in asked_now(rule_table, p) if not asked >> each & 1), -1)
    if actor < 0:
        actor, acts_now = p.turn, True
    else:
        acts_now = False
    if actor == seat:
        mine = own_acts(rule_table, p, seat) if acts_now else exchanges(p, seat)
        return max(follow(rule_table, worlds, seat, act, asked, actor) for act in mine)
    shared = defaultdict[Any, list[World]](list)
    for world in worlds:
        acts = chance_acts(rule_table, world.p, actor) if acts_now else exchanges(world.p, actor)
        for act in acts:
            shared[act].append(world._replace(weight=world.weight / len(acts)))
    return sum(follow(rule_table, met, seat, act, asked, actor) for act, met in shared.items())


def follow(
    rule_table: RuleTable, worlds: list[World], seat: int, act: Action | None, asked: int, actor: int
) -> float:
    """Do an act in all worlds, then group them by the card that the seat draws."""
    if act is None:
        return best(rule_table, worlds, seat, asked | 1 << actor)
    seen = defaultdict[int, list[World]](list)
    for world in worlds:
        p = world.p
        if isinstance(act, Exchange):
            p = exchange(p, actor)
        else:
            p = p if act.declaration is None else declare(rule_table, p, act.declaration)
            p = p if p.chouine >= 0 else lay(rule_table, world.talon, p, act.card)
        seen[p.hands[seat]].append(world._replace(p=p))
    return sum(
        best(rule_table, met, seat, asked if isinstance(act, Exchange) else 0) for met in seen.values()
    )


def asked_now(rule_table: RuleTable, p: Position) -> Iterator[int]:
    if exchange_open(rule_table, p):
        yield from [1 - p.turn] if au_sept(rule_table, p) else []
        yield p.turn


def exchanges(p: Position, seat: int) -> list[Action | None]:
    return [Exchange(), None] if p.hands[seat] >> 8 * p.trump & 1 else [None]


def own_acts(rule_table: RuleTable, p: Position, seat: int) -> list[Play]:
    return [act for act in spell_actions(rule_table, legal_for(rule_table, p, seat)) if isinstance(act, Play)]


def chance_acts(rule_table: RuleTable, p: Position, seat: int) -> list[Play]:
    """The opponent's random acts: a chouine if held; in the last hidden answer the best declaration of each card."""
    acts = own_acts(rule_table, p, seat)
    chouines = [act for act in acts if act.declaration is not None and act.declaration >= CHOUINE]
    if chouines:
        return chouines[:1]
    if p.tricks == rule_table.drawing - 1 and p.table:
        best_of: dict[int, Play] = {}
        for act in sorted(acts, key=lambda act: worth(act, p.trump)):
            best_of[act.card] = act
        return list(best_of.values())
    return acts


def worth(act: Play, trump: int) -> int:
    if act.declaration is None:
        return 0
    doubled = act.declaration < QUINTE and (act.declaration - MARIAGE) % 4 == trump
    return FIGURE_VALUES[act.declaration - MARIAGE] * (1 + doubled)


def outcome(rule_table: RuleTable, p: Position, seat: int) -> int:
    """The result of an open ending, -1 to 1."""
    nodes, none = memoryview(array("q", [1 << 40])), memoryview(array("q"))
    margin = open_margin(rule_table, none, compiled_position(p), seat, -2000, 2000, nodes)
    return (margin > 0) - (margin < 0)
