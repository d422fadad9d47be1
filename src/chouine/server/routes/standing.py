"""Pages of how well one plays and what one has done: the rating, statistics and feats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.phrases import N_
from chouine.phrases.personas import PERSONAS
from chouine.server.pages.env import render
from chouine.server.pages.review import HEIGHT, LEFT, RIGHT, WIDTH, height, x_on_graph
from chouine.server.pages.visit import Visit
from chouine.server.pages.wording import PRESETS
from chouine.server.pages.words import Words, words_of
from chouine.server.reviews import Reviews
from chouine.server.routes.context import Context
from chouine.server.routes.own_play import play_sentence
from chouine.server.standing.glicko import MIDDLE, Rating, chance
from chouine.server.standing.ledger import RatingChange, changes_of, show, shown_of
from chouine.server.standing.tallies import (
    FEATS,
    MatchTally,
    PartieCounts,
    Statistics,
    count_matches,
    counted_of,
    names_at,
    statistics_of,
)
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


SENTENCES = {
    "chouine": (N_("A chouine"), N_("One word, and nothing left to count.")),
    "trump-chouine": (
        N_("A chouine in trumps"),
        N_("There is no better hand: the Loir stopped to look."),
    ),
    "quinte": (N_("A quinte"), N_("Five brisques at once: one needs a large hand.")),
    "late-quinte": (
        N_("A quinte with the last five cards"),
        N_("The talon was empty, the hand was not."),
    ),
    "trump-quarteron": (N_("A quarteron in trumps"), N_("Eighty points in one breath.")),
    "mariages": (
        N_("Three mariages in one partie"),
        N_("Three weddings on one day, and the priest still at table."),
    ),
    "close": (N_("A partie won by two points at most"), N_("61 to 59, say: count again, it is so.")),
    "der": (
        N_("A partie won by the dix de der"),
        N_("It is the last trick that is talked about on the way home."),
    ),
    "au-sept": (N_("The seven exchanged at “au sept”"), N_("It was said once, and once was enough.")),
    "seven-for-ace": (N_("The seven for the ace"), N_("The smallest went out, the greatest came in.")),
    "last-five": (
        N_("The last five tricks, all of them"),
        N_("Once the talon was gone, it rained on one side only."),
    ),
    "all-brisques": (N_("All eight brisques"), N_("The aces and the tens all went home together.")),
    "silent": (
        N_("A partie won without a declaration, though another declared"),
        N_("Still water, and deep."),
    ),
    "comeback": (
        N_("A manche won from one partie before losing it, and two behind"),
        N_("Floods go down too."),
    ),
    "under": (N_("The other under the table"), N_("Not one partie: mind your head when you get up.")),
    "belle": (N_("The belle won"), N_("A manche each, and the last one for you.")),
    "strongest": (
        N_("A match won against level 8, without help"),
        N_("In Lavardin they get up from their chairs for less."),
    ),
    "valley": (
        N_("A partie won against each of the eight levels, without help"),
        N_("From Trôo to Lavardin, the whole valley."),
    ),
    "streak": (N_("Ten parties won in a row"), N_("The cards do not do that by themselves.")),
    "hundred": (N_("A hundred parties"), N_("By now the cards know you.")),
}
"""Each feat's name, which is its condition, and its sentence."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table of records."""

    name: str
    record: PartieCounts


@dataclass(frozen=True, slots=True)
class Feat:
    """A feat on the page; without an address it has not been done yet."""

    name: str
    title: str
    sentence: str
    address: str


def feats_page(visit: Visit, found: Statistics, names: Mapping[str, str], left: int) -> str:
    """The page. `names`: those of the people met, by guest; `left`: matches that are still to be counted."""
    words = words_of(visit)
    return render(
        visit,
        "feats.html",
        here="/mine/feats",
        found=found,
        left=left,
        groups=[
            (N_("Opponents"), opponents_of(found, names, words)),
            (
                N_("Rules"),
                [Row(words.gettext(PRESETS[name][0]), one) for name, one in found.variants.items()],
            ),
            (
                N_("Seats"),
                [
                    Row(words.gettext("Player %(n)s") % {"n": seat + 1}, one)
                    for seat, one in sorted(found.seats.items())
                ],
            ),
        ],
        feats=[feat_of(name, found) for name in FEATS],
    )


def opponents_of(found: Statistics, names: Mapping[str, str], words: Words) -> list[Row]:
    """The records against each level, the weakest first, then against people, the most frequent first."""
    _ = words.gettext
    levels = [
        Row(_("%(name)s, level %(level)s") % {"name": PERSONAS[level - 1][0], "level": level}, record)
        for level, record in sorted(found.levels.items())
    ]
    people = sorted(found.people.items(), key=lambda one: -one[1].parties)
    return levels + [Row(names.get(guest) or _("players who left"), record) for guest, record in people]


def feat_of(name: str, found: Statistics) -> Feat:
    """A feat, with the address of the partie or match in which it was done first."""
    earned = found.feats.get(name)
    address = "" if earned is None else f"/match/{earned.table_id}"
    return Feat(name, *SENTENCES[name], f"{address}/{earned.partie}" if earned and earned.partie else address)


async def rating(request: Request) -> Response:
    """The visitor's rating; a post stores what others may see."""
    context = await Context.of(request)
    store, guest = context.tables.store, context.visitor.guest
    if request.method == "POST":
        form = await context.form()
        await context.count("showings")
        chosen = {name: form.get(name) == "1" for name in ("rating", "play")}
        await show(store, guest, **chosen, at=context.tables.clock())
        return await context.seal(RedirectResponse("/mine/rating?saved", 303))
    saved = "saved" in request.query_params
    page = rating_page(context.visit, *await rating_data(store, guest), saved=saved)
    return await context.page(page)


async def feats(request: Request) -> Response:
    """The visitor's matches in figures, after those that are not counted yet have been."""
    context = await Context.of(request)
    guest, left = context.visitor.guest, 0
    if not context.visitor.new and not context.head:
        left = await count_matches(context.tables, guest)
    counted = await counted_of(context.tables.store, guest)
    names = await names_met(context.tables.store, counted)
    return await context.page(feats_page(context.visit, statistics_of(counted), names, left))


async def names_met(store: Store, counted: list[MatchTally]) -> dict[str, str]:
    """The names of the people met at tables of two, each as at the latest match, by guest."""
    latest = {each.other: each for each in counted if each.other}
    names = await names_at(store, [each.table_id for each in latest.values()])
    return {
        other: names[each.table_id][1 - each.tally.seat]
        for other, each in latest.items()
        if each.table_id in names
    }
