"""The page "Your play": the cost of one's mistakes partie by partie, and the costliest as exercises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from chouine.ai.explanations import difference, percent
from chouine.phrases import Language, say
from chouine.phrases.personas import PERSONAS
from chouine.school.review.accounts import LEAST as LEAST_PARTIES
from chouine.school.review.accounts import level_costs, levels_alike, measure_of
from chouine.server.pages.env import render
from chouine.server.pages.review import HEIGHT, LEFT, RIGHT, WIDTH, height, whole_percent, x_on_graph
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.reviews import OwnReview

LEAST = 0.2
"""Least height of the plot, in shares of a partie."""
RECENT = 10
"""Number of parties in the moving average."""
TRIED = 12
"""Number of mistakes offered as exercises."""


@dataclass(frozen=True, slots=True)
class PartieCost:
    """A partie on the plot and in the table."""

    address: str
    x: float
    y: float
    mean: float
    """Height of the moving average."""
    cost: str
    mistakes: int


@dataclass(frozen=True, slots=True)
class Offered:
    """A mistake to be tried again."""

    address: str
    label: str
    cost: str
    trick: int


def own_page(visit: Visit, own: Sequence[OwnReview], *, asked: bool = False) -> str:
    """The page; `own` are the reviewed parties, oldest first. `asked`: reviews have just been asked for."""
    costs = [each.cost for each in own]
    top = max([LEAST, *costs])
    parties = [
        PartieCost(
            address_of(each),
            x_on_graph(nth, len(own)),
            height(each.cost / top),
            height(mean(costs[max(0, nth - RECENT + 1) : nth + 1]) / top),
            percent(each.cost, visit.language),
            len(each.mistakes),
        )
        for nth, each in enumerate(own)
    ]
    return render(
        visit,
        "school/own.html",
        here="/learn/own",
        parties=parties,
        measured=play_sentence(own, words_of(visit)),
        levels_cost=level_rows(visit.language),
        least=LEAST_PARTIES,
        asked=asked,
        recent=percent(mean(costs[-RECENT:]), visit.language) if costs else "",
        many=min(RECENT, len(costs)),
        offered=offered_mistakes(visit, own),
        levels=[(whole_percent(share, visit.language), height(share / top)) for share in (0.0, top / 2, top)],
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
    )


def play_sentence(own: Sequence[OwnReview], words: Words) -> str:
    """The measure of play in words; empty while too few parties are reviewed."""
    found = measure_of([each.cost for each in own if each.measured])
    if found is None:
        return ""
    low, high = levels_alike(found)
    costs = {"low": percent(found.low, words.language), "high": percent(found.high, words.language)}
    text = (
        words.gettext(
            "In %(parties)s classic parties, mistakes cost %(low)s to %(high)s of a partie:"
            " as those of level %(level)s."
        )
        if low == high
        else words.gettext(
            "In %(parties)s classic parties, mistakes cost %(low)s to %(high)s of a partie:"
            " as those of levels %(least)s to %(most)s."
        )
    )
    return text % (costs | {"parties": found.parties, "level": low, "least": low, "most": high})


def level_rows(language: Language) -> list[tuple[int, str, str]]:
    """Each level with the name of its first persona and the cost of its own mistakes."""
    return [
        (number, PERSONAS[number - 1][0], percent(cost, language))
        for number, cost in sorted(level_costs().items())
    ]


def address_of(own: OwnReview) -> str:
    """The address of a partie's review."""
    return f"/match/{own.table_id}/{own.partie}/review"


def offered_mistakes(visit: Visit, own: Sequence[OwnReview]) -> list[Offered]:
    """The mistakes that cost most."""
    found = [(mistake, nth, each) for each in own for nth, mistake in each.mistakes]
    worst = sorted(found, key=lambda one: -one[0].cost)[:TRIED]
    return [
        Offered(
            f"{address_of(each)}/{nth}",
            say(f"review/{mistake.label}", visit.language),
            difference(-mistake.cost, visit.language),
            mistake.trick,
        )
        for mistake, nth, each in worst
    ]
