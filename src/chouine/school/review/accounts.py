"""A result as a sum: fair share + own mistakes + the others' mistakes + luck."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chouine.arena.aivat import luck_by_source
from chouine.arena.value import LinearValue
from chouine.partie.result import Result
from chouine.partie.state import State
from chouine.school.review.decisions import Judgement

PLAYED_OUT = ("points", "chouine", "nulle")
UNDECIDED = ("misdeal", "unfinished")


@dataclass(frozen=True, slots=True)
class Account:
    """A seat's result of one partie or of several, in shares of a partie.

    `result` = `fair` + `mistakes` + `others` + `luck`; of luck `dealt` and `drawn` came with cards.
    """

    seat: int
    result: float | None
    """None where nothing was decided."""
    fair: float
    mistakes: float
    """What its own mistakes cost, 0 or less."""
    small: float
    """Part of that: what is too little for a name."""
    others: float
    """What the others' mistakes gave it: with more than two seats each seat its even share."""
    luck: float | None
    """None of a partie that was not played out: no card made anybody concede."""
    dealt: float = 0.0
    drawn: float = 0.0

    @property
    def rest(self) -> float:
        """Luck that came with no card of its own: how what nobody could see fell out."""
        return (self.luck or 0.0) - self.dealt - self.drawn


def accounts(played: State, result: Result, found: Iterable[Judgement]) -> list[Account]:
    """Every seat's; `played` is the partie after its last act."""
    seats = range(played.rules.seats)
    costs, small = ([0.0 for _ in seats] for _ in range(2))
    for each in found:
        costs[each.seat] += each.cost
        small[each.seat] += 0.0 if each.label else each.cost
    finished = result.by in PLAYED_OUT
    dealt, drawn = ([0.0 for _ in seats] for _ in range(2))
    if finished:
        dealt, drawn = luck_by_source(played, LinearValue.of(played.rules))
    fair = 1 / len(seats)
    told = []
    for seat in seats:
        given = (sum(costs) - costs[seat]) / (len(seats) - 1)
        got = share(result, seat, len(seats))
        luck = got - fair + costs[seat] - given if finished and got is not None else None
        own = 0.0 - costs[seat], 0.0 - small[seat]
        told.append(Account(seat, got, fair, *own, given, luck, dealt[seat], drawn[seat]))
    return told


def share(result: Result, seat: int, seats: int) -> float | None:
    """What a seat got of a partie; None where nothing was decided. A nulle is an even share."""
    if result.by in UNDECIDED:
        return None
    return 1 / seats if result.winner is None else float(seat == result.winner)


def together(parties: Sequence[Sequence[Account]]) -> list[Account]:
    """Every seat's of several parties that were played out, added up; none where there was no such partie."""
    finished = [partie for partie in parties if all(each.luck is not None for each in partie)]
    if not finished:
        return []
    return [added([partie[seat] for partie in finished]) for seat in range(len(finished[0]))]


def added(own: Sequence[Account]) -> Account:
    """One seat's accounts, added up."""

    def total(values: Iterable[float | None]) -> float:
        return sum(value or 0.0 for value in values)

    return Account(
        own[0].seat,
        total(each.result for each in own),
        total(each.fair for each in own),
        total(each.mistakes for each in own),
        total(each.small for each in own),
        total(each.others for each in own),
        total(each.luck for each in own),
        total(each.dealt for each in own),
        total(each.drawn for each in own),
    )
