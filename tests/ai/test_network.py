"""The network: what it is shown, what it answers, and that a spoilt file is told of."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from chouine.ai import network as networks
from chouine.ai.beliefs import onlooker
from chouine.ai.features import INPUTS, MARKS, NUMBERS, OUTPUTS, mark, renamed
from chouine.ai.foresight import seen_by_all
from chouine.ai.network import BadWeights, consult, loaded, own
from chouine.ai.neural import FullPlayer, NetworkPlayer
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players import Player, RandomPlayer
from chouine.rules.options import Rules
from tests.players.table import play_out

CLASSIC = Rules()


def with_suits(cards: int, order: tuple[int, ...]) -> int:
    """The same cards with other suits' names."""
    return sum((cards >> 8 * suit & 0xFF) << 8 * other for suit, other in enumerate(order))


def test_the_names_of_suits_do_not_matter() -> None:
    """What is shown is the same, and so the answer, whatever the suits are called."""
    rng = Random(4)
    for _ in range(200):
        pack = list(range(32))
        rng.shuffle(pack)
        hand, gone = (sum(1 << card for card in pack[at : at + many]) for at, many in ((0, 5), (5, 9)))
        turnup, order = pack[30], rng.sample(range(4), 4)
        renamed_turnup = order[turnup >> 3] << 3 | turnup & 7
        shown = []
        for cards, fell, up in (
            (hand, gone, turnup),
            (with_suits(hand, tuple(order)), with_suits(gone, tuple(order)), renamed_turnup),
        ):
            marks = np.zeros(MARKS, np.int64)
            many, names = mark(cards, 0, fell, 0, up, up >> 3, 0, 0, 4, 1, marks)
            assert many < MARKS
            assert max(marks[:many]) < NUMBERS < INPUTS
            shown.append((sorted(marks[:many]), renamed(up, names)))
        assert shown[0] == shown[1]


def test_it_is_as_the_layers_say() -> None:
    """Against the same sums by NumPy."""
    network = own(loaded("classic"))
    state = State.new(CLASSIC, Deal.random(CLASSIC, 0, Random(8)))
    for _ in range(9):
        view = state.view(state.turn)
        seat, p = view.observer or 0, view.position
        gone = sum(seen_by_all(view).played)
        consult(network, p, seat, p.hands[seat], p.hands[1 - seat], gone)
        x = np.zeros(INPUTS, np.float32)
        many, _ = mark(
            p.hands[seat], p.hands[1 - seat], gone, p.table & 63, p.turnup, p.trump, p.said[seat],
            p.said[1 - seat], p.tricks, int(p.leader == seat), network.marks,
        )  # fmt: skip
        x[network.marks[:many]] = 1
        mine, others = p.points[seat] + p.declared[seat], p.points[1 - seat] + p.declared[1 - seat]
        x[NUMBERS:] = (
            mine / 100, others / 100, (mine - others) / 50, p.declared[seat] / 100, p.declared[1 - seat] / 100,
        )  # fmt: skip
        one = np.maximum(x @ network.first + network.first_bias, 0)
        two = np.maximum(one @ network.second + network.second_bias, 0)
        assert np.allclose(network.told, two @ network.out + network.out_bias, atol=1e-4)
        assert len(network.told) == OUTPUTS
        state = state.play(view.legal[-1])


def test_14_only_the_view_is_used() -> None:
    """The same view of two different deals gets the same act."""
    deal = Deal.random(CLASSIC, 0, Random(2))
    state = State.new(CLASSIC, deal)
    talon = (*deal.talon[:-2], deal.talon[-1], deal.talon[-2])
    other = State.new(CLASSIC, Deal(deal.dealer, deal.hands, deal.turnup, talon))
    for player in (NetworkPlayer(CLASSIC), FullPlayer(CLASSIC, 1, many=16)):
        assert state.view(state.turn) == other.view(other.turn)
        player_again = (
            type(player)(CLASSIC) if isinstance(player, NetworkPlayer) else FullPlayer(CLASSIC, 1, many=16)
        )
        assert player.act(state.view(state.turn)) == player_again.act(other.view(other.turn))


def test_it_wins_far_more_than_at_random() -> None:
    won = 0
    for number in range(40):
        players: list[Player] = [NetworkPlayer(CLASSIC), RandomPlayer(Random(number))]
        chairs = players if number % 2 else players[::-1]
        result = play_out(CLASSIC, Deal.random(CLASSIC, 0, Random(number)), chairs).result
        winner = result.winner if result else None
        won += winner is not None and chairs[winner] is players[0]
    assert won >= 32


@pytest.mark.parametrize("believed", [0.5, 1.0])
def test_the_full_player_plays_a_partie_out(believed: float) -> None:
    chairs: list[Player] = [FullPlayer(CLASSIC, seat, many=8, believed=believed) for seat in range(2)]
    assert play_out(CLASSIC, Deal.random(CLASSIC, 0, Random(5)), chairs).result


@pytest.mark.parametrize("spoil", ["cut", "shape", "nan", "other", "absent"])
def test_a_spoilt_file_is_told_of(spoil: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = networks.WEIGHTS / "classic.npz"
    monkeypatch.setattr(networks, "WEIGHTS", tmp_path)
    with np.load(whole) as kept:
        parts = dict(kept)
    path = tmp_path / "classic.npz"
    if spoil == "cut":
        path.write_bytes(whole.read_bytes()[:1000])
    elif spoil == "other":
        path.write_text("no weights at all")
    elif spoil != "absent":
        parts["second_bias"] = parts["second_bias"] * np.nan
        if spoil == "shape":
            parts["first_weight"] = parts["first_weight"][:-1]
        np.savez(path, **parts)
    with pytest.raises(BadWeights):
        loaded("classic")


def test_what_everybody_has_seen_is_what_an_onlooker_knows() -> None:
    state = State.new(CLASSIC, Deal.random(CLASSIC, 0, Random(6)))
    rng = Random(6)
    while state.result is None:
        view = state.view(0)
        assert seen_by_all(view).known == onlooker(view).position.hands
        state = state.play(rng.choice(state.legal()))
