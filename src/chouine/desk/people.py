"""The register of names, which stands beside the log so that a name can be erased and the log still hold."""

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
    """What relatives have in common, in whatever words; empty where it does not matter."""

    def __str__(self) -> str:
        """As the register keeps it."""
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
    """What the log is told of an entry: village and family as the number of an entry that has the same."""
    return Details(
        lady, junior, same("family", person, people, contest), same("village", person, people, contest), meals
    )


def same(
    kind: Literal["family", "village"], person: Person, people: Mapping[int, Person], contest: Contest
) -> int:
    """The number under which the log knows this person's village or family; that of the entry to come if it is new."""
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
    """`Montoire ` and `montoire` are one village."""
    return " ".join(text.split()).casefold()
