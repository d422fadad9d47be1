"""Text forms, `repr` included, parse to the same value."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import PACK, Card, CardSet
from chouine.partie import Declaration, State
from chouine.rules import Rules
from tests.laws.strategies import moments, rules
from tests.lines import action, deal, read, write


@given(rules())
def test_rules_read_back(chosen: Rules) -> None:
    """Rules parse from their text: the preset, then changed options in fixed order."""
    assert Rules.parse(str(chosen)) == chosen
    assert eval(repr(chosen)) == chosen  # noqa: S307
    assert str(chosen).split(";")[0] == chosen.preset


def test_cards_and_declarations_read_back() -> None:
    """§1, §9: 32 cards and 18 declarations each have one text form."""
    assert [Card(str(card)) for card in PACK] == list(PACK)
    assert [eval(repr(card)) for card in PACK] == list(PACK)  # noqa: S307
    assert len({str(card) for card in PACK}) == 32
    for number in range(33, 51):
        said = Declaration(number)
        assert Declaration(str(said)) == said == eval(repr(said)) == number  # noqa: S307


@given(st.integers(0, 2**32 - 1))
def test_sets_of_cards_read_back(mask: int) -> None:
    """§1: Card sets parse from their text, suit by suit, strongest first."""
    cards = CardSet(mask)
    assert CardSet(str(cards)) == cards == CardSet(iter(cards)) == eval(repr(cards))  # noqa: S307
    assert len(cards) == len(list(cards)) == mask.bit_count()
    assert all((card in cards) == bool(mask >> card & 1) for card in PACK)


@given(moments())
def test_a_partie_reads_back_from_its_line(state: State) -> None:
    """§3, §5: A partie equals the one parsed from its line of rules, deal and actions."""
    assert deal(str(state.deal)) == state.deal
    assert read(write(state)) == state
    assert all(action(str(act)) == act for act in state.legal())
