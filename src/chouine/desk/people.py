"""The register of names, kept beside the log so that a name can be erased while the log stays valid."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal, Self

from chouine.names import NameRefused, display_name, display_text, person_key, plain_name
from chouine.tournament.acts import Amended, Details
from chouine.tournament.errors import ActRefused
from chouine.tournament.state import Contest

LONGEST = 80
"""Longest name, village or reason, in characters."""


@dataclass(frozen=True, slots=True)
class Person:
    """The person behind an entry number; for a team both names."""

    name: str
    village: str = ""
    family: str = ""
    """Any text that relatives share, such as a family name; empty if irrelevant."""

    def __str__(self) -> str:
        """The person as stored in the register."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(**json.loads(text))


def named(name: str, village: str = "", family: str = "") -> Person:
    """A person under names that can be shown. Raises `ActRefused`."""
    for text in (name, village, family):
        if len(text) > LONGEST:
            raise ActRefused("contest/cell-long", text=text[:20], most=LONGEST)
    try:
        shown = display_name(name, LONGEST)
        person = Person(shown, display_text(village, LONGEST), display_text(family, LONGEST))
    except NameRefused as fault:
        raise ActRefused(fault.code, **fault.data) from fault
    if not person.name:
        raise ActRefused("contest/no-name")
    return person


def details_of(
    person: Person,
    people: Mapping[int, Person],
    contest: Contest,
    *,
    lady: bool = False,
    junior: bool = False,
    meals: int = 0,
) -> Details:
    """The entry's data for the log: village and family as the number of an entry with the same."""
    return Details(
        lady, junior, same("family", person, people, contest), same("village", person, people, contest), meals
    )


def same(
    kind: Literal["family", "village"], person: Person, people: Mapping[int, Person], contest: Contest
) -> int:
    """The log's number for this person's village or family: the first entry's that has it, else a new one."""
    text = plain_name(getattr(person, kind))
    if not text:
        return 0
    for number, other in people.items():
        if plain_name(getattr(other, kind)) == text and number in contest.entrants:
            known: int = getattr(contest.entrants[number].details, kind)
            if known:
                return known
    return unused(kind, (entrant.details for entrant in contest.entrants.values()), contest.next_number)


def unused(kind: str, details: Iterable[Details], least: int) -> int:
    """A number that no village or family has."""
    return max([least, *(int(getattr(one, kind)) + 1 for one in details)])


def regrouped(people: Mapping[int, Person], contest: Contest) -> list[Amended]:
    """Acts after which the log keeps apart what is one village or family in the register.

    An older program compared letter by letter. Done before the draw, so that the draw is still a function of the log.
    """
    details = {number: entrant.details for number, entrant in contest.entrants.items() if number in people}
    for kind in contest.formula.apart:
        numbers = {"": 0}
        for number, before in details.items():
            text = plain_name(getattr(people[number], kind))
            if text not in numbers:
                own = getattr(before, kind)
                fresh = own and own not in numbers.values()
                numbers[text] = own if fresh else unused(kind, details.values(), contest.next_number)
            now = numbers[text]
            details[number] = (
                replace(before, family=now) if kind == "family" else replace(before, village=now)
            )
    return [
        Amended(number, own) for number, own in details.items() if own != contest.entrants[number].details
    ]


class Doubles:
    """People by what makes two of them look like one: the order of words, a letter or a word more, a village added."""

    def __init__(self, people: Iterable[tuple[str, Person]] = ()) -> None:
        self._by_key: dict[str, list[tuple[str, Person]]] = {}
        for label, person in people:
            self.add(label, person)

    def add(self, label: str, person: Person) -> None:
        """Add a person, called so in what `find` returns."""
        for key in near_keys(person.name):
            self._by_key.setdefault(key, []).append((label, person))

    def find(self, person: Person) -> tuple[str, bool] | None:
        """The label of the first who looks like this person, and whether the names are the same."""
        found = [other for key in near_keys(person.name) for other in self._by_key.get(key, ())]
        close = [other for other in found if near_places(person.village, other[1].village)]
        same = [label for label, other in close if person_key(other.name) == person_key(person.name)]
        return (same[0], True) if same else (close[0][0], False) if close else None


def near_keys(name: str) -> set[str]:
    """A name's form for comparison, and what is left of it without one letter or one word: near names share one."""
    key = person_key(name)
    words = key.split()
    letters = {key[:at] + key[at + 1 :] for at in range(len(key))} if len(key) > 4 else set()
    fewer = {" ".join(words[:at] + words[at + 1 :]) for at in range(len(words))} if len(words) > 2 else set()
    return {key} | letters | fewer


def near_places(one: str, other: str) -> bool:
    """Whether two villages may be one: written nearly so, shortened (`Sougé` for `Sougé-sur-Braye`), or left out."""
    short, long = sorted((set(plain_name(one).split()), set(plain_name(other).split())), key=len)
    return short <= long or bool(near_keys(one) & near_keys(other))
