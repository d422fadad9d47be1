"""Results as volunteers type or tap them."""

from __future__ import annotations

from itertools import product

from chouine.match.format import Format
from chouine.names import is_found
from chouine.tournament import ActRefused, Contest, Round, RoundTable, Score
from chouine.tournament.score import check_score


def possible(round_: Round, table: RoundTable) -> tuple[Score, ...]:
    """All possible results of a table, or of one of a team table's two boards; wins of the first place first."""
    manches = range(round_.match.manches + 1)
    found = [Score.of(won) for won in product(manches, repeat=len(table.players)) if fits(won, round_.match)]
    return tuple(sorted(found, key=nearer_last))


def nearer_last(score: Score) -> tuple[int, int]:
    """Sort key of results in the order 2-0, 2-1, 1-2, 0-2: each winner's results on the winner's side."""
    lost = sum(score.manches) - max(score.manches)
    return score.winner, lost if score.winner == 0 else -lost


def fits(won: tuple[int, ...], form: Format) -> bool:
    """Whether one place has won the match and the others have fewer manches."""
    try:
        check_score(Score.of(won), form, len(won), 1)
    except ActRefused:
        return False
    return not (form.manches == 2 and len(won) > 2)


def read_result(text: str, round_: Round, table: RoundTable, members: int = 1) -> Score:
    """Parse `21`, `2-1` or `2 1`: manches by place.

    For teams, one board after the other: `2102`; after a tie a fifth digit, 1 or 2, names the team that advances.
    """
    digits = [int(sign) for sign in text if sign.isascii() and sign.isdigit()]
    each = len(table.players)
    boards = [Score.of(tuple(digits[at : at + each])) for at in range(0, each * members, each)]
    rest = digits[each * members :]
    if (
        any(board not in possible(round_, table) for board in boards)
        or len(rest) >= members
        or set(rest) - {1, 2}
    ):
        raise ActRefused("contest/score", score=text.strip() or "?", format=str(round_.match))
    score = Score(tuple(board for one in boards for board in one.boards))
    return Score(score.boards, rest[0] - 1) if rest and score.best is None else score


def find_table(contest: Contest, text: str, names: dict[int, str]) -> tuple[Round, RoundTable]:
    """The table in play with this number or a player's name that matches. Raises `ActRefused` for none or several."""
    asked = text.strip()
    if asked.isascii() and asked.isdigit():
        return contest.open_table(int(asked[:6]))
    found = {
        (round_.stage, round_.number, table.number): (round_, table)
        for round_ in contest.all_rounds()
        for table in round_.open
        for player in table.players
        if asked and is_found(asked, names.get(player, ""))
    }
    if len(found) != 1:
        raise ActRefused("contest/no-such-player" if not found else "contest/several-players", name=asked)
    return next(iter(found.values()))
