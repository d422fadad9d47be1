"""What all players made of a day's parties, in memory: read from time to time, and asked with every page."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from chouine.daily import PARTIES, DailyScore

FEWEST = 5
"""The fewest players whose results are shown together: with fewer one could guess who did what."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A guest's partie of a day; `score` is None while it is being played."""

    guest: str
    nth: int
    table_id: str
    score: DailyScore | None
    acts: tuple[str, ...]
    """The guest's own acts, as tokens."""
    counts: bool
    """Whether it was played on its day."""


@dataclass(frozen=True, slots=True)
class ChoiceShare:
    """What all did who came to the same decision: they and their opponent had done the same until then."""

    act: str
    share: float
    players: int
    favourite: str
    """The act that most chose, and…"""
    favoured: float
    """… their share."""


@dataclass(slots=True)
class DailyField:
    """All counted parties of a day, by their number."""

    until: float = 0.0
    """All that ended before is here."""
    read: float = float("-inf")
    attempts: dict[tuple[int, str], Attempt] = field(default_factory=dict)
    scores: list[list[DailyScore]] = field(default_factory=lambda: [[] for _ in range(PARTIES)])
    """By partie, the least first."""
    divided: dict[tuple[int, tuple[str, ...]], dict[str, list[Attempt]]] = field(default_factory=dict)
    """Those who came to a decision, by the partie and the acts until then, and by what they did; filled by `divide`."""

    def of(self, nth: int) -> list[Attempt]:
        """The attempts at a partie, in no order."""
        return [one for one in self.attempts.values() if one.nth == nth]

    def share_below(self, nth: int, score: DailyScore) -> float | None:
        """The share of the other players who did worse, half of the equal ones; None for too few."""
        scores = self.scores[nth]
        if len(scores) < FEWEST:
            return None
        low, high = bisect_left(scores, score), bisect_right(scores, score)
        others = len(scores) - (1 if high > low else 0)
        return (low + max(high - low - 1, 0) / 2) / others

    def choices(self, nth: int, acts: Sequence[str]) -> list[ChoiceShare]:
        """How the players' acts divide at each of these decisions, until too few came to it."""
        found = list[ChoiceShare]()
        for at, act in enumerate(acts):
            chosen = {each: len(group) for each, group in self.divide(nth, (*acts[:at],)).items()}
            players = sum(chosen.values())
            if players < FEWEST:
                break
            favourite, most = min(chosen.items(), key=lambda each: (-each[1], each[0]))
            found.append(ChoiceShare(act, chosen.get(act, 0) / players, players, favourite, most / players))
        return found

    def divide(self, nth: int, done: tuple[str, ...]) -> dict[str, list[Attempt]]:
        """Those who came to a decision by these acts, by what they did; whoever had ended by then is left out."""
        if (nth, done) not in self.divided:
            came = self.divide(nth, done[:-1]).get(done[-1], []) if done else self.of(nth)
            groups = self.divided[nth, done] = dict[str, list[Attempt]]()
            for one in came:
                if len(one.acts) > len(done):
                    groups.setdefault(one.acts[len(done)], []).append(one)
        return self.divided[nth, done]


def attempt_of(row: Any) -> Attempt:
    """The attempt in a row of `daily_play`."""
    score = score_of(row) if row.ended else None
    return Attempt(row.guest, row.nth, row.table_id, score, tuple(row.acts.split()), row.counts)


def score_of(row: Any) -> DailyScore:
    """The score in a row."""
    return DailyScore(row.mark, row.gain, row.chouine)


def sorted_scores(attempts: Iterable[Attempt]) -> list[list[DailyScore]]:
    """The scores of finished parties, by partie, the least first."""
    scores: list[list[DailyScore]] = [[] for _ in range(PARTIES)]
    for one in attempts:
        if one.score is not None:
            scores[one.nth].append(one.score)
    order = attrgetter(*DailyScore.__match_args__)  # as scores compare, ten times as fast
    return [sorted(each, key=order) for each in scores]
