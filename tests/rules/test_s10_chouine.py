"""§10 Chouine, and several chouines in one trick, in every order."""

from __future__ import annotations

from itertools import product

import pytest

from chouine.partie import Declared, Drawn, Shown, State, Taken, TrumpFixed
from tests.lines import SEATS, play
from tests.rules.table import partie

PRESET = {2: "classic", 3: "three", 4: "four"}
FIGURE = {2: "ATKQJ", 3: "KQJ", 4: "KQJ"}
EVERY_ORDER = [
    (seats, trump, said)
    for seats in (2, 3, 4)
    for trump in "shdc"
    for said in product((False, True), repeat=seats)
    if any(said)
]


def of_suit(suit: str, ranks: str) -> str:
    """A hand of one suit."""
    return ".".join(ranks if suit == each else "" for each in "shdc")


def all_hold_one(seats: int, trump: str, option: str = "") -> State:
    """Each seat holds the chouine of its own suit: a spades, b hearts, c diamonds, d clubs."""
    hands = "|".join(of_suit(suit, FIGURE[seats]) for suit in "shdc"[:seats])
    return partie(f"{PRESET[seats]}{option}", hands, f"9{trump}")


@pytest.mark.parametrize(("seats", "trump", "said"), EVERY_ORDER)
def test_chouine_against_chouine(seats: int, trump: str, said: tuple[bool, ...]) -> None:
    """§10: With two, three or four seats a trump chouine beats any other, else the first declared wins."""
    state = all_hold_one(seats, trump)
    for suit, says in zip("shdc", said, strict=False):
        assert state.result is None
        state = play(state, f"K{suit}+ch{suit}" if says else f"K{suit}")
    sayers = [suit for suit, says in zip("shdc", said, strict=False) if says]
    best = trump if trump in sayers else sayers[0]
    assert state.result is not None
    assert (state.result.by, state.result.winner) == ("chouine", "shdc".index(best))
    assert state.result.text == "-".join("1" if best == suit else "0" for suit in "shdc"[:seats])
    assert state.result.points == (0,) * seats
    assert state.result.manche is False


@pytest.mark.parametrize(("seats", "trump", "said"), EVERY_ORDER)
def test_option_trump_chouine(seats: int, trump: str, said: tuple[bool, ...]) -> None:
    """§10: With `trump-chouine=manche` a trump chouine, and no other, wins the whole manche."""
    state = all_hold_one(seats, trump, ";trump-chouine=manche")
    for suit, says in zip("shdc", said, strict=False):
        state = play(state, f"J{suit}+ch{suit}" if says else f"J{suit}")
    assert state.result is not None
    assert state.result.manche == (trump in [suit for suit, says in zip("shdc", said, strict=False) if says])


@pytest.mark.parametrize("leader", [0, 1, 2, 3])
def test_the_first_said_is_the_first_in_order_of_play(leader: int) -> None:
    """§10: The first declared wins whoever leads; four seats, clubs turned up, no trump chouine."""
    hands = "|".join([of_suit("s", "KQJ"), of_suit("h", "KQJ"), of_suit("d", "KQJ"), "..."])
    state = partie("four", hands, "9c", dealer=SEATS[leader - 1])
    for nth in range(4):
        seat = (leader + nth) % 4
        plain = [str(act) for act in state.legal(seat)]
        state = play(state, next((token for token in plain if "+ch" in token), plain[0]))
    assert state.result is not None
    assert state.result.winner == (leader if leader < 3 else 0)


def test_the_trick_is_completed_first() -> None:
    """§10: The others still play a card, with or without a chouine; nothing is counted or drawn."""
    state = partie("three", ".KQJ..|A...|T...", "9d", actions="Kh+chh As")
    assert state.result is None
    assert state.turn == 2
    state = play(state, "Ts")
    assert state.result is not None
    assert state.result.points == (0, 0, 0)
    assert not [event for event in state.events if isinstance(event, Taken | Drawn)]
    assert [event.seat for event in state.events if isinstance(event, Shown)] == [0]


def test_points_are_as_they_stood_before_the_trick() -> None:
    """§10: The result's points include earlier declarations and cards but not this trick's; they decide nothing."""
    hands = ".KQ.8.|8..KQ.|...KQ8"
    state = partie("three", hands, "Th", drawn="7s Jd 7c", actions="Kh+20h 8s 8c")
    assert state.view(None).points == (40 + 4, 0, 0)
    state = play(state, "Qh Kd+chd Kc+20c")
    assert state.result is not None
    assert (state.result.winner, state.result.points) == (1, (44, 0, 0))


def test_what_else_is_said_in_that_trick_counts_nothing() -> None:
    """§10: A mariage before or after the chouine in the same trick is legal and scores 0."""
    state = partie("three", ".KQ..|..KQJ.|...KQ", "9s", actions="Kh+20h Kd+chd Kc+20c")
    assert [event.counts for event in state.events if isinstance(event, Declared)] == [20, 0, 0]
    assert state.result is not None
    assert (state.result.winner, state.result.points) == (1, (0, 0, 0))


def test_a_chouine_never_fixes_trump() -> None:
    """§10, §17: With two plain chouines in Mondoubleau the first declared wins."""
    state = partie("mondoubleau;declare=any", "ATKQJ...|.ATKQJ..", actions="As+chs Ah+chh")
    assert not [event for event in state.events if isinstance(event, TrumpFixed)]
    assert state.result is not None
    assert state.result.winner == 0


def test_not_saying_it_is_allowed() -> None:
    """§9.1, §10: A chouine in hand wins nothing unless declared."""
    state = play(all_hold_one(2, "c"), "As Jh")
    assert state.result is None
    assert state.turn == 0
