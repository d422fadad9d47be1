"""A season's rankings and members as tables: for pages, paper, spreadsheets and the terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chouine.contest.people import Names
from chouine.contest.plain import kind_of
from chouine.phrases import N_, Language, say, translations
from chouine.season import CATEGORIES, Category, Season, ranking
from chouine.season.acts import KINDS, ActUndone, SeasonAct
from chouine.season.members import public_name
from chouine.season.ranking import Who, points_by_evening
from chouine.server.contest.season_store import People, SeasonStore
from chouine.server.contest.spreadsheet import Cells, flag, headings
from chouine.server.contest.standing import clock, day

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
    gone = {line.act.act for line in season.lines if isinstance(line.act, ActUndone)}
    return [
        (
            line.n,
            f"{day(line.at, language)}, {clock(line.at)}",
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
