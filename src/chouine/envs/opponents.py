"""Opponents of the learner: players by name (compiled where possible), player objects, policies, pools.

    ChouineVectorEnv(1000, opponent="heuristic")                          # any name of `chouine.registry`
    ChouineVectorEnv(1000, opponent=MyPlayer)                             # a player, or a class of players
    ChouineVectorEnv(1000, opponent=policy)                               # a function of observations and masks
    ChouineVectorEnv(1000, opponent=OpponentPool("greedy", "level:3", weights=(3, 1)))

From a pool an opponent is drawn for each partie; it plays every other seat. `pool.add(policy)` adds one at any time,
for self-play against earlier versions of a policy. `PolicyPlayer(policy)` is a policy as a player: in a duel, at the
terminal, in an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from numbers import Real
from typing import Any

from chouine.cards import PACK, CardSet
from chouine.envs import MissingPackage
from chouine.envs.encode import LET_PASS, NUMBER, NUMBERS, Mask, Observation, encode, mask_of, open_to
from chouine.envs.numbered_partie import CopiedWhole, NumberedPartie, numbers_of, refusal
from chouine.envs.rows import DEALER, DONE, LONGEST, PARTIES, Batch
from chouine.errors import ChouineError, int_of
from chouine.partie.actions import Action, Exchange
from chouine.partie.deal import Deal
from chouine.partie.view import View
from chouine.plaintext import quote, repr_of
from chouine.players.base import Player, UnknownPlayer, as_play, close
from chouine.players.guard import guard_player
from chouine.registry import entry_of, player_names, player_of
from chouine.rules.combinations import EXCHANGE
from chouine.rules.options import Rules
from chouine.rules.position import NONE
from chouine.rules.rule_table import RuleTable

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise MissingPackage(error, "fast") from error

Policy = Callable[[Observation, Mask], NDArray[np.integer[Any]]]
"""Takes arrays with one row per decision, observations `uint8[rows, size]` and masks `int8[rows, 52]`, and returns
actions `int[rows]`."""


class PolicyPlayer:
    """A policy as a player. It is asked twice where it declares: for the declaration, then for its card."""

    def __init__(self, policy: Policy) -> None:
        if not callable(policy):
            raise TypeError(f"policy is a function of observations and masks, not {repr_of(policy)}")
        self.policy = policy

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        action, pending = self.decide(view, NONE), NONE
        if action == LET_PASS:
            return None
        if action == EXCHANGE:
            return Exchange()
        if action > EXCHANGE:
            action, pending = self.decide(view, action), action
        return as_play(action, pending)

    def decide(self, view: View, pending: int) -> int:
        """One action number from the policy. Raises `IllegalAction`."""
        actions = open_to(view, pending)
        chosen = self.policy(encode(view, pending)[None], mask_of(actions)[None])
        action = int_of("a policy's action", chosen[0], NUMBER)
        if not 0 <= action < NUMBERS or not actions >> action & 1:
            raise refusal(view, pending, action)
        return action


Opponent = str | Player | type[Player] | Policy
"""A player's name, a player for all parties, a class of which one is made for each partie, or a policy."""


class UnknownOpponent(ChouineError, ValueError):
    """The object given is not an opponent."""


class OpponentPool(CopiedWhole):
    """A pool of opponents, from which one is drawn for each partie by weight."""

    def __init__(self, *opponents: Opponent, weights: Sequence[float] | None = None) -> None:
        self.opponents: list[Opponent] = []
        self.weights: list[float] = []
        given = [1.0] * len(opponents) if weights is None else weights
        if not opponents or len(given) != len(opponents):
            raise UnknownOpponent("research/pool", opponents=len(opponents), weights=len(given))
        for opponent, weight in zip(opponents, given, strict=True):
            self.add(opponent, weight)

    def add(self, opponent: Opponent, weight: float = 1.0) -> None:
        """Add an opponent for parties dealt from now on. Raises `UnknownOpponent`."""
        if isinstance(opponent, str):
            try:
                entry_of(opponent)
            except UnknownPlayer as error:
                raise UnknownOpponent(
                    "research/opponent", opponent=quote(opponent), known=error.data["known"]
                ) from None
        elif not (callable(opponent) or hasattr(opponent, "act")) or (
            isinstance(opponent, type) and not callable(getattr(opponent, "act", None))
        ):
            known = ", ".join(player_names())
            raise UnknownOpponent("research/opponent", opponent=quote(str(opponent)), known=known)
        if not (isinstance(weight, Real) and 0 < weight < inf):
            raise UnknownOpponent("research/weight", weight=repr_of(weight))
        self.opponents.append(opponent)
        self.weights.append(weight)

    @property
    def shares(self) -> NDArray[np.float64]:
        """Cumulative probabilities of the opponents."""
        return np.cumsum(self.weights) / sum(self.weights)


def pool_of(opponent: Opponent | OpponentPool) -> OpponentPool:
    return opponent if isinstance(opponent, OpponentPool) else OpponentPool(opponent)


class SeatedPlayers:
    """Python players for rows of a batch: one for each row, or one for all."""

    def __init__(
        self,
        rules: Rules,
        rule_table: RuleTable,
        opponent: str | Player | type[Player],
        chance: Callable[[], int],
    ) -> None:
        self.rules, self.rule_table, self.opponent, self.chance = rules, rule_table, opponent, chance
        self.parties: dict[int, tuple[int, NumberedPartie, dict[int, Player]]] = {}
        self.owed: dict[int, int] = {}

    def decide(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The action of the seat that decides in each of these rows."""
        return np.array([self.action(batch, int(row)) for row in rows], np.int64)

    def action(self, batch: Batch, row: int) -> int:
        owed = self.owed.pop(row, None)
        if owed is not None:
            return owed
        partie, players = self.follow_row(batch, row)
        seat = int(batch.deciding[row])
        if seat not in players:
            players[seat] = self.player()
        first, *rest = numbers_of(players[seat].act(partie.view(seat)))
        if rest:
            self.owed[row] = rest[0]
        return first

    def follow_row(self, batch: Batch, row: int) -> tuple[NumberedPartie, dict[int, Player]]:
        """The current partie of a row, with its players."""
        number = int(batch.cells[PARTIES, row])
        kept = self.parties.get(row)
        if kept is None or kept[0] != number:
            if kept is not None:
                self.dismiss(kept[2])
            kept = self.parties[row] = (
                number,
                NumberedPartie(self.rules, deal_of(batch, self.rule_table, row)),
                {},
            )
        _, partie, players = kept
        partie.catch_up(acts_of(batch, row)[len(partie.acts) :])
        return partie, players

    def player(self) -> Player:
        if isinstance(self.opponent, str):
            return player_of(self.opponent, self.rules, self.chance())
        return guard_player(self.opponent() if isinstance(self.opponent, type) else self.opponent)

    def dismiss(self, players: dict[int, Player]) -> None:
        if isinstance(self.opponent, str | type):  # not the user's own object
            for player in players.values():
                close(player)

    def close(self) -> None:
        """Dispose of all players that were made here."""
        for _, _, players in self.parties.values():
            self.dismiss(players)
        self.parties.clear()


def acts_of(batch: Batch, row: int) -> list[int]:
    """The actions of a row's partie so far."""
    first = LONGEST * row
    acts: list[int] = batch.acts[first : first + int(batch.cells[DONE, row])].tolist()
    return acts


def deal_of(batch: Batch, rule_table: RuleTable, row: int) -> Deal:
    """The deal of a row's partie: its pack, hands first, then the talon, the turnup last (§3)."""
    pack = [PACK[card] for card in batch.packs[32 * row : 32 * row + 32].tolist()]
    first = rule_table.seats * rule_table.hand
    hands = tuple(
        CardSet(pack[rule_table.hand * seat : rule_table.hand * (seat + 1)])
        for seat in range(rule_table.seats)
    )
    turnup = pack[31] if rule_table.turned else None
    return Deal(int(batch.cells[DEALER, row]), hands, turnup, tuple(pack[first : first + rule_table.hidden]))
