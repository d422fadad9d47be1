"""Hints of the advice are true of the card that is then advised."""

from __future__ import annotations

import pytest

from chouine.cards import Card
from chouine.partie import Play
from chouine.server.pages.advising import idea, why
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.table.entries import GivenAdvice, RatedAct
from tests.rules.table import marking_time, partie


@pytest.mark.parametrize(
    ("tricks", "card", "said"),
    [
        (0, "Kh", "You cannot keep everything"),
        (11, "Ac", "highest left of its suit"),
        (11, "Tc", "a brisque of yours"),
        (11, "Qs", "You cannot keep everything"),
    ],
)
def test_a_lead_is_hinted_at_by_what_the_card_is(tricks: int, card: str, said: str) -> None:
    """§9: A king is lost for declarations only when its queen has fallen; of a suit only the best card is master."""
    state = marking_time(partie("classic", ".KJ7..|", "9d"), tricks)
    assert state.turn is not None
    view = state.view(state.turn)
    assert Play(Card(card)) in view.legal
    assert said in idea(view, Play(Card(card)))


def advice(*wins: float, beside: str = "", solved: bool = False) -> GivenAdvice:
    """Advice on the cards of a suit from the ace, each with its chance; a brisque is kept beside one of them."""
    acts = tuple(RatedAct(f"{rank}h", win, win, win) for rank, win in zip("ATKQJ", wins, strict=False))
    reasons = (("spares-brisque", 0.0),) if beside else ()
    return GivenAdvice("Ah", acts, reasons, beside, worlds=0 if solved else 256, solved=solved)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            advice(0.6, 0.5, beside="Th"),
            "Rather than the ten of hearts: a brisque is kept. About 6 parties in 10 are won this way, against 5.",
        ),
        (
            advice(0.6, 0.59, 0.3, beside="Kh"),
            (
                "About as good: the ten of hearts. Rather than the king of hearts: a brisque is kept. "
                "About 6 parties in 10 are won this way, against 3."
            ),
        ),
        (advice(0.6, 0.59, 0.59, 0.3, beside="Qh"), "Several moves are about as good here."),
        (advice(0.6, 0.5), ""),
        (advice(1.0, 1.0, solved=True), "Every move wins."),
        (advice(0.0, 0.0, solved=True), "Every move loses if the other side plays as well as it can."),
        (
            advice(0.5, 0.5, solved=True),
            "Every move makes a nulle if the other side plays as well as it can.",
        ),
        (
            advice(0.09, 0.0, beside="Th"),
            "Whatever you play, fewer than one partie in ten is won from here.",
        ),
        (advice(0.99, 0.91), "Whatever you play, more than nine parties in ten are won from here."),
    ],
)
def test_the_reason_compares_with_the_second_best_alone(given: GivenAdvice, said: str) -> None:
    """Or with the third, if the second is about as good; never with the fourth."""
    assert why(words_of(Visit("en", "s3cret", "guest")), given) == said
