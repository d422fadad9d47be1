"""Reviews computed in the browser, one decision at a time, while their page is open."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from chouine.ai.levels import looks_back
from chouine.school.review import Decision, Review, after_advice, all_decisions, judge
from chouine.table.state import FinishedPartie

LOOKED_AT = 6.0
"""Seconds without a request after which a page counts as closed; it asks each second."""


@dataclass
class ReviewInBrowser:
    """A review, its remaining decisions, and when its page last asked."""

    left: list[tuple[int, Decision]]
    review: Review
    followed: Collection[tuple[int, str]]
    """What was done as advised at the table, as (the act's number, token)."""
    asked: float = 0.0


@dataclass
class OfflineReviews:
    """The reviews of this session. They are deterministic, so they need not be stored."""

    reviews: dict[tuple[str, int], ReviewInBrowser] = field(default_factory=dict)

    def of(self, table_id: str, number: int, played: FinishedPartie, now: float) -> Review:
        """A partie's review so far; computing continues after the call."""
        finished = played.state
        if (table_id, number) not in self.reviews:
            left = list(enumerate(all_decisions(finished)))
            self.reviews[table_id, number] = ReviewInBrowser(left, Review(len(left)), played.followed)
        found = self.reviews[table_id, number]
        if looks_back(finished.rules):
            found.asked = now
        return found.review

    def wanted_reviews(self, now: float) -> Iterator[ReviewInBrowser]:
        """The incomplete reviews whose pages are open."""
        return (each for each in self.reviews.values() if each.left and now < each.asked + LOOKED_AT)

    def go_on(self, now: float) -> bool:
        """Judge one more decision if a page waits. Returns whether more is to do."""
        found = next(self.wanted_reviews(now), None)
        if found is None:
            return False
        nth, decision = found.left.pop(0)
        judged_now = replace(found.review, judged=found.review.judged | {nth: judge(decision)})
        found.review = after_advice(judged_now, found.followed)
        return any(self.wanted_reviews(now))
