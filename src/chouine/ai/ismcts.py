"""Single-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), for all rules.

    IsmctsPlayer(5_000, seed=1).act(view)

Each simulation samples a world, descends one tree shared by all worlds, adds one node and plays out at random.
Selection is UCB1 among the acts available in this world, counting availability instead of parent visits. With two
seats the last tricks are solved exactly instead of played out.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.deduced import hidden_cards
from chouine.ai.determinization import TALON_PLACES, DealTable, sample_deal, shuffle_deal
from chouine.ai.endgame import solve_view
from chouine.cards import PACK
from chouine.errors import ChouineError
from chouine.fast.bits import as_int64, high_half, lowest_bit, next_state, random_member, splitmix64
from chouine.fast.compiler import compiled
from chouine.fast.double_dummy import between_last_tricks, open_margin_between
from chouine.fast.driver import driver
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.playout import eager_turn
from chouine.fast.soa_layout import compiled_position, of_its_kind, seat_values
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.view import View
from chouine.rules.combinations import ACTIONS, EXCHANGE, EXCHANGING
from chouine.rules.play import au_sept, exchanger, legal_for, step, winner
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

DECLINE = ACTIONS
"""The act of keeping the seven at "au sept" (§11)."""
EXPLORATION = 0.7
"""The UCB1 exploration constant."""
MAX_DEPTH = 80
"""Upper bound on acts in a partie: each card, most with a declaration, and an exchange."""
NO_NODE_LIMIT = 1 << 62


VISITS, LEGAL, REWARD, SEAT = range(4)
"""Columns of a node: its visits, the visits of its parent in worlds where its act was legal, what the acting seat won
in `SHARES`, and that seat."""
SHARES = 12
"""A win; a nulle is divided among two, three or four seats without a remainder."""
SLOTS = 64
"""Room for the children of a node, one by act; a power of two."""


class SearchTree(NamedTuple):
    """Nodes by index, 0 the root; each is an act at its parent."""

    children: Any
    """`int32[nodes * SLOTS]`: by parent and act, the child or 0."""
    tried: Any
    """`int64[nodes]`: the acts that have a child, as a set."""
    counts: Any
    """`int32[nodes * 4]`: `VISITS`, `LEGAL`, `REWARD`, `SEAT`."""
    widths: Any
    """`float64[nodes]`: by count of visits the square root of its logarithm, times `EXPLORATION`; 0 at 0 …"""
    inverse_roots: Any
    """… and one by its square root, infinite at 0."""

    def most_visited(self, node: int) -> int:
        """The most visited act of a node, ties by what it won; NONE if none was tried."""
        acts = [act for act in range(SLOTS) if self.children[node * SLOTS + act]]

        def visits_and_reward(act: int) -> tuple[int, int]:
            at = 4 * self.children[node * SLOTS + act]
            return self.counts[at + VISITS], self.counts[at + REWARD]

        return max(acts, key=visits_and_reward, default=NONE)


def new_tree(count: int) -> SearchTree:
    """A root with room for `count` more nodes."""
    children, tried = np.zeros((count + 1) * SLOTS, np.int32), np.zeros(count + 1, np.int64)
    return SearchTree(children.data, tried.data, np.zeros((count + 1) * 4, np.int32).data, *by_visits(count))


@cache
def by_visits(count: int) -> tuple[Any, Any]:
    """`SearchTree.widths` and `inverse_roots`; divisions and roots would take a tenth of a search."""
    visits = np.arange(count + 2)
    with np.errstate(divide="ignore"):
        inverse_roots = 1 / np.sqrt(visits)
    return (EXPLORATION * np.sqrt(np.log(np.maximum(visits, 1)))).data, inverse_roots.data


class SearchRoot(NamedTuple):
    """A position as the seat that decides knows it, and how worlds are drawn from it."""

    rule_table: RuleTable
    known: Position
    seat: int
    table: DealTable
    barred: bool
    """Whether some seat cannot hold some card."""
    drawn: int
    """The first places of the talon, which are in hands by now."""


class Room(NamedTuple):
    """What a search works in: the hands and the talon of one world, and scratch buffers."""

    hands: Any
    talon: Any
    path: Any
    nodes: Any


def new_room() -> Room:
    return Room(*(np.zeros(size, np.int64).data for size in (4, TALON_PLACES, MAX_DEPTH, 1)))


play_eagerly = driver(eager_turn, between_last_tricks)


@kernel
def winner_of(rule_table: RuleTable, talon: Any, p: Position, nodes: Any) -> int:
    """The winner of a finished or solvable position; NONE for a nulle."""
    if p.turn < 0:
        return winner(rule_table, p)
    nodes[0] = NO_NODE_LIMIT
    margin = open_margin_between(rule_table, talon, compiled_position(p), -1, 1, nodes)
    return NONE if margin == 0 else 0 if margin > 0 else 1


@kernel
def next_decision(rule_table: RuleTable, p: Position, declined: int) -> tuple[int, int]:
    """The seat that decides and its legal actions. At "au sept" a seat that may exchange decides first."""
    holder = exchanger(rule_table, p)
    if holder >= 0 and holder != p.turn and not declined:
        return holder, EXCHANGING
    return p.turn, legal_for(rule_table, p, p.turn)


@kernel
def select_child(tree: SearchTree, node: int, actions: int) -> int:
    """Count the acts as available; of these the one with the highest upper confidence bound."""
    best, highest = NONE, -1.0
    while actions:
        action = lowest_bit(actions)
        actions &= actions - 1
        at = 4 * tree.children[node * SLOTS + action]
        available = tree.counts[at + LEGAL] + 1
        tree.counts[at + LEGAL] = available
        root = tree.inverse_roots[tree.counts[at + VISITS]]
        bound = root * (tree.counts[at + REWARD] * (1 / SHARES) * root + tree.widths[available])
        if bound > highest:
            best, highest = action, bound
    return best


@kernel
def count_available(tree: SearchTree, node: int, actions: int) -> None:
    """Count acts that have a child as available."""
    while actions:
        tree.counts[4 * tree.children[node * SLOTS + lowest_bit(actions)] + LEGAL] += 1
        actions &= actions - 1


@compiled
def search(root: SearchRoot, simulations: int, deals: int, stream: int, tree: SearchTree, room: Room) -> None:
    """One simulation in each of so many worlds. Worlds are drawn by the stream `deals`, all else by `stream`."""
    rule_table, known, seat, table, barred, drawn = root
    size = 0
    hands, talon, path, nodes = room
    asked = int(seat == known.turn and au_sept(rule_table, known))  # the others have declined
    for _ in range(simulations):
        for each in range(4):
            hands[each] = known.hands[each]
        if barred:
            deals = sample_deal(table, drawn, deals, hands, talon)
        else:
            deals = shuffle_deal(table, drawn, deals, hands, talon)
        p = Position(of_its_kind(known.hands, hands[0], hands[1], hands[2], hands[3]), *known[1:])
        node, depth, declined, expanded = 0, 0, asked, False
        while p.turn >= 0 and not expanded and not between_last_tricks(rule_table, p):
            actor, actions = next_decision(rule_table, p, declined)
            if node == 0 and seat != known.turn:
                actions |= 1 << DECLINE
            untried = actions & ~tree.tried[node]
            if untried:
                count_available(tree, node, actions & ~untried)
                stream = next_state(stream)
                action = random_member(untried, high_half(splitmix64(stream)))
                size += 1
                tree.tried[node] |= 1 << action
                tree.children[node * SLOTS + action] = size
                node, expanded = size, True
                tree.counts[4 * node + LEGAL], tree.counts[4 * node + SEAT] = 1, actor
            else:
                action = select_child(tree, node, actions)
                node = tree.children[node * SLOTS + action]
            path[depth] = node
            depth += 1
            if action == DECLINE:
                declined = 1
            else:
                p = step(rule_table, talon, p, action)
        stream = next_state(stream)
        p, _ = play_eagerly(rule_table, talon, p, (splitmix64(stream), declined), None)
        first = winner_of(rule_table, talon, p, nodes)
        for nth in range(depth):
            at = 4 * path[nth]
            tree.counts[at + VISITS] += 1
            if first < 0:
                tree.counts[at + REWARD] += SHARES // rule_table.seats  # replayed (§12)
            elif first == tree.counts[at + SEAT]:
                tree.counts[at + REWARD] += SHARES


def run_search(view: View, simulations: int, seed: int) -> SearchTree:
    """The tree after `simulations` simulations from a view whose seat decides now."""
    given = hidden_cards(view)
    kind = seat_values(view.rule_table)
    known = compiled_position(view.position, kind)._replace(
        hands=kind(*given.hands, *[0] * (4 - len(given.hands)))
    )
    tree = new_tree(simulations)
    stream = splitmix64(seed)
    root = SearchRoot(
        view.rule_table, known, view.observer or 0, DealTable.of(given), given.barred, given.drawn
    )
    search(root, simulations, as_int64(stream), as_int64(splitmix64(stream)), tree, new_room())
    return tree


class IsmctsPlayer:
    """Deterministic: the same view and seed give the same act."""

    def __init__(self, simulations: int, seed: int = 0) -> None:
        if simulations < 1:
            raise ChouineError("research/simulations", simulations=simulations)
        self.simulations = simulations
        self.seed = seed

    def act(self, view: View) -> Action | None:
        """The most visited act; two seats' last tricks are exact."""
        acts = view.legal
        if not acts:
            return None
        solved = solve_view(view)
        if solved:
            return solved.values[0].action
        if len(acts) == 1 and view.turn == view.observer:
            return acts[0]
        return chosen_action(run_search(view, self.simulations, self.seed + len(view.events)), acts)


def chosen_action(tree: SearchTree, acts: tuple[Action, ...]) -> Action | None:
    """The tree's recommendation: a declaration with its most visited card; None to decline at "au sept"."""
    action = tree.most_visited(0)
    if action == DECLINE:
        return None
    if action == EXCHANGE:
        return Exchange()
    if action < EXCHANGE:
        return Play(PACK[action])
    card = tree.most_visited(tree.children[action])
    if card != NONE:
        return Play(PACK[card], Declaration(action))
    return next(act for act in acts if isinstance(act, Play) and act.declaration == action)
