"""People and challenges as pages show them to one visitor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from chouine.table.entries import SeatHolder

State = Literal["open", "accepted", "declined", "expired"]
Relation = Literal["self", "friend", "met", "stranger"]
HERE = 120.0
"""Seconds since a page last asked, within which a person counts as here."""
VILLAGE_LENGTH = 40
ITEMS = ("name", "village", "emblem", "since")
"""What a person's page may show, each as its owner chose."""
CHOICES = {
    "name": ("met", "everybody"),
    **dict.fromkeys(ITEMS[1:], ("nobody", "friends", "everybody")),
    "challenged_by": ("met", "friends", "nobody"),
}
"""The answers that each choice has, the usual one first."""


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A person as one visitor may know them."""

    id: str
    name: str
    relation: Relation
    village: str = ""
    emblem: str = ""
    since: float = 0.0
    """Each of these is empty or 0 where it is not given, or not for this visitor."""
    here: bool = False
    """Whether a page of theirs asked just now; only friends learn of it."""
    asked: bool = False
    """Whether the visitor has asked them to be friends, without an answer so far."""
    asks: bool = False
    """Whether they ask the visitor."""
    blocked: bool = False
    """Whether the visitor has blocked them."""
    may_challenge: bool = False


@dataclass(frozen=True, slots=True)
class OwnPersonPage:
    """A person's own page, as they see and change it."""

    id: str
    name: str
    village: str
    emblem: str
    since: float
    choices: dict[str, str]
    """The answer to each of `CHOICES`."""
    present: bool
    """Whether friends see who is here."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge as one of those concerned sees it."""

    id: str
    names: tuple[str, ...]
    """The challenger's name to whoever is challenged; to the challenger those of all challenged."""
    rules: str
    format: str
    move: int
    until: float
    state: State
    table_id: str = ""


def others_to_challenge(holders: tuple[SeatHolder, ...], guest: str) -> dict[str, str]:
    """The others of a finished match whom a guest may challenge to another, with their names.

    Empty unless each seat is another person's, who is still there.
    """
    people = {holder.guest: holder.name for holder in holders if holder.player == "person" and holder.guest}
    whole = len(people) == len(holders) and guest in people
    return {each: name for each, name in people.items() if each != guest} if whole else {}
