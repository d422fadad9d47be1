"""Evenings for tests: sheets of made-up contests, and the seasons that take them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from hashlib import sha256
from random import Random

from chouine.contest import Contest, ContestOpened, Details, Entered, add, commit, formula_for
from chouine.contest.people import Person
from chouine.season import Season
from chouine.season import add as add_act
from chouine.season.acts import SeasonOpened, SeasonRules
from chouine.season.results import EveningResults, ResultRow, add_results, results_of_contest
from tests.contest.playing import SEED, play_to_end

USUAL = SeasonRules()


def evening(nth: int, *names: str, acts: int = 1, club: str = "Lavardin", lady: str = "") -> EveningResults:
    """The sheet of an evening at which these came in, the first first; a name may have a village after a comma."""
    rows = tuple(
        ResultRow(rank, (name,), len(names) - rank, village.strip(), name == lady)
        for rank, (name, _, village) in enumerate((one.partition(",") for one in names), 1)
    )
    day = (date(2026, 10, 2) + timedelta(weeks=nth)).isoformat()
    return EveningResults(sha256(str(nth).encode()).hexdigest(), acts, day, rows, f"Soirée {nth}", club)


def season_with(*sheets: EveningResults, rules: SeasonRules = USUAL) -> tuple[Season, dict[int, Person]]:
    """The season that takes these evenings, and its register."""
    season = add_act(None, SeasonOpened("Challenge", "Lavardin", rules), "test", 0)
    people: dict[int, Person] = {}
    for sheet in sheets:
        act, names = add_results(season, people, sheet)
        season, people = add_act(season, act, "test", season.head.at), {**people, **names}
    return season, people


def contest_of(
    names: Mapping[str, Details], seed: str = SEED, at: int = 0
) -> tuple[Contest, dict[int, Person]]:
    """A finished contest of these people with random results, and its register."""
    contest = add(None, ContestOpened(formula_for("lavardin"), commit(seed), f"Concours {seed}"), "desk", at)
    for number, details in enumerate(names.values(), 1):
        contest = add(contest, Entered(number, details), "desk", at)
    people = {number: Person(name, "Troo") for number, name in enumerate(names, 1)}
    return play_to_end(contest, Random(seed), seed), people


def sheet_from(names: Mapping[str, Details], seed: str, club: str = "") -> EveningResults:
    """The sheet of such a contest."""
    return results_of_contest(*contest_of(names, seed), club)
