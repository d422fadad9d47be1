"""The public positions of a subgame, from the one that is reached to the last answers given while cards are hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb
from typing import Any

import numpy as np

from chouine.ai.arrays import Ints
from chouine.ai.equilibrium.answers import HANDS, LEADS, WIDE
from chouine.ai.equilibrium.endings import shut_by
from chouine.ai.equilibrium.links import Bundle, Links, bundle, drawing, each_card, hands_with, hands_without
from chouine.ai.equilibrium.payoffs import Answering
from chouine.ai.equilibrium.positions import Choice, Chouine, End, Public, Scope, TooMany
from chouine.ai.subsets import subsets
from chouine.cards import BRISQUES, PACK
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.rules.book import Book
from chouine.rules.combinations import CHOUINE, MARIAGE, QUINTE
from chouine.rules.play import au_sept, closed, declare, exchange, exchange_open, lay, total
from chouine.rules.position import NONE, UNKNOWN, Position

ANSWERS, LEADING = 1 << 29, 1 << 30
"""Where the entries of answering and leading hands at the last answers are numbered from, until all are counted."""

TRIED, OUT_OF_REACH = 2, 1.6
"""After so many of the first acts it is seen whether the whole will have too many positions: so many times what may be,
since acts that come first have up to half more than acts have on average."""


@dataclass
class Tree:
    """A subgame laid out."""

    book: Book
    tricks: int
    """Tricks completed at the root."""
    scope: Scope
    sides: tuple[Links, Links] = field(default_factory=lambda: (Links(), Links()))
    answering: tuple[list[Answering], list[Answering]] = field(default_factory=lambda: ([], []))
    """By seat that answers."""
    choices: list[Choice] = field(default_factory=list)
    chouines: list[Chouine] = field(default_factory=list)

    nowhere: list[int] = field(default_factory=list)
    """By seat, an entry of no value, for what cannot come about."""

    @property
    def positions(self) -> int:
        """How many last answers have been laid out."""
        return len(self.answering[0]) + len(self.answering[1])

    def root(self, p: Position, pool: tuple[int, ...], held: tuple[int, int], may: tuple[Any, Any]) -> Public:
        base = [self.sides[seat].more(comb(len(pool), held[seat])) for seat in range(2)]
        self.nowhere = [side.more(1) for side in self.sides]
        root = Public(p, pool, held, (base[0], base[1]), may)
        self.grow(root, on_the_way=True)
        return root

    def grow(self, at: Public, *, on_the_way: bool = False) -> None:
        seat = next(self.to_ask(at), NONE)
        if seat >= 0:
            self.ask(at, seat, on_the_way=on_the_way)
        elif at.p.tricks == self.book.drawing - 1 and at.p.table:
            self.answer_at_once(at)
        else:
            self.act(at, on_the_way=on_the_way)

    def to_ask(self, at: Public) -> Iterator[int]:
        """Who may exchange now and has not been asked (§11)."""
        p = at.p
        may = self.scope.now if p.tricks == self.tricks else self.scope.later
        if may and exchange_open(self.book, p) and 8 * p.trump in at.pool:
            for seat in (1 - p.turn, p.turn):
                if may & ~at.asked & 1 << seat and (seat == p.turn or au_sept(self.book, p)):
                    yield seat

    def ask(self, at: Public, seat: int, *, on_the_way: bool) -> None:
        """A seat that holds the seven exchanges it or keeps it; the other sees which."""
        p, seven = at.p, 8 * at.p.trump
        pool = tuple(sorted({*at.pool, p.turnup} - {seven}))
        ways: list[Bundle] = []
        may: list[Any] = []
        for side in range(2):
            hands, new = subsets(at.pool, at.held[side]), subsets(pool, at.held[side])
            gives = np.flatnonzero(hands >> seven & 1 == (side == seat))
            after = np.searchsorted(new, hands[gives] & ~(1 << seven) | (side == seat) << p.turnup)
            kept = gives if side == seat else np.arange(len(hands))
            ways.append(bundle([gives, kept], [after, kept]))
            may.append(reached(at.may[side][gives], after, len(new)))
        still = self.beside(at._replace(asked=at.asked | 1 << seat))
        done = self.beside(at._replace(p=exchange(p, NONE), pool=pool, may=(may[0], may[1])))
        without = np.flatnonzero(subsets(at.pool, at.held[seat]) >> seven & 1 == 0)
        stays = bundle([without], [without])
        self.sides[seat].add(at.base[seat], stays, still.base[seat] + without, chosen=False)
        for side, both in enumerate(ways):
            targets = np.where(both.edge == 0, done.base[side], still.base[side]) + both.target
            first = self.sides[side].add(at.base[side], both, targets, chosen=side == seat)
            if on_the_way and side == seat:
                self.choices.append(Choice(at, seat, first, both, [Exchange(), None]))
        self.grow(still, on_the_way=on_the_way)
        if done.is_possible:
            self.grow(done)

    def beside(self, at: Public) -> Public:
        """The same position with entries of its own."""
        base = [self.sides[side].more(comb(len(at.pool), at.held[side])) for side in range(2)]
        return at._replace(base=(base[0], base[1]))

    def act(self, at: Public, *, on_the_way: bool) -> None:
        """The seat on turn lays a card, declaring with it or not."""
        seat = at.p.turn
        said = self.declarations(at)
        acts = [(place, NONE) for place in range(len(at.pool))] + said
        ways = [self.ways(at, side, said) for side in range(2)]
        may = [spread(at.may[side], ways[side], len(acts)) for side in range(2)]
        possible = may[0].any(1) & may[1].any(1)
        none = (self.nowhere[0], 0), (self.nowhere[1], 0)
        ends = [
            self.after(at, *acts[nth], (may[0][nth], may[1][nth])) if possible[nth] else End(none, None)
            for nth in range(len(acts))
        ]
        for side, by in enumerate(ways):
            bases = np.array([end.ways[side][0] for end in ends])
            steps = np.array([end.ways[side][1] for end in ends])
            targets = bases[by.edge] + steps[by.edge] * by.target
            first = self.sides[side].add(at.base[side], by, targets, chosen=side == seat)
            if on_the_way and side == seat:
                told: list[Action | None] = [
                    Play(PACK[at.pool[place]], Declaration(number) if number >= 0 else None)
                    for place, number in acts
                ]
                self.choices.append(Choice(at, seat, first, by, told))
        ways_on = [end.position for end in ends if end.position is not None]
        for done, position in enumerate(ways_on):
            if (
                on_the_way
                and done == TRIED
                and self.positions * len(ways_on) > OUT_OF_REACH * done * self.scope.most
            ):
                raise TooMany
            self.grow(self.drawn(position))

    def declarations(self, at: Public) -> list[tuple[int, int]]:
        """Cards and declarations that may go with them, of all that the pool's cards allow (§9)."""
        seat, book = at.p.turn, self.book
        if (book.declare_lead and at.p.table) or (at.p.tricks > self.tricks and not self.scope.declaring):
            return []
        pool = sum(1 << card for card in at.pool)
        shut = closed(book, at.p.said[seat])
        found = []
        for number in range(MARIAGE, CHOUINE + 4):
            cards = book.figure_cards[number - MARIAGE]
            brisques = number == QUINTE and (pool & BRISQUES).bit_count() >= 5
            whole = pool & cards == cards and cards != BRISQUES
            if shut >> number & 1 or not (brisques or whole):
                continue
            if self.holding(subsets(at.pool, at.held[seat])[at.may[seat]], number).any():
                places = [place for place, card in enumerate(at.pool) if cards >> card & 1]
                found += [(place, number) for place in (places[:1] if number >= CHOUINE else places)]
        return found

    def ways(self, at: Public, side: int, said: list[tuple[int, int]]) -> Bundle:
        """A side's links out of a position: the hands that go each way, and what is left of them."""
        n, many = len(at.pool), at.held[side]
        laying = "own" if side == at.p.turn else "other"
        if not said:
            return each_card(n, many, laying)
        hands = subsets(at.pool, many)
        of = hands_with if laying == "own" else hands_without
        won = np.zeros(len(hands), np.bool_)
        for _, number in said:
            if number >= CHOUINE and laying == "own":
                won |= self.holding(hands, number)
        sources, targets = [], []
        for place, number in [(place, NONE) for place in range(n)] + said:
            source, target = of(n, many, place), np.arange(comb(n - 1, many - (laying == "own")))
            if number >= CHOUINE:
                source = np.flatnonzero(self.holding(hands, number))
                if laying == "other":
                    source = np.flatnonzero(hands & self.book.figure_cards[number - MARIAGE] == 0)
                target = np.arange(len(source))
            elif laying == "own":
                goes = ~won[source] & (self.holding(hands[source], number) if number >= 0 else True)
                source, target = source[goes], target[goes]
            sources.append(source)
            targets.append(target)
        return bundle(sources, targets)

    def holding(self, hands: Ints, number: int) -> Any:
        """Which hands hold what a declaration needs."""
        cards = self.book.figure_cards[number - MARIAGE]
        if number == QUINTE:
            return hands & ~BRISQUES == 0
        return hands & cards == cards

    def after(self, at: Public, place: int, declaration: int, may: tuple[Any, Any]) -> End:
        """Where a card leads, and which hands of each seat may get there."""
        book, seat, card = self.book, at.p.turn, at.pool[place]
        said = declare(book, at.p, declaration) if declaration >= 0 else at.p
        if declaration >= CHOUINE:
            return self.won(at, seat, declaration)
        p = lay(book, (UNKNOWN,) * book.hidden, said, card)
        pool = at.pool[:place] + at.pool[place + 1 :]
        held = (at.held[0] - (seat == 0), at.held[1] - (seat == 1))
        many = [comb(len(pool), each) for each in held]
        may = may[0][: many[0]], may[1][: many[1]]
        if at.p.tricks == book.drawing - 1:
            nth = self.to_answer(p, pool, may)
            places = [(nth // WIDE * many * WIDE + nth % WIDE) for many in (LEADS, HANDS)]
            ways = [(LEADING + places[0], WIDE), (ANSWERS + places[1], WIDE)]
            return End((ways[0], ways[1]) if seat == 0 else (ways[1], ways[0]), None)
        base = [self.sides[side].more(many[side]) for side in range(2)]
        ways = [(base[0], 1), (base[1], 1)]
        return End((ways[0], ways[1]), Public(p, pool, held, (base[0], base[1]), may))

    def drawn(self, at: Public) -> Public:
        """Each seat draws one of the hidden cards, if a trick has just been taken (§5)."""
        if at.p.table:
            return at
        held = (at.held[0] + 1, at.held[1] + 1)
        ways = [drawing(len(at.pool), each) for each in at.held]
        may = [
            reached(at.may[side][by.source], by.target, comb(len(at.pool), held[side]))
            for side, by in enumerate(ways)
        ]
        after = self.beside(at._replace(held=held, may=(may[0], may[1])))
        for side, by in enumerate(ways):
            self.sides[side].add(at.base[side], by, after.base[side] + by.target, chosen=False)
        return after

    def won(self, at: Public, seat: int, declaration: int) -> End:
        """A chouine ends it, whatever the other lays but a better one (§10)."""
        cards = self.book.figure_cards[declaration - MARIAGE]
        left = [card for card in at.pool if not cards >> card & 1]
        hands = subsets(left, at.held[1 - seat])
        entry, others = self.sides[seat].more(1), self.sides[1 - seat].more(len(hands))
        better = self.book.figure_cards[CHOUINE - MARIAGE + at.p.trump]
        at_better = int(np.searchsorted(hands, better)) if better in hands else NONE
        self.chouines.append(Chouine(seat, entry, others, len(hands), at_better))
        ways = ((entry, 1), (others, 1))
        return End(ways if seat == 0 else ways[::-1], None)

    def to_answer(self, p: Position, pool: tuple[int, ...], may: tuple[Any, Any]) -> int:
        """A new position at which the last hidden answer is given; its number among those of its seat."""
        seat, leader = p.turn, p.leader
        ahead = total(p, seat) - total(p, leader)
        shut = shut_by(p.said[leader]), shut_by(p.said[seat])
        if self.positions >= self.scope.most:
            raise TooMany
        self.answering[seat].append(
            Answering((p.table & 63) - 1, pool, p.turnup, ahead, *shut, may[leader], may[seat])
        )
        return len(self.answering[seat]) - 1

    def answer_at_once(self, at: Public) -> None:
        """The root is such a position."""
        nth, seat = self.to_answer(at.p, at.pool, at.may), at.p.turn
        for side, (many, start) in ((seat, (HANDS, ANSWERS)), (1 - seat, (LEADS, LEADING))):
            own = np.arange(many)
            by = bundle([own], [own])
            place = nth // WIDE * many * WIDE + nth % WIDE
            self.sides[side].add(at.base[side], by, start + place + WIDE * own, chosen=False)


def reached(goes: Any, target: Ints, many: int) -> Any:
    """Of so many hands, those that one which goes on becomes."""
    may = np.zeros(many, np.bool_)
    may[target[goes]] = True
    return may


def spread(may: Any, by: Bundle, many: int) -> Any:
    """By way out of so many, which hands may be at its end."""
    goes, found = may[by.source], np.zeros((many, by.target.max() + 1), np.bool_)
    found[by.edge[goes], by.target[goes]] = True
    return found
