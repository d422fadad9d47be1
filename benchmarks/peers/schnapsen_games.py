"""The schnapsen package: the only Python engine for a related game, between its random bots."""

from __future__ import annotations

from functools import partial
from random import Random
from statistics import mean
from typing import Any

from schnapsen.bots.rand import RandBot
from schnapsen.game import SchnapsenGamePlayEngine

from benchmarks.peers import Peer
from chouine.cli.bench import rate


class Counting(Random):
    """A random generator that counts its choices: one a decision."""

    chosen = 0

    def choice(self, seq: Any) -> Any:
        self.chosen += 1
        return super().choice(seq)


def peer() -> Peer:
    engine, rng = SchnapsenGamePlayEngine(), Random(1)
    bots = RandBot(Random(2)), RandBot(Random(3))

    def play(many: int) -> None:
        for _ in range(many):
            engine.play_game(*bots, rng)

    return Peer(
        "schnapsen",
        {"schnapsen_games_s": partial(rate, play, 20)},
        {"schnapsen_games_s": mean(decisions(engine, Random(seed)) for seed in range(100))},
    )


def decisions(engine: SchnapsenGamePlayEngine, rng: Random) -> int:
    choosing = Counting(1)
    engine.play_game(RandBot(choosing), RandBot(choosing), rng)
    return choosing.chosen
