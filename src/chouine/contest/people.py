"""The register of names, kept beside the log so that a name can be erased while the log stays valid."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Literal, Self

from chouine.contest.acts import Amended, Details
from chouine.contest.log import data_in
from chouine.contest.state import Contest
from chouine.errors import ActRefused
from chouine.names import NameRefused, display_name, display_text, look_of, person_key, plain_name

LONGEST = 80
"""Longest name, village or reason, in characters."""
PARTICLES = {
    "al", "ben", "da", "de", "del", "della", "den", "der", "des", "di", "du", "el", "la", "le", "les", "mac", "mc",
    "saint", "sainte", "st", "ste", "van", "von",
}  # fmt: skip
"""Words that belong to the surname which they precede, in small letters."""
BOTH = re.compile(r"(\s*[&/+,]\s*|\s+(?:et|and)\s+)")
"""What stands between the two names of a team."""


@dataclass(frozen=True, slots=True)
class Person:
    """The person behind an entry number; for a team both names."""

    name: str
    village: str = ""
    family: str = ""
    """Any text that relatives share, such as a family name; empty if irrelevant."""
    surname: str = field(default="", compare=False)
    """The end of the name by which lists sort it; empty where nobody told it from the first name."""

    def __str__(self) -> str:
        """The person as stored in the register."""
        own = {name: text for name, text in asdict(self).items() if text or name != "surname"}
        return json.dumps(own, ensure_ascii=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The person of a text in the register, however long the names. Raises `ActRefused` for any other."""
        data, names = data_in(text), {one.name for one in fields(cls)}
        if not isinstance(data, dict) or not {"name"} <= data.keys() <= names:
            raise ActRefused("contest/shape", piece="person")
        if not all(isinstance(own, str) for own in data.values()):
            raise ActRefused("contest/shape", piece="person")
        return cls(**data)


def person_named(name: str, village: str = "", family: str = "", first: str = "") -> Person:
    """A person under names that can be shown; `name` is the surname if `first` is given. Raises `ActRefused`."""
    for text in (f"{first} {name}".strip(), village, family):
        if len(text) > LONGEST:
            raise ActRefused("contest/cell-long", text=text[:20], most=LONGEST)
    try:
        surname = display_text(name, LONGEST) if first else ""
        shown = display_name(f"{first} {name}", LONGEST)
        person = Person(shown, display_text(village, LONGEST), display_text(family, LONGEST), surname)
    except NameRefused as fault:
        raise ActRefused(fault.code, **fault.data) from fault
    if not person.name:
        raise ActRefused("contest/no-name")
    return person


def name_parts(name: str, surname: str = "") -> tuple[str, str]:
    """Surname and first name. Unless the surname is known it is what stands in capitals, else the last word.

    >>> name_parts("Jean de La Tour d’Auvergne"), name_parts("LE GALL Yves")
    (('de La Tour d’Auvergne', 'Jean'), ('LE GALL', 'Yves'))
    """
    if surname and name.endswith(surname):
        return surname, name.removesuffix(surname).strip()
    words = name.split()
    capitals = [word for word in words if word.isupper() and sum(map(str.isalpha, word)) > 1]
    if capitals and len(capitals) < len(words):
        return " ".join(capitals), " ".join(word for word in words if word not in capitals)
    start = len(words) - 1
    if words and words[-1][:2].casefold() in ("d’", "d'"):  # Jean de La Tour d’Auvergne
        start = next((at for at, word in enumerate(words) if at and is_particle(word)), start)
    while start > 0 and is_particle(words[start - 1]):
        start -= 1
    return " ".join(words[start:]), " ".join(words[:start])


def is_particle(word: str) -> bool:
    return word.casefold().rstrip(".") in PARTICLES


def surname_first(person: Person) -> str:
    """`Bordier Jean`; of a team both: `Bordier Jean & Petit Léa`."""
    names = BOTH.split(person.name) if not person.surname else [person.name]
    turned = (" ".join(filter(None, name_parts(one, person.surname))) for one in names[::2])
    return "".join(text for pair in zip(turned, [*names[1::2], ""], strict=True) for text in pair)


def directory_key(person: Person) -> tuple[str, ...]:
    """Sort key of a French telephone book: letter by letter, the surname with its particle, then the first name.

    Accents, blanks, hyphens and apostrophes count for nothing between different letters: de La Tour beside Delatour.
    """
    surname, first = name_parts(
        BOTH.split(person.name)[0] if not person.surname else person.name, person.surname
    )
    letters = (plain_name(text).replace(" ", "") for text in (surname, first, person.name))
    return *letters, person.name, plain_name(person.village)


class Names(dict[int, str]):
    """What entries are called, by number. Who could be taken for another has number and village after the name."""

    def __init__(self, people: Mapping[int, Person], numbers: Iterable[int]) -> None:
        found = {number: people.get(number) for number in numbers}
        keys = Counter(person_key(one.name) for one in found.values() if one)
        looks = Counter(look_of(one.name) for one in found.values() if one)
        self.listed: dict[int, str] = {}
        """The same surname first, in the order of a telephone book; erased names come last."""
        order = {number: directory_key(one) for number, one in found.items() if one}
        for number in sorted(found, key=lambda number: (number not in order, order.get(number, ()), number)):
            one = found[number]
            if one is None:
                self[number] = self.listed[number] = f"n° {number}"
                continue
            mistaken = keys[person_key(one.name)] > 1 or looks[look_of(one.name)] > 1
            more = f" ({', '.join(filter(None, (str(number), one.village)))})" if mistaken else ""
            self[number], self.listed[number] = one.name + more, surname_first(one) + more

    @classmethod
    def as_given(cls, names: Mapping[int, str]) -> Names:
        """Names that are not people's, such as an online player's: as they are, in alphabetical order."""
        made = cls({}, ())
        made.update(names)
        made.listed = dict(sorted(names.items(), key=lambda item: plain_name(item[1])))
        return made


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
    return unused_number(
        kind, (entrant.details for entrant in contest.entrants.values()), contest.next_number
    )


def unused_number(kind: str, details: Iterable[Details], least: int) -> int:
    """A number that no village or family has."""
    return max([least, *(int(getattr(one, kind)) + 1 for one in details)])


def regroup(people: Mapping[int, Person], contest: Contest) -> list[Amended]:
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
                numbers[text] = own if fresh else unused_number(kind, details.values(), contest.next_number)
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
