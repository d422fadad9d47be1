"""Misdeals (§4) and penalties (§15): for a real table and its score sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from chouine.partie.result import Result
from chouine.rules.position import Position
from chouine.rules.rule_table import RuleTable


class Misdeal(Enum):
    """Why a deal is void (§4): the same dealer deals again. `phrases` has `match/misdeal/…` for each."""

    CARD_SEEN = "card-seen"
    """A card was seen by another player than its own."""
    WRONG_DEAL = "wrong-deal"
    """The deal did not follow §3."""
    PACK_INCOMPLETE = "pack-incomplete"
    HAND_SIZE = "hand-size"
    """A hand has too many cards or too few."""
    WRONG_HAND = "wrong-hand"
    """A player picked up another's hand."""


class FaultKind(Enum):
    """Faults at the talon (§15). `phrases` has `match/fault/…` for each."""

    DREW_OTHERS = "drew-others"
    SAW_OTHERS = "saw-others"
    DREW_TWO = "drew-two"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and the seat that made it."""

    seat: int
    kind: FaultKind


class Penalty(Enum):
    """What a fault costs (§15)."""

    CHOICE = "choice"
    """The wronged player chooses to go on or to replay the partie."""
    LOST = "lost"
    """The partie is the opponent's, even if it decides everything."""


def penalty(faults: Sequence[Fault]) -> Penalty | None:
    """The penalty of the last of a partie's faults; None without faults. A replayed partie starts without faults."""
    if not faults:
        return None
    again = any(fault.seat == faults[-1].seat for fault in faults[:-1])
    return Penalty.LOST if again else Penalty.CHOICE


def punish(rule_table: RuleTable, p: Position, faults: Sequence[Fault], *, replay: bool) -> Result | None:
    """The partie's result by its last fault, None if it goes on; `replay`: the wronged player's choice."""
    match penalty(faults):
        case Penalty.LOST:
            return Result.of_stop(rule_table, p, "fault", faults[-1].seat)
        case Penalty.CHOICE if replay:
            return Result.misdealt(rule_table, p)
        case _:
            return None
