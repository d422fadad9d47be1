"""Random contests in which everything happens that a log can hold: `benchmarks/contests.py` checks their rules."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

from chouine.contest import (
    ActRefused,
    Amended,
    Called,
    Changed,
    Contest,
    ContestAct,
    ContestOpened,
    Corrected,
    DealsPlayed,
    Details,
    Ended,
    Entered,
    Erased,
    Formula,
    ListEntered,
    Paid,
    Paired,
    Present,
    PrizesSet,
    ResultEntered,
    Revealed,
    Round,
    RoundDrawn,
    RoundTable,
    Settled,
    Stage,
    Swapped,
    TableForfeited,
    Undone,
    Withdrew,
    add,
    commit,
    draw,
    formula_for,
)
from chouine.contest.acts import Merged
from chouine.contest.chance import Chance
from chouine.contest.duplicate import WHOLE
from chouine.contest.entering import latecomer_swap
from chouine.contest.formula import FORMULAS, STAGES
from chouine.contest.log import kind_of
from chouine.contest.ranking import PRIZES, equals, pool_equals
from chouine.contest.simulate import any_score
from chouine.contest.views import is_over
from chouine.server.contest.solver import cheapest_matching

APARTS = ((), ("family",), ("family", "village"))


class Wild:
    """A contest with random events."""

    def __init__(self, formula: Formula, seed: str) -> None:
        self.rng = Random(seed)
        self.chance = Chance("wild", seed)
        self.seed = seed
        self.at = 0
        self.contest = add(None, ContestOpened(formula, commit(seed), fee=1000, meal=1500), "desk", 0)
        self.refused: Counter[str] = Counter()
        self.calm = self.likely(0.4)
        """Without late entries and corrections, draws alone determine the opponents met."""

    def do(self, act: ContestAct) -> bool:
        """Do an act; return whether it was accepted."""
        self.at += self.rng.randrange(100)
        try:
            self.contest = add(self.contest, act, "desk", self.at)
        except ActRefused as why:
            self.refused[why.code] += 1
            return False
        return True

    def undo_last(self, share: float) -> None:
        """Undo the last act, in this share of cases."""
        if self.likely(share):
            self.do(Undone(self.contest.head.n, "mistaken"))

    def likely(self, share: float) -> bool:
        return self.rng.random() < share

    def details(self) -> Details:
        rng = self.rng
        return Details(
            lady=self.likely(0.3),
            junior=self.likely(0.1),
            family=rng.choice((0, 0, 0, rng.randrange(1, 20))),
            village=rng.randrange(8),
            meals=rng.randrange(3),
        )

    def enter(self) -> None:
        number = self.contest.next_number
        if not self.do(Entered(number, self.details(), here=self.likely(0.9))):
            return
        if self.likely(0.05):
            self.undo_last(1)
            return
        late = len(self.contest.main) == 1 and self.likely(0.8)
        if late and (swap := latecomer_swap(self.contest, number, self.chance, "late")):
            self.do(swap)
        if self.likely(0.5):
            self.do(Paid(number, 1000))

    def enter_list(self) -> None:
        """Enter people by a list, which also completes entries that are there; the whole list may be undone."""
        rng, first = self.rng, self.contest.next_number
        entries = tuple(
            Entered(number, self.details(), here=self.likely(0.7))
            for number in range(first, first + rng.randrange(1, 5))
        )
        known = rng.sample(list(self.contest.entrants.values()), min(2, len(self.contest.entrants)))
        merged = tuple(
            Merged(one.number, self.details(), here=not one.here and self.likely(0.5), cents=rng.randrange(9))
            for one in known
        )
        if self.do(ListEntered(entries, tuple(1000 for _ in entries) if self.likely(0.5) else (), merged)):
            self.undo_last(0.3)

    def play(self, entries: int) -> Contest:
        """Play until no round can be drawn, then reveal the seed."""
        while len(self.contest.entrants) < entries:
            self.rng.choices((self.enter, self.enter_list, self.change_settings), (20, 2, 1))[0]()
            if self.likely(0.03):
                self.do(Present(self.some_entry(), here=False))
        for number in [number for number, one in self.contest.entrants.items() if not one.here]:
            here = Present(number, here=True, cents=1000, meals=self.rng.randrange(2))
            if self.likely(0.5) and self.do(here):
                self.undo_last(0.1)
        self.play_on()
        if self.likely(0.2):  # the closing was a mistake: draws from here on need another seed
            self.seed += " again"
            self.do(Undone(self.contest.head.n, "again", commit(self.seed)))
            if not self.calm:
                self.correct()
            self.play_on()
        return self.contest

    def play_on(self) -> None:
        """Draw and play what is left, then reveal the seed."""
        self.play_tables()
        while self.draws():
            self.play_tables()
        if not is_over(self.contest):
            self.do(Ended("orage"))
        self.settle()
        self.do(Revealed(self.seed))

    def play_tables(self) -> None:
        for _ in range(100):
            if self.contest.ended or not any(round_.open for round_ in self.contest.all_rounds()):
                break
            self.happens()

    def draws(self) -> bool:
        """Draw a round of each stage, if possible; return whether any was drawn."""
        self.act_between_rounds()
        drawn = [stage for stage in self.rng.sample(STAGES, 2) if self.draw(stage)]
        if drawn and self.likely(0.1):
            self.do(Undone(self.last(RoundDrawn), "again"))
            drawn = [stage for stage in drawn if self.draw(stage)] or drawn
        return bool(drawn)

    def draw(self, stage: Stage) -> bool:
        try:
            act = draw(
                self.contest, stage, self.seed, self.rng.choice(("", "Qh", "7s")), solver=cheapest_matching
            )
        except ActRefused as why:
            self.refused[why.code] += 1
            return False
        return self.do(act)

    def last(self, kind: type) -> int:
        return next(line.n for line in reversed(self.contest.lines) if isinstance(line.act, kind))

    def some_act(self) -> int:
        """The number of a random act, rare kinds as often as others."""
        kind = self.rng.choice(sorted({kind_of(line.act) for line in self.contest.lines}))
        return self.rng.choice([line.n for line in self.contest.lines if kind_of(line.act) == kind])

    def some_entry(self) -> int:
        return self.rng.choice(list(self.contest.entrants) or [1])

    def act_between_rounds(self) -> None:
        """What a desk does between two rounds. Where all play every round some join, skip one, or come back."""
        if self.likely(0.1):
            self.change_settings()
        if self.likely(0.2):
            self.settle()
        if self.calm or not self.contest.main:
            return
        for number in self.rng.sample(list(self.contest.entrants), min(3, len(self.contest.entrants))):
            if self.do(Present(number, here=not self.contest.entrants[number].here)):
                self.undo_last(0.1)
        if self.likely(0.3):
            self.enter()

    def change_settings(self) -> None:
        """Change what the club may still change, and sometimes what it may not."""
        rng, old = self.rng, self.contest.formula
        choices: list[dict[str, Any]] = [
            {"matches": rng.choice((("3",), ("5",), ("3", "2")))},
            {"apart": rng.choice(APARTS)},
        ]
        if old.knock_out:
            choices += [{"kind": rng.choice(("lavardin", "tree"))}, self.any_consolante()]
        if old.all_play:
            kinds = ("rounds",) if old.deals else ("rounds", "swiss")
            choices += [{"kind": rng.choice(kinds)}, {"rounds": rng.randrange(2, 8)}]
        rooms = rng.choice(((), (("Bar", 30), ("Salle", 9))))
        prices = rng.choice((800, 1000)), rng.choice((0, 1500))
        if self.do(Changed(replace(old, **rng.choice(choices)), rng.choice(("", "Troo")), *prices, rooms)):
            self.undo_last(0.2)

    def any_consolante(self) -> dict[str, Any]:
        return {
            "consolante": self.rng.choice(("none", "first", "hour")),
            "hour": self.rng.randrange(6000),
        }

    def settle(self) -> None:
        """Settle a tie, choose the prizes, and sometimes take that back."""
        ties = (*equals(self.contest), *pool_equals(self.contest))
        if ties and self.likely(0.5):
            tie = self.rng.choice(ties)
            if self.do(Settled(tuple(self.rng.sample(tie, len(tie))), "lots")):
                self.undo_last(0.2)
        if self.likely(0.3):
            kinds = self.rng.sample(PRIZES, self.rng.randrange(len(PRIZES)))
            if self.do(PrizesSet(tuple((kind, self.rng.randrange(4)) for kind in kinds), self.likely(0.5))):
                self.undo_last(0.2)

    def happens(self) -> None:
        """Random events during the rounds, then all results."""
        rng = self.rng
        if not self.calm and len(self.contest.main) == 1 and self.likely(0.5):
            for _ in range(rng.randrange(4)):
                self.enter()
            absent = [n for n, entrant in self.contest.entrants.items() if not entrant.here]
            if absent:
                self.do(Present(rng.choice(absent), here=True, cents=1000))
            if self.likely(0.3):
                self.enter_list()
        round_ = rng.choice([own for own in self.contest.all_rounds() if own.open])
        where = (round_.stage, round_.number)
        if self.likely(0.3):
            self.do(Called(*where))
        if not self.calm and self.likely(0.3) and len(round_.players) > 2:
            one, other = rng.sample(round_.players, 2)
            if self.do(rng.choice((Swapped, Paired))(*where, one, other, "referee")):
                self.undo_last(0.2)
        if self.likely(0.1) and self.do(Withdrew(self.some_entry())):
            self.undo_last(0.2)
        if self.likely(0.1):
            self.do(Erased(self.some_entry()))
        if self.likely(0.1) and self.do(Amended(self.some_entry(), self.details())):
            self.undo_last(0.2)
        if self.likely(0.02) and self.do(Ended("orage")):
            self.undo_last(0.7)
        self.results()
        if self.likely(0.15):
            self.do(Undone(self.some_act(), "wild"))
        if not self.calm and self.likely(0.7):
            self.correct()

    def results(self) -> None:
        """Enter results for most open tables; some are forfeited, some left open."""
        for round_ in list(self.contest.all_rounds()):
            for table in round_.open:
                where = (round_.stage, round_.number, table.number)
                if self.likely(0.02):
                    if self.do(TableForfeited(*where, self.rng.choice(table.left))):
                        self.undo_last(0.2)
                elif round_.deals:
                    if self.do(self.deals_played(round_, table)):
                        self.undo_last(0.1)
                elif not self.likely(0.02):
                    score = any_score(round_, table, self.contest.formula.members, self.chance)
                    self.do(ResultEntered(*where, score, table.players if self.likely(0.1) else ()))

    def deals_played(self, round_: Round, table: RoundTable) -> DealsPlayed:
        """What a table made of sealed deals: of all of them, or of those before an entry left."""
        rng, deals = self.rng, len(round_.deals)
        played = rng.randrange(deals) if self.likely(0.1) else deals
        differences = tuple(rng.randrange(-WHOLE, WHOLE + 1) for _ in range(played))
        given_up = tuple(nth for nth, one in enumerate(differences, 1) if abs(one) == WHOLE)
        left = rng.choice(table.players) if played < deals else 0
        return DealsPlayed(round_.number, table.number, differences, given_up, left)

    def correct(self) -> None:
        """Correct the result of a random decided table."""
        tables = [(r, t) for r in self.contest.all_rounds() for t in r.played if t.decided]
        if tables:
            round_, table = self.rng.choice(tables)
            score = any_score(round_, table, self.contest.formula.members, self.chance)
            self.do(Corrected(round_.stage, round_.number, table.number, score, "slip"))


def wild(nth: int, most: int = 200) -> tuple[Contest, Counter[str]]:
    """Contest number `nth`, which determines its format, size and events."""
    rng = Random(nth)
    kind = list(FORMULAS)[nth % len(FORMULAS)]
    seats = rng.choice((2, 2, 2, 3, 4)) if kind != "poules" else 2
    members = rng.choice((1, 1, 2)) if seats == 2 else 1
    formula = formula_for(
        kind,
        seats,
        members=members,
        deals=rng.choice((0, 3)) if (kind, seats, members) == ("rounds", 2, 1) else 0,
        rounds=rng.randrange(3, 8),
        pool=rng.randrange(3, 7),
        apart=rng.choice(APARTS),
    )
    played = Wild(formula, str(nth))
    if formula.knock_out:
        played.do(Changed(replace(formula, **played.any_consolante()), fee=1000, meal=1500))
    entries = round(
        2 * math.exp(rng.random() ** 2 * math.log(most / 2))
    )  # mostly small ones, which are quick
    return played.play(entries), played.refused
