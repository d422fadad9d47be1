"""OpenSpiel's game and state classes, over `partie`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from chouine.cards import PACK, Rank
from chouine.envs import MissingPackage
from chouine.envs.agent_selection import LET_PASS, NUMBERS, rewards_of
from chouine.envs.spiel.partie import Partie, Setting, members, spell_action
from chouine.envs.spiel.worlds import Chance, World, another_world
from chouine.errors import ChouineError
from chouine.rules import OPTIONS, Rules, rule_table_of
from chouine.rules.options import text_name
from chouine.rules.play import winner
from chouine.rules.rule_table import RuleTable

BY_PRESET = "preset"
RANKS = "ATKQJ987"
PARAMETERS: dict[str, str | int] = {
    "preset": "classic",
    **dict.fromkeys(OPTIONS, BY_PRESET),
    "ranks": RANKS,
    "suits": 4,
    "hand": 0,
}
"""Parameters with their defaults; `preset` means the preset's value."""


class BadPack(ChouineError, ValueError):
    """The pack is too small to be dealt."""


def rules_of(parameters: Mapping[str, Any]) -> Rules:
    """The rules for these parameters. Raises `NotationError`."""
    given = [option for option in OPTIONS if parameters[option] != BY_PRESET]
    settings = [f"{text_name(option)}={parameters[option]}" for option in given]
    return Rules.parse(";".join([parameters["preset"], *settings]))


def setting_of(parameters: Mapping[str, Any]) -> Setting:
    """The rules' table and the pack, reduced if the parameters say so."""
    rule_table = rule_table_of(rules_of(parameters))
    ranks = {Rank(rank) for rank in Rank if rank.letter in parameters["ranks"]}
    pack = sum(1 << 8 * suit + rank for suit in range(parameters["suits"]) for rank in ranks)
    hand = parameters["hand"] or rule_table.hand
    return Setting(smaller_table(rule_table, pack.bit_count(), hand), pack)


def smaller_table(rule_table: RuleTable, cards: int, hand: int) -> RuleTable:
    """The table for a smaller pack. Raises `BadPack` for too few cards, or a hand larger than in the rules."""
    talon = cards - rule_table.seats * hand
    if not 1 <= hand <= rule_table.hand or not rule_table.turned <= talon or cards > 32:
        raise BadPack("research/pack", cards=cards, hand=hand, seats=rule_table.seats, most=rule_table.hand)
    drawing = talon // rule_table.seats
    return rule_table._replace(
        hand=hand, tricks=drawing + hand, drawing=drawing, hidden=talon - rule_table.turned
    )


try:
    import pyspiel

    from chouine.envs.spiel.observer import Observer
except ModuleNotFoundError as error:
    raise MissingPackage(error) from error

PETITE: dict[str, str | int] = {"ranks": "KQ7", "suits": 2, "hand": 2}
"""Six cards, hands of two: with the mariage, the exchange and "au sept", in a tree small enough to be walked whole."""


def game_type(name: str, long_name: str, parameters: Mapping[str, str | int]) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(parameters),
    )


class ChouineGame(pyspiel.Game):
    """A partie as an OpenSpiel game. Player 0 leads; the winner has 1 and the others share the loss equally (§12)."""

    parameters: ClassVar[Mapping[str, str | int]] = PARAMETERS
    kind: ClassVar[pyspiel.GameType] = game_type("chouine", "La Chouine", PARAMETERS)

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = dict(parameters or {})
        self.setting: Setting = setting_of({**self.parameters, **given})
        rule_table = self.setting.rule_table
        info = pyspiel.GameInfo(
            num_distinct_actions=NUMBERS,
            max_chance_outcomes=len(PACK),
            num_players=rule_table.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=2 * rule_table.seats * rule_table.tricks
            + 2,  # for each card a declaration; "au sept"; the exchange
        )
        super().__init__(self.kind, info, given)
        self.given = given

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy by the parameters: OpenSpiel's own way leaves out what Python has set."""
        return type(self), (self.given,)

    def new_initial_state(self) -> ChouineState:
        return ChouineState(self)

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Observer:
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.setting, kind, parameters)


class PetiteGame(ChouineGame):
    """`PETITE` by name: `pyspiel.load_game("chouine_petite")`."""

    parameters = PARAMETERS | PETITE
    kind = game_type("chouine_petite", "La Chouine, six cards", PARAMETERS | PETITE)


class ChouineState(pyspiel.State):
    """An OpenSpiel state: its partie, which is immutable."""

    def __init__(self, game: ChouineGame) -> None:
        super().__init__(game)
        self.partie = Partie.begin(game.setting)

    def current_player(self) -> Any:
        if self.partie.by_chance:
            return pyspiel.PlayerId.CHANCE
        return self.partie.deciding if self.partie.p.turn >= 0 else pyspiel.PlayerId.TERMINAL

    def is_terminal(self) -> bool:
        return self.partie.p.turn < 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.partie.outcomes()

    def _legal_actions(self, player: int) -> list[int]:
        actions = self.partie.actions if player == self.partie.deciding else 0
        return [number for number in range(NUMBERS) if actions >> number & 1]

    def _apply_action(self, action: int) -> None:
        self.partie = self.partie.deal_card(action) if self.partie.by_chance else self.partie.do(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(PACK[action]) if player == pyspiel.PlayerId.CHANCE else spell_action(player, action)

    def returns(self) -> list[float]:
        rule_table, p = self.partie.setting.rule_table, self.partie.p
        first = winner(rule_table, p) if p.turn < 0 else -1
        return rewards_of(rule_table.seats, first if first >= 0 else None)

    def resample_from_infostate(self, player: int, chance: Chance) -> ChouineState:
        """A state with the same information for this seat and hidden cards resampled (§14)."""
        if self.partie.by_chance:
            raise ChouineError("research/chance")
        state: ChouineState = self.get_game().new_initial_state()
        follow(state, another_world(self.partie, player, chance), self.partie, player)
        return state

    def to_dict(self) -> dict[str, Any]:
        """The partie as JSON data, hidden cards included: the game, the actions so far, everybody's information."""
        seats = range(self.partie.setting.rule_table.seats)
        return {
            "game": str(self.get_game()),
            "history": self.history(),
            "current_player": int(self.current_player()),
            "information_states": [self.information_state_string(seat) for seat in seats],
            "returns": self.returns() if self.is_terminal() else None,
        }

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json.dumps(self.to_dict())

    def __str__(self) -> str:
        return " | ".join(self.partie.information_states[:-1])


def follow(state: ChouineState, world: World, partie: Partie, player: int) -> None:
    """Replay the partie's actions in another world.

    A seat that holds the seven in that world and did not exchange it also gets the action `LET_PASS` (§11).
    """
    for hand in world.hands:
        for card in members(hand):
            state.apply_action(card)
    for card in partie.dealt[len(state.partie.dealt) :]:
        state.apply_action(card)
    acts = [act for act in partie.acts if act.action != LET_PASS or act.seat == player]
    for act in acts:
        while state.current_player() != act.seat:
            state.apply_action(LET_PASS)
        state.apply_action(act.action)
        while state.partie.awaited >= 0:
            state.apply_action(world.drawn[len(state.partie.drawn)])
    if partie.deciding == player:
        while state.current_player() != player:
            state.apply_action(LET_PASS)


for game in (ChouineGame, PetiteGame):
    pyspiel.register_game(game.kind, game)
