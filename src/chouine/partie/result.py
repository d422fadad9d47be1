"""How a partie ended (§10, §12, §15, §16)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self, get_args

from chouine.errors import check_each, check_type, int_of
from chouine.plaintext import repr_of
from chouine.rules.combinations import CHOUINES
from chouine.rules.options import Rules
from chouine.rules.play import figure_suit, leading, total, winner
from chouine.rules.position import Position, put
from chouine.rules.rule_table import RuleTable

By = Literal["points", "chouine", "nulle", "concede", "forfeit", "misdeal", "fault", "unfinished"]
BYS = get_args(By)


@dataclass(frozen=True, slots=True)
class Result:
    """How a partie ended. `winner` is None after a nulle or misdeal, and while the partie is unfinished."""

    winner: int | None
    points: tuple[int, ...]
    by: By
    manche: bool = False
    """Whether a trump chouine takes the whole manche (§10, option `trump-chouine`)."""

    def __post_init__(self) -> None:
        if self.winner is not None:
            object.__setattr__(self, "winner", int_of("winner", self.winner, "a seat's number, or None"))
        check_each("points", self.points, int, "the points of each seat")
        if self.by not in BYS:
            raise ValueError(f"by is one of {', '.join(BYS)}, not {repr_of(self.by)}")
        check_type("manche", self.manche, bool, "whether it takes the whole manche")

    @classmethod
    def of_position(cls, rules: Rules, rule_table: RuleTable, p: Position) -> Self:
        """The result of a partie that was played out, or the present score of an unfinished one."""
        points = points_of(rule_table, p)
        if p.turn >= 0:
            return cls(None, points, "unfinished")
        seat = winner(rule_table, p)
        if p.chouine >= 0:
            return cls(seat, points, "chouine", rules.trump_chouine == "manche" and trump_chouine(p))
        return cls(seat, points, "points") if seat >= 0 else cls(None, points, "nulle")

    @classmethod
    def of_stop(
        cls, rule_table: RuleTable, p: Position, by: Literal["concede", "forfeit", "fault"], seat: int
    ) -> Self:
        """`seat` loses at once (§15, §16).

        The best other seat wins by the points so far, nobody if two share the top.
        """
        out = leading(rule_table, p._replace(points=put(p.points, seat, -1000)))
        return cls(out if out >= 0 else None, points_of(rule_table, p), by)

    @classmethod
    def misdealt(cls, rule_table: RuleTable, p: Position) -> Self:
        """The deal is void (§4): nobody scores and the same dealer deals again."""
        return cls(None, points_of(rule_table, p), "misdeal")

    def __str__(self) -> str:
        return f"{self.text} ({self.by}) · {'-'.join(map(str, self.points))} points"

    @property
    def text(self) -> str:
        """`1-0`, `0-0` after a nulle, `*` when nothing was decided."""
        if self.by in ("unfinished", "misdeal"):
            return "*"
        return "-".join("1" if seat == self.winner else "0" for seat in range(len(self.points)))


def points_of(rule_table: RuleTable, p: Position) -> tuple[int, ...]:
    """Every seat's present points."""
    return tuple(total(p, seat) for seat in range(rule_table.seats))


def trump_chouine(p: Position) -> bool:
    """Whether the winning chouine is in trumps (§10)."""
    said = p.said[p.chouine] & CHOUINES
    return figure_suit(said.bit_length() - 1) == p.trump
