"""Data that a partie line cannot express is stored beside it; legal acts are computed from a line."""

from __future__ import annotations

from copy import copy
from random import Random

import pytest

from chouine.errors import IllegalAction
from chouine.notation.disclosures import Disclosures, contradicts, disclosed, disclosures
from chouine.notation.lines import legal, partie_line, read_view, seen_by_turn
from chouine.partie.deal import Deal
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
            again = disclosed(read_view(partie_line(view), view.observer), known)
            assert again == view
            assert not contradicts(again)
            assert seen_by_turn(partie_line(view)).observer == view.observer
            assert legal(partie_line(view)) == view.legal
            said = [act for act in state.legal() if "+" in str(act)]
            state = state.play(rng.choice(said or state.legal()))
        with pytest.raises(ValueError, match="one for each"):
            disclosed(state.view(0), Disclosures((*known.shown, None), (*known.exchanged, None)))


def test_an_error_can_be_copied() -> None:
    error = IllegalAction("7x", "illegal/card")
    assert vars(copy(error)) == vars(error)
