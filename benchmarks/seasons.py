"""Property tests of seasons: what holds of every ranking, checked on thousands of random seasons.

`python -m benchmarks.seasons 10000` makes seasons with misspelt names, teams, corrected contests, merged players,
changed rules, erased names and undone acts, and stops at the first that breaks a rule.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from hashlib import sha256
from random import Random

from chouine.contest import ActRefused
from chouine.contest.acts import Erased, Undone
from chouine.contest.log import first_broken_line
from chouine.contest.people import Person
from chouine.season import CATEGORIES, Season, SeasonLine, acts, add, ranking, season_of
from chouine.season.ranking import player_points, points_by_evening
from chouine.season.results import EveningResults, ResultRow, add_results, results_of_season

FIRST = ["Alise", "Élise", "Ilse", "Jean", "Jeanne", "Louis", "Louise", "Lise", "Marie", "Paul"]
LAST = ["Bordier", "Chéron", "Dutertre", "Épron", "Foucault", "Gaudin"]
VILLAGES = ["", "Troo", "Lavardin", "Montoire", "Sougé"]


class WildSeason:
    """A season with random events."""

    def __init__(self, nth: int) -> None:
        self.rng = Random(nth)
        self.nth = nth
        self.sheets: list[EveningResults] = []
        self.people: dict[int, Person] = {}
        self.done: Counter[str] = Counter()
        self.season = add(None, acts.SeasonOpened("", "", self.rules()), "wild", 0)

    def rules(self) -> acts.SeasonRules:
        places = sorted((self.rng.randrange(30) for _ in range(self.rng.randrange(12))), reverse=True)
        points = acts.Points(tuple(places), self.rng.randrange(3), self.rng.randrange(1, 3))
        return acts.SeasonRules(points, self.rng.randrange(8), self.rng.randrange(1, 4))

    def do(self, act: acts.SeasonAct, names: dict[int, Person] | None = None) -> None:
        """Do an act, or see it refused."""
        try:
            self.season = add(self.season, act, "wild", 0)
        except ActRefused as why:
            self.done[why.code] += 1
        else:
            self.people |= names or {}
            self.done[type(act).__name__] += 1

    def name(self) -> str:
        """One of sixty names, sometimes misspelt."""
        name = f"{self.rng.choice(FIRST)} {self.rng.choice(LAST)}"
        return name[:-1] if self.rng.random() < 0.1 else name

    def sheet(self, old: EveningResults | None) -> EveningResults:
        """A new evening, or a corrected one."""
        names = list(dict.fromkeys(self.name() for _ in range(self.rng.randrange(2, 24))))
        rank = 0
        rows: list[ResultRow] = []
        while names:
            rank = rank if rows and self.rng.random() < 0.2 else len(rows) + 1
            team = tuple(names.pop() for _ in range(min(len(names), 1 + (self.rng.random() < 0.2))))
            village = self.rng.choice(VILLAGES)
            rows.append(
                ResultRow(
                    rank,
                    team,
                    self.rng.randrange(6),
                    village,
                    self.rng.random() < 0.4,
                    self.rng.random() < 0.2,
                )
            )
        if old:
            return replace(old, acts=old.acts + self.rng.randrange(2), rows=tuple(rows))
        source = sha256(f"{self.nth} {len(self.sheets)}".encode()).hexdigest()
        return EveningResults(source, 5, f"2026-10-{self.rng.randrange(1, 31):02}", tuple(rows))

    def step(self) -> None:
        """One random event."""
        chance = self.rng.random()
        if chance < 0.5 or not self.season.players:
            sheet = self.sheet(
                self.rng.choice(self.sheets) if self.sheets and self.rng.random() < 0.2 else None
            )
            self.sheets.append(sheet)
            self.do(*add_results(self.season, self.people, sheet))
        elif chance < 0.8:
            numbers = [*self.season.players]
            self.do(acts.Merged(self.rng.choice(numbers), self.rng.choice(numbers), ""))
        elif chance < 0.87:
            self.do(Undone(self.rng.randrange(1, len(self.season.lines) + 1), ""))
        elif chance < 0.94:
            self.do(acts.Ruled(self.rules(), ""))
        else:
            self.do(Erased(self.rng.choice([*self.season.players])))


def broken_rules(nth: int) -> tuple[list[str], Counter[str]]:
    """The rules that the n-th season breaks, and how often each act was done."""
    wild = WildSeason(nth)
    for _ in range(wild.rng.randrange(2, 24)):
        wild.step()
    season, people = wild.season, wild.people
    found = [name for name, holds in RULES.items() if not holds(season, people)]
    return found, wild.done


def sums_are_of_the_best(season: Season, people: dict[int, Person]) -> bool:
    """In every category a total is the sum of the best evenings, counted anew from the evenings' points."""
    best = season.rules.best or len(season.evenings)
    for category in CATEGORIES:
        points = points_by_evening(season, category, people)
        own = {
            who: sorted((one[who] for one in points if who in one), reverse=True)
            for one in points
            for who in one
        }
        found = ranking(season, category, people)
        if {one.who: (one.total, one.counted) for one in found} != {
            who: (sum(each[:best]), min(best, len(each))) for who, each in own.items()
        }:
            return False
    return True


def the_order_is_total(season: Season, people: dict[int, Person]) -> bool:
    """Totals never rise; a rank is shared by equals alone, and the next is as many places further."""
    for category in CATEGORIES:
        found = ranking(season, category, people)
        for nth, (near, far) in enumerate(itertools.pairwise(found), 2):
            equal = (near.total, near.evenings) == (far.total, far.evenings)
            if near.total < far.total or far.rank != (near.rank if equal else nth):
                return False
            if near.total == far.total and near.evenings < far.evenings:
                return False
    return True


def each_plays_once(season: Season, _: dict[int, Person]) -> bool:
    """Nobody has two results of one evening, whatever the spellings, and everybody ranked stands for themselves."""
    rows = [[player for row in one.rows for player in row.players] for one in season.evenings]
    return all(len(set(row)) == len(row) and set(row) <= set(season.people) for row in rows)


def points_are_kept(season: Season, _: dict[int, Person]) -> bool:
    """Merging spellings neither makes nor loses points of an evening."""
    of = season.rules.points.of
    given = {
        key: sum(of(row.rank, row.wins) * len(row.players) for row in one.rows)
        for key, one in season.by_source.items()
    }
    return all(sum(player_points(season, one).values()) == given[one.source] for one in season.evenings)


def the_log_folds_again(season: Season, _: dict[int, Person]) -> bool:
    """The written log is sealed and gives the same season."""
    lines = [SeasonLine.parse(str(line)) for line in season.lines]
    return first_broken_line(lines) is None and season_of(lines) == season


def another_season_takes_it(season: Season, people: dict[int, Person]) -> bool:
    """A season that takes all evenings of this one ranks as many people with the same totals."""
    known = {
        number: Person(f"{person.name} {number}")
        for number, person in people.items()
        if number in season.people
    }
    whole = {number: known.get(number, Person(f"Nobody {number}")) for number in season.people}
    other = add(None, acts.SeasonOpened("", "", season.rules), "wild", 0)
    names: dict[int, Person] = {}
    for sheet in results_of_season(season, whole):
        act, new = add_results(other, names, sheet)
        other, names = add(other, act, "wild", 0), {**names, **new}
    mine, theirs = ranking(season), ranking(other)
    return [(one.rank, one.total, one.evenings) for one in mine] == [
        (one.rank, one.total, one.evenings) for one in theirs
    ]


RULES = {
    rule.__name__: rule
    for rule in (
        sums_are_of_the_best,
        the_order_is_total,
        each_plays_once,
        points_are_kept,
        the_log_folds_again,
        another_season_takes_it,
    )
}


def main() -> None:
    """Check as many seasons as are asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("seasons", type=int)
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args()
    begun, done = time.time(), Counter[str]()
    with ProcessPoolExecutor(args.processes) as pool:
        for nth, (broken, seen) in enumerate(pool.map(broken_rules, range(args.seasons), chunksize=50)):
            if broken:
                raise SystemExit(f"Season {nth} breaks {', '.join(broken)}")
            done += seen
    print(f"{args.seasons} seasons in {time.time() - begun:.0f} s broke no rule:")
    for name, count in done.most_common():
        print(f"{count:9} {name}")


if __name__ == "__main__":
    main()
