"""Simulate whole seasons with random evenings, and print them for other programs."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date, timedelta
from hashlib import sha256
from typing import Any

from chouine.contest.chance import Chance
from chouine.season.acts import EveningAdded, EveningRow, Newcomer, SeasonOpened, SeasonRules
from chouine.season.ranking import points_by_evening, ranking
from chouine.season.state import Season, add

FIRST = date(2026, 9, 18)


def simulate_season(evenings: int, players: int, rules: SeasonRules, seed: str) -> Season:
    """A season of evenings to which at least two of the players come, a week apart; one place in eight is shared."""
    chance = Chance("chouine season 1", seed)
    season = add(None, SeasonOpened("", "", rules), "simulate", 0)
    for nth in range(evenings):
        present = chance.shuffle(range(1, players + 1))[: 2 + chance.number_below(players - 1)]
        rows: list[EveningRow] = []
        for place, player in enumerate(present, 1):
            shared = bool(rows) and chance.number_below(8) == 0
            rank = rows[-1].rank if shared else place
            rows.append(EveningRow((player,), rank, chance.number_below(8)))
        newcomers = tuple(Newcomer(player) for player in sorted(present) if player not in season.players)
        source = sha256(f"{seed}\n{nth}".encode()).hexdigest()
        day = (FIRST + timedelta(weeks=nth)).isoformat()
        act = EveningAdded(source, 1, day, "", "", tuple(rows), newcomers)
        season = add(season, act, "simulate", 0)
    return season


def season_figures(season: Season) -> dict[str, Any]:
    """A season as `chouine saison simulate --json` prints it (docs/notation.md)."""
    return {
        "points": {**asdict(season.rules.points), "places": list(season.rules.points.places)},
        "best": season.rules.best,
        "evenings": [{str(who): own for who, own in one.items()} for one in points_by_evening(season)],
        "ranking": [[str(one.who), one.total, one.counted] for one in ranking(season)],
    }
