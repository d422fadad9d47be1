"""An evening as one desk hands it to a season: its ranking with names, and where the contest comes from.

It is JSON, or the same compressed to letters that a code can hold. Names are in it: it goes from club to club
and is not published.
"""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from chouine.contest import ActRefused, Contest
from chouine.contest.log import as_json, build
from chouine.contest.people import BOTH, Doubles, Person, near_places, person_named
from chouine.contest.ranking import ranking_of_drawn
from chouine.contest.views import is_final
from chouine.days import day_of
from chouine.names import person_key
from chouine.season.acts import EveningAdded, EveningRow, Newcomer
from chouine.season.state import Season

MARK = "CHOUINE-1-"
"""What compressed results begin with."""
LARGEST = 4_000_000
"""Most characters of results once unpacked: a season of fifty evenings of 400 people."""


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A line of the ranking. A name that was erased is empty."""

    rank: int
    names: tuple[str, ...]
    wins: int = 0
    village: str = ""
    lady: bool = False
    junior: bool = False
    surname: str = ""
    """The end of a single name by which lists sort it, if known."""

    @property
    def people(self) -> tuple[Person | None, ...]:
        """The people of the row, None for an erased name. Raises `ActRefused`."""
        if len(self.names) == 1 and self.surname and self.names[0].endswith(f" {self.surname}"):
            first = self.names[0].removesuffix(self.surname)
            return (person_named(self.surname, self.village, first=first.strip()),)
        return tuple(person_named(name, self.village) if name else None for name in self.names)


@dataclass(frozen=True, slots=True)
class EveningResults:
    """An evening; the fields are those of `EveningAdded`."""

    source: str
    acts: int
    day: str
    rows: tuple[ResultRow, ...]
    title: str = ""
    club: str = ""


def results_of_contest(contest: Contest, people: Mapping[int, Person], club: str = "") -> EveningResults:
    """The evening of a contest that is over: everybody who was drawn. Raises `ActRefused` before, or for nobody."""
    if not is_final(contest):
        raise ActRefused("season/not-over", title=contest.opened.title)
    if not contest.main:
        raise ActRefused("season/twice")
    teams = contest.formula.members > 1
    rows = []
    for one in ranking_of_drawn(contest):
        person, details = people.get(one.number, Person("")), contest.entrants[one.number].details
        names = tuple(BOTH.split(person.name)[::2]) if teams else (person.name,)
        flags = (details.lady, details.junior)
        rows.append(ResultRow(one.rank, names, one.tally.wins, person.village, *flags, person.surname))
    began = datetime.fromtimestamp(contest.main[0].drawn / 1000, UTC)
    day = day_of(began, None).isoformat()
    return EveningResults(
        contest.lines[0].seal, len(contest.lines), day, tuple(rows), contest.opened.title, club
    )


def results_of_season(season: Season, people: Mapping[int, Person]) -> tuple[EveningResults, ...]:
    """A season's evenings, so that another season takes them: each person under the spelling that counts."""
    found = []
    for evening in season.evenings:
        rows = []
        for row in evening.rows:
            known = [people.get(number, Person("")) for number in row.players]
            member = season.players[row.players[0]].member
            alone = len(row.players) == 1
            names = tuple(person.name for person in known)
            flags = (alone and member.lady, alone and member.junior)
            rows.append(ResultRow(row.rank, names, row.wins, known[0].village, *flags, known[0].surname))
        found.append(
            EveningResults(
                evening.source, evening.acts, evening.day, tuple(rows), evening.title, evening.club
            )
        )
    return tuple(found)


def text_of(evenings: Sequence[EveningResults]) -> str:
    """Sheets as JSON."""
    return json.dumps([as_json(evening) for evening in evenings], ensure_ascii=False, separators=(",", ":"))


def code_of(evenings: Sequence[EveningResults]) -> str:
    """Sheets as few letters, for a QR code or a message."""
    return MARK + urlsafe_b64encode(zlib.compress(text_of(evenings).encode(), 9)).decode()


def read_results(text: str) -> tuple[EveningResults, ...]:
    """The results in a text, of either form. Raises `ActRefused`."""
    try:
        text = text.strip().lstrip("\ufeff")
        if text.startswith(MARK):
            packed = zlib.decompressobj()
            text = packed.decompress(urlsafe_b64decode(text.removeprefix(MARK)), LARGEST).decode()
        data = json.loads(text)
    except (ValueError, zlib.error, RecursionError) as fault:
        raise ActRefused("season/no-sheet") from fault
    try:
        evenings: tuple[EveningResults, ...] = build(tuple[EveningResults, ...], data, "evenings")
    except ActRefused as fault:
        raise ActRefused("season/no-sheet") from fault
    return evenings


def add_results(
    season: Season, people: Mapping[int, Person], evening: EveningResults
) -> tuple[EveningAdded, dict[int, Person]]:
    """The act that adds an evening, and the names of those whom it brings. Raises `ActRefused`.

    Whoever has the same name, and no other village, is the same person, but nobody twice in an evening.
    """
    known = PeopleByName(season, people)
    rows, newcomers, names = [], [], {}
    number = season.next_number
    for row in evening.rows:
        players = []
        for person in row.people:
            found = known.take(person) if person else None
            if found is None:
                alone = len(row.names) == 1
                found, number = number, number + 1
                newcomers.append(Newcomer(found, alone and row.lady, alone and row.junior))
                if person:
                    names[found] = person
            players.append(found)
        rows.append(EveningRow(tuple(players), row.rank, row.wins))
    act = EveningAdded(
        evening.source, evening.acts, evening.day, evening.title, evening.club, tuple(rows), tuple(newcomers)
    )
    return act, names


class PeopleByName:
    """The people of a season by name, each taken at most once."""

    def __init__(self, season: Season, people: Mapping[int, Person]) -> None:
        self._season, self._people = season, people
        self._by_key: dict[str, list[int]] = {}
        for number, person in people.items():
            if number in season.players:
                self._by_key.setdefault(person_key(person.name), []).append(number)
        self._taken: set[int] = set()

    def take(self, person: Person) -> int | None:
        """The number of a person of this name who was not taken yet; None if there is none."""
        for number in self._by_key.get(person_key(person.name), ()):
            kept = self._season.number_of(number)
            if kept not in self._taken and near_places(person.village, self._people[number].village):
                self._taken.add(kept)
                return kept
        return None


def look_alikes(season: Season, people: Mapping[int, Person]) -> tuple[tuple[int, int], ...]:
    """Pairs that may be one person under two spellings: near names and villages, never at the same evening."""
    met: dict[int, set[str]] = {}
    for evening in season.evenings:
        for row in evening.rows:
            for player in row.players:
                met.setdefault(player, set()).add(evening.source)
    doubles, found = Doubles(), []
    for number in season.people:
        if number in people:
            like = doubles.find(people[number])
            if like and not met.get(int(like[0]), set()) & met.get(number, set()):
                found.append((int(like[0]), number))
            doubles.add(str(number), people[number])
    return tuple(found)
