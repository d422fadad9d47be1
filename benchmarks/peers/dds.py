"""DDS, a double dummy solver for bridge, through endplay: endings of five cards in each hand."""

from __future__ import annotations

from functools import partial
from itertools import cycle
from random import Random

from endplay._dds import MAXNOOFBOARDS, SetMaxThreads
from endplay.dds.solve import SolveMode, solve_all_boards
from endplay.types import Deal, Denom, Player

from benchmarks.peers import Peer
from chouine.cli.bench import rate

RANKS = "23456789TJQKA"
BATCHES = 10


def peer() -> Peer:
    SetMaxThreads(1)
    rng = Random(1)
    batches = cycle([[ending(rng) for _ in range(MAXNOOFBOARDS)] for _ in range(BATCHES)])

    def solve(_: int) -> None:
        solve_all_boards(next(batches), SolveMode.OptimalOne)

    return Peer("endplay", {"dds_solves_s": partial(rate, solve, MAXNOOFBOARDS)})


def ending(rng: Random) -> Deal:
    """Four random hands of five cards, with a random trump suit and leader."""
    pack = rng.sample(range(52), 20)
    deal = Deal("N:" + " ".join(hand_in_pbn(pack[first : first + 5]) for first in (0, 5, 10, 15)))
    deal.trump, deal.first = Denom(rng.randrange(4)), Player(rng.randrange(4))
    return deal


def hand_in_pbn(hand: list[int]) -> str:
    """A hand in PBN: suits between full stops, high cards first."""
    suits = [sorted((card % 13 for card in hand if card // 13 == suit), reverse=True) for suit in range(4)]
    return ".".join("".join(RANKS[rank] for rank in suit) for suit in suits)
