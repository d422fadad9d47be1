"""The engine agrees with the referee, an independent implementation of the rules."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, note, settings

from chouine.cards import PACK
from chouine.errors import IllegalAction
from chouine.partie import Declaration, State
from chouine.rules.combinations import ACTIONS, MARIAGE
from tests.laws.strategies import SEEDS
from tests.lines import action, read, write
from tests.referee import Referee, Refused, random_deal, random_rules, rich_deal

SAID = [str(Declaration(number)) for number in range(MARIAGE, ACTIONS)]
TOKENS = ["7x", *map(str, PACK), *(f"{card}+{said}" for card in PACK for said in SAID)]


@settings(max_examples=4 * settings().max_examples)
@given(SEEDS)
def test_the_referee_agrees_from_the_deal_to_the_result(seed: int) -> None:
    """§3-§12, §17: Legal actions at every step, refusals, points, trump, hands and result agree."""
    rng = Random(seed)
    rules = random_rules(rng)
    head = f"{rules} {rng.choice((rich_deal, rich_deal, random_deal))(rules, rng)}"
    state, referee = read(f"{head} :"), Referee(head)
    assert write(state) == f"{head} : "
    eagerness = rng.choice((0.1, 0.5, 0.9))
    while not referee.over:
        agree(state, referee)
        refused_by_both(state, referee, rng)
        token = choose(referee.legal(), rng, eagerness)
        state = state.play(action(token))
        referee.play(token)
    note(write(state))
    agree(state, referee)
    assert state.result is not None
    assert (state.result.text, state.result.by) == (referee.result, referee.by)
    assert list(state.result.points) == referee.points


def agree(state: State, referee: Referee) -> None:
    p = state.position
    assert [str(act) for act in state.legal()] == referee.legal(), write(state)
    assert list(state.view(None).points) == referee.points, write(state)
    assert state.view(None).trump == (None if referee.trump is None else "shdc".index(referee.trump))
    for seat, hand in enumerate(referee.hands):
        assert {str(card) for card in PACK if p.hands[seat] >> card & 1} == set(hand), write(state)


def refused_by_both(state: State, referee: Referee, rng: Random) -> None:
    legal = referee.legal()
    for token in rng.sample(TOKENS, 6):
        if token not in legal:
            with pytest.raises(IllegalAction):
                state.play(action(token))
            with pytest.raises(Refused):
                referee.play(token)


def choose(legal: list[str], rng: Random, eagerness: float) -> str:
    """A random legal token; chouines, declarations and exchanges have probability `eagerness`."""
    plain = [token for token in legal if len(token) == 2 and token != "7x"]
    rare = [token for token in legal if token not in plain]
    chouines = [token for token in rare if "+ch" in token]
    return rng.choice((rng.random() < eagerness and ((rng.random() < 0.5 and chouines) or rare)) or plain)
