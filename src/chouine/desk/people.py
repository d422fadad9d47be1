"""The register of names, kept beside the log so that a name can be erased while the log stays valid."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, Self

from chouine.tournament.acts import Details
from chouine.tournament.state import Contest


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
    """The log's number for this person's village or family: the first entry's that has it, else the new entry's."""
    text = plain(getattr(person, kind))
    if not text:
        return 0
    for number, other in people.items():
        if plain(getattr(other, kind)) == text and number in contest.entrants:
            known: int = getattr(contest.entrants[number].details, kind)
            if known:
                return known
    return contest.next_number


def plain(text: str) -> str:
    """A name for comparison: `Montoire ` and `montoire` are equal."""
    return " ".join(text.split()).casefold()
