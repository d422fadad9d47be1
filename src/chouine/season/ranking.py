"""The season's rankings, of all players, ladies, juniors, villages and teams, and how ties are broken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar, get_args

from chouine.contest.people import Person
from chouine.names import plain_name
from chouine.season.acts import EveningAdded
from chouine.season.state import Season

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RankingLine(Generic[K]):
    """One line of a season's ranking."""

    rank: int
    """From 1; ties share it."""
    who: K
    """A player's number, a village, or the numbers of a team."""
    total: int
    counted: int
    """How many evenings the total is the sum of."""
    evenings: tuple[int, ...]
    """The points of all evenings played, the best first."""


def standings(evenings: Iterable[Mapping[K, int]], best: int) -> tuple[RankingLine[K], ...]:
    """Everybody who came, best first: `evenings` are points by player, `best` how many count (0: all).

    Ties are broken by the best evening, the next best and so on, those that do not count included; then by who came
    more often. Who is equal even in that shares a place, and stands in the order of first coming.

    >>> [(one.rank, one.who, one.total) for one in standings([{"a": 5, "b": 9}, {"a": 5}, {"b": 1, "c": 10}], 2)]
    [(1, 'c', 10), (2, 'b', 10), (3, 'a', 10)]
    """
    scores: dict[K, list[int]] = {}
    for evening in evenings:
        for who, points in evening.items():
            scores.setdefault(who, []).append(points)
    keys = {who: key_of(sorted(points, reverse=True), best) for who, points in scores.items()}
    found: list[RankingLine[K]] = []
    for nth, who in enumerate(sorted(keys, key=keys.__getitem__), 1):
        played = tuple(sorted(scores[who], reverse=True))
        same = found and keys[found[-1].who] == keys[who]
        counted = played[: best or None]
        found.append(RankingLine(found[-1].rank if same else nth, who, sum(counted), len(counted), played))
    return tuple(found)


def key_of(points: Sequence[int], best: int) -> tuple[int, ...]:
    """The sort key of points sorted from the best, lower is ahead; 1 is behind any further evening."""
    return (-sum(points[: best or None]), *(-one for one in points), 1)


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
