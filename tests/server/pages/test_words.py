"""The table's words, as players say them."""

from __future__ import annotations

import re
from pathlib import Path

import chouine.server
from chouine.cards import Card, Suit
from chouine.partie import Declaration
from chouine.phrases import PHRASES
from chouine.server.pages.partie import PHRASES as SPOKEN
from chouine.server.pages.words import in_language
from chouine.table.decide import PHRASES as ALLOWED

SERVER = Path(chouine.server.__file__).parent


def test_cards_and_declarations_as_players_say_them() -> None:
    french, english = in_language("fr", "fr"), in_language("en", "en")
    assert french.the(Card("As")) == "l’as de pique"
    assert english.the(Card("Qd")) == "the queen of diamonds"
    assert french.short(Card("Td")) == "10♦"
    assert french.declaration_said(Declaration("20d")) == "J’ai un vingt de carreau"
    assert french.declaration_said(Declaration("50")) == "J’ai un cinquante"
    assert english.declaration(Declaration("chs")) == "chouine of spades"
    assert french.suit(Suit.HEARTS) == "cœur"


def test_every_phrase_of_the_table_has_words() -> None:
    assert set(SPOKEN) == set(ALLOWED)


def test_every_refusal_of_the_table_has_a_sentence() -> None:
    folders = (SERVER, SERVER.parent / "table")
    source = "".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.py"))
    codes = set(re.findall(r'(?:Refused|NotYours)\("(table/[a-z-]+)"', source))
    assert codes
    assert codes <= set(PHRASES)
