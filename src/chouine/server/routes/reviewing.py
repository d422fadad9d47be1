"""Begins the reviews that pages ask for, charged to their visitors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chouine.ai.levels import looks_back
from chouine.school.review import Review
from chouine.server.services import services_of
from chouine.table.state import TableState

if TYPE_CHECKING:
    from chouine.server.routes.context import Context


async def continue_review(
    context: Context, table_id: str, table: TableState, number: int, review: Review
) -> Review:
    """A partie's review so far; starts computing the rest, charged to this visitor."""
    reviews = services_of(context.request).reviews
    played = table.played[number - 1]
    state = played.state
    if (
        not context.head
        and not review.complete
        and looks_back(state.rules)
        and not reviews.is_begun(table_id, number)
    ):
        if not review.judged:
            await context.count("reviews")
        reviews.begin(table_id, number, state, review, context.share, played.followed)
    return review
