"""The public tree of a subgame, from the root to the last answers with hidden cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.arrays import Ints
from chouine.ai.equilibrium.answers import HANDS, LANES, LEADS
from chouine.ai.equilibrium.payoffs import LastAnswer, closed_by
from chouine.ai.equilibrium.transitions import (
    Edges,
    LinkBuilder,
    card_edges,
    draw_edges,
    edges_by_source,
    hands_with,
    hands_without,
)
from chouine.ai.subsets import subsets
from chouine.cards import BRISQUES
from chouine.partie.actions import Action, Exchange
from chouine.players.base import as_play
from chouine.rules.combinations import CHOUINE, MARIAGE, QUINTE, QUINTE_BRISQUES
from chouine.rules.play import au_sept, closed_figures, declare, exchange, exchange_open, lay, total
from chouine.rules.position import NONE, UNKNOWN, Position
from chouine.rules.rule_table import RuleTable


class TooManyPositions(Exception):
    """The subgame exceeds its position limit."""


class PublicState(NamedTuple):
    """A public state: what an onlooker knows, and where each seat's hands are stored."""

    p: Position
    pool: tuple[int, ...]
    """Cards that may be in a hand or in the talon."""
    hand_sizes: tuple[int, int]
    """Cards in each hand."""
    first_entry: tuple[int, int]
    """Index of each seat's first entry."""
    possible: tuple[Any, Any]
    """By seat, `bool[hands]`: hands reachable from its range."""
    asked: int = 0
    """Seats already asked whether they exchange, as a set."""

    @property
    def is_possible(self) -> bool:
        """Whether each seat has a possible hand here."""
        return bool(self.possible[0].any() and self.possible[1].any())


class Scope(NamedTuple):
    """Which choices a subgame contains."""

    exchange_now: int
    """Seats that may exchange in the root trick, as a set."""
    exchange_later: int
    """Seats that may exchange in a later trick."""
    declaring: bool
    """Whether the leader of a later trick may declare."""
    max_positions: int
    """Positions with a last hidden answer before building is abandoned."""


WHOLE = Scope(3, 3, declaring=True, max_positions=1 << 20)


class DecisionNode(NamedTuple):
    """A seat's decision on the path from the root: where its links begin."""

    at: PublicState
    seat: int
    first: int
    links: Edges
    acts: list[Action | None]
    """By edge; None: keep the seven."""


class ChouineNode(NamedTuple):
    """A chouine was declared.

    The declaring seat's entry, the other's entries, and which of these answers with a better one.
    """

    seat: int
    entry: int
    others: int
    many: int
    better: int


class Successor(NamedTuple):
    """Where an act leads: by seat, the first entry and the stride; and the next state, unless play ends there."""

    entries: tuple[tuple[int, int], tuple[int, int]]
    position: PublicState | None


ANSWER_BASE, LEAD_BASE = 1 << 29, 1 << 30
"""Provisional indices of entries at last answers, until all entries are counted."""

PROBED, OVERSHOOT = 2, 1.6
"""After building `PROBED` root acts, stop if the extrapolated size exceeds the limit by `OVERSHOOT`; first acts lead to
up to half more positions than the average act."""


@dataclass
class SubgameTree:
    """A subgame's public tree, flattened into links."""

    rule_table: RuleTable
    tricks: int
    """Tricks completed at the root."""
    scope: Scope
    sides: tuple[LinkBuilder, LinkBuilder] = field(default_factory=lambda: (LinkBuilder(), LinkBuilder()))
    answering: tuple[list[LastAnswer], list[LastAnswer]] = field(default_factory=lambda: ([], []))
    """By answering seat."""
    choices: list[DecisionNode] = field(default_factory=list)
    chouines: list[ChouineNode] = field(default_factory=list)

    null_entries: list[int] = field(default_factory=list)
    """By seat, an entry of value 0 for impossible transitions."""

    @property
    def positions(self) -> int:
        """Number of positions built in which the last answer is due."""
        return len(self.answering[0]) + len(self.answering[1])

    def root(
        self, p: Position, pool: tuple[int, ...], hand_sizes: tuple[int, int], possible: tuple[Any, Any]
    ) -> PublicState:
        first_entry = [self.sides[seat].add_entries(comb(len(pool), hand_sizes[seat])) for seat in range(2)]
        self.null_entries = [side.add_entries(1) for side in self.sides]
        root = PublicState(p, pool, hand_sizes, (first_entry[0], first_entry[1]), possible)
        self.grow(root, on_root_path=True)
        return root

    def grow(self, at: PublicState, *, on_root_path: bool = False) -> None:
        seat = next(self.seats_to_ask(at), NONE)
        if seat >= 0:
            self.add_exchange(at, seat, on_root_path=on_root_path)
        elif at.p.tricks == self.rule_table.drawing - 1 and at.p.table:
            self.link_root_answers(at)
        else:
            self.add_play(at, on_root_path=on_root_path)

    def seats_to_ask(self, at: PublicState) -> Iterator[int]:
        """Seats that may exchange now and have not been asked (§11)."""
        p = at.p
        allowed = self.scope.exchange_now if p.tricks == self.tricks else self.scope.exchange_later
        if allowed and exchange_open(self.rule_table, p) and 8 * p.trump in at.pool:
            for seat in (1 - p.turn, p.turn):
                if allowed & ~at.asked & 1 << seat and (seat == p.turn or au_sept(self.rule_table, p)):
                    yield seat

    def add_exchange(self, at: PublicState, seat: int, *, on_root_path: bool) -> None:
        """A seat with the seven exchanges or keeps it; the other sees which."""
        p, seven = at.p, 8 * at.p.trump
        pool = tuple(sorted({*at.pool, p.turnup} - {seven}))
        edges: list[Edges] = []
        possible: list[Any] = []
        for side in range(2):
            hands, new = subsets(at.pool, at.hand_sizes[side]), subsets(pool, at.hand_sizes[side])
            gives = np.flatnonzero(hands >> seven & 1 == (side == seat))
            after = np.searchsorted(new, hands[gives] & ~(1 << seven) | (side == seat) << p.turnup)
            kept = gives if side == seat else np.arange(len(hands))
            edges.append(edges_by_source([gives, kept], [after, kept]))
            possible.append(possible_after(at.possible[side][gives], after, len(new)))
        declined = self.with_own_entries(at._replace(asked=at.asked | 1 << seat))
        exchanged = self.with_own_entries(
            at._replace(p=exchange(p, NONE), pool=pool, possible=(possible[0], possible[1]))
        )
        without = np.flatnonzero(subsets(at.pool, at.hand_sizes[seat]) >> seven & 1 == 0)
        stays = edges_by_source([without], [without])
        self.sides[seat].add(at.first_entry[seat], stays, declined.first_entry[seat] + without, chosen=False)
        for side, both in enumerate(edges):
            targets = (
                np.where(both.edge == 0, exchanged.first_entry[side], declined.first_entry[side])
                + both.target
            )
            first = self.sides[side].add(at.first_entry[side], both, targets, chosen=side == seat)
            if on_root_path and side == seat:
                self.choices.append(DecisionNode(at, seat, first, both, [Exchange(), None]))
        self.grow(declined, on_root_path=on_root_path)
        if exchanged.is_possible:
            self.grow(exchanged)

    def with_own_entries(self, at: PublicState) -> PublicState:
        """`at` with newly allocated entries, one for each hand that each seat may hold."""
        first_entry = [
            self.sides[side].add_entries(comb(len(at.pool), at.hand_sizes[side])) for side in range(2)
        ]
        return at._replace(first_entry=(first_entry[0], first_entry[1]))

    def add_play(self, at: PublicState, *, on_root_path: bool) -> None:
        """The seat on turn lays a card, with or without a declaration."""
        seat = at.p.turn
        declarations = self.declarations(at)
        acts = [(place, NONE) for place in range(len(at.pool))] + declarations
        edges = [self.edges(at, side, declarations) for side in range(2)]
        possible = [possible_by_edge(at.possible[side], edges[side], len(acts)) for side in range(2)]
        reachable = possible[0].any(1) & possible[1].any(1)
        none = (self.null_entries[0], 0), (self.null_entries[1], 0)
        ends = [
            self.successor(at, *acts[nth], (possible[0][nth], possible[1][nth]))
            if reachable[nth]
            else Successor(none, None)
            for nth in range(len(acts))
        ]
        for side, by in enumerate(edges):
            bases = np.array([end.entries[side][0] for end in ends])
            steps = np.array([end.entries[side][1] for end in ends])
            targets = bases[by.edge] + steps[by.edge] * by.target
            first = self.sides[side].add(at.first_entry[side], by, targets, chosen=side == seat)
            if on_root_path and side == seat:
                actions: list[Action | None] = [as_play(at.pool[place], number) for place, number in acts]
                self.choices.append(DecisionNode(at, seat, first, by, actions))
        ways_on = [end.position for end in ends if end.position is not None]
        for grown, position in enumerate(ways_on):
            if (
                on_root_path
                and grown == PROBED
                and self.positions * len(ways_on) > OVERSHOOT * grown * self.scope.max_positions
            ):
                raise TooManyPositions
            self.grow(self.after_draw(position))

    def declarations(self, at: PublicState) -> list[tuple[int, int]]:
        """Cards with the declarations they may accompany, as far as the pool allows (§9)."""
        seat, rule_table = at.p.turn, self.rule_table
        if (rule_table.declare_lead and at.p.table) or (
            at.p.tricks > self.tricks and not self.scope.declaring
        ):
            return []
        pool = sum(1 << card for card in at.pool)
        shut = closed_figures(rule_table, at.p.said[seat])
        found = []
        for number in range(MARIAGE, CHOUINE + 4):
            cards = rule_table.figure_cards[number - MARIAGE]
            brisques = number == QUINTE and (pool & BRISQUES).bit_count() >= QUINTE_BRISQUES
            whole = pool & cards == cards and cards != BRISQUES
            if shut >> number & 1 or not (brisques or whole):
                continue
            if self.holds(subsets(at.pool, at.hand_sizes[seat])[at.possible[seat]], number).any():
                places = [place for place, card in enumerate(at.pool) if cards >> card & 1]
                found += [(place, number) for place in (places[:1] if number >= CHOUINE else places)]
        return found

    def edges(self, at: PublicState, side: int, declarations: list[tuple[int, int]]) -> Edges:
        """A seat's links out of a state: which hands take each act, and what remains of them."""
        n, size = len(at.pool), at.hand_sizes[side]
        laying = "own" if side == at.p.turn else "other"
        if not declarations:
            return card_edges(n, size, laying)
        hands = subsets(at.pool, size)
        of = hands_with if laying == "own" else hands_without
        won = np.zeros(len(hands), np.bool_)
        for _, number in declarations:
            if number >= CHOUINE and laying == "own":
                won |= self.holds(hands, number)
        sources, targets = [], []
        for place, number in [(place, NONE) for place in range(n)] + declarations:
            source, target = of(n, size, place), np.arange(comb(n - 1, size - (laying == "own")))
            if number >= CHOUINE:
                source = np.flatnonzero(self.holds(hands, number))
                if laying == "other":
                    source = np.flatnonzero(hands & self.rule_table.figure_cards[number - MARIAGE] == 0)
                target = np.arange(len(source))
            elif laying == "own":
                goes = ~won[source] & (self.holds(hands[source], number) if number >= 0 else True)
                source, target = source[goes], target[goes]
            sources.append(source)
            targets.append(target)
        return edges_by_source(sources, targets)

    def holds(self, hands: Ints, number: int) -> Any:
        """Which hands hold the cards of a declaration."""
        cards = self.rule_table.figure_cards[number - MARIAGE]
        if number == QUINTE:
            return hands & ~BRISQUES == 0
        return hands & cards == cards

    def successor(
        self, at: PublicState, place: int, declaration: int, possible: tuple[Any, Any]
    ) -> Successor:
        """Where a card leads, and which hands of each seat reach it."""
        rule_table, seat, card = self.rule_table, at.p.turn, at.pool[place]
        declared = declare(rule_table, at.p, declaration) if declaration >= 0 else at.p
        if declaration >= CHOUINE:
            return self.chouine_node(at, seat, declaration)
        p = lay(rule_table, (UNKNOWN,) * rule_table.hidden, declared, card)
        pool = at.pool[:place] + at.pool[place + 1 :]
        hand_sizes = (at.hand_sizes[0] - (seat == 0), at.hand_sizes[1] - (seat == 1))
        sizes = [comb(len(pool), each) for each in hand_sizes]
        possible = possible[0][: sizes[0]], possible[1][: sizes[1]]
        if at.p.tricks == rule_table.drawing - 1:
            nth = self.add_last_answer(p, pool, possible)
            places = [(nth // LANES * size * LANES + nth % LANES) for size in (LEADS, HANDS)]
            edges = [(LEAD_BASE + places[0], LANES), (ANSWER_BASE + places[1], LANES)]
            return Successor((edges[0], edges[1]) if seat == 0 else (edges[1], edges[0]), None)
        first_entry = [self.sides[side].add_entries(sizes[side]) for side in range(2)]
        edges = [(first_entry[0], 1), (first_entry[1], 1)]
        return Successor(
            (edges[0], edges[1]), PublicState(p, pool, hand_sizes, (first_entry[0], first_entry[1]), possible)
        )

    def after_draw(self, at: PublicState) -> PublicState:
        """Each seat draws a hidden card if a trick was just taken (§5)."""
        if at.p.table:
            return at
        hand_sizes = (at.hand_sizes[0] + 1, at.hand_sizes[1] + 1)
        edges = [draw_edges(len(at.pool), each) for each in at.hand_sizes]
        possible = [
            possible_after(at.possible[side][by.source], by.target, comb(len(at.pool), hand_sizes[side]))
            for side, by in enumerate(edges)
        ]
        after = self.with_own_entries(at._replace(hand_sizes=hand_sizes, possible=(possible[0], possible[1])))
        for side, by in enumerate(edges):
            self.sides[side].add(at.first_entry[side], by, after.first_entry[side] + by.target, chosen=False)
        return after

    def chouine_node(self, at: PublicState, seat: int, declaration: int) -> Successor:
        """A chouine ends the partie unless a better one answers (§10)."""
        cards = self.rule_table.figure_cards[declaration - MARIAGE]
        left = [card for card in at.pool if not cards >> card & 1]
        hands = subsets(left, at.hand_sizes[1 - seat])
        entry, others = self.sides[seat].add_entries(1), self.sides[1 - seat].add_entries(len(hands))
        better = self.rule_table.figure_cards[CHOUINE - MARIAGE + at.p.trump]
        at_better = int(np.searchsorted(hands, better)) if better in hands else NONE
        self.chouines.append(ChouineNode(seat, entry, others, len(hands), at_better))
        edges = ((entry, 1), (others, 1))
        return Successor(edges if seat == 0 else edges[::-1], None)

    def add_last_answer(self, p: Position, pool: tuple[int, ...], possible: tuple[Any, Any]) -> int:
        """Add a position with a last hidden answer; returns its index among those of its seat."""
        seat, leader = p.turn, p.leader
        ahead = total(p, seat) - total(p, leader)
        shut, shut_answering = (
            closed_by(closed_figures(self.rule_table, p.said[each])) for each in (leader, seat)
        )
        if self.positions >= self.scope.max_positions:
            raise TooManyPositions
        self.answering[seat].append(
            LastAnswer(
                (p.table & 63) - 1,
                pool,
                p.turnup,
                ahead,
                shut,
                shut_answering,
                possible[leader],
                possible[seat],
            )
        )
        return len(self.answering[seat]) - 1

    def link_root_answers(self, at: PublicState) -> None:
        """Link the root's hands to its own answers, where the root is a last hidden answer."""
        nth, seat = self.add_last_answer(at.p, at.pool, at.possible), at.p.turn
        for side, (size, start) in ((seat, (HANDS, ANSWER_BASE)), (1 - seat, (LEADS, LEAD_BASE))):
            own = np.arange(size)
            by = edges_by_source([own], [own])
            place = nth // LANES * size * LANES + nth % LANES
            self.sides[side].add(at.first_entry[side], by, start + place + LANES * own, chosen=False)


def possible_after(goes: Any, target: Ints, size: int) -> Any:
    """Which of `size` hands a possible source leads to."""
    possible = np.zeros(size, np.bool_)
    possible[target[goes]] = True
    return possible


def possible_by_edge(possible: Any, by: Edges, count: int) -> Any:
    """By act, which resulting hands are possible."""
    goes, found = possible[by.source], np.zeros((count, by.target.max() + 1), np.bool_)
    found[by.edge[goes], by.target[goes]] = True
    return found
