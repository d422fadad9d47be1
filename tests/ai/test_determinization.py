"""Worlds of a view (§14) are consistent with it, and all equally likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from chouine.ai.deduced import hidden_cards
from chouine.ai.determinization import TALON_PLACES, DealTable, shuffle_deal, uniform_worlds
from chouine.partie import Declared, State, View
from chouine.partie.events import current_trick
from chouine.rules import PRESETS, Rules
from tests.ai.retold import line, retold
from tests.laws.strategies import SEEDS, moments


@given(moments(), SEEDS)
def test_a_world_gives_its_seat_the_same_view(state: State, seed: int) -> None:
    """§14: A partie reconstructed from a world gives its seat the same view."""
    for seat in range(state.rules.seats):
        view = state.view(seat)
        made = uniform_worlds(view, 3, seed)
        for hands, talon in zip(made.hands.tolist(), made.talons.tolist(), strict=True):
            again = retold(view, hands, talon)
            assert again is not None
            assert again.position.hands == tuple(hands)
            if not state.result:
                assert again.view(seat) == view


def test_what_has_just_been_said_is_in_that_hand() -> None:
    """§9.5: Worlds contain the declared cards in the declarer's hand, before they are shown."""
    met = 0
    for seed in range(12):
        for state in line(Rules(), seed):
            said = [event for event in current_trick(state.events) if isinstance(event, Declared)]
            if state.position.table and said and said[-1].declaration.suit is not None:
                met += 1
                view, seat = state.view(1 - said[-1].seat), said[-1].seat
                made, cards = uniform_worlds(view, 20, seed), said[-1].declaration.cards(view.rule_table).mask
                left = cards & state.position.hands[seat]
                assert left
                assert (made.hands[:, seat] & left == left).all()
    assert met


def ways(view: View) -> Iterator[tuple[int, ...]]:
    """All distributions of the unseen cards that the rules allow, found by testing each."""
    left = hidden_cards(view)
    for shares in shared_out(left.cards, list(left.vacancies)):
        hands = [known | share for known, share in zip(left.hands, shares, strict=True)]
        rest = [card for card in range(32) if (left.cards & ~sum(shares)) >> card & 1]
        hands += [0] * (4 - len(hands))
        if retold(view, hands, [0] * left.drawn + rest) is not None:
            yield tuple(hands)


def shared_out(cards: int, rooms: list[int]) -> Iterator[list[int]]:
    if not rooms:
        yield []
        return
    members = [card for card in range(32) if cards >> card & 1]
    for chosen in combinations(members, rooms[0]):
        share = sum(1 << card for card in chosen)
        for others in shared_out(cards & ~share, rooms[1:]):
            yield [share, *others]


def moment(preset: str, seed: int, wanted: str) -> State:
    """A state late enough to enumerate its distributions."""
    for nth in range(1_000):
        for state in line(Rules.of_preset(preset), seed + nth):
            view, left = state.view(0), hidden_cards(state.view(0))
            few = left.cards.bit_count() <= 8 and sum(left.vacancies) > 1 and not state.result
            if few and view.turn == 0 and wanted in ("any", "barred" if left.barred else "free"):
                return state
    raise AssertionError


@pytest.mark.parametrize(
    ("preset", "wanted"),
    [(preset, "any") for preset in PRESETS]
    + [(preset, "barred") for preset in PRESETS if PRESETS[preset][0] > 2],
)
def test_all_worlds_are_alike(preset: str, wanted: str) -> None:
    """§8, §14: Samples are uniform over all distributions that the rules allow; the talon is in random order."""
    view, many = moment(preset, 1, wanted).view(0), 20_000
    left, allowed = hidden_cards(view), set(ways(view))
    made = uniform_worlds(view, many, 7)
    drawn = Counter(map(tuple, made.hands.tolist()))
    assert set(drawn) == allowed
    spread = (many / len(allowed)) ** 0.5
    assert all(abs(met - many / len(allowed)) < 5 * spread for met in drawn.values())
    first = made.talons[:, left.drawn]
    if wanted == "any" and view.rules.seats == 2:
        met = np.bincount(first, minlength=32)[[card for card in range(32) if left.cards >> card & 1]]
        assert met.min() > 0
        assert np.ptp(met) < 10 * (many / left.cards.bit_count()) ** 0.5


@pytest.mark.parametrize("preset", PRESETS)
def test_shuffled_worlds_are_alike(preset: str) -> None:
    """§14: Where nothing is known of the hands, the shuffle makes all distributions equally likely."""
    view, many = moment(preset, 1, "free").view(0), 20_000
    left, allowed = hidden_cards(view), set(ways(view))
    table, drawn, stream = DealTable.of(left), Counter[tuple[int, ...]](), 7
    firsts = Counter[int]()
    for _ in range(many):
        hands, talon = [*left.hands, *[0] * (4 - len(left.hands))], [0] * TALON_PLACES
        stream = shuffle_deal(table, left.drawn, stream, hands, talon)
        drawn[tuple(map(int, hands))] += 1
        firsts[int(talon[left.drawn])] += 1
    assert set(drawn) == allowed
    spread = (many / len(allowed)) ** 0.5
    assert all(abs(met - many / len(allowed)) < 5 * spread for met in drawn.values())
    cards = left.cards.bit_count()
    assert len(firsts) == cards
    assert all(abs(met - many / cards) < 5 * (many / cards) ** 0.5 for met in firsts.values())


def test_another_seed_gives_other_worlds() -> None:
    view = line(Rules(), 2)[6].view(1)
    assert uniform_worlds(view, 5, 1).hands.tolist() == uniform_worlds(view, 5, 1).hands.tolist()
    assert uniform_worlds(view, 5, 1).hands.tolist() != uniform_worlds(view, 5, 2).hands.tolist()
