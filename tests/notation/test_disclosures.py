"""Data that a partie line cannot express is stored beside it; legal acts are computed from a line."""

from __future__ import annotations

from copy import copy
from random import Random

import pytest

from chouine.cards import BRISQUES, CardSet
from chouine.errors import IllegalAction
from chouine.notation.lines import (
    Disclosures,
    contradicts,
    disclose,
    disclosures,
    legal,
    partie_line,
    read_view,
    seen_by_turn,
)
from chouine.notation.tokens import read_suits
from chouine.partie.actions import Figure
from chouine.partie.deal import Deal
from chouine.partie.events import Played, Shown
from chouine.partie.state import State
from chouine.rules.options import PRESETS, Rules


@pytest.mark.parametrize("preset", PRESETS)
def test_a_view_comes_back_whole(preset: str) -> None:
    """§9.5, §11: Shown cards and the seat of an exchange are restored."""
    rules, known = Rules.of_preset(preset), Disclosures((), ())
    # a line omits the shown cards in seed 4, and the exchanging seat in seeds 6 and 20
    for seed in (4, 6, 20):
        rng = Random(seed)
        state = State.new(rules, Deal.random(rules, 0, rng))
        while state.turn is not None:
            view = state.view(state.turn)
            known = disclosures(view)
            again = disclose(read_view(partie_line(view), view.observer), known)
            assert again == view
            assert not contradicts(again)
            assert seen_by_turn(partie_line(view)).observer == view.observer
            assert legal(partie_line(view)) == view.legal
            said = [act for act in state.legal() if "+" in str(act)]
            state = state.play(rng.choice(said or state.legal()))
        with pytest.raises(ValueError, match="one for each"):
            disclose(state.view(0), Disclosures((*known.shown, None), (*known.exchanged, None)))


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("classic b ?5|.K.A98.7 Jd ?? : 7x Qs", Disclosures((), (1,))),
        ("classic b ?5|.K.A97.7 Jd 8c : Qs+20s 7d", Disclosures((read_suits("..AJ."),), ())),
        ("classic b ?5|.K.A97.7 Jd 8c : Qs+20s 7d", Disclosures((read_suits("KQ..J."),), ())),
    ],
)
def test_an_impossible_exchange_or_figure_contradicts(line: str, known: Disclosures) -> None:
    """§9, §11: seat b had no seven; a mariage of spades is its king and queen."""
    assert contradicts(disclose(read_view(line, 1), known))


@pytest.mark.parametrize("preset", ["three", "four"])
def test_cards_shown_that_others_lay_contradict(preset: str) -> None:
    """§9.5: whoever showed a card keeps it until they lay it, and shows no more than a hand holds."""
    rules, found = Rules.of_preset(preset), 0
    for seed in range(60):
        rng = Random(seed)
        state = State.new(rules, Deal.random(rules, 0, rng))
        while state.turn is not None:
            said = [act for act in state.legal() if "+50" in str(act) or "+30" in str(act)]
            state = state.play(rng.choice(said or state.legal()))
        for nth, shown in enumerate(each for each in state.events if isinstance(each, Shown)):
            known = disclosures(state.view(0))
            after = state.events[state.events.index(shown) :]
            others = [each.card for each in after if isinstance(each, Played) and each.seat != shown.seat]
            brisques = [card for card in others if BRISQUES >> card & 1]
            if shown.seat and brisques and shown.declaration.figure in (Figure.QUINTE, Figure.TRENTE):
                own = shown.cards or CardSet()
                for cards in (own | CardSet(brisques[:1]), own | CardSet(brisques), CardSet(brisques)):
                    wrong = known._replace(shown=(*known.shown[:nth], cards, *known.shown[nth + 1 :]))
                    assert contradicts(disclose(state.view(0), wrong))
                    found += 1
    assert found


def test_an_error_can_be_copied() -> None:
    error = IllegalAction("7x", "illegal/card")
    assert vars(copy(error)) == vars(error)
