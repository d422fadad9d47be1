"""The score sheet of a match with real cards: the acts that players enter, and the resulting scores.

A sheet is its acts, each a short token; all else is computed from them by the rules' own functions. Undo drops the
last act. The acts:

    da          seat a drew the lowest card: it deals (§2); asked again for the belle (§13)
    th          hearts are trumps
    sa20h       a says a mariage of hearts (§9); sachh a chouine
    e           nobody answers the chouine (§10)
    cap57-      dix de der is a's; a's pile has 57 points, b's follows
    car32120-   the same by ranks: aces, tens, kings, queens, jacks; aces and tens alone are the short count
    xa          a concedes the partie (§16)
    fa1         a's fault, by its place in `FaultKind` (§15); then g, it goes on, or r, it is played again
    m           the deal is void (§4)
    w21         only the result of the match, by manches: whoever has not counted on the sheet
    oa          a agrees with the result of the match
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

from chouine.cards import BRISQUES, POINTS, Card, Rank
from chouine.match import Fault, FaultKind, Format, InvalidEntry, Match, Penalty, Tirage, penalty, punish
from chouine.match.score import Standing
from chouine.notation.tokens import read_declaration
from chouine.partie.actions import Declaration
from chouine.partie.deal import SEATS
from chouine.partie.result import Result
from chouine.rules.combinations import BRISQUE_FIGURES, CHOUINES, brisques_needed
from chouine.rules.options import Rules
from chouine.rules.play import DIX_DE_DER, closed_figures, declare, start
from chouine.rules.position import NONE, Position, put
from chouine.rules.rule_table import rule_table_of
from chouine.table.count import COUNTED, HEADS

ACT = re.compile(
    r"[dxo][a-d]|t[shdc]|s[a-d]\w{2,3}|c[a-d](-|p\d{1,3}|r([0-4]{2}|[0-4]{5}))+|f[a-d][0-2]|w[0-2]{2,4}|[egrm]"
)
PILE = re.compile(r"-|p\d+|r\d+")
LONGEST = 500
"""Acts of a sheet: a match of 5x2 to the belle, every partie with four declarations, takes 170."""
BRISQUES_OF = COUNTED[:2]
"""The ranks of brisques: aces and tens."""
EACH = 4
"""Cards of a rank."""
ALL_POINTS = EACH * sum(POINTS)
"""Card points of the pack (§1)."""
IN_HEADS = EACH * sum(POINTS[rank] for rank in HEADS)
"""Card points of all kings, queens and jacks."""
UNDRAWN = 2
"""Cards that remain undealt with three seats (§5)."""
FAULT_KINDS = tuple(FaultKind)
DRAWN = (Card("7s"), Card("Ah"), Card("Kd"), Card("Qc"))
"""Cards for a tirage in which the first seat draws lowest: a sheet records only who drew lowest."""

Waits = Literal["dealer", "trump", "play", "chouine", "fault", "over"]
"""The kind of act that a sheet waits for."""


@dataclass(frozen=True, slots=True)
class SheetDeclaration:
    """A declaration, as a sheet has it with its points."""

    seat: int
    declaration: Declaration
    counts: int


@dataclass(frozen=True, slots=True)
class Count:
    """The card points of each seat's pile (§12)."""

    der: int
    cards: tuple[int, ...]
    """Points of aces and tens alone if the heads were not counted."""
    brisques: tuple[int, ...] = ()
    """Points in aces and tens; empty if a pile was entered as a number."""
    heads: bool = True
    """Whether kings, queens and jacks were counted."""

    def bonus(self, seat: int) -> int:
        return DIX_DE_DER if seat == self.der else 0


@dataclass(frozen=True, slots=True)
class SheetPartie:
    """A finished partie, which has a line on the sheet, as a void deal has."""

    manche: int
    partie: int
    dealer: int
    said: tuple[SheetDeclaration, ...]
    result: Result
    count: Count | None = None

    def declared_points(self, seat: int) -> int:
        return sum(one.counts for one in self.said if one.seat == seat)

    @property
    def short(self) -> tuple[int, ...]:
        """The short count by seat (§12): brisques, declarations, dix de der; empty if unknown."""
        count = self.count
        if count is None:
            return ()
        return tuple(
            points + self.declared_points(seat) + count.bonus(seat)
            for seat, points in enumerate(count.brisques)
        )

    @property
    def shortcut(self) -> int | None:
        """Who would win by the short count; None for a tie."""
        return only_reached(self.short)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet after its acts. `Sheet.read(rules, form, acts)` makes one; `InvalidEntry` for what cannot be written."""

    match: Match
    acts: tuple[str, ...] = ()
    position: Position | None = None
    """The partie in progress, its cards unknown; None until its trump is entered."""
    said: tuple[SheetDeclaration, ...] = ()
    faults: tuple[Fault, ...] = ()
    judged: int = 0
    """Faults after which the players chose to go on."""
    played: tuple[SheetPartie, ...] = ()
    agreed: frozenset[int] = frozenset()

    @classmethod
    def read(cls, rules: Rules, form: Format, acts: Iterable[str] = ()) -> Self:
        """The sheet after these acts. Raises `InvalidEntry` at the first invalid one."""
        sheet = cls(Match.new(rules, form))
        for act in acts:
            sheet = sheet.after(act)
        return sheet

    def without_last_act(self) -> Self:
        """The sheet without its last act."""
        return self.read(self.match.rules, self.match.format, self.acts[:-1])

    @property
    def seats(self) -> range:
        return range(self.match.rules.seats)

    @property
    def waits(self) -> Waits:
        if self.match.over:
            return "over"
        if self.match.needs_draw:
            return "dealer"
        if self.position is None:
            return "trump"
        if self.position.chouine >= 0:
            return "chouine"
        return "fault" if len(self.faults) > self.judged else "play"

    def declared_points(self, seat: int) -> int:
        """Points of a seat's declarations in the partie in progress."""
        return self.position.declared[seat] if self.position else 0

    def after(self, act: str) -> Self:
        """The sheet after one more act."""
        if len(self.acts) >= LONGEST:
            raise InvalidEntry("sheet/full")
        if not ACT.fullmatch(act):
            raise InvalidEntry("sheet/act", piece=act[:20])
        kind, rest = act[0], act[1:]
        seat = SEATS.index(rest[0]) if rest and kind not in "tw" else 0
        if seat not in self.seats:
            raise InvalidEntry("sheet/act", piece=act)
        match kind:
            case "d":
                now = self._deal(seat)
            case "t":
                now = self._trump("shdc".index(rest))
            case "s":
                now = self._declare(seat, read_declaration(rest[1:]))
            case "c":
                now = self._count(seat, PILE.findall(rest[1:]))
            case "x":
                now = self._concede(seat)
            case "f":
                now = self._fault(seat, FAULT_KINDS[int(rest[1])])
            case "w":
                now = self._tell(tuple(map(int, rest)))
            case "o":
                now = self._agree(seat)
            case _:
                now = self._settle(kind)
        return replace(now, acts=(*self.acts, act))

    @property
    def told(self) -> bool:
        """Whether the result was entered without its parties."""
        return any(act[0] == "w" for act in self.acts)

    def _tell(self, manches: tuple[int, ...]) -> Self:
        """Enter the result alone. The manches then have no scores: `match.history` names their winners only."""
        form, match = self.match.format, self.match
        best = max(manches)
        if match.over:
            raise InvalidEntry("sheet/not-now")
        if len(manches) != len(self.seats) or best != form.manches or manches.count(best) > 1:
            raise InvalidEntry("sheet/act", piece="".join(map(str, manches)))
        history = tuple(
            tuple(form.parties * (seat == winner) for seat in self.seats)
            for winner in self.seats
            for _ in range(manches[winner])
        )
        told = Standing((0,) * len(self.seats), history=history, over=True, winner=manches.index(best))
        return replace(self._begin_partie(Match(match.rules, form, match.entries, told)), played=())

    def _expect(self, *waits: Waits) -> Position:
        """Raise `InvalidEntry` unless the sheet waits for this kind of act; returns the partie in progress."""
        if self.waits not in waits:
            raise InvalidEntry("sheet/not-now")
        return self.position or start(
            rule_table_of(self.match.rules), (0, 0, 0, 0), NONE, self.match.dealer or 0
        )

    def _deal(self, dealer: int) -> Self:
        self._expect("dealer")
        others = iter(DRAWN[1:])
        cards = tuple(DRAWN[0] if seat == dealer else next(others) for seat in self.seats)
        return self._begin_partie(self.match.draw_dealer(Tirage(cards)))

    def _begin_partie(self, match: Match) -> Self:
        """Begin the next partie; in Mondoubleau without a trump (§17)."""
        position = None
        if match.rules.mondoubleau and match.dealer is not None:
            position = start(rule_table_of(match.rules), (0, 0, 0, 0), NONE, match.dealer)
        return replace(self, match=match, position=position, said=(), faults=(), judged=0)

    def _trump(self, suit: int) -> Self:
        self._expect("trump")
        rule_table = rule_table_of(self.match.rules)
        return replace(self, position=start(rule_table, (0, 0, 0, 0), 8 * suit, self.match.dealer or 0))

    def worth(self, seat: int, declaration: Declaration) -> int:
        """The points that a declaration would count now."""
        return self._position_saying(seat, declaration).declared[seat] - self.declared_points(seat)

    def _position_saying(self, seat: int, declaration: Declaration) -> Position:
        p = self._expect("play", "chouine")
        return declare(rule_table_of(self.match.rules), p._replace(turn=seat), declaration)._replace(
            pending=NONE
        )

    def _declare(self, seat: int, declaration: Declaration) -> Self:
        if why := self.why_not(seat, declaration):
            raise InvalidEntry(why)
        said = SheetDeclaration(seat, declaration, self.worth(seat, declaration))
        return replace(self, position=self._position_saying(seat, declaration), said=(*self.said, said))

    def why_not(self, seat: int, declaration: Declaration) -> str:
        """The reason (a code) why a declaration is impossible; empty if it is possible. No card comes back (§9.2)."""
        p, rule_table = self._expect("play", "chouine"), rule_table_of(self.match.rules)
        if declaration not in figures(rule_table.seats):
            return "sheet/figure"
        if closed_figures(rule_table, p.said[seat]) >> declaration & 1:
            return "sheet/declared-already"
        if p.chouine >= 0 and (not CHOUINES >> declaration & 1 or seat == p.chouine):
            return "sheet/chouine-said"
        others = [one.declaration for one in self.said if one.seat != seat]
        if BRISQUE_FIGURES >> declaration & 1:
            taken = (others.count(declaration) + 1) * brisques_needed(declaration) > BRISQUES.bit_count()
        else:
            cards = declaration.cards(rule_table).mask
            taken = any(one.suit is not None and one.cards(rule_table).mask & cards for one in others)
        return "sheet/others-cards" if taken else ""

    def _settle(self, kind: str) -> Self:
        """Carry out an act without a seat: an unanswered chouine, the choice after a fault, a void deal."""
        rules = self.match.rules
        match kind:
            case "e":
                p = self._expect("chouine")._replace(turn=NONE)
                return self._finish(Result.of_position(rules, rule_table_of(rules), p))
            case "g":
                self._expect("fault")
                return replace(self, judged=len(self.faults))
            case "r":
                p = self._expect("fault")
                result = punish(rule_table_of(rules), p, self.faults, replay=True)
                return self._finish(result or Result.misdealt(rule_table_of(rules), p))
            case _:
                p = self._expect("trump", "play")
                return self._finish(Result.misdealt(rule_table_of(rules), p))

    def _fault(self, seat: int, kind: FaultKind) -> Self:
        """Record a fault: the second by the same player loses the partie (§15)."""
        p = self._expect("play")
        self._two()
        faults = (*self.faults, Fault(seat, kind))
        if penalty(faults) is Penalty.LOST:
            return self._finish(Result.of_stop(rule_table_of(self.match.rules), p, "fault", seat))
        return replace(self, faults=faults)

    def _concede(self, seat: int) -> Self:
        p = self._expect("trump", "play")
        self._two()
        return self._finish(Result.of_stop(rule_table_of(self.match.rules), p, "concede", seat))

    def _two(self) -> None:
        """Raise `InvalidEntry` with more than two seats: there the others' points would decide who wins (§15, §16)."""
        if len(self.seats) > 2:
            raise InvalidEntry("sheet/two-only")

    def _agree(self, seat: int) -> Self:
        self._expect("over")
        if seat in self.agreed:
            raise InvalidEntry("sheet/agreed-already")
        return replace(self, agreed=self.agreed | {seat})

    def _count(self, der: int, piles: Sequence[str]) -> Self:
        """Record the count of a partie that was played out (§12)."""
        p, rules = self._expect("play"), self.match.rules
        count = count_piles(der, piles, rules.seats)
        points = p.points
        for seat in self.seats:
            points = put(points, seat, count.cards[seat] + count.bonus(seat))
        ended = p._replace(points=points, turn=NONE)
        result = Result.of_position(rules, rule_table_of(rules), ended)
        if not count.heads and not is_certain(result.points):
            raise InvalidEntry("sheet/count-heads", heads=IN_HEADS)
        return self._finish(result, count)

    def _finish(self, result: Result, count: Count | None = None) -> Self:
        """Add the partie's result to the match."""
        match = self.match
        line = SheetPartie(match.manche, match.partie, match.dealer or 0, self.said, result, count)
        return replace(self._begin_partie(match.record(result)), played=(*self.played, line))


def figures(seats: int) -> list[Declaration]:
    """The declarations of §9 for this number of seats, in order."""
    many = ("tierce", "quarteron", "quinte") if seats > 2 else ("trente",)
    return [one for one in map(Declaration, range(33, 51)) if one.figure.value not in many]


def count_piles(der: int, piles: Sequence[str], seats: int) -> Count:
    """The count of piles as entered: points, numbers of cards by rank, or `-` for the rest of the pack (§12)."""
    entered = [pile for pile in piles if pile != "-"]
    if len(piles) != seats or len({len(pile) if pile[0] == "r" else 0 for pile in entered}) > 1:
        raise InvalidEntry("sheet/piles")
    if len(entered) < seats and (len(entered) < seats - 1 or seats == 3):
        raise InvalidEntry("sheet/pile-missing")  # with three seats two cards belong to nobody
    lost = UNDRAWN if seats == 3 else 0
    if entered[0][0] == "p":
        known = [None if pile == "-" else int(pile[1:]) for pile in piles]
        return Count(der, complete_points(known, ALL_POINTS, lost * POINTS[Rank.ACE]))
    ranks = COUNTED[: len(entered[0]) - 1]
    many = [
        complete_points([None if pile == "-" else int(pile[1 + nth]) for pile in piles], EACH, lost)
        for nth in range(len(ranks))
    ]
    if sum(map(sum, many)) < EACH * len(ranks) - lost:
        raise InvalidEntry("sheet/sum", sum=sum(map(sum, many)), whole=EACH * len(ranks))
    worth = [[POINTS[rank] * cards for cards in row] for rank, row in zip(ranks, many, strict=True)]
    cards, brisques = (
        tuple(map(sum, zip(*rows, strict=True))) for rows in (worth, worth[: len(BRISQUES_OF)])
    )
    return Count(der, cards, brisques, heads=len(ranks) == len(COUNTED))


def complete_points(numbers: Sequence[int | None], whole: int, lost: int) -> tuple[int, ...]:
    """The numbers with the missing one computed. Raises `InvalidEntry` if the sum falls short by more than `lost`."""
    left = whole - sum(one or 0 for one in numbers)
    if left < 0 or (None not in numbers and left > lost):
        raise InvalidEntry("sheet/sum", sum=whole - left, whole=whole)
    return tuple(left if one is None else one for one in numbers)


def is_certain(totals: tuple[int, ...]) -> bool:
    """Whether the heads cannot change the result: one seat leads by more than all their points."""
    first, second = sorted(totals, reverse=True)[:2]
    return first - second > IN_HEADS


def only_reached(totals: tuple[int, ...]) -> int | None:
    """The seat with most points; None for a tie or an empty count."""
    best = [seat for seat, points in enumerate(totals) if points == max(totals)]
    return best[0] if len(best) == 1 else None
