"""Finished parties looked back on in the browser: a decision at a time, as long as their page is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from chouine.ai.levels import looks_back
from chouine.partie.state import State
from chouine.school.review import Decision, Review, all_decisions, judge

LOOKED_AT = 6.0
"""Seconds after which a page that has not asked again is no longer looked at; it asks each second."""


@dataclass
class ReviewInBrowser:
    """A review, what is still to be judged, and when its page asked last."""

    left: list[tuple[int, Decision]]
    review: Review
    asked: float = 0.0


@dataclass
class OfflineReviews:
    """What was found since the browser was opened: it is found again the same."""

    reviews: dict[tuple[str, int], ReviewInBrowser] = field(default_factory=dict)

    def of(self, game: str, number: int, finished: State, now: float) -> Review:
        """What was found so far; more is looked for from now on."""
        if (game, number) not in self.reviews:
            left = list(enumerate(all_decisions(finished)))
            self.reviews[game, number] = ReviewInBrowser(left, Review(len(left)))
        found = self.reviews[game, number]
        if looks_back(finished.rules):
            found.asked = now
        return found.review

    def wanted(self, now: float) -> Iterator[ReviewInBrowser]:
        """Those whose pages wait for more."""
        return (each for each in self.reviews.values() if each.left and now < each.asked + LOOKED_AT)

    def go_on(self, now: float) -> bool:
        """Judge one more decision, if any is waited for; whether there is more to do."""
        found = next(self.wanted(now), None)
        if found is None:
            return False
        nth, decision = found.left.pop(0)
        found.review = replace(found.review, judged=found.review.judged | {nth: judge(decision)})
        return any(self.wanted(now))
