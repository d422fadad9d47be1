"""The state of a contest: plain values that `fold` computes from the log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from chouine.contest.acts import ContestOpened, DealsPlayed, Details, PrizesSet
from chouine.contest.formula import STAGES, Formula, Stage
from chouine.contest.log import LogLine, undone_by
from chouine.contest.score import Score
from chouine.errors import ActRefused
from chouine.match.score import Format

USUAL_PRIZES = PrizesSet((("place", 3), ("consolante", 1), ("lady", 1), ("junior", 1)))
"""The prizes until the club sets others."""


@dataclass(frozen=True, slots=True)
class Entrant:
    number: int
    details: Details
    here: bool
    paid: int = 0
    """Cents paid."""
    late: bool = False
    """Whether it entered or turned up after the draw of round 1."""
    withdrawn: bool = False
    erased: bool = False
    """Whether its name was erased from the register."""


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table of a round; an exempt entry is a table of one without a number."""

    number: int
    players: tuple[int, ...]
    """Entry numbers."""
    score: Score | None = None
    forfeits: tuple[int, ...] = ()
    held: int | None = None
    """The entry that advanced before a correction made this table's result void."""
    at: int | None = None
    """The time at which it was first decided, even if that result is void now."""
    by: str = ""
    """The desk that entered the result."""
    made: DealsPlayed | None = None
    """What was made here of the sealed deals of a duplicate round, which has no winner."""

    @property
    def exempt(self) -> bool:
        return len(self.players) == 1

    @property
    def left(self) -> tuple[int, ...]:
        """Entries that have not forfeited."""
        return tuple(player for player in self.players if player not in self.forfeits)

    @property
    def decided(self) -> bool:
        return self.exempt or self.score is not None or self.made is not None or len(self.left) < 2

    @property
    def winner(self) -> int | None:
        """The winner; None while undecided, and if all forfeited."""
        if self.score is not None:
            return self.players[self.score.winner]
        return self.left[0] if len(self.left) == 1 else None

    @property
    def ahead(self) -> int | None:
        """The entry that advances: the winner, or the holder of that place until the table is replayed."""
        return self.winner if self.decided else self.held

    @property
    def losers(self) -> tuple[int, ...]:
        return tuple(player for player in self.players if player != self.winner) if self.decided else ()


@dataclass(frozen=True, slots=True)
class Round:
    stage: Stage
    number: int
    match: Format
    card: str
    tables: tuple[RoundTable, ...]
    """Tables in the order of the draw, exempt entries' included."""
    drawn: int
    """The time of the draw."""
    called: int | None = None
    deals: tuple[str, ...] = ()
    """Of a duplicate round: the digests of its sealed deals."""

    @property
    def played(self) -> tuple[RoundTable, ...]:
        """The tables with a match."""
        return tuple(table for table in self.tables if not table.exempt)

    @property
    def open(self) -> tuple[RoundTable, ...]:
        """The tables without a result."""
        return tuple(table for table in self.tables if not table.decided)

    @property
    def exempt(self) -> tuple[int, ...]:
        return tuple(table.players[0] for table in self.tables if table.exempt)

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(player for table in self.tables for player in table.players)

    @property
    def ahead(self) -> tuple[int, ...]:
        """The entries that advance, in the tables' order."""
        return tuple(table.ahead for table in self.tables if table.ahead is not None)

    @property
    def start(self) -> int:
        """The time at which its tables began to play, as far as known."""
        return self.drawn if self.called is None else self.called

    def table(self, number: int) -> RoundTable:
        for table in self.played:
            if table.number == number:
                return table
        raise ActRefused("contest/no-table", table=number, round=self.number)

    def table_of(self, player: int) -> RoundTable | None:
        return next((table for table in self.tables if player in table.players), None)


@dataclass(frozen=True, slots=True)
class Contest:
    """The state after a log; made by `fold.contest_of` and `fold.after` alone."""

    opened: ContestOpened
    lines: tuple[LogLine, ...] = field(repr=False)
    entrants: Mapping[int, Entrant] = field(default_factory=dict)
    main: tuple[Round, ...] = ()
    consolante: tuple[Round, ...] = ()
    pools: tuple[tuple[int, ...], ...] = ()
    """The poules, once drawn."""
    settled: tuple[tuple[int, ...], ...] = ()
    prizes: PrizesSet = USUAL_PRIZES
    """The prizes that the club gives."""
    seed: str | None = None
    """The seed, once revealed."""
    ended: bool = False
    """Whether it was ended before everything was played."""
    renewed: str = ""
    """The commitment to a seed drawn after another had been revealed; empty if none was."""

    @property
    def first(self) -> ContestOpened:
        """The act that opened the contest; `opened` has the settings as changed since."""
        act = self.lines[0].act
        assert isinstance(act, ContestOpened)  # noqa: S101  # the fold begins with no other
        return act

    @property
    def formula(self) -> Formula:
        return self.opened.formula

    @property
    def commit(self) -> str:
        """The commitment to the seed of the next draws."""
        return self.renewed or self.opened.commit

    @property
    def nameless(self) -> frozenset[int]:
        """The entries whose names were erased."""
        return frozenset(number for number, entrant in self.entrants.items() if entrant.erased)

    @property
    def participants(self) -> frozenset[int]:
        """The entries that owe their price and are ranked: whoever is here, and whoever has been drawn."""
        drawn = (player for round_ in self.main for player in round_.players)
        return frozenset(number for number, entrant in self.entrants.items() if entrant.here).union(drawn)

    @property
    def undone(self) -> frozenset[int]:
        """The numbers of the undone acts."""
        return undone_by(self.lines)

    @property
    def head(self) -> LogLine:
        """The last line of the log."""
        return self.lines[-1]

    def rounds(self, stage: Stage) -> tuple[Round, ...]:
        return self.main if stage == "main" else self.consolante

    def round(self, stage: Stage, number: int) -> Round:
        rounds = self.rounds(stage)
        if not 1 <= number <= len(rounds):
            raise ActRefused("contest/no-round", round=number)
        return rounds[number - 1]

    def all_rounds(self) -> Iterator[Round]:
        for stage in STAGES:
            yield from self.rounds(stage)

    def entrant(self, number: int) -> Entrant:
        if number not in self.entrants:
            raise ActRefused("contest/no-entry", number=number)
        return self.entrants[number]

    @property
    def next_number(self) -> int:
        return max(self.entrants, default=0) + 1

    @property
    def next_table(self) -> int:
        """The first free table number: above all tables in play."""
        return max((table.number for round_ in self.all_rounds() for table in round_.open), default=0) + 1

    def open_table(self, number: int) -> tuple[Round, RoundTable]:
        """The table in play with this number. Raises `ActRefused`."""
        for round_ in self.all_rounds():
            for table in round_.open:
                if table.number == number:
                    return round_, table
        raise ActRefused("contest/no-open-table", table=number)

    def seat_of(self, player: int) -> tuple[Round, RoundTable] | None:
        """The latest place at which an entry was drawn; in the consolante, if it plays there."""
        for rounds in (self.consolante, self.main):
            for round_ in reversed(rounds):
                if (table := round_.table_of(player)) is not None:
                    return round_, table
        return None

    def with_entrant(self, entrant: Entrant) -> Contest:
        return replace(self, entrants={**self.entrants, entrant.number: entrant})

    def with_rounds(self, stage: Stage, rounds: tuple[Round, ...]) -> Contest:
        return replace(self, main=rounds) if stage == "main" else replace(self, consolante=rounds)

    def with_round(self, round_: Round) -> Contest:
        rounds = self.rounds(round_.stage)
        return self.with_rounds(
            round_.stage, (*rounds[: round_.number - 1], round_, *rounds[round_.number :])
        )

    def with_table(self, round_: Round, old: RoundTable, new: RoundTable) -> Contest:
        tables = tuple(new if table is old else table for table in round_.tables)
        return self.with_round(replace(round_, tables=tables))
