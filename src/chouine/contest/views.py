"""Views of a contest for a desk: totals, seats, the effects of an act, late tables, the expected end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median, quantiles

from chouine.contest.acts import ListEntered, Paid, Present
from chouine.contest.entering import entries_closed
from chouine.contest.field import drawable_round, eligible_entries, field_of, newcomers, pool_rounds
from chouine.contest.formula import STAGES, Stage, table_sizes
from chouine.contest.state import Contest, Entrant, Round, RoundTable
from chouine.errors import ActRefused
from chouine.match.score import Format


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


ENOUGH = 5
"""Finished tables needed before tables are called late or an end is estimated."""
LATE = 1.5
"""A table is late after this many times the median duration."""


def length(form: Format) -> int:
    """The length of a match: the parties that its winner must win."""
    return form.parties * form.manches


def paces(contest: Contest) -> list[float]:
    """For each table played out, its milliseconds per partie of `length`."""
    return [
        (table.at - round_.start) / length(round_.match)
        for round_ in contest.all_rounds()
        for table in round_.played
        if table.score is not None and table.at is not None
    ]


def late_tables(contest: Contest, now: int) -> tuple[tuple[Round, RoundTable], ...]:
    """Late tables, the longest first."""
    pace = paces(contest)
    if contest.ended or len(pace) < ENOUGH:
        return ()
    usual = LATE * median(pace)
    late = [
        (round_, table)
        for round_ in contest.all_rounds()
        for table in round_.open
        if now - round_.start > usual * length(round_.match)
    ]
    return tuple(sorted(late, key=lambda item: item[0].start))


def end(contest: Contest, now: int) -> int | None:
    """The expected end of the contest in milliseconds since 1970; None while too few tables have finished."""
    pace = paces(contest)
    if len(pace) < ENOUGH:
        return None
    stages = STAGES if contest.formula.consolante != "none" else STAGES[:1]
    return max(stage_end(contest, stage, now, pace) for stage in stages)


def stage_end(contest: Contest, stage: Stage, now: int, pace: Sequence[float]) -> int:
    """Expected end: the open round's slowest table, then the usual length of each later round for its tables."""
    rounds = contest.rounds(stage)
    at = float(now)
    if rounds and rounds[-1].open:
        current = rounds[-1]
        at = max(at, current.start + slowest_pace(len(current.played), pace) * length(current.match))
    elif not rounds and contest.main and contest.main[0].open:
        at = max(
            at,
            contest.main[0].start
            + slowest_pace(len(contest.main[0].played), pace) * length(contest.main[0].match),
        )
    for number, tables in enumerate(to_come(contest, stage), len(rounds) + 1):
        form = Format.parse(contest.formula.match_of(stage, number))
        at += gap(contest) + slowest_pace(tables, pace) * length(form)
    return round(at)


def slowest_pace(tables: int, pace: Sequence[float]) -> float:
    """The expected pace of the slowest of this many tables."""
    return quantiles(pace, n=tables + 1, method="inclusive")[-1]


def gap(contest: Contest) -> float:
    """Mean time from the last result of a round to the start of the next."""
    gaps = [
        after.start - max(table.at for table in before.played if table.at is not None)
        for stage in STAGES
        for before, after in zip(contest.rounds(stage), contest.rounds(stage)[1:], strict=False)
        if not before.open and any(table.at is not None for table in before.played)
    ]
    return max(fmean(gaps), 0) if gaps else 0


def stage_of_final(contest: Contest, stage: Stage, number: int) -> str:
    """`final`, `semi-final` or `quarter-final` for a round that is one; empty for any other, and for round 1.

    A round of poules, or of a contest in so many rounds, is none: whoever wins its last table has not won the contest.
    """
    if stage == "main" and number <= (pool_rounds(contest) or 1):
        return ""
    if stage == "main" and not (contest.formula.knock_out or contest.pools):
        return ""
    rounds, coming = contest.rounds(stage), to_come(contest, stage)
    known = [len(round_.tables) for round_ in rounds] + coming
    if not 0 < number <= len(known):
        return ""
    after = len(known) - number
    return {(0, 1): "final", (1, 1): "semi-final", (1, 2): "semi-final", (2, 4): "quarter-final"}.get(
        (after, known[number - 1]), ""
    )


def to_come(contest: Contest, stage: Stage) -> list[int]:
    """The number of tables of each further round."""
    drawn = len(contest.rounds(stage))
    formula = contest.formula
    if formula.all_play:
        return [len(contest.main[-1].played)] * (formula.rounds - drawn) if drawn else []
    left = still_in(contest, stage)
    pools: list[int] = []
    if formula.kind == "poules" and contest.main and drawn <= pool_rounds(contest):
        pools = [len(contest.main[0].played)] * (pool_rounds(contest) - drawn)
        left = len(contest.pools) * formula.qualify
    elif drawn and contest.rounds(stage)[-1].open:
        left = len(contest.rounds(stage)[-1].tables)
    elif stage == "consolante" and not drawn and contest.main:
        left = max(left, len(contest.main[0].players) - len(contest.main[0].tables))
    knock_out: list[int] = []
    while left > 1:
        sizes = table_sizes(left, formula.seats)
        knock_out.append(sum(size > 1 for size in sizes))
        left = len(sizes)
    return pools + knock_out
