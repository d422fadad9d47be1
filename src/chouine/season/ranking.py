"""The season's rankings: of all players, of ladies, juniors, villages and teams."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Literal, get_args

from chouine.contest.people import Person
from chouine.names import plain_name
from chouine.season.acts import EveningAdded
from chouine.season.standing import RankingLine, standings
from chouine.season.state import Season

Category = Literal["all", "ladies", "juniors", "villages", "teams"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
Who = int | str | tuple[int, ...]
"""A player's number; in the ranking of villages a name, in that of teams the numbers of the members."""
NOBODY: Mapping[int, Person] = {}


def ranking(
    season: Season,
    category: Category = "all",
    people: Mapping[int, Person] = NOBODY,
    evenings: int | None = None,
) -> tuple[RankingLine[Who], ...]:
    """The ranking after the first evenings (None: all). Villages are those of `people`, the register."""
    return standings(points_by_evening(season, category, people)[:evenings], season.rules.best)


def points_by_evening(
    season: Season, category: Category = "all", people: Mapping[int, Person] = NOBODY
) -> list[dict[Who, int]]:
    """The points of each evening, in its order."""
    if category == "teams":
        return [team_points(season, evening) for evening in season.evenings]
    if category == "villages":
        return [village_points(season, evening, people) for evening in season.evenings]
    found = [player_points(season, evening) for evening in season.evenings]
    if category == "all":
        return [dict(one.items()) for one in found]
    kind = "lady" if category == "ladies" else "junior"
    wanted = {number for number, player in season.players.items() if getattr(player.member, kind)}
    return [{number: points for number, points in one.items() if number in wanted} for one in found]


def player_points(season: Season, evening: EveningAdded) -> dict[int, int]:
    """Each player's points; the members of a team have the team's points each."""
    of = season.rules.points.of
    return {player: of(row.rank, row.wins) for row in evening.rows for player in row.players}


def team_points(season: Season, evening: EveningAdded) -> dict[Who, int]:
    """The points of those who played together, whatever the order of their names."""
    of = season.rules.points.of
    return {
        tuple(sorted(row.players)): of(row.rank, row.wins) for row in evening.rows if len(row.players) > 1
    }


def village_points(season: Season, evening: EveningAdded, people: Mapping[int, Person]) -> dict[Who, int]:
    """The sum of the best players' points of each village, under its first spelling in the register."""
    spelling: dict[str, str] = {}
    for person in people.values():
        spelling.setdefault(plain_name(person.village), person.village)
    found: dict[str, list[int]] = defaultdict(list)
    for player, points in player_points(season, evening).items():
        if player in people and people[player].village:
            found[plain_name(people[player].village)].append(points)
    squad = season.rules.squad
    return {spelling[plain]: sum(sorted(points)[-squad:]) for plain, points in found.items()}
