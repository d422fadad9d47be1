"""Property tests of contests: every rule of each format, checked on thousands of random contests.

`python -m benchmarks.contests 10000` plays contests of 2 to 200 entries in every format, with random late entries,
absences, forfeits, withdrawals, swaps, corrections and undone acts, and stops at the first that breaks a rule.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain, combinations
from random import Random

import networkx as nx

from chouine.desk.solver import matching
from chouine.tournament import (
    Act,
    ActRefused,
    Amended,
    Called,
    Contest,
    ContestOpened,
    Corrected,
    Details,
    Ended,
    Entered,
    Formula,
    Paid,
    Paired,
    Present,
    ResultEntered,
    Revealed,
    RoundDrawn,
    Stage,
    Swapped,
    TableForfeited,
    Undone,
    Withdrew,
    add,
    commit,
    contest_of,
    draw,
    formula_for,
    ranking,
)
from chouine.tournament.chance import Chance
from chouine.tournament.check import check_log
from chouine.tournament.fold import follow, opened
from chouine.tournament.formula import FORMULAS, STAGES
from chouine.tournament.log import LogLine
from chouine.tournament.plain import kind_of
from chouine.tournament.simulate import any_score
from chouine.tournament.views import over, totals


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

    def do(self, act: Act) -> bool:
        """Do an act; return whether it was accepted."""
        self.at += self.rng.randrange(100)
        try:
            self.contest = add(self.contest, act, "desk", self.at)
        except ActRefused as why:
            self.refused[why.code] += 1
            return False
        return True

    def likely(self, share: float) -> bool:
        return self.rng.random() < share

    def enter(self) -> None:
        rng = self.rng
        details = Details(
            lady=self.likely(0.3),
            junior=self.likely(0.1),
            family=rng.choice((0, 0, 0, rng.randrange(1, 20))),
            village=rng.randrange(8),
            meals=rng.randrange(3),
        )
        number = self.contest.next_number
        self.do(Entered(number, details, here=self.likely(0.9)))
        if self.likely(0.5):
            self.do(Paid(number, 1000))

    def play(self, entries: int) -> Contest:
        """Play until no round can be drawn, then reveal the seed."""
        for _ in range(entries):
            self.enter()
        for number in list(self.contest.entrants):
            if not self.contest.entrants[number].here and self.likely(0.5):
                self.do(Present(number, here=True))
        while self.draws():
            pass
        if not over(self.contest):
            self.do(Ended("orage"))
        self.do(Revealed(self.seed))
        return self.contest

    def draws(self) -> bool:
        """Draw and play a round of each stage, if possible; return whether any was drawn."""
        drawn = [stage for stage in self.rng.sample(STAGES, 2) if self.draw(stage)]
        if drawn and self.likely(0.1):
            self.do(Undone(self.last(RoundDrawn), "again"))
            drawn = [stage for stage in drawn if self.draw(stage)] or drawn
        for _ in range(100):
            if not any(round_.open for round_ in self.contest.all_rounds()):
                break
            self.happens()
        return bool(drawn)

    def draw(self, stage: Stage) -> bool:
        try:
            act = draw(self.contest, stage, self.seed, self.rng.choice(("", "Qh", "7s")), solver=matching)
        except ActRefused as why:
            self.refused[why.code] += 1
            return False
        return self.do(act)

    def last(self, kind: type) -> int:
        return next(line.n for line in reversed(self.contest.lines) if isinstance(line.act, kind))

    def happens(self) -> None:
        """Random events during the rounds, then all results."""
        rng = self.rng
        numbers = list(self.contest.entrants)
        if not self.calm and len(self.contest.main) == 1 and self.likely(0.5):
            for _ in range(rng.randrange(4)):
                self.enter()
            absent = [n for n, entrant in self.contest.entrants.items() if not entrant.here]
            if absent:
                self.do(Present(rng.choice(absent), here=True))
        round_ = rng.choice([own for own in self.contest.all_rounds() if own.open])
        where = (round_.stage, round_.number)
        if self.likely(0.3):
            self.do(Called(*where))
        if not self.calm and self.likely(0.3) and len(round_.players) > 2:
            one, other = rng.sample(round_.players, 2)
            self.do(rng.choice((Swapped, Paired))(*where, one, other, "referee"))
        if self.likely(0.1):
            self.do(Withdrew(rng.choice(numbers)))
        if self.likely(0.1):
            self.do(Amended(rng.choice(numbers), Details(lady=True)))
        self.results()
        if self.likely(0.15):
            self.do(Undone(rng.randrange(2, len(self.contest.lines) + 1), "wild"))
        if not self.calm and self.likely(0.7):
            self.correct()

    def results(self) -> None:
        """Enter results for most open tables; some are forfeited, some left open."""
        for round_ in list(self.contest.all_rounds()):
            for table in round_.open:
                where = (round_.stage, round_.number, table.number)
                if self.likely(0.02):
                    self.do(TableForfeited(*where, self.rng.choice(table.left)))
                elif not self.likely(0.02):
                    score = any_score(round_, table, self.contest.formula.members, self.chance)
                    self.do(ResultEntered(*where, score))

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
    formula = formula_for(
        kind,
        seats,
        members=rng.choice((1, 1, 2)) if seats == 2 else 1,
        rounds=rng.randrange(3, 8),
        pool=rng.randrange(3, 7),
        apart=rng.choice(((), ("family",), ("family", "village"))),
    )
    if formula.knock_out:
        formula = replace(formula, consolante=rng.choice(("none", "first", "hour")), hour=rng.randrange(6000))
    entries = round(
        2 * math.exp(rng.random() ** 2 * math.log(most / 2))
    )  # mostly small ones, which are quick
    played = Wild(formula, str(nth))
    return played.play(entries), played.refused


# The rules, each a property of a finished contest


def nobody_sits_twice(contest: Contest) -> bool:
    """In a round each entry is at one table."""
    return all(len(set(round_.players)) == len(round_.players) for round_ in contest.all_rounds())


def at_most_one_exempt(contest: Contest) -> bool:
    """At most one exempt entry in a round, except in a tree's cadrage and in poules."""
    free = contest.formula.kind in {"tree", "poules"}
    return all(len(r.exempt) <= 1 or (free and r.stage == "main") for r in contest.all_rounds())


def all_play_the_first_round(contest: Contest) -> bool:
    """All entries present are in round 1 of the main draw."""
    here = {n for n, entrant in contest.entrants.items() if entrant.here}
    return not contest.main or here <= set(contest.main[0].players)


def winners_go_on(contest: Contest) -> bool:
    """In a knock-out each round has the entries that advanced, except withdrawn ones."""
    if not contest.formula.knock_out:
        return True
    return all(
        set(after.players) <= set(before.ahead)
        and all(contest.entrants[n].withdrawn for n in set(before.ahead) - set(after.players))
        for before, after in zip(contest.main, contest.main[1:], strict=False)
    )


def losers_play_the_consolante(contest: Contest) -> bool:
    """The consolante has losers of round 1 and, with an hour, of later rounds before it; no others."""
    late = contest.formula.hour if contest.formula.consolante == "hour" else 0
    may = {
        player
        for round_ in contest.main
        for table in round_.played
        for player in table.players
        if player != table.winner and (round_.number == 1 or (table.at or 0) < late)
    }
    return {player for round_ in contest.consolante for player in round_.players} <= may


def all_first_losers_may_go_on(contest: Contest) -> bool:
    """The consolante begins with all losers of round 1 that have not withdrawn.

    An entry that lost by a correction and found no place joins a later round.
    """
    if not contest.consolante:
        return True
    corrected = any(isinstance(line.act, Corrected) for line in contest.lines)
    rounds = contest.consolante if corrected else contest.consolante[:1]
    losers = {n for table in contest.main[0].played for n in table.players if n != table.winner}
    left = losers - {player for round_ in rounds for player in round_.players}
    return all(contest.entrants[n].withdrawn for n in left)


def kept(contest: Contest) -> Iterator[Act]:
    """The acts that were not undone."""
    undone = {line.act.act for line in contest.lines if isinstance(line.act, Undone)}
    return (line.act for line in contest.lines if line.n not in undone)


def who_withdrew_is_not_drawn(contest: Contest) -> bool:
    """Withdrawn entries are not drawn again, except in the fixed rounds of poules."""
    gone: set[int] = set()
    for act in kept(contest):
        if isinstance(act, Withdrew):
            gone.add(act.number)
        elif (
            isinstance(act, RoundDrawn)
            and contest.formula.kind != "poules"
            and gone & set(chain(*act.places))
        ):
            return False
    return True


def drawn_in_turn(contest: Contest) -> Iterator[tuple[RoundDrawn, Counter[int], Counter[frozenset[int]]]]:
    """Each random draw, with earlier exemptions by entry and earlier meetings by pair.

    Ends at the first act that changes places, after which the acts alone do not determine them.
    """
    exempts, met = Counter[int](), Counter[frozenset[int]]()
    for act in kept(contest):
        if isinstance(act, Swapped | Paired | Corrected) or (
            exempts | met and isinstance(act, Entered | Present)
        ):
            return
        if isinstance(act, RoundDrawn):
            if contest.formula.kind in {"lavardin", "rounds", "swiss"} or act.stage == "consolante":
                yield act, exempts, met
            exempts.update(place[0] for place in act.places if len(place) == 1)
            met.update(frozenset(pair) for place in act.places for pair in combinations(place, 2))


def nobody_is_exempt_twice_while_others_were_not(contest: Contest) -> bool:
    return all(
        exempts[place[0]] == min(exempts[n] for n in chain(*act.places))
        for act, exempts, _ in drawn_in_turn(contest)
        for place in act.places
        if len(place) == 1
    )


def nobody_meets_again_where_it_can_be_avoided(contest: Contest) -> bool:
    """With tables of two, a draw repeats no more pairs than a maximum matching of new pairs would need."""
    for act, _, met in drawn_in_turn(contest):
        pairs = [place for place in act.places if len(place) == 2]
        again = sum(met[frozenset(pair)] > 0 for pair in pairs)
        if again and contest.formula.seats == 2:
            new = nx.Graph(pair for pair in combinations(chain(*pairs), 2) if not met[frozenset(pair)])
            if again > len(pairs) - len(nx.max_weight_matching(new, maxcardinality=True)):
                return False
    return True


def one_goes_through(contest: Contest) -> bool:
    """A finished knock-out has one winner, or none if the last entries withdrew."""
    if not contest.formula.knock_out or not contest.main or any(r.open for r in contest.all_rounds()):
        return True
    ahead = [n for n in contest.main[-1].ahead if not contest.entrants[n].withdrawn]
    return len(ahead) <= 1


def everyone_is_ranked_once(contest: Contest) -> bool:
    return sorted(one.number for one in ranking(contest)) == sorted(contest.entrants)


def the_winner_is_first(contest: Contest) -> bool:
    """In a knock-out the winner of the last round ranks first."""
    if not contest.formula.knock_out or not contest.main or len(contest.main[-1].ahead) != 1:
        return True
    return ranking(contest)[0].number == contest.main[-1].ahead[0]


def money_adds_up(contest: Contest) -> bool:
    """The total is the sum of payments that were not undone."""
    undone = {line.act.act for line in contest.lines if isinstance(line.act, Undone)}
    paid = sum(
        line.act.cents for line in contest.lines if isinstance(line.act, Paid) and line.n not in undone
    )
    return paid == totals(contest).paid


def the_log_is_all(contest: Contest) -> bool:
    """The log, written and read, folds to the same contest."""
    return contest_of(LogLine.parse(str(line)) for line in contest.lines) == contest


def what_is_undone_is_gone(contest: Contest) -> bool:
    """Folding the log without the undone acts gives the same contest."""
    undone = {line.act.act for line in contest.lines if isinstance(line.act, Undone)}
    now = opened(contest.lines[0], contest.opened)
    for line in contest.lines[1:]:
        if line.n not in undone and not isinstance(line.act, Undone):
            now = follow(now, line)
    return replace(now, lines=contest.lines) == contest


def the_check_finds_nothing(contest: Contest) -> bool:
    """The log passes `check_log`, which redraws each round and checks exempt entries and repeated pairs."""
    report = check_log(contest.lines, contest.opened.title or None, matching)
    return not report.breaches and (contest.seed is None or not report.unproven)


RULES: tuple[Callable[[Contest], bool], ...] = (
    nobody_sits_twice,
    at_most_one_exempt,
    all_play_the_first_round,
    winners_go_on,
    losers_play_the_consolante,
    all_first_losers_may_go_on,
    who_withdrew_is_not_drawn,
    nobody_is_exempt_twice_while_others_were_not,
    nobody_meets_again_where_it_can_be_avoided,
    one_goes_through,
    everyone_is_ranked_once,
    the_winner_is_first,
    money_adds_up,
    the_log_is_all,
    what_is_undone_is_gone,
    the_check_finds_nothing,
)


def broken_rules(nth: int, most: int = 200) -> tuple[list[str], Counter[str]]:
    """The rules that contest number `nth` breaks, and counts of its events."""
    contest, refused = wild(nth, most)
    happened = Counter(kind_of(line.act) for line in contest.lines)
    happened["contests"] = 1
    happened["refused"] = refused.total()
    return [rule.__name__ for rule in RULES if not rule(contest)], happened


def main() -> int:
    """Run the contests; return 1 if a rule was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contests", type=int, nargs="?", default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=int, default=200, help="entries")
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args()
    began, happened, faults = time.monotonic(), Counter[str](), 0
    numbers = range(args.first, args.first + args.contests)
    with ProcessPoolExecutor(args.processes) as pool:
        found = pool.map(partial(broken_rules, most=args.most), numbers, chunksize=5)
        for nth, (broken, seen) in zip(numbers, found, strict=True):
            happened += seen
            if broken:
                faults += 1
                print(f"contest {nth} breaks {', '.join(broken)}", flush=True)
            if (nth + 1) % 500 == 0:
                print(f"{nth + 1} contests, {time.monotonic() - began:.0f} s, {faults} faults", flush=True)
    print(dict(happened.most_common()))
    return int(bool(faults))


if __name__ == "__main__":
    raise SystemExit(main())
