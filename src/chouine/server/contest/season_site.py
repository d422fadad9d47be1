"""What a season shows: rankings and members as tables, the club's page, evenings, a folder for any web site."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from chouine.contest import ActRefused, Contest
from chouine.contest.formula import STAGES
from chouine.contest.log import kind_of, undone_by
from chouine.contest.people import Names
from chouine.contest.ranking import ranking_of_drawn
from chouine.days import day_of
from chouine.files import write_whole
from chouine.phrases import N_, Language, say, translations
from chouine.phrases.naming import decimal, hour_in_words, money
from chouine.season import CATEGORIES, Category, Season, ranking
from chouine.season.acts import KINDS, EveningAdded, SeasonAct
from chouine.season.members import public_name
from chouine.season.ranking import Who, points_by_evening
from chouine.server.contest.season_store import People, SeasonStore
from chouine.server.contest.spreadsheet import Cells, flag, headings
from chouine.server.contest.standing import clock, columns, day, round_name
from chouine.server.pages.env import STATIC, render
from chouine.server.pages.visit import Visit

LABELS: dict[Category, str] = {
    "all": N_("Everybody"),
    "ladies": N_("Ladies"),
    "juniors": N_("Juniors"),
    "villages": N_("Villages"),
    "teams": N_("Teams"),
}


@dataclass(frozen=True, slots=True)
class RankedLine:
    rank: int
    before: int
    """The rank before the last evening; 0 for whoever had none."""
    number: int
    """0 for a village or a team."""
    name: str
    points: tuple[int | None, ...]
    """Of each evening; None where absent."""
    total: int
    counted: int


def ranked_lines(
    season: Season, people: People, category: Category, *, public: bool = False
) -> tuple[RankedLine, ...]:
    """A ranking, best first; `public`: with the names that may be published."""
    points = points_by_evening(season, category, people)
    before = {one.who: one.rank for one in ranking(season, category, people, len(season.evenings) - 1)}
    name = namer(season, people, public=public)
    return tuple(
        RankedLine(
            one.rank,
            before.get(one.who, 0),
            one.who if isinstance(one.who, int) else 0,
            name(one.who),
            tuple(evening.get(one.who) for evening in points),
            one.total,
            one.counted,
        )
        for one in ranking(season, category, people)
    )


def namer(season: Season, people: People, *, public: bool) -> Callable[[Who], str]:
    """What names a player, a village or a team: who could be taken for another by number too, among us by village."""
    names = Names(people, season.people)

    def name(who: Who) -> str:
        if isinstance(who, str):
            return who
        if isinstance(who, tuple):
            return " & ".join(map(name, who))
        if who in people and not public:
            return names[who]
        shown = public_name(season, people, who)
        return f"{shown} ({who})" if who in people and shown == people[who].name != names[who] else shown

    return name


def categories(season: Season, people: People) -> tuple[Category, ...]:
    """The categories in which somebody is ranked."""
    return tuple(one for one in CATEGORIES if any(points_by_evening(season, one, people)))


def ranking_table(store: SeasonStore, category: Category, language: Language) -> Cells:
    """A ranking with the points of each evening; the first row has the headings."""
    days = (one.day for one in store.season.evenings)
    first = headings(language, N_("Rank"), N_("Number"), N_("Name"))
    yield (*first, *days, *headings(language, N_("Total"), N_("Evenings counted")))
    for one in ranked_lines(store.season, store.people, category):
        points = ("" if own is None else own for own in one.points)
        yield (one.rank, one.number or "", one.name, *points, one.total, one.counted)


def members_table(store: SeasonStore, language: Language) -> Cells:
    """Everybody in the register; the headings are those that a list of members is read by."""
    years = sorted({year for player in store.season.players.values() for year in player.paid})
    first = headings(language, N_("Number"), N_("Name"), N_("Village"), N_("Lady"), N_("Junior"))
    yield (*first, *headings(language, N_("Member since"), N_("Agrees to be named")), *map(str, years))
    for number in Names(store.people, store.season.people).listed:
        player, person = store.season.players[number], store.people.get(number)
        name, village = (person.name, person.village) if person else ("", "")
        member = player.member
        paid = (player.paid.get(year, 0) / 100 for year in years)
        flags = flag(member.lady), flag(member.junior), member.since, flag(member.consent)
        yield (number, name, village, *flags, *paid)


def log_rows(season: Season, people: People, language: Language) -> list[tuple[int, str, str, bool]]:
    """The acts after the opening, the newest first: number, day and hour, what was done, whether it is undone."""
    gone = undone_by(season.lines)
    return [
        (
            line.n,
            f"{day(line.at, language)}, {clock(line.at, language)}",
            act_sentence(line.act, people, language),
            line.n in gone,
        )
        for line in reversed(season.lines[1:])
    ]


def act_sentence(act: SeasonAct, people: People, language: Language) -> str:
    """An act in words: its kind, whom or what it concerns, its reason."""
    numbers = [one for field in ("kept", "other", "number") if (one := getattr(act, field, 0))]
    details = [f"{one} {people[one].name}" if one in people else str(one) for one in numbers]
    details += [str(own) for field in ("title", "club", "act", "reason") if (own := getattr(act, field, ""))]
    what = say(f"saison/act/{kind_of(act, KINDS)}", language)
    whole = translations(language).gettext("%(what)s: %(of)s")
    return whole % {"what": what, "of": ", ".join(details)} if details else what


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
    return {
        "money": partial(money, language=language),
        "decimal": partial(decimal, language=language),
        "day_in_words": partial(day_in_words, language=language),
    }


def entry_names(
    evening: EveningAdded, contest: Contest, name: Callable[[tuple[int, ...]], str]
) -> Mapping[int, str]:
    """The published names of a contest's entries. Raises `ActRefused` if the season has another state of it."""
    if evening.acts != len(contest.lines):
        raise ActRefused("season/other-state", title=evening.title)
    drawn = ranking_of_drawn(contest)
    return {one.number: name(row.players) for one, row in zip(drawn, evening.rows, strict=True)}


def coming_evenings(season: Season, at: datetime) -> list[tuple[int, Any]]:
    """The announced evenings that are today or later by the club's clock, the next one first."""
    today = day_of(at, None).isoformat()
    found = [(number, one) for number, one in season.nexts.items() if one.announced.day >= today]
    return sorted(found, key=lambda one: one[1].announced.day)


def day_in_words(text: str, language: Language) -> str:
    """`2027-01-15` as a date in words, `2027-01-15T20:00` with the hour."""
    at = datetime.fromisoformat(text if "T" in text else f"{text}T12:00")
    words = day(round(at.timestamp() * 1000), language)
    return f"{words}, {hour_in_words(at, language)}" if "T" in text else words


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
        write_whole(folder / "static" / name, (STATIC / name).read_bytes())
    for name, page in pages.items():
        write_whole(folder / name, page)
    return len(pages)
