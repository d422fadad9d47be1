"""Views of a contest for a desk: totals, seats, the ranking, the effects of an act."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chouine.contest.acts import ListEntered, Paid, Present
from chouine.contest.entering import entries_closed
from chouine.contest.errors import ActRefused
from chouine.contest.field import drawable_round, eligible_entries, field_of, newcomers
from chouine.contest.formula import STAGES, Stage
from chouine.contest.ranking import Ranked, ranking
from chouine.contest.state import Contest, Entrant, Round, RoundTable


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
    """Cents that those who take part owe in total, paid or not."""


def totals(contest: Contest) -> Totals:
    """The totals of all entries."""
    everyone, owing = contest.entrants.values(), contest.participants
    eating = [entrant for entrant in everyone if entrant.number in owing or may_come(contest, entrant)]
    return Totals(
        entries=len(contest.entrants),
        here=sum(entrant.here and not entrant.withdrawn for entrant in everyone),
        ladies=sum(entrant.details.lady for entrant in everyone),
        juniors=sum(entrant.details.junior for entrant in everyone),
        meals=sum(entrant.details.meals for entrant in eating),
        paid=sum(entrant.paid for entrant in everyone),
        due=sum(price(contest, entrant) for entrant in everyone if entrant.number in owing),
    )


def may_come(contest: Contest, entrant: Entrant) -> bool:
    """Whether an absent entry can still turn up."""
    return not entrant.here and not entrant.withdrawn and entries_open(contest)


def debt(contest: Contest, entrant: Entrant) -> int:
    """What an entry still owes in cents, negative if it has paid too much; before it has come, what it will owe."""
    owing = entrant.number in contest.participants or may_come(contest, entrant)
    return (price(contest, entrant) if owing else 0) - entrant.paid


@dataclass(frozen=True, slots=True)
class Payment:
    at: int
    """Milliseconds since 1970."""
    by: str
    """The desk that took it."""
    number: int
    """The entry's."""
    cents: int
    """Negative for a refund."""


def payments(contest: Contest) -> list[Payment]:
    """All payments in the order of the log, without those undone."""
    found: list[Payment] = []
    gone = contest.undone
    for line in contest.lines:
        match line.act:
            case Paid(number=number, cents=cents) | Present(number=number, cents=cents):
                taken = [(number, cents)]
            case ListEntered(entries=entries, paid=paid, merged=merged):
                taken = [(one.number, cents) for one, cents in zip(entries, paid, strict=False)]
                taken += [(other.number, other.cents) for other in merged]
            case _:
                continue
        if line.n not in gone:
            found += [Payment(line.at, line.by, number, cents) for number, cents in taken if cents]
    return found


def price(contest: Contest, entrant: Entrant) -> int:
    """The price of an entry in cents, whether or not it comes: the fee and its meals."""
    return contest.opened.fee + contest.opened.meal * entrant.details.meals


def entries_open(contest: Contest) -> bool:
    """Whether entries are possible: until no round takes them, or the contest is closed."""
    return not (contest.seed or contest.ended) and not (contest.main and entries_closed(contest))


def absent_entries(contest: Contest) -> tuple[int, ...]:
    """Entries registered in advance that have not turned up."""
    came = contest.participants
    return tuple(n for n in entries_away(contest) if n not in came)


def skipping_entries(contest: Contest) -> tuple[int, ...]:
    """Entries that have played and skip the next round."""
    came = contest.participants
    return tuple(n for n in entries_away(contest) if n in came)


def entries_away(contest: Contest) -> list[int]:
    """Entries that are not here and have not withdrawn."""
    return [n for n, entrant in contest.entrants.items() if not entrant.here and not entrant.withdrawn]


def absentees(contest: Contest) -> tuple[int, ...]:
    """Who may join the consolante although they forfeited their table, and may have gone home."""
    rounds = contest.main
    gone = {player for round_ in rounds for table in round_.played for player in table.forfeits}
    return tuple(n for n in newcomers(contest) if n in gone and not contest.entrants[n].withdrawn)


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
        return drawable_round(contest, stage)[0]
    except ActRefused as why:
        return why


def is_over(contest: Contest) -> bool:
    """Whether everything has been played, the consolante included."""
    if not contest.main or any(round_.open for round_ in contest.all_rounds()):
        return False
    stages = STAGES if contest.formula.consolante != "none" else STAGES[:1]
    return all(isinstance(next_draw(contest, stage), ActRefused) for stage in stages)


def is_final(contest: Contest) -> bool:
    """Whether the ranking is the last: all has been played, or the contest was ended."""
    return contest.ended or is_over(contest)


def still_in(contest: Contest, stage: Stage) -> int:
    """Entries still in a stage, including those yet to join it."""
    if stage == "consolante" and contest.formula.consolante == "none":
        return 0
    if stage == "consolante" and not contest.consolante:
        return len(eligible_entries(contest))
    if not contest.rounds(stage):
        return len(field_of(contest, stage))
    ahead = set(contest.rounds(stage)[-1].ahead) | {
        p for t in contest.rounds(stage)[-1].open for p in t.players
    }
    return len(ahead) + (len(newcomers(contest)) if stage == "consolante" else 0)


@dataclass(frozen=True, slots=True)
class Palmares:
    ranking: tuple[Ranked, ...]


def palmares(contest: Contest) -> Palmares:
    """The current ranking."""
    return Palmares(ranking(contest))


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
