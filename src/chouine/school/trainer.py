"""The counting trainer: piles taken in generated parties, to be counted quickly and correctly (§12)."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from chouine.arena.partie import play_partie
from chouine.cards import Card, Suit
from chouine.partie import Deal
from chouine.partie.actions import Declaration
from chouine.partie.events import Declared, taken_by
from chouine.phrases.catalogue import Texts
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules.options import Rules
from chouine.school.exercises import CountExercise

SEEDS = 1_000_000
"""Number of different piles."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A player's tricks and declarations at the end of a partie, reproducible from the seed."""

    seed: int
    brisques: bool
    """Whether only the short count is asked: brisques, declarations and dix de der."""
    cards: tuple[Card, ...]
    """The cards sorted by suit, then strongest first."""
    said: tuple[Declaration, ...]
    trump: Suit | None
    last: bool
    """Whether the player took the last trick."""

    @property
    def query(self) -> str:
        """The query string that shows the same pile again."""
        return f"pile={self.seed}" + ("" if self.brisques else "&full=1")

    @property
    def exercise(self) -> CountExercise:
        """The exercise: the question and its right answer."""
        return CountExercise(
            text=Texts(en=""),
            cards=self.cards,
            said=self.said,
            trump=self.trump,
            last=self.last,
            brisques=self.brisques,
        )


def pile(seed: int, *, brisques: bool) -> Pile:
    """The first player's tricks of the partie that this seed deals.

    A partie that a chouine ends has no count, so the next partie is used instead.
    """
    rules = Rules()
    state = play_partie(
        rules,
        Deal.random(rules, dealer=1, rng=Random(f"pile {seed}")),
        [HeuristicPlayer(), HeuristicPlayer()],
    ).state
    if state.result is not None and state.result.by == "chouine":
        return pile((seed + 1) % SEEDS, brisques=brisques)
    declared = [event for event in state.events if isinstance(event, Declared) and event.seat == 0]
    return Pile(
        seed=seed,
        brisques=brisques,
        cards=tuple(sorted(taken_by(state.events, 2)[0], reverse=True)),
        said=tuple(event.declaration for event in declared),
        trump=state.view(0).trump,
        last=state.position.leader == 0,
    )
