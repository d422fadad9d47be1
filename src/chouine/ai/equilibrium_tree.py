"""The public positions of a subgame, from the one that is reached to the last answers given while cards are hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb
from typing import Any

import numpy as np

from chouine.ai.equilibrium_answers import HANDS, LEADS, WIDE
from chouine.ai.equilibrium_endings import shut_by
from chouine.ai.equilibrium_links import Bundle, Links, bundle, drawing, each_card, hands_with, hands_without
from chouine.ai.equilibrium_payoffs import Answering
from chouine.ai.equilibrium_positions import Choice, Chouine, End, Public, Scope, TooMany
from chouine.ai.likelihood import Ints
from chouine.ai.subsets import subsets
from chouine.cards import BRISQUES, PACK
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.rules.book import Book
from chouine.rules.combinations import CHOUINE, MARIAGE, QUINTE
from chouine.rules.play import au_sept, closed, declare, exchange, exchange_open, lay, total
from chouine.rules.position import NONE, UNKNOWN, Position

ANSWERS, LEADING = 1 << 29, 1 << 30
"""Where the entries of answering and leading hands at the last answers are numbered from, until all are counted."""


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

    def root(
        self, p: Position, pool: tuple[int, ...], held: tuple[int, int], sure: tuple[int, int]
    ) -> Public:
        base = [self.sides[seat].more(comb(len(pool), held[seat])) for seat in range(2)]
        root = Public(p, pool, held, (base[0], base[1]), 0, sure)
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
        kept = self.beside(at._replace(asked=at.asked | 1 << seat))
        sure = joined(at.sure, seat, at.sure[seat] & ~(1 << seven) | 1 << p.turnup)
        done = self.beside(at._replace(p=exchange(p, NONE), pool=pool, sure=sure))
        for side in range(2):
            hands, new = subsets(at.pool, at.held[side]), subsets(pool, at.held[side])
            with_it, without = (np.flatnonzero(hands >> seven & 1 == there) for there in (1, 0))
            if side == seat:
                after = np.searchsorted(new, hands[with_it] & ~(1 << seven) | 1 << p.turnup)
                stays = bundle([without], [without])
                self.sides[side].add(at.base[side], stays, kept.base[side] + without, chosen=False)
                both = bundle([with_it, with_it], [after, with_it])
            else:
                own = np.arange(len(hands))
                both = bundle([without, own], [np.searchsorted(new, hands[without]), own])
            targets = np.where(both.edge == 0, done.base[side], kept.base[side]) + both.target
            first = self.sides[side].add(at.base[side], both, targets, chosen=side == seat)
            if on_the_way and side == seat:
                self.choices.append(Choice(at, seat, first, both, [Exchange(), None]))
        self.grow(kept, on_the_way=on_the_way)
        self.grow(done)

    def beside(self, at: Public) -> Public:
        """The same position with entries of its own."""
        base = [self.sides[side].more(comb(len(at.pool), at.held[side])) for side in range(2)]
        return at._replace(base=(base[0], base[1]))

    def act(self, at: Public, *, on_the_way: bool) -> None:
        """The seat on turn lays a card, declaring with it or not."""
        seat, other, n = at.p.turn, 1 - at.p.turn, len(at.pool)
        said = self.declarations(at)
        acts = [(place, NONE) for place in range(n)] + said
        ends = [self.after(at, place, declaration) for place, declaration in acts]
        for side in (seat, other):
            by = self.ways(at, side, said)
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
        for end in ends:
            if end.position is not None:
                self.grow(self.drawn(end.position))

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
            whole = pool & cards == cards and cards != BRISQUES and not cards & at.sure[1 - seat]
            if not shut >> number & 1 and (brisques or whole) and at.held[seat] >= min(cards.bit_count(), 5):
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

    def after(self, at: Public, place: int, declaration: int) -> End:
        """Where a card leads."""
        book, seat, card = self.book, at.p.turn, at.pool[place]
        said = declare(book, at.p, declaration) if declaration >= 0 else at.p
        if declaration >= CHOUINE:
            return self.won(at, seat, declaration)
        p = lay(book, (UNKNOWN,) * book.hidden, said, card)
        pool = at.pool[:place] + at.pool[place + 1 :]
        held = (at.held[0] - (seat == 0), at.held[1] - (seat == 1))
        shown = (
            self.book.figure_cards[declaration - MARIAGE] if declaration >= 0 and declaration != QUINTE else 0
        )
        sure = joined(at.sure, seat, (at.sure[seat] | shown) & ~(1 << card))
        if at.p.tricks == book.drawing - 1:
            nth = self.to_answer(p, pool, sure)
            places = [(nth // WIDE * many * WIDE + nth % WIDE) for many in (LEADS, HANDS)]
            ways = [(LEADING + places[0], WIDE), (ANSWERS + places[1], WIDE)]
            return End((ways[0], ways[1]) if seat == 0 else (ways[1], ways[0]), None)
        base = [self.sides[side].more(comb(len(pool), held[side])) for side in range(2)]
        ways = [(base[0], 1), (base[1], 1)]
        return End((ways[0], ways[1]), Public(p, pool, held, (base[0], base[1]), 0, sure))

    def drawn(self, at: Public) -> Public:
        """Each seat draws one of the hidden cards, if a trick has just been taken (§5)."""
        if at.p.table:
            return at
        held = (at.held[0] + 1, at.held[1] + 1)
        after = self.beside(at._replace(held=held))
        for side in range(2):
            by = drawing(len(at.pool), at.held[side])
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

    def to_answer(self, p: Position, pool: tuple[int, ...], sure: tuple[int, int]) -> int:
        """A new position at which the last hidden answer is given; its number among those of its seat."""
        seat, leader = p.turn, p.leader
        ahead = total(p, seat) - total(p, leader)
        shut = shut_by(p.said[leader]), shut_by(p.said[seat])
        if len(self.answering[0]) + len(self.answering[1]) >= self.scope.most:
            raise TooMany
        self.answering[seat].append(
            Answering(leader, (p.table & 63) - 1, pool, p.turnup, ahead, *shut, sure[leader], sure[seat])
        )
        return len(self.answering[seat]) - 1

    def answer_at_once(self, at: Public) -> None:
        """The root is such a position."""
        nth, seat = self.to_answer(at.p, at.pool, at.sure), at.p.turn
        for side, (many, start) in ((seat, (HANDS, ANSWERS)), (1 - seat, (LEADS, LEADING))):
            own = np.arange(many)
            by = bundle([own], [own])
            place = nth // WIDE * many * WIDE + nth % WIDE
            self.sides[side].add(at.base[side], by, start + place + WIDE * own, chosen=False)


def joined(two: tuple[int, int], seat: int, value: int) -> tuple[int, int]:
    """Two with a seat's value replaced."""
    return (value, two[1]) if seat == 0 else (two[0], value)
