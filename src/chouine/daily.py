"""La donne du jour: each day three sealed parties, the same for all, against one opponent that answers all alike.

The deals of all days follow from one secret seed. A day's digest is published before it and can be checked once the
day is over, when its nonce is shown. Thursdays have three seats, Saturdays are Mondoubleau. The player has seat `a`;
who deals moves on from partie to partie, so that over the week everybody deals and leads alike.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from hashlib import sha256
from itertools import chain
from typing import Any, Self

from chouine.arena.partie import asking, play_on
from chouine.cards import PACK, Card
from chouine.notation.deals import complete_deal, read_deal
from chouine.notation.lines import actions_of
from chouine.notation.tokens import token
from chouine.partie.deal import Deal
from chouine.partie.result import Result
from chouine.partie.state import State
from chouine.players.base import Player
from chouine.registry import player_of
from chouine.rules.options import Rules
from chouine.school.review import all_decisions, judge
from chouine.table.entries import DAILY, Opened, SeatHolder

PARTIES = 3
"""Parties a day."""
SEAT = 0
"""The player's seat."""
WEEKDAYS = ("classic", "classic", "classic", "three", "classic", "mondoubleau", "classic")
"""The preset of each day, from Monday."""
NAMES = ("Octave", "Honorine")
"""The opponents' names."""
CHOUINE = 100
"""Points by which a chouine counts as won or lost."""
COST_WORLDS = 256
"""Worlds in which each act is tried to say what a decision cost."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day's parties."""

    day: date
    rules: Rules
    deals: tuple[Deal, ...]
    nonce: str
    """Published with the deals, once the day is over."""

    @classmethod
    def of(cls, seed: bytes, day: date) -> Day:
        """The parties of a day, from the seed of all days."""
        rules = Rules.of_preset(WEEKDAYS[day.weekday()])
        first = PARTIES * day.toordinal()
        deals = tuple(
            Deal.from_pack(rules, (first + nth) % rules.seats, shuffled_pack(seed, day, nth))
            for nth in range(PARTIES)
        )
        return cls(day, rules, deals, drawn_number(seed, day, "nonce").hex())

    @property
    def digest(self) -> str:
        """SHA-256 in hexadecimal of nonce, date, rules and deals, each on a line."""
        lines = (self.nonce, str(self.day), str(self.rules), *map(str, self.deals))
        return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()

    @property
    def data(self) -> dict[str, Any]:
        """All of it as JSON data, once it is public."""
        return {
            "date": str(self.day),
            "rules": str(self.rules),
            "digest": self.digest,
            "nonce": self.nonce,
            "deals": [*map(str, self.deals)],
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The day of `data`. Raises `ValueError` unless the deals are those of its digest."""
        rules = Rules.parse(data["rules"])
        deals = [complete_deal(read_deal(deal, rules)) for deal in data["deals"]]
        day = cls(date.fromisoformat(data["date"]), rules, tuple(filter(None, deals)), data["nonce"])
        if day.digest != data["digest"]:
            raise ValueError(f"other deals than those of {day.day}")
        return day

    def table(self, nth: int, person: SeatHolder, opened: Opened) -> Opened:
        """The table of a partie. `opened`: the player's settings."""
        others = (SeatHolder(DAILY, name) for name in NAMES[: self.rules.seats - 1])
        return replace(
            opened, rules=str(self.rules), format="1x1", chairs=(person, *others), deal=str(self.deals[nth])
        )


def shuffled_pack(seed: bytes, day: date, nth: int) -> list[Card]:
    """A pack in an order that only the seed tells, any order as likely as any other."""
    return sorted(PACK, key=lambda card: drawn_number(seed, day, f"{nth} {card}"))


def drawn_number(seed: bytes, day: date, what: str) -> bytes:
    """32 bytes that only the seed tells."""
    return hmac.digest(seed, f"{day} {what}".encode(), "sha256")


def opponent() -> Player:
    """The opponent of every partie: the network, and two seats' last tricks exactly.

    It takes no chance and looks at no clock, and its kernels give the same numbers in a browser: the same acts get the
    same answers everywhere.
    """
    return player_of(DAILY)


@dataclass(frozen=True, slots=True)
class PlayedDay:
    """A day as somebody played it."""

    day: Day
    parties: tuple[State, ...]

    @property
    def acts(self) -> list[list[str]]:
        """The acts of each partie as tokens (`docs/notation.md`)."""
        return [[token(action) for action in actions_of(partie.events)] for partie in self.parties]

    @property
    def points(self) -> list[tuple[int, ...]]:
        """The points of each partie, by seat."""
        return [partie.result.points for partie in self.parties if partie.result]

    @property
    def cost(self) -> float:
        """What the player's mistakes gave away, in parties: lost chances to win, by the reviews. Needs `fast`."""
        found = chain.from_iterable(map(all_decisions, self.parties))
        return sum(judge(decision, COST_WORLDS).cost for decision in found if decision.seat == SEAT)


def play_day(day: Day, players: Sequence[Player]) -> PlayedDay:
    """Play a day's parties, each by a player of its own."""
    return PlayedDay(day, tuple(map(partial(play_partie, day.rules), day.deals, players)))


def play_partie(rules: Rules, deal: Deal, player: Player) -> State:
    """Play a deal to its end, a player against the opponent at all other seats."""
    players = [player if seat == SEAT else opponent() for seat in range(rules.seats)]
    return play_on(State.new(rules, deal), asking(players))


@dataclass(frozen=True, slots=True, order=True)
class DailyScore:
    """What somebody made of a partie, greater for better."""

    mark: int
    """2 for a win, 1 for a nulle, 0 for a loss."""
    gain: int
    """By how many points, `CHOUINE` for a chouine."""
    chouine: bool = False
    """Whether a chouine ended it: a count can differ by as many points."""

    @classmethod
    def of(cls, result: Result, seat: int = SEAT) -> DailyScore:
        """The score of a seat."""
        others = [points for other, points in enumerate(result.points) if other != seat]
        gain = result.points[seat] - max(others)
        if result.winner is None:
            return cls(1, 0)
        won = result.winner == seat
        if result.by == "chouine":
            return cls(2 if won else 0, CHOUINE if won else -CHOUINE, chouine=True)
        return cls(2 if won else 0, max(gain, 1) if won else min(gain, -1))
