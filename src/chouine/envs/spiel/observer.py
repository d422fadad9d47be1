"""Observers for OpenSpiel: a seat's present observation, or its perfect-recall information.

Observations have the layout of `chouine.envs.encode`, information that of `history`.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from chouine.cards import CardSet
from chouine.envs.agent_selection import LET_PASS
from chouine.envs.encode import CARDS, FIGURES, layout, marks, row_of
from chouine.envs.spiel.partie import Partie, Setting
from chouine.rules.combinations import EXCHANGE, MARIAGE

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
