"""The book's parties follow the rules, and its tallies count them correctly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from chouine.book.kernel import DRAWING, HELD, TRICKS, UNSAID, PlayedParties, Trials, play
from chouine.book.tallies import figures_held, tallies_of
from chouine.cards import BRISQUES, CardSet
from chouine.rules import Rules, rule_table_of
from chouine.rules.combinations import CHOUINE, EXCHANGING, MARIAGE, figures_of_five
from chouine.rules.play import exchange, exchanger, legal, start, step, total, winner
from chouine.rules.position import NONE, Position

BOOK = rule_table_of(Rules())


@pytest.fixture(scope="module", params=["net", "level:6", "level:2"])
def parties(request: pytest.FixtureRequest) -> tuple[PlayedParties, Trials]:
    return play(request.param, 200, 7, 2)


def talon_of(played: PlayedParties, row: int) -> list[int]:
    """The talon in drawing order, from the recorded hands: the taker's draw, then the other's."""
    talon: list[int] = []
    for trick in range(min(DRAWING, int(played.tricks[row]))):
        for nth in range(2):
            seat = (int(played.leader[row, trick + 1]) + nth) % 2
            before = int(played.hands[row, trick, seat]) & ~sum(1 << int(c) for c in played.cards[row, trick])
            drawn = int(played.hands[row, trick + 1, seat]) & ~before
            if played.swapped[row, 0] == trick and played.swapped[row, 1] == seat:
                drawn &= ~(1 << int(played.turnup[row, trick]))
            talon.append(drawn.bit_length() - 1)
    return talon


def replay(played: PlayedParties, row: int) -> Position:
    """The final position, after checking that every action was legal."""
    hands = [int(hand) for hand in played.hands[row, 0]]
    p = start(BOOK, (*hands, 0, 0), int(played.turnup[row, 0]), row & 1)  # type: ignore[arg-type]
    talon = talon_of(played, row)
    for trick in range(TRICKS):
        assert [p.hands[0], p.hands[1]] == [int(hand) for hand in played.hands[row, trick]], "§5"
        assert p.leader == played.leader[row, trick]
        assert p.turnup == played.turnup[row, trick]
        assert [total(p, seat) for seat in (0, 1)] == list(
            played.points[row, trick] + played.declared[row, trick]
        )
        said = [
            int(after) & ~before
            for after, before in zip(said_after(played, row, trick), p.said[:2], strict=True)
        ]
        for nth in range(2):
            while exchanger(BOOK, p) >= 0 and played.swapped[row, 0] == trick:
                assert legal(BOOK, p) & EXCHANGING, "§11"
                assert exchanger(BOOK, p) == played.swapped[row, 1]
                p = exchange(p, exchanger(BOOK, p))
            if said[p.turn]:
                assert legal(BOOK, p) & said[p.turn], "§9"
                p = step(BOOK, talon, p, said[p.turn].bit_length() - 1)
            card = int(played.cards[row, trick, nth])
            assert legal(BOOK, p) >> card & 1, "§8"
            p = step(BOOK, talon, p, card)
        if p.turn < 0:
            return p
    return p


def said_after(played: PlayedParties, row: int, trick: int) -> list[int]:
    """Each seat's declarations by the end of a trick; a chouine ends the partie within it (§10)."""
    at = TRICKS if trick >= played.tricks[row] else trick + 1
    return [int(said) for said in played.said[row, at]]


def test_every_partie_is_played_by_the_rules(parties: tuple[PlayedParties, Trials]) -> None:
    played, _ = parties
    for row in range(len(played.winner)):
        end = replay(played, row)
        assert end.turn == NONE
        assert winner(BOOK, end) == played.winner[row]
        assert end.chouine == played.chouine[row]


def test_equal_arguments_give_equal_parties() -> None:
    one, again, other = (play("level:6", 40, seed, 4)[0] for seed in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(one, again, strict=True))
    assert (one.hands[:, 0] != other.hands[:, 0]).any()


def test_trials_are_of_seat_a_and_compare_with_the_partie_as_played(
    parties: tuple[PlayedParties, Trials],
) -> None:
    played, trials = parties
    assert len(trials.kind) > 0
    outcome = np.where(played.winner < 0, 0.5, (played.winner == 0) * 1.0)
    assert (trials.as_played == outcome[trials.partie]).all()
    unsaid = trials.kind == UNSAID
    said = played.said[trials.partie[unsaid], TRICKS, 0]
    assert (said >> trials.what[unsaid].astype(np.int64) & 1).all()
    assert (trials.trick[trials.kind == HELD] < DRAWING).all()


def test_figures_are_those_of_the_rules() -> None:
    hands = play("level:1", 2_000, 5, 1_000)[0].hands[:, 0, 0]
    held = figures_held(hands)
    for nth, hand in enumerate(hands):
        of = figures_of_five(int(hand))
        expected = [of >> MARIAGE + 4 * nth & 0xF != 0 for nth in range(3)]
        expected += [len(CardSet(int(hand) & BRISQUES)) == 5, of >> CHOUINE != 0]
        assert list(held[:, nth]) == expected


def test_tallies_count_each_partie_once(parties: tuple[PlayedParties, Trials]) -> None:
    played, trials = parties
    counted: dict[str, Any] = tallies_of(played, trials)
    parties_played = len(played.winner)
    assert counted["nulle"][0, 0] == parties_played
    assert counted["nulle"][0, 1] == (played.winner < 0).sum()
    assert counted["short_count"][..., 0].sum() == (played.tricks == TRICKS).sum()
    assert counted["last_trumps"][..., 0].sum() == (played.tricks >= DRAWING).sum()
    assert counted["trials"][..., 0].sum() == len(trials.kind)
