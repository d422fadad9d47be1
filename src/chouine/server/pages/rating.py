"""The page of one's rating, and what others may see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chouine.server.feats.counting import names_at
from chouine.server.pages.env import render
from chouine.server.pages.own import play_sentence
from chouine.server.pages.review import HEIGHT, LEFT, RIGHT, WIDTH, height, x_on_graph
from chouine.server.pages.visit import Visit
from chouine.server.pages.wording import PRESETS
from chouine.server.pages.words import Words, words_of
from chouine.server.rating.glicko import MIDDLE, Rating, chance
from chouine.server.rating.ledger import RatingChange, changes_of, shown_of
from chouine.server.reviews import Reviews
from chouine.server.store import Store

SURE = 1.96
"""Standard deviations on either side: 19 bands of 20 hold the true value."""
UNCERTAIN = 110.0
"""Standard deviation from which the page says that little is known yet."""
MARGIN = 50.0
"""Points above and below the band on the graph."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match in the table."""

    address: str
    with_whom: str
    place: int
    expected: str
    """Matches of ten that one was expected to win; empty at larger tables."""
    change: str


@dataclass(frozen=True, slots=True)
class Curve:
    """The rating in one variant."""

    variant: str
    now: str
    meaning: str
    uncertain: bool
    line: str
    """The mean after each match, as points of the graph."""
    band: str
    """The outline of the band."""
    levels: tuple[tuple[str, float], ...]
    matches: tuple[RatedMatch, ...]


def rating_page(
    visit: Visit,
    matches: Sequence[Sequence[RatingChange]],
    names: Mapping[str, Sequence[str]],
    shown: tuple[bool, bool],
    *,
    saved: bool = False,
) -> str:
    """The page. `matches` as `changes_of` gives them; `names` at their tables, by seat; `shown`: rating, play."""
    variants = dict.fromkeys(match[0].variant for match in matches)
    curves = [
        curve_of(visit, [match for match in matches if match[0].variant == variant], names)
        for variant in variants
    ]
    return render(
        visit,
        "rating.html",
        here="/mine/rating",
        curves=curves,
        shown=shown,
        saved=saved,
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
    )


def curve_of(
    visit: Visit, matches: Sequence[Sequence[RatingChange]], names: Mapping[str, Sequence[str]]
) -> Curve:
    """The rating in one variant, from all its matches, oldest first."""
    words = words_of(visit)
    own = [next(each for each in match if each.guest == visit.guest) for match in matches]
    bands = [band_of(each.after) for each in own]
    low, high = min(each[0] for each in bands) - MARGIN, max(each[1] for each in bands) + MARGIN

    def at(nth: int, points: float) -> str:
        return f"{x_on_graph(nth, max(1, len(own) - 1))},{height((points - low) / (high - low))}"

    ceiling = [at(nth, band[1]) for nth, band in enumerate(bands)]
    floor = [at(nth, band[0]) for nth, band in enumerate(bands)]
    marks = {100 * round(points / 100) for points in (low + MARGIN, (low + high) / 2, high - MARGIN)}
    last = own[-1].after
    return Curve(
        words.gettext(PRESETS[own[0].variant][0]),
        band_sentence(last, words),
        meaning_of(last, words) if len(matches[0]) == 2 else "",
        last.spread > UNCERTAIN,
        " ".join(at(nth, each.after.mean) for nth, each in enumerate(own)),
        " ".join([*ceiling, *reversed(floor)]),
        tuple((str(mark), height((mark - low) / (high - low))) for mark in sorted(marks)),
        tuple(played_of(match, mine, names) for match, mine in zip(matches, own, strict=True)),
    )


def band_of(rating: Rating) -> tuple[float, float]:
    """The band that holds the true rating 19 times of 20."""
    return rating.mean - SURE * rating.spread, rating.mean + SURE * rating.spread


def band_sentence(rating: Rating, words: Words) -> str:
    """The band in words, rounded to tens."""
    low, high = (10 * round(points / 10) for points in band_of(rating))
    return words.gettext("between %(least)s and %(most)s") % {"least": low, "most": high}


def meaning_of(rating: Rating, words: Words) -> str:
    """What the rating means, for two seats: matches of ten against somebody new, between one and nine."""
    tenths = tenths_of(chance(rating, Rating(MIDDLE, 0.0)))
    return words.gettext(
        "Of ten matches against a player of 1500, where everybody begins, that is about %(num)s won."
    ) % {"num": tenths}


def tenths_of(probability: float) -> int:
    """A probability in tenths; never none and never all, which nobody can know."""
    return min(9, max(1, round(10 * probability)))


def played_of(
    match: Sequence[RatingChange], own: RatingChange, names: Mapping[str, Sequence[str]]
) -> RatedMatch:
    """A match as the table shows it."""
    called = names.get(own.table_id, ())
    others = [each for each in match if each.seat != own.seat]
    expected = str(tenths_of(chance(own.before, others[0].before))) if len(others) == 1 else ""
    with_whom = ", ".join(called[each.seat] for each in others if each.seat < len(called))
    moved = round(own.after.mean) - round(own.before.mean)
    sign = "+" if moved > 0 else "−" if moved < 0 else "±"
    return RatedMatch(f"/match/{own.table_id}", with_whom or "—", own.place, expected, f"{sign}{abs(moved)}")


async def shown_sentences(store: Store, reviews: Reviews, guest: str, words: Words) -> list[str]:
    """What a person lets others see of how well they play, in sentences; empty if that is nothing."""
    rating, play = await shown_of(store, guest)
    found = []
    if rating:
        latest = {match[0].variant: match for match in await changes_of(store, guest)}
        for variant, match in latest.items():
            own = next(each for each in match if each.guest == guest)
            name = words.gettext(PRESETS[variant][0])
            found.append(
                words.gettext("Rating, %(label)s: %(text)s")
                % {"label": name, "text": band_sentence(own.after, words)}
            )
    if play and (sentence := play_sentence(await reviews.own(guest), words)):
        found.append(sentence)
    return found


async def rating_data(
    store: Store, guest: str
) -> tuple[list[list[RatingChange]], dict[str, tuple[str, ...]], tuple[bool, bool]]:
    """What the page shows of a guest: the matches, the names at their tables, what others may see."""
    matches = await changes_of(store, guest)
    names = await names_at(store, [match[0].table_id for match in matches])
    return matches, names, await shown_of(store, guest)
