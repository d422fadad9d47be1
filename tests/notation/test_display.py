"""Cards, declarations and events as people read and say them."""

from __future__ import annotations

import pytest

from chouine.cards import Card, CardSet
from chouine.notation.display import Narrator, declaration_announcement, declaration_name, declaration_spoken
from chouine.partie.actions import Declaration
from chouine.partie.deal import SeenHand
from chouine.partie.events import (
    AuSept,
    Dealt,
    Declared,
    Drawn,
    Ended,
    Event,
    Exchanged,
    Played,
    Shown,
    Taken,
    TrumpFixed,
)
from chouine.partie.result import Result
from chouine.phrases import Language


@pytest.mark.parametrize(
    ("language", "name", "with_article", "said"),
    [
        ("fr", "vingt de carreau", "un vingt de carreau", "J’ai un vingt de carreau"),
        ("en", "twenty of diamonds", "a twenty of diamonds", "I have a twenty of diamonds"),
    ],
)
def test_a_declaration_is_named_and_said(language: Language, name: str, with_article: str, said: str) -> None:
    """§9.5"""
    declaration = Declaration("20d")
    assert declaration_name(declaration, language) == name
    assert declaration_announcement(declaration, language) == with_article
    assert declaration_spoken(declaration, language) == said


NAMES = ("Anne", "Basile")
HANDS = (SeenHand(CardSet(), 5),) * 2
QUEEN, KING = Card("Qd"), Card("Kd")
TWENTY = Declaration("20d")


@pytest.mark.parametrize(
    ("event", "in_words", "short"),
    [
        (Dealt(0, HANDS, QUEEN, 21), "You deal.", "You deal."),
        (Dealt(1, HANDS, QUEEN, 21), "Basile deals.", "Basile deals."),
        (Declared(0, TWENTY, 20), "You: “I have a twenty of diamonds”", "You: “I have a twenty of diamonds”"),
        (
            Shown(1, TWENTY, CardSet((QUEEN, KING))),
            "Basile shows the king and the queen of diamonds.",
            "Basile shows K♦ Q♦.",
        ),
        (TrumpFixed(QUEEN.suit), "Trumps are diamonds.", "Trumps are diamonds."),
        (Played(0, QUEEN), "You play the queen of diamonds.", "You play Q♦."),
        (Taken(1, 0, (QUEEN, KING), 7), "Basile takes the trick.", "Basile takes the trick."),
        (Drawn(1, None), "Basile draws a card.", "Basile draws a card."),
        (Drawn(0, QUEEN), "You draw the queen of diamonds.", "You draw Q♦."),
        (
            Drawn(1, QUEEN, turnup=True),
            "Basile draws the turnup, the queen of diamonds.",
            "Basile draws the turnup, Q♦.",
        ),
        (AuSept(1), "Basile says: “Au sept”.", "Basile says: “Au sept”."),
        (
            Exchanged(None, QUEEN),
            "Someone exchanges the seven of diamonds for the queen of diamonds.",
            "Someone exchanges 7♦ for Q♦.",
        ),
        (Ended(Result(None, (60, 60), "nulle")), "", ""),
    ],
)
def test_each_event_has_its_sentence(event: Event, in_words: str, short: str) -> None:
    assert Narrator(NAMES, 0, "en").sentence(event) == in_words
    assert Narrator(NAMES, 0, "en", short=True).sentence(event) == short


def test_what_counts_is_narrated_with_its_points() -> None:
    """§9, §10: Sentences contain points, except for a chouine."""
    narrator = Narrator(NAMES, 0, "fr")
    assert narrator.tell_count(Declared(1, TWENTY, 40)).endswith("(40\N{NO-BREAK SPACE}points)")
    assert "points" not in narrator.tell_count(Declared(1, Declaration("chd"), 0))
    assert narrator.tell_count(Taken(0, 0, (QUEEN, KING), 7)) == "Vous ramassez le pli (7)."
    assert (
        narrator.tell_count(Taken(0, 0, (QUEEN, KING), 17)) == "Vous ramassez le pli (17 avec le dix de der)."
    )
