"""Information-set Monte Carlo tree search, one observer's (Cowling, Powley and Whitehouse 2012): all rules.

    IsmctsPlayer(5_000, seed=1).act(view)

Each simulation draws another world that the seat cannot tell from the true one, goes down one tree of acts that all
worlds share, adds an act to it, and plays on at random. An act is tried by its upper confidence bound among those open
in this world, the bound counting how often it was open and not how often its parent was visited. Two seats' last
tricks are not played at random: there it is known who wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Ints
from chouine.ai.endgame import solve_view
from chouine.ai.playout import solved
from chouine.ai.worlds import worlds
from chouine.cards import PACK
from chouine.errors import ChouineError
from chouine.fast.bits import advance, chosen, high_half, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.openplay import open_margin
from chouine.fast.playout import lay_greedily
from chouine.fast.seats import Seats, seated
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.view import View
from chouine.rules.book import Book
from chouine.rules.combinations import ACTIONS, EXCHANGE, EXCHANGING
from chouine.rules.play import au_sept, exchange, exchanger, legal_for, step, winner
from chouine.rules.position import NONE, Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

LET_PASS = ACTIONS
"""At "au sept" (§11), what a seat does that keeps the seven."""
CURIOSITY = 0.7
"""How much an act is worth trying for being little known."""
LONGEST = 80
"""More acts than any partie has: each card, a declaration with most of them, an exchange."""
ENDLESS = 1 << 62


class Tree(NamedTuple):
    """Nodes by number, 0 the root: each is what some seat did at its parent."""

    action: Any
    seat: Any
    child: Any
    """The child added last, or 0."""
    sibling: Any
    """The parent's child added before this one, or 0."""
    visits: Any
    open: Any
    """The parent's visits in worlds where this could be done."""
    gained: Any
    """What its seat gained by these visits in all: 1 by each partie won, its share of a nulle."""

    def children(self, node: int) -> Iterator[int]:
        child = self.child[node]
        while child:
            yield child
            child = self.sibling[child]

    def chosen(self, node: int) -> int:
        """The child visited most, of equal ones that which gained most; 0 if there is none."""
        return max(self.children(node), key=lambda nth: (self.visits[nth], self.gained[nth], nth), default=0)


def planted(many: int) -> Tree:
    """A root, and room for so many nodes more."""
    counts = np.zeros((6, many + 1), np.int64)
    return Tree(*[*(row.data for row in counts), np.zeros(many + 1).data])


@kernel
def played_on(book: Book, talon: Any, p: Position, passed: int, stream: int) -> Position:
    """At random: any card, the seven exchanged, the best declaration with it; to the end, or to a known ending."""
    while p.turn >= 0 and not solved(book, p):
        holder = exchanger(book, p)
        if holder >= 0 and (holder == p.turn or not passed):
            p = exchange(p, holder)
        stream = advance(stream)
        p = lay_greedily(book, talon, p, stream)
    return p


@kernel
def who_wins(book: Book, talon: Any, p: Position, nodes: Any) -> int:
    """The winner of a partie that is over or in a known ending; NONE after a nulle."""
    if p.turn < 0:
        return winner(book, p)
    nodes[0] = ENDLESS
    margin = open_margin(book, talon, p, 0, -1, 1, nodes)
    return NONE if margin == 0 else 0 if margin > 0 else 1


@kernel
def decision(book: Book, p: Position, passed: int) -> tuple[int, int]:
    """Whose it is, and what may be done. At "au sept" a seat that may exchange does: if not, nobody would know."""
    holder = exchanger(book, p)
    if holder >= 0 and holder != p.turn and not passed:
        return holder, EXCHANGING
    return p.turn, legal_for(book, p, p.turn)


@kernel
def offered(tree: Tree, node: int, actions: int) -> int:
    """Count that these may be done here in this world; those that have no node yet."""
    child = tree.child[node]
    while child:
        action = tree.action[child]
        if actions >> action & 1:
            tree.open[child] += 1
            actions ^= 1 << action
        child = tree.sibling[child]
    return actions


@kernel
def most_promising(tree: Tree, node: int, actions: int) -> int:
    """Of the children that may be done here, that of the highest upper confidence bound."""
    best, highest = 0, -1.0
    child = tree.child[node]
    while child:
        if actions >> tree.action[child] & 1:
            visits = tree.visits[child]
            bound = tree.gained[child] / visits + CURIOSITY * sqrt(log(tree.open[child]) / visits)
            if bound > highest:
                best, highest = child, bound
        child = tree.sibling[child]
    return best


@kernel
def add(tree: Tree, parent: int, node: int, action: int, seat: int) -> None:
    tree.action[node], tree.seat[node], tree.open[node] = action, seat, 1
    tree.sibling[node], tree.child[parent] = tree.child[parent], node


@compiled
def search(
    book: Book,
    known: Position,
    seat: int,
    hands: Any,
    talons: Any,
    stream: int,
    tree: Tree,
    path: Any,
    nodes: Any,
) -> None:
    """A simulation in each world, for a seat that decides now; `path` and `nodes` are room to work in."""
    size = 0
    asked = int(seat == known.turn and au_sept(book, known))  # the others have let that pass
    for world in range(len(hands)):
        held, talon = hands[world], talons[world]
        p = Position(Seats(held[0], held[1], held[2], held[3]), *known[1:])
        node, depth, passed, grown = 0, 0, asked, False
        while p.turn >= 0 and not grown and not solved(book, p):
            actor, actions = decision(book, p, passed)
            if node == 0 and seat != known.turn:
                actions |= 1 << LET_PASS
            fresh = offered(tree, node, actions)
            if fresh:
                stream = advance(stream)
                action = chosen(fresh, high_half(mixed(stream)))
                size += 1
                add(tree, node, size, action, actor)
                node, grown = size, True
            else:
                node = most_promising(tree, node, actions)
                action = tree.action[node]
            path[depth] = node
            depth += 1
            if action == LET_PASS:
                passed = 1
            else:
                p = step(book, talon, p, action)
        stream = advance(stream)
        first = who_wins(book, talon, played_on(book, talon, p, passed, mixed(stream)), nodes)
        for nth in range(depth):
            node = path[nth]
            tree.visits[node] += 1
            if first < 0:
                tree.gained[node] += 1.0 / book.seats  # it is played again (§12)
            elif first == tree.seat[node]:
                tree.gained[node] += 1.0


def thought(view: View, simulations: int, seed: int) -> Tree:
    """What so many simulations make of a view whose seat decides now."""
    drawn = worlds(view, simulations, seed)
    tree = planted(simulations)
    room = np.zeros((2, LONGEST), np.int64)
    p, observer = seated(view.position), view.observer or 0
    stream = signed(mixed(mixed(seed)))
    search(
        view.book, p, observer, rows(drawn.hands), rows(drawn.talons), stream, tree, *(r.data for r in room)
    )
    return tree


def rows(array: Ints) -> Any:
    """An array as compiled code is given it, and as plain Python reads it: as ints of its own."""
    return array.data if AVAILABLE else [row.data for row in array]


class IsmctsPlayer:
    """Thinks for so many simulations. The same view and seed give the same act."""

    def __init__(self, simulations: int, seed: int = 0) -> None:
        if simulations < 1:
            raise ChouineError("research/simulations", simulations=simulations)
        self.simulations = simulations
        self.seed = seed

    def act(self, view: View) -> Action | None:
        """The act tried most; two seats' last tricks are played exactly."""
        acts = view.legal
        if not acts:
            return None
        solved = solve_view(view)
        if solved:
            return solved.values[0].action
        if len(acts) == 1 and view.turn == view.observer:
            return acts[0]
        return spoken(thought(view, self.simulations, self.seed + len(view.events)), acts)


def spoken(tree: Tree, acts: tuple[Action, ...]) -> Action | None:
    """What a tree comes to: a declaration with the card tried most after it; None to let "au sept" pass."""
    node = tree.chosen(0)
    action = tree.action[node]
    if action == LET_PASS:
        return None
    if action == EXCHANGE:
        return Exchange()
    if action < EXCHANGE:
        return Play(PACK[action])
    card = tree.chosen(node)
    if card:
        return Play(PACK[tree.action[card]], Declaration(action))
    return next(act for act in acts if isinstance(act, Play) and act.declaration == action)
