"""What of a season everybody may see: the club's page, each evening, and a folder of both to put on any web site."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from chouine.contest import ActRefused, Contest, ranking
from chouine.contest.formula import STAGES
from chouine.contest.ranking import distance
from chouine.days import day_of
from chouine.phrases import Language
from chouine.season import Season
from chouine.season.acts import EveningAdded
from chouine.server.contest.season_store import People
from chouine.server.contest.season_tables import LABELS, categories, namer, ranked_lines
from chouine.server.contest.spreadsheet import euros
from chouine.server.contest.standing import day, round_name
from chouine.server.contest.tree import columns
from chouine.server.pages.env import STATIC, render
from chouine.server.pages.visit import Visit

FONTS = ("fonts/text.woff2", "fonts/title.woff2", "fonts/suits.woff2")
"""What the style sheets ask for."""


def club_page(visit: Visit, season: Season, people: People, *, at: datetime, **context: object) -> str:
    """The ranking of every category, the evenings, and those announced that are not over."""
    found = [
        (one, LABELS[one], ranked_lines(season, people, one, public=True))
        for one in categories(season, people)
    ]
    variables: dict[str, Any] = {
        "season": season,
        "rankings": found,
        "numbered": False,
        "evenings": season.evenings,
        "nexts": coming_evenings(season, at),
        "served": False,
        "here": "/",
        "evening_at": lambda nth: f"/evening/{nth}",
        **common_variables(visit.language),
    }
    return render(visit, "season/public.html", **{**variables, **context})


def evening_page(
    visit: Visit, season: Season, people: People, nth: int, contest: Contest | None = None, **context: object
) -> str:
    """An evening's ranking, and with its contest the draws too; `nth` from 1."""
    evening = season.evenings[nth - 1]
    name = namer(season, people, public=True)
    names = entry_names(evening, contest, name) if contest else {}
    trees: list[tuple[str, list[Any]]] = []
    for stage in STAGES:
        if contest and (found := columns(contest, stage)):
            named = [(round_name(contest, visit.language, stage, one.round), one.tables) for one in found]
            trees.append((stage, named))
    variables: dict[str, Any] = {
        "season": season,
        "evening": evening,
        "name": name,
        "names": names,
        "trees": trees,
        "season_at": "/",
        "served": False,
        "here": f"/evening/{nth}",
        **common_variables(visit.language),
    }
    return render(visit, "season/evening.html", **{**variables, **context})


def common_variables(language: Language) -> dict[str, Any]:
    return {"euros": euros, "day_in_words": lambda day: day_in_words(day, language)}


def entry_names(
    evening: EveningAdded, contest: Contest, name: Callable[[tuple[int, ...]], str]
) -> Mapping[int, str]:
    """The published names of a contest's entries. Raises `ActRefused` if the season has another state of it."""
    if evening.acts != len(contest.lines):
        raise ActRefused("season/other-state", title=evening.title)
    drawn = [one.number for one in ranking(contest) if distance(contest.main, one.number)]
    return {number: name(row.players) for number, row in zip(drawn, evening.rows, strict=True)}


def coming_evenings(season: Season, at: datetime) -> list[tuple[int, Any]]:
    """The announced evenings that are today or later by the club's clock, the next one first."""
    today = day_of(at, None).isoformat()
    found = [(number, one) for number, one in season.nexts.items() if one.announced.day >= today]
    return sorted(found, key=lambda one: one[1].announced.day)


def day_in_words(text: str, language: Language) -> str:
    """`2027-01-15` as a date in words, `2027-01-15T20:00` with the hour."""
    at = datetime.fromisoformat(text if "T" in text else f"{text}T12:00")
    words = day(round(at.timestamp() * 1000), language)
    return f"{words}, {at:%H:%M}" if "T" in text else words


def publish(
    season: Season, people: People, folder: Path, language: Language, contests: Mapping[str, Contest]
) -> int:
    """Write the folder, and return its number of pages. `contests` by their first seals, for the draws."""
    visit = Visit(language, "", "")
    needed = {*FONTS}

    def static(path: str) -> str:
        needed.add(path)
        return f"static/{path}"

    here = {"static": static}
    pages = {
        f"evening-{nth}.html": evening_page(
            visit, season, people, nth, contests.get(one.source), season_at="index.html", **here
        )
        for nth, one in enumerate(season.evenings, 1)
    }
    now = datetime.now().astimezone()
    pages["index.html"] = club_page(
        visit, season, people, at=now, evening_at=lambda nth: f"evening-{nth}.html", **here
    )
    for name in sorted(needed):
        (folder / "static" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(STATIC / name, folder / "static" / name)
    for name, page in pages.items():
        (folder / name).write_text(page, encoding="utf-8")
    return len(pages)
