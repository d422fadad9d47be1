"""Chouine for OpenSpiel: importing this registers the game `chouine`.

    game = pyspiel.load_game("chouine(preset=classic,head=always)")

Parameters: `preset`, and every option of the rules by its name (`au_sept`, `seven_last`, …). `ranks`, `suits` and
`hand` give a smaller pack under the same rules, for algorithms that walk the whole game tree. `chouine_petite` has the
pack `PETITE`: six cards, hands of two; of the figures only the mariage occurs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, NamedTuple

from chouine.cards import PACK, CardSet, Rank
from chouine.envs import MissingPackage
from chouine.errors import ChouineError, IllegalAction, check_seat
from chouine.rules import OPTIONS, Rules, rule_table_of
from chouine.rules.combinations import EXCHANGE, MARIAGE
from chouine.rules.options import text_name
from chouine.rules.play import winner
from chouine.rules.rule_table import RuleTable

try:
    import numpy as np
    import pyspiel

    from chouine.envs.encode import CARDS, FIGURES, LET_PASS, NUMBERS, layout, marks, rewards_of, row_of
    from chouine.envs.spiel_partie import Chance, Partie, Setting, World, another_world, members, spell_action
except ModuleNotFoundError as error:
    raise MissingPackage(error) from error

PRIVATE = {"hand", "pending", "player", "dealt", "drawn", "passed"}
"""Fields that only one seat knows."""


class Piece(NamedTuple):
    """A part of a tensor."""

    name: str
    shape: tuple[int, ...]
    meaning: str


@cache
def history(setting: Setting) -> tuple[Piece, ...]:
    """The layout of perfect-recall information."""
    rule_table = setting.rule_table
    return (
        Piece("player", (rule_table.seats,), "which seat this is"),
        Piece("dealt", (CARDS,), "its hand as it was dealt"),
        Piece("turnup", (CARDS,), "the card turned up"),
        Piece("drawn", (rule_table.drawing, CARDS), "the hidden card it drew after each trick"),
        Piece("cards", (rule_table.tricks, rule_table.seats, CARDS), "each trick's cards, in the order laid"),
        Piece("said", (rule_table.tricks, rule_table.seats, FIGURES), "the declarations made with them"),
        Piece("shown", (rule_table.seats, CARDS), "the brisques each seat laid open for a quinte or trente"),
        Piece(
            "exchange",
            (rule_table.drawing, rule_table.seats),
            "the trick of the exchange, and the cards on the table",
        ),
        Piece("exchanger", (rule_table.seats,), "who exchanged"),
        Piece("passed", (1,), 'whether it let "au sept" pass'),
    )


class Observer:
    """OpenSpiel's `PyObserver`: of public or private information or both, at present or with perfect recall."""

    def __init__(self, setting: Setting, kind: Any, parameters: Any) -> None:
        of_one, nobody = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
        if parameters or kind.private_info not in {of_one, nobody}:
            raise ValueError("an observer takes no parameters and sees no more than one seat's own")
        self.perfect_recall: bool = kind.perfect_recall
        self.public: bool = kind.public_info
        self.private: bool = kind.private_info == of_one
        shapes = {name: piece.shape for name, piece in self.pieces(Partie.begin(setting), 0).items()}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, Any] = {}
        start = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size

    def pieces(self, partie: Partie, player: int) -> dict[str, Any]:
        """The observed tensors, by name."""
        observed = (recalled_pieces if self.perfect_recall else seen_pieces)(
            partie, player if self.private else None
        )
        return {name: piece for name, piece in observed.items() if self.public or name in PRIVATE}

    def set_from(self, state: Any, player: int) -> None:
        if self.perfect_recall:
            self.tensor.fill(0)
            recall(state.partie, player if self.private else None, self.dict)
            return
        for name, piece in self.pieces(state.partie, player).items():
            self.dict[name][...] = piece

    def string_from(self, state: Any, player: int) -> str:
        partie: Partie = state.partie
        if self.perfect_recall and self.public:
            return partie.information_states[player if self.private else -1]
        return in_words(self.pieces(partie, player))


def seen_pieces(partie: Partie, player: int | None) -> dict[str, Any]:
    """A seat's observation in the order of `layout`; None: the public one, seats from the first."""
    seats, p = partie.setting.rule_table.seats, partie.p
    if player is None:
        p = p._replace(hands=partie.seen.known)
    row = row_of(partie.setting.rule_table, p, partie.seen, player or 0)
    observed = {
        each.name: row[each.start : each.stop].reshape(each.times, each.size) for each in layout(seats)
    }
    if player is None:
        del observed["pending"]
        observed["known"] = np.concatenate((observed.pop("hand"), observed["known"]))
    return observed


def recalled_pieces(partie: Partie, player: int | None) -> dict[str, Any]:
    """A seat's information; None: the public information."""
    observed = {
        piece.name: np.zeros(piece.shape, np.float32)
        for piece in history(partie.setting)
        if player is not None or piece.name not in PRIVATE
    }
    recall(partie, player, observed)
    return observed


def recall(partie: Partie, player: int | None, pieces: dict[str, Any]) -> None:
    """Write a seat's own information, or nobody's, and what is public into the zeroed tensors that are given."""
    if player is not None:
        recall_own(partie, player, pieces)
    if "cards" in pieces:
        recall_public(partie, pieces)


def recall_own(partie: Partie, player: int, pieces: dict[str, Any]) -> None:
    """Write what only a seat knows into zeroed tensors."""
    rule_table = partie.setting.rule_table
    pieces["player"][player] = 1
    pieces["dealt"][list(partie.dealt[player * rule_table.hand : (player + 1) * rule_table.hand])] = 1
    for place, drawer in enumerate(partie.drawers):
        if drawer == player:
            pieces["drawn"][place // rule_table.seats, partie.drawn[place]] = 1
    pieces["passed"][0] = (player, LET_PASS) in [act[:2] for act in partie.acts]


def recall_public(partie: Partie, pieces: dict[str, Any]) -> None:
    """Write what everybody knows into zeroed tensors."""
    rule_table = partie.setting.rule_table
    pieces["turnup"][list(partie.dealt[rule_table.seats * rule_table.hand :])] = 1
    for act in partie.acts:
        if act.action < EXCHANGE:
            pieces["cards"][act.trick, act.place, act.action] = 1
        elif act.action == EXCHANGE:
            pieces["exchange"][act.trick, act.place] = 1
            pieces["exchanger"][act.seat] = 1
        elif act.action != LET_PASS:
            pieces["said"][act.trick, act.place, act.action - MARIAGE] = 1
    for seat, cards in enumerate(partie.shown[: rule_table.seats]):
        if cards:
            pieces["shown"][seat] = marks(cards, CARDS)


def in_words(pieces: dict[str, Any]) -> str:
    """The non-empty pieces as text, each with its name."""
    texts = []
    for name, piece in pieces.items():
        rows = piece.reshape(-1, piece.shape[-1]).astype(int).tolist()
        for nth, numbers in enumerate(rows):
            if any(numbers):
                texts.append(f"{name}{nth if rows[1:] else ''}={in_text(numbers)}")
    return " ".join(texts)


def in_text(numbers: list[int]) -> str:
    if len(numbers) == CARDS:
        return str(CardSet(sum(mark << card for card, mark in enumerate(numbers))))
    if len(numbers) == 1:
        return str(numbers[0])
    return ",".join(str(place) for place, mark in enumerate(numbers) if mark)


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
        if not self.partie.allows(action):
            raise IllegalAction(action, "research/illegal", number=action)
        self.partie = self.partie.deal_card(action) if self.partie.by_chance else self.partie.do(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(PACK[action]) if player == pyspiel.PlayerId.CHANCE else spell_action(player, action)

    def returns(self) -> list[float]:
        rule_table, p = self.partie.setting.rule_table, self.partie.p
        first = winner(rule_table, p) if p.turn < 0 else -1
        return rewards_of(rule_table.seats, first if first >= 0 else None)

    def resample_from_infostate(self, player: int, chance: Chance) -> ChouineState:
        """A state with the same information for this seat and hidden cards resampled (§14)."""
        check_seat("player", player, self.partie.setting.rule_table.seats)
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
