"""The page of the deal of the day, and a result as a line and as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import NamedTuple

from chouine.daily import DailyScore, Day
from chouine.names import NAME_LENGTH
from chouine.notation.tokens import read_action
from chouine.phrases import date_in_words
from chouine.school.problems import streak
from chouine.school.review import Judgement
from chouine.server.daily_field import ChoiceShare
from chouine.server.pages import wording
from chouine.server.pages.advising import the_act
from chouine.server.pages.env import environment, render
from chouine.server.pages.review import whole_percent
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of

SIGNS = "♣♦♥"
"""A sign for each partie, which tells nothing of its cards."""
MARKS = "✗=✓"
"""The sign of a loss, a nulle and a win."""


@dataclass(frozen=True, slots=True)
class PartieOfDay:
    """A partie as shown to one visitor. Without a `table_id` it is not begun, without a `score` not over."""

    number: int
    table_id: str = ""
    score: DailyScore | None = None
    level8: DailyScore | None = None
    better: float | None = None
    """The share of players who did worse; None for too few."""
    choices: Sequence[ChoiceShare] = field(default=())
    costliest: Judgement | None = None
    """The visitor's costliest mistake, once the partie is reviewed and if there was one; …"""
    place: int = 0
    """… and the decision's number."""


class Boast(NamedTuple):
    """A result to be sent: the scores, the day's address, and that of the picture."""

    scores: Sequence[DailyScore]
    address: str
    picture: str


def daily_page(
    visit: Visit,
    of_day: Day,
    parties: Sequence[PartieOfDay],
    tables: Mapping[str, Sequence[object]],
    *,
    village: str,
    today: date,
    first: date,
    last: date,
    playable: bool,
    published: bool,
    streak_days: Sequence[date],
    digests: Sequence[tuple[date, str]],
    listed: str,
    boast: Boast | None,
    refused: str = "",
) -> str:
    """A day's three parties, what the visitor made of them, and the tables of the week and the month.

    `first`, `last`: the days that can be shown. `village`: the visitor's. `digests`: those of the coming days.
    `listed`: the visitor's name in the tables.
    """
    day = of_day.day
    return render(
        visit,
        "daily/index.html",
        here="/daily" if day == today else f"/daily/{day}",
        day=day,
        today=today,
        before=day - timedelta(1) if day > first else None,
        after=day + timedelta(1) if day < last else None,
        in_words={each: date_in_words(each, visit.language) for each in (day, *(one for one, _ in digests))},
        preset=wording.PRESETS[of_day.rules.preset][0],
        digest=of_day.digest,
        published=published,
        parties=parties,
        shown={partie.number: choices_in_words(visit, partie.choices) for partie in parties},
        mistake=lambda judged: mistake_in_words(visit, judged),
        result=lambda score: result_in_words(visit, score),
        name_length=NAME_LENGTH,
        percent=whole_percent,
        tables=tables,
        village=village,
        playable=playable,
        days=streak(streak_days, today),
        digests=digests,
        listed=listed,
        line=boast and boast_line(visit, day, boast),
        boast=boast,
        refused=refused,
    )


def mistake_in_words(visit: Visit, judged: Judgement) -> str:
    """The act, and the better one."""
    done, best = (the_act(words_of(visit), read_action(text)) for text in (judged.done, judged.best))
    return words_of(visit).gettext("%(act)s; better: %(best)s") % {"act": done, "best": best}


def result_in_words(visit: Visit, score: DailyScore) -> str:
    """What was made of a partie, in a few words."""
    _ = words_of(visit).gettext
    if score.mark == 1:
        return _("Nulle")
    if score.chouine:
        return _("Won by a chouine") if score.mark else _("Lost to a chouine")
    return (_("Won by %(points)s") if score.mark else _("Lost by %(points)s")) % {"points": abs(score.gain)}


def choices_in_words(visit: Visit, choices: Sequence[ChoiceShare]) -> list[tuple[str, str, int, str, str]]:
    """Each own act, the share of those who did the same, how many came there, and the favourite with its share."""
    return [
        (
            the_act(words_of(visit), read_action(one.act)),
            whole_percent(one.share, visit.language),
            one.players,
            "" if one.favourite == one.act else the_act(words_of(visit), read_action(one.favourite)),
            whole_percent(one.favoured, visit.language),
        )
        for one in choices
    ]


def boast_line(visit: Visit, day: date, boast: Boast) -> str:
    """A day's result as one line without a card."""
    _ = words_of(visit).gettext
    marks = " · ".join(
        f"{sign} {MARKS[score.mark]} {score.gain:+d}".replace("-", "−")
        for sign, score in zip(SIGNS, boast.scores, strict=True)
    )
    said = {"day": date_in_words(day, visit.language), "result": marks, "url": boast.address}
    return _("La Chouine, deal of %(day)s: %(result)s – %(url)s") % said


def picture_of(visit: Visit, day: date, marks: Sequence[tuple[int, int]]) -> str:
    """A result as SVG: a sign for each partie, won or lost and by how much."""
    rows = [
        (
            SIGNS[nth],
            MARKS[mark],
            f"{'+' if mark == 2 else '−' if mark == 0 else ''}{gain if mark != 1 else 0}",
        )
        for nth, (mark, gain) in enumerate(marks)
    ]
    page = environment(visit.language).get_template("daily/picture.svg")
    title = words_of(visit).gettext("The deal of %(day)s") % {"day": date_in_words(day, visit.language)}
    return page.render(title=title, rows=rows)
