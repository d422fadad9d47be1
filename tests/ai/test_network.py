"""The network: its inputs, its outputs, and the errors for damaged weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from chouine.ai import network as networks
from chouine.ai.deduced import plain_public_knowledge, public_view
from chouine.ai.features import MAX_MARKS, OUTPUTS, canonical_card, layout, mark_seat, write_scalars
from chouine.ai.network import (
    BadWeights,
    Network,
    forward,
    from_parts,
    load_shipped,
    load_weights,
    private_copy,
)
from chouine.ai.rollout import enter_world, public_knowledge
from chouine.ai.strongest import NetworkPlayer
from chouine.fast.driver import play_card
from chouine.fast.soa_layout import compiled_position
from chouine.partie.actions import Play
from chouine.partie.deal import Deal, drawing_order
from chouine.partie.events import Declared, current_trick
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players import Player, RandomPlayer
from chouine.rules.options import Rules
from chouine.rules.play import start
from chouine.rules.position import NONE
from chouine.rules.rule_table import rule_table_of
from tests.players.table import play_out

CLASSIC = Rules()


def with_suits(cards: int, order: tuple[int, ...]) -> int:
    """A card set with suits permuted."""
    return sum((cards >> 8 * suit & 0xFF) << 8 * other for suit, other in enumerate(order))


def shown_to(view: View) -> tuple[set[int], list[float], int]:
    """A view's network inputs: marks, numbers and the order of suits."""
    seat, marks, numbers = view.observer or 0, np.zeros(MAX_MARKS, np.int64), np.zeros(16)
    played = plain_public_knowledge(view).played
    many, order = mark_seat(view.rules.seats, view.position, seat, view.position.hands, played, marks)
    write_scalars(view.rules.seats, view.position, seat, numbers)
    told = {int(mark) for mark in marks[:many]}
    assert len(told) == many < MAX_MARKS
    return told, list(numbers[: 3 * view.rules.seats - 1]), order


def places(cards: int, order: int, first: int) -> set[int]:
    return {first + canonical_card(card, order) for card in range(32) if cards >> card & 1}


def views(rules: Rules, parties: int) -> Iterator[View]:
    """The views of seats on turn in random parties."""
    rng = Random(4)
    for _ in range(parties):
        state = State.new(rules, Deal.random(rules, 0, rng))
        while state.turn is not None:
            yield state.view(state.turn)
            state = state.play(rng.choice(state.legal()))


@pytest.mark.parametrize("preset", ["classic", "three", "four"])
def test_the_names_of_suits_do_not_matter(preset: str) -> None:
    """Inputs, and hence outputs, are invariant under permutations of the suits."""
    rules, rng = Rules.parse(preset), Random(4)
    at = layout(rules.seats)
    for _ in range(200):
        pack = list(range(32))
        rng.shuffle(pack)
        hand, gone, laid_by_other = (
            sum(1 << card for card in pack[at : at + many]) for at, many in ((0, 5), (5, 8), (5, 4))
        )
        laid, turnup, names = pack[13], pack[30], tuple(rng.sample(range(4), 4))
        shown = []
        for cards, fell, half, low, up in (
            (hand, gone, laid_by_other, laid, turnup),
            (
                with_suits(hand, names), with_suits(gone, names), with_suits(laid_by_other, names),
                names[laid >> 3] << 3 | laid & 7,
                names[turnup >> 3] << 3 | turnup & 7,
            ),
        ):  # fmt: skip
            p = start(rule_table_of(rules), (cards, 0, 0, 0), up, rules.seats - 2)
            p = p._replace(turn=0, table=low + 1, best=low, taker=p.leader)
            marks = np.zeros(MAX_MARKS, np.int64)
            played = fell & ~half, fell & half | 1 << low, 0, 0
            many, order = mark_seat(rules.seats, p, 0, (0, 0, 0, 0), played, marks)
            assert many < MAX_MARKS
            assert max(marks[:many]) < at.numbers < at.inputs
            shown.append((sorted(marks[:many]), canonical_card(up, order)))
        assert shown[0] == shown[1]


def test_two_seats_are_shown_what_their_weights_were_made_for() -> None:
    """The input indices are fixed: shipped weights would silently read other indices as noise."""
    for view in views(CLASSIC, 3):
        marks, numbers, order = shown_to(view)
        p, seat = view.position, view.observer or 0
        other = 1 - seat
        laid = 1 << p.table - 1 if p.table else 0
        turned = 1 << p.turnup if p.turnup >= 0 else 0
        expected = places(p.hands[seat], order, 0) | places(p.hands[other], order, 32)
        expected |= places(view.unseen.mask, order, 64) | places(laid, order, 96)
        expected |= places(turned, order, 128) | {196 + p.tricks, 212}
        expected |= {213} if p.leader == seat else set()
        expected |= places(plain_public_knowledge(view).played[other], order, 215)
        assert {mark for mark in marks if not 160 <= mark < 196} == expected
        assert sum(160 <= mark < 178 for mark in marks) == p.said[seat].bit_count()
        assert sum(178 <= mark < 196 for mark in marks) == p.said[other].bit_count()
        mine, theirs = view.points[seat], view.points[other]
        assert numbers == [
            mine / 100, theirs / 100, (mine - theirs) / 50, p.declared[seat] / 100, p.declared[other] / 100,
        ]  # fmt: skip
    assert layout(2).inputs == 252


@pytest.mark.parametrize("preset", ["three", "four"])
def test_inputs_of_more_seats_are_in_playing_order(preset: str) -> None:
    rules = Rules.parse(preset)
    at = layout(rules.seats)
    for view in views(rules, 5):
        marks, numbers, order = shown_to(view)
        p, seat = view.position, view.observer or 0
        assert {mark for mark in marks if mark < 32} == places(p.hands[seat], order, 0)
        assert {mark for mark in marks if at.unseen <= mark < at.table} == places(
            view.unseen.mask, order, at.unseen
        )
        table = {event.seat: int(event.card) for event in view.table}
        for nth in range(rules.seats - 1):
            other = (seat + 1 + nth) % rules.seats
            first, laid = at.known + 32 * nth, at.table + 32 * nth
            held = places(p.hands[other], order, first)
            assert {mark for mark in marks if first <= mark < first + 32} == held
            cards = places(1 << table[other] if other in table else 0, order, laid)
            assert {mark for mark in marks if laid <= mark < laid + 32} == cards
            fell = at.played + 32 * nth
            parted = places(plain_public_knowledge(view).played[other], order, fell)
            assert {mark for mark in marks if fell <= mark < fell + 32} == parted
            said = at.others_said + 18 * nth
            assert sum(said <= mark < said + 18 for mark in marks) == p.said[other].bit_count()
            assert numbers[1 + nth] == view.points[other] / 100
        best = {mark for mark in marks if at.best <= mark < at.taker}
        assert best == (places(1 << p.best, order, at.best) if table else set())
        takers = [mark - at.taker for mark in marks if at.taker <= mark < at.played]
        assert takers == ([(p.taker - seat) % rules.seats - 1] if table else [])
        assert (at.last_to_lay in marks) == (len(table) == rules.seats - 1)


def random_network(seats: int) -> Network:
    """A network with small random weights."""
    rng, inputs = np.random.default_rng(1), layout(seats).inputs
    shapes = {"first": (inputs, 8), "second": (8, 8), "out": (8, OUTPUTS)}
    parts = {f"{name}_weight": rng.normal(0, 0.3, shape) for name, shape in shapes.items()}
    parts |= {f"{name}_bias": rng.normal(0, 0.3, shape[1]) for name, shape in shapes.items()}
    return from_parts({name: part.astype(np.float32) for name, part in parts.items()})


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_is_as_the_layers_say(seats: int) -> None:
    """The forward pass equals the same computation in NumPy."""
    rules = {2: CLASSIC, 3: Rules.parse("three"), 4: Rules.parse("four")}[seats]
    network = private_copy(load_shipped("classic")) if seats == 2 else random_network(seats)
    for view in islice(views(rules, 1), 9):
        forward(
            seats, network, view.position, view.observer or 0, view.position.hands,
            plain_public_knowledge(view).played,
        )  # fmt: skip
        marks, numbers, _ = shown_to(view)
        x = np.zeros(len(network.first), np.float32)
        x[sorted(marks)] = 1
        x[layout(seats).numbers :] = numbers
        one = np.maximum(x @ network.first + network.first_bias, 0)
        two = np.maximum(one @ network.second + network.second_bias, 0)
        assert np.allclose(network.outputs, two @ network.out + network.out_bias, atol=1e-4)
        assert len(network.outputs) == OUTPUTS


def test_14_only_the_view_is_used() -> None:
    """§14: The same view of two different deals gets the same act."""
    deal = Deal.random(CLASSIC, 0, Random(2))
    state = State.new(CLASSIC, deal)
    talon = (*deal.talon[:-2], deal.talon[-1], deal.talon[-2])
    other = State.new(CLASSIC, Deal(deal.dealer, deal.hands, deal.turnup, talon))
    view, same = state.view(state.turn), other.view(other.turn)
    assert view == same
    assert NetworkPlayer().act(view) == NetworkPlayer().act(same)


def test_it_wins_far_more_than_at_random() -> None:
    won = 0
    for number in range(40):
        players: list[Player] = [NetworkPlayer(), RandomPlayer(Random(number))]
        chairs = players if number % 2 else players[::-1]
        result = play_out(CLASSIC, Deal.random(CLASSIC, 0, Random(number)), chairs).result
        winner = result.winner if result else None
        won += winner is not None and chairs[winner] is players[0]
    assert won >= 32


Parts = dict[str, Any]


def whole_parts() -> Parts:
    with np.load(networks.SHIPPED / "classic.npz") as kept:
        return dict(kept)


@pytest.mark.parametrize(
    "spoilt",
    [
        {"first_weight": lambda parts: parts["first_weight"][:-1]},
        {"first_weight": lambda parts: parts["first_weight"].ravel()},
        {"second_bias": lambda parts: parts["second_bias"][:-1]},
        {"out_bias": lambda parts: parts["out_bias"][0]},
        {"second_bias": lambda parts: parts["second_bias"] * np.nan},
        {"first_bias": None},
        {"third_bias": lambda parts: parts["first_bias"]},
        {"out_bias": lambda parts: np.full(parts["out_bias"].shape, "no number")},
    ],
)
def test_damaged_weights_raise(spoilt: dict[str, Callable[[Parts], Any] | None], tmp_path: Path) -> None:
    """Each single defect raises `BadWeights`: compiled code would read out of bounds."""
    parts = whole_parts()
    for name, spoil in spoilt.items():
        if spoil is None:
            del parts[name]
        else:
            parts[name] = spoil(parts)
    np.savez(tmp_path / "own.npz", **parts)
    with pytest.raises(BadWeights):
        load_weights(tmp_path / "own.npz", CLASSIC.seats)


@pytest.mark.parametrize("kind", ["whole", "cut", "text", "empty", "array", "absent"])
def test_a_damaged_file_raises(kind: str, tmp_path: Path) -> None:
    whole, path = (networks.SHIPPED / "classic.npz").read_bytes(), tmp_path / "own.npz"
    if kind == "array":
        np.save(tmp_path / "array.npy", np.zeros(3))
        path = tmp_path / "array.npy"
    elif kind != "absent":
        path.write_bytes({"whole": whole, "cut": whole[:1000], "text": b"no weights", "empty": b""}[kind])
    if kind == "whole":
        assert len(load_weights(path, CLASSIC.seats).first) == layout(CLASSIC.seats).inputs
    else:
        with pytest.raises(BadWeights):
            load_weights(path, CLASSIC.seats)


def test_a_preset_without_a_network_raises() -> None:
    with pytest.raises(BadWeights):
        load_shipped("mondoubleau-four")


def test_what_everybody_has_seen_is_what_an_onlooker_knows() -> None:
    state = State.new(CLASSIC, Deal.random(CLASSIC, 0, Random(6)))
    rng = Random(6)
    while state.result is None:
        view = state.view(0)
        assert plain_public_knowledge(view).known == public_view(view).position.hands
        state = state.play(rng.choice(state.legal()))


@pytest.mark.parametrize("preset", ["classic", "three"])
def test_9_what_was_just_declared_is_seen_when_the_trick_is_complete(preset: str) -> None:
    """§9.5: A declaration counts as seen from the end of its trick on, also in lookahead from mid-trick."""
    rules, rng, declared = Rules.parse(preset), Random(6), 0
    for seed in range(60):
        state = State.new(rules, Deal.random(rules, 0, Random(seed)))
        while state.result is None:
            legal, p, seen = state.legal(), state.position, public_knowledge(state.view(0))
            speaking = [act for act in legal if isinstance(act, Play) and act.declaration is not None]
            action = rng.choice(speaking or legal)
            turn, done = p.turn, state.play(action)
            if isinstance(action, Play) and p.table and not done.position.table and done.result is None:
                here, seen = enter_world(compiled_position(p), seen, p.hands)
                talon, said = drawing_order(state.deal.talon), action.declaration
                _, seen = play_card(
                    state.rule_table, talon, here, seen, action.card, NONE if said is None else said
                )
                assert tuple(seen.known) == public_view(done.view(turn)).position.hands
                declared += any(isinstance(event, Declared) for event in current_trick(state.events))
            state = done
    assert declared > 10
