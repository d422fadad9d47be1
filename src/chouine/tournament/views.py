"""Views of a contest for a desk: totals, seats, the ranking, the effects of an act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chouine.tournament.entering import round_closed
from chouine.tournament.errors import ActRefused
from chouine.tournament.field import drawable, eligible, field_of, newcomers
from chouine.tournament.formula import STAGES, Stage
from chouine.tournament.ranking import Ranked, distance, ranking
from chouine.tournament.state import Contest, Entrant, Round, RoundTable


@dataclass(frozen=True, slots=True)
class Totals:
    entries: int
    here: int
    ladies: int
    juniors: int
    meals: int
    paid: int
    """Cents paid."""
    due: int
    """Cents that all entries owe in total, paid or not."""


def totals(contest: Contest) -> Totals:
    """The totals of all entries."""
    everyone = contest.entrants.values()
    return Totals(
        entries=len(contest.entrants),
        here=sum(entrant.here and not entrant.withdrawn for entrant in everyone),
        ladies=sum(entrant.details.lady for entrant in everyone),
        juniors=sum(entrant.details.junior for entrant in everyone),
        meals=sum(entrant.details.meals for entrant in everyone),
        paid=sum(entrant.paid for entrant in everyone),
        due=sum(price(contest, entrant) for entrant in everyone),
    )


def price(contest: Contest, entrant: Entrant) -> int:
    """The price of an entry in cents: the fee and its meals."""
    return contest.opened.fee + contest.opened.meal * entrant.details.meals


def entries_open(contest: Contest) -> bool:
    """Whether entries are possible: until round 1 closes, or the contest does."""
    return not (contest.seed or contest.ended) and not (contest.main and round_closed(contest))


def absent(contest: Contest) -> tuple[int, ...]:
    """Entries registered in advance that have not turned up."""
    return tuple(n for n, entrant in contest.entrants.items() if not entrant.here and not entrant.withdrawn)


def seats(round_: Round) -> dict[int, int | None]:
    """The table of each entry of a round, by entry number; None for an exempt."""
    found = {player: table.number or None for table in round_.tables for player in table.players}
    return dict(sorted(found.items()))


def room_of(contest: Contest, table: int) -> tuple[str, int] | None:
    """A table's room and its number there, from 1; None if the rooms hold fewer tables."""
    for name, tables in contest.opened.rooms:
        if table <= tables:
            return name, table
        table -= tables
    return None


def next_draw(contest: Contest, stage: Stage) -> int | ActRefused:
    """The round that can be drawn now, or the reason why none can."""
    try:
        return drawable(contest, stage)[0]
    except ActRefused as why:
        return why


def over(contest: Contest) -> bool:
    """Whether everything has been played, the consolante included."""
    if not contest.main or any(round_.open for round_ in contest.all_rounds()):
        return False
    stages = STAGES if contest.formula.consolante != "none" else STAGES[:1]
    return all(isinstance(next_draw(contest, stage), ActRefused) for stage in stages)


def is_final(contest: Contest) -> bool:
    """Whether the ranking is the last: all has been played, or the contest was ended."""
    return contest.ended or over(contest)


def still_in(contest: Contest, stage: Stage) -> int:
    """Entries still in a stage, including those yet to join it."""
    if stage == "consolante" and contest.formula.consolante == "none":
        return 0
    if stage == "consolante" and not contest.consolante:
        return len(eligible(contest))
    if not contest.rounds(stage):
        return len(field_of(contest, stage))
    ahead = set(contest.rounds(stage)[-1].ahead) | {
        p for t in contest.rounds(stage)[-1].open for p in t.players
    }
    return len(ahead) + (len(newcomers(contest)) if stage == "consolante" else 0)


@dataclass(frozen=True, slots=True)
class Palmares:
    ranking: tuple[Ranked, ...]
    ladies: tuple[int, ...]
    """The best lady's entry number; several if the club has a tie to settle."""
    juniors: tuple[int, ...]
    consolante: tuple[int, ...]
    """The winner of the consolante; several while it is not played to its end."""


def palmares(contest: Contest) -> Palmares:
    """The current ranking, the best lady and junior among drawn entries, and who is ahead in the consolante."""
    ranked = ranking(contest)
    drawn = [one for one in ranked if distance(contest.main, one.number)]
    details = {one.number: contest.entrants[one.number].details for one in drawn}
    ahead = {one.number: distance(contest.consolante, one.number) for one in ranked}
    furthest = max(ahead.values(), default=0)
    return Palmares(
        ranked,
        first_of([one for one in drawn if details[one.number].lady]),
        first_of([one for one in drawn if details[one.number].junior]),
        tuple(number for number, far in ahead.items() if far == furthest > 0),
    )


def first_of(ranked: Sequence[Ranked]) -> tuple[int, ...]:
    """The entries that share the best rank among these."""
    return tuple(one.number for one in ranked if one.rank == ranked[0].rank)


@dataclass(frozen=True, slots=True)
class TableChange:
    """A table before and after a change; None on the side where it does not exist."""

    stage: Stage
    round: int
    before: RoundTable | None
    after: RoundTable | None

    @property
    def void(self) -> bool:
        """Whether a result becomes void and the table must be replayed."""
        return (
            self.before is not None
            and self.before.decided
            and self.after is not None
            and not self.after.decided
        )


def changes(before: Contest, after: Contest) -> Iterator[TableChange]:
    """The tables that differ between two contests; with `add(contest, act, …)` the effects of an act in advance."""
    for stage in STAGES:
        olds, news = before.rounds(stage), after.rounds(stage)
        for number in range(1, max(len(olds), len(news)) + 1):
            old = olds[number - 1].tables if number <= len(olds) else ()
            new = news[number - 1].tables if number <= len(news) else ()
            for nth in range(max(len(old), len(new))):
                change = TableChange(
                    stage, number, old[nth] if nth < len(old) else None, new[nth] if nth < len(new) else None
                )
                if change.before != change.after:
                    yield change
