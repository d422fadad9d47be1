"""Problems that were missed and one's own mistakes, to be gone over again: when each is due (FSRS)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, Self

import msgspec
from fsrs import Card, Rating, Scheduler, State
from msgspec.structs import replace

MOST = 200
"""Problems that wait to be gone over again; the last missed stay."""
KNOWN = 60.0
"""Days for which a problem is remembered from when on it does not come again."""


class Mistake(NamedTuple):
    """One's own mistake: a decision of a finished partie, by its place in the review."""

    game: str
    partie: int
    nth: int

    def __str__(self) -> str:
        return f"{self.game}/{self.partie}/{self.nth}"

    @classmethod
    def parse(cls, name: str) -> Self | None:
        """The mistake that a name stands for; None for a problem's."""
        game, _, place = name.partition("/")
        partie, _, nth = place.partition("/")
        return cls(game, int(partie), int(nth)) if partie.isdecimal() and nth.isdecimal() else None

    @property
    def address(self) -> str:
        """The page on which this decision is tried again."""
        return f"/match/{self.game}/{self.partie}/review/{self.nth}"


class Repetition(msgspec.Struct, frozen=True):
    """A problem or a mistake, and what is reckoned of how well it is remembered."""

    problem: str
    """Its name: a problem's, or a mistake's."""
    due: datetime
    last: datetime
    stability: float
    difficulty: float


@dataclass(frozen=True, slots=True)
class ProblemAnswer:
    """An answer to a problem."""

    problem: str
    right: bool
    at: datetime


def gone_over(waiting: Sequence[Repetition], answer: ProblemAnswer) -> tuple[Repetition, ...]:
    """What waits after an answer. A problem that is not due yet is only practised: that says nothing of memory."""
    known = next((one for one in waiting if one.problem == answer.problem), None)
    if (known is None and answer.right) or (known is not None and known.due > answer.at):
        return tuple(waiting)
    after = reviewed(known, answer)
    others = [one for one in waiting if one.problem != answer.problem]
    return tuple([*others, *([after] if after.stability < KNOWN else [])][-MOST:])


def missed(
    waiting: Sequence[Repetition], mistakes: Iterable[Mistake], now: datetime
) -> tuple[Repetition, ...]:
    """What waits once these mistakes are known of: each was missed in play."""
    for name in map(str, mistakes):
        if all(one.problem != name for one in waiting):
            waiting = gone_over(waiting, ProblemAnswer(name, right=False, at=now))
    return tuple(waiting)


def reviewed(known: Repetition | None, answer: ProblemAnswer) -> Repetition:
    """The problem after this answer: within days, never hours."""
    card = Card(card_id=0) if known is None else card_of(known)
    by_days = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    after, _ = by_days.review_card(card, Rating.Good if answer.right else Rating.Again, answer.at)
    return Repetition(answer.problem, after.due, answer.at, after.stability or 0.0, after.difficulty or 0.0)


def card_of(known: Repetition) -> Card:
    """A problem as the scheduler has it."""
    return Card(
        card_id=0,
        state=State.Review,
        stability=known.stability,
        difficulty=known.difficulty,
        due=known.due,
        last_review=known.last,
    )


def due(waiting: Sequence[Repetition], now: datetime) -> list[str]:
    """The ids of the problems that are due, longest overdue first."""
    return [one.problem for one in sorted(waiting, key=lambda one: one.due) if one.due <= now]


def in_utc(one: Repetition) -> Repetition:
    """A repetition with its times converted to UTC: a file may hold times of any zone, or of none."""
    return replace(one, due=aware(one.due), last=aware(one.last))


def aware(at: datetime) -> datetime:
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
