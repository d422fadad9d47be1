"""The result of a table: manches and parties won by each entry, on one board or, for teams, summed over two."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from chouine.errors import ActRefused
from chouine.match.score import Format
from chouine.phrases import score_of


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One match, in the table's order of entries."""

    manches: tuple[int, ...]
    parties: tuple[int, ...] = ()
    """Parties won over all manches; empty if not recorded."""


@dataclass(frozen=True, slots=True)
class Score:
    boards: tuple[MatchResult, ...]
    decided: int = -1
    """The team that advances by the club's decision after equal sums; else -1."""

    @classmethod
    def of(cls, manches: tuple[int, ...], parties: tuple[int, ...] = ()) -> Score:
        """`Score.of((2, 1))`: a single match."""
        return cls((MatchResult(manches, parties),))

    @property
    def manches(self) -> tuple[int, ...]:
        return sums(self.boards)[0]

    @property
    def parties(self) -> tuple[int, ...]:
        """Parties won; empty unless recorded on every board."""
        return sums(self.boards)[1]

    @property
    def best(self) -> int | None:
        """The place that has won by manches, then by parties; None for equal sums."""
        return sums(self.boards)[2]

    @property
    def winner(self) -> int:
        return self.decided if self.best is None else self.best

    def of_winner(self) -> str:
        """The result as its winner tells it, `2–1` for `1–2`."""
        place = self.winner
        rows = (
            (row[place], *row[:place], *row[place + 1 :]) for row in (board.manches for board in self.boards)
        )
        return " + ".join(map(score_of, rows))

    def of_table(self) -> str:
        """The result in the table's order, as it is read."""
        return " + ".join(score_of(board.manches) for board in self.boards)

    def __str__(self) -> str:
        """The result in the table's order, as it is typed."""
        return " + ".join("-".join(map(str, board.manches)) for board in self.boards)


@lru_cache(maxsize=4096)
def sums(boards: tuple[MatchResult, ...]) -> tuple[tuple[int, ...], tuple[int, ...], int | None]:
    """Manches and parties summed over all boards, and the place that wins by them."""
    manches = add_rows(board.manches for board in boards)
    parties = add_rows(board.parties for board in boards) if all(board.parties for board in boards) else ()
    rows = tuple(zip(manches, parties or manches, strict=True))
    best = [place for place, row in enumerate(rows) if row == max(rows)]
    return manches, parties, best[0] if len(best) == 1 else None


def add_rows(rows: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """Column sums."""
    return tuple(map(sum, zip(*rows, strict=True)))


def check_score(score: Score, form: Format, players: int, boards: int) -> None:
    """Raise `ActRefused` for a result that is impossible in this match."""
    if len(score.boards) != boards:
        raise ActRefused("contest/boards", boards=boards)
    for board in score.boards:
        check_board(board, form, players)
    if (score.best is None) != (score.decided in range(players)) or score.decided < -1:
        raise ActRefused("contest/equal-sums" if score.best is None else "contest/decided")


def check_board(board: MatchResult, form: Format, players: int) -> None:
    """Raise `ActRefused` unless one place has won the match and numbers of parties fit the manches."""
    won = board.manches
    if (
        len(won) != players
        or max(won, default=0) != form.manches
        or not all(0 <= one < form.manches for one in sorted(won)[:-1])
    ):
        raise ActRefused("contest/score", score=score_of(won), format=str(form))
    if board.parties and (
        len(board.parties) != players
        or not all(
            own * form.parties <= parties <= own * form.parties + (sum(won) - own) * (form.parties - 1)
            for own, parties in zip(won, board.parties, strict=False)
        )
    ):
        raise ActRefused("contest/parties", parties=score_of(board.parties), format=str(form))


def possible_scores(form: Format, players: int) -> tuple[Score, ...]:
    """All possible results of a match, wins of the first place first: 2-0, 2-1, 1-2, 0-2.

    With more than two players and two manches there is none: such a match is one manche (§13).
    """
    found = [Score.of(won) for won in product(range(form.manches + 1), repeat=players) if fits(won, form)]
    return tuple(sorted(found, key=nearer_last))


def nearer_last(score: Score) -> tuple[int, int]:
    """Sort key of results: each winner's results on the winner's side."""
    lost = sum(score.manches) - max(score.manches)
    return score.winner, lost if score.winner == 0 else -lost


def fits(won: tuple[int, ...], form: Format) -> bool:
    """Whether one place has won the match and the others have fewer manches."""
    try:
        check_score(Score.of(won), form, len(won), 1)
    except ActRefused:
        return False
    return not (form.manches == 2 and len(won) > 2)
