"""Spaced repetition (FSRS) of missed problems and of the visitor's own mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from typing import TYPE_CHECKING, NamedTuple, Self

from msgspec.structs import replace

from chouine.days import day_of, start_of
from chouine.server.saved import Repetition

if TYPE_CHECKING:
    from fsrs import Card

MOST = 200
"""Most items in the queue; the most recently missed are kept."""
KNOWN = 60.0
"""An item whose predicted memory lasts this many days leaves the queue."""


class Mistake(NamedTuple):
    """A mistake of the visitor: a decision of a finished partie, by its number in the review."""

    table_id: str
    partie: int
    nth: int

    def __str__(self) -> str:
        return f"{self.table_id}/{self.partie}/{self.nth}"

    @classmethod
    def parse(cls, name: str) -> Self | None:
        """The mistake encoded in an item's name; None if the name is a problem's."""
        table_id, _, place = name.partition("/")
        partie, _, nth = place.partition("/")
        return cls(table_id, int(partie), int(nth)) if partie.isdecimal() and nth.isdecimal() else None

    @property
    def address(self) -> str:
        """The address of the exercise for this decision."""
        return f"/match/{self.table_id}/{self.partie}/review/{self.nth}"


@dataclass(frozen=True, slots=True)
class ProblemAnswer:
    """An answer to an item."""

    problem: str
    right: bool
    at: datetime
    """The moment, in the visitor's time zone."""


def gone_over(waiting: Sequence[Repetition], answer: ProblemAnswer) -> tuple[Repetition, ...]:
    """The queue after an answer. An answer before the item is due is practice, and changes nothing."""
    known = next((one for one in waiting if one.problem == answer.problem), None)
    if (known is None and answer.right) or (known is not None and known.due > answer.at):
        return tuple(waiting)
    after = review_answer(known, answer)
    others = [one for one in waiting if one.problem != answer.problem]
    return tuple([*others, *([after] if after.stability < KNOWN else [])][-MOST:])


def add_mistakes(
    waiting: Sequence[Repetition], mistakes: Iterable[Mistake], now: datetime
) -> tuple[Repetition, ...]:
    """The queue with new mistakes added, each as missed now."""
    for name in map(str, mistakes):
        if all(one.problem != name for one in waiting):
            waiting = gone_over(waiting, ProblemAnswer(name, right=False, at=now))
    return tuple(waiting)


def review_answer(known: Repetition | None, answer: ProblemAnswer) -> Repetition:
    """The item's memory state after an answer, due again when a later day of the visitor begins."""
    from fsrs import Card, Rating, Scheduler  # not on a device without a network

    zone = answer.at.tzinfo
    card = Card(card_id=0) if known is None else card_of(known, zone)
    by_days = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    rating, today = Rating.Good if answer.right else Rating.Again, utc_midnight(day_of(answer.at, zone))
    after, _ = by_days.review_card(card, rating, today)
    due = start_of(after.due.date(), zone)
    return Repetition(answer.problem, due, as_utc(answer.at), after.stability or 0.0, after.difficulty or 0.0)


def utc_midnight(day: date) -> datetime:
    """A day as FSRS knows it, which counts 24 hours for each."""
    return datetime.combine(day, time(), UTC)


def card_of(known: Repetition, zone: tzinfo | None) -> Card:
    """The item as the FSRS library's card."""
    from fsrs import Card, State

    return Card(
        card_id=0,
        state=State.Review,
        stability=known.stability,
        difficulty=known.difficulty,
        due=utc_midnight(day_of(known.due, zone)),
        last_review=utc_midnight(day_of(known.last, zone)),
    )


def due_problems(waiting: Sequence[Repetition], now: datetime) -> list[str]:
    """The ids of the problems that are due, longest overdue first."""
    return [one.problem for one in sorted(waiting, key=lambda one: one.due) if one.due <= now]


def in_utc(one: Repetition) -> Repetition:
    """A repetition with its times converted to UTC: a file may hold times of any zone, or of none."""
    return replace(one, due=as_utc(one.due), last=as_utc(one.last))


def as_utc(at: datetime) -> datetime:
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
