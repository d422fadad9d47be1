"""Every word of the pages is in French too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from chouine.cards import Card, Suit
from chouine.partie import Declaration
from chouine.phrases import PHRASES
from chouine.server.pages.i18n import LOCALE, catalogue, translations
from chouine.server.pages.seats import PHRASES as SPOKEN
from chouine.server.pages.words import in_language
from chouine.server.room.decide import PHRASES as ALLOWED

SERVER = LOCALE.parent
MESSAGES = {
    message
    for _, _, message, _, _ in extract_from_dir(
        SERVER,
        method_map=[("**.py", "python"), ("templates/**.html", "jinja2")],
        options_map={"templates/**.html": {"newstyle_gettext": "true"}},
        keywords={"_": None, "gettext": None, "ngettext": (1, 2), "N_": None},
    )
}
FILLED = re.compile(r"%\((\w+)\)s")


def test_messages_are_found() -> None:
    assert {"Your turn to play", ("%(num)s trick", "%(num)s tricks")} <= MESSAGES


@pytest.mark.parametrize("message", sorted(MESSAGES, key=str), ids=str)
def test_every_message_is_in_french(message: str | tuple[str, str]) -> None:
    singular = message if isinstance(message, str) else message[0]
    entry = catalogue("fr").get(singular)
    assert entry is not None
    french = [entry.string] if isinstance(entry.string, str) else list(entry.string or ())
    assert all(french)
    english = [message] if isinstance(message, str) else list(message)
    assert {name for text in english for name in FILLED.findall(text)} == {
        name for text in french for name in FILLED.findall(text)
    }


def test_no_message_is_left_over_or_told_two_ways() -> None:
    known = {message if isinstance(message, str) else message[0] for message in MESSAGES}
    told: dict[str, object] = {}
    for path in sorted((LOCALE / "fr" / "LC_MESSAGES").glob("*.po")):
        with path.open("rb") as file:
            for entry in read_po(file, locale="fr"):
                name = entry.id if isinstance(entry.id, str) else entry.id[0]
                if name:
                    assert name in known, (path.name, name)
                    assert told.setdefault(name, entry.string) == entry.string, (path.name, name)


def test_french_spaces_do_not_break() -> None:
    say = translations("fr").gettext
    assert say("Chouine: home") == "Chouine\N{NO-BREAK SPACE}: accueil"
    assert "«\N{NO-BREAK SPACE}" in say("You say “Au sept”.")


def test_cards_and_declarations_as_players_say_them() -> None:
    french, english = in_language("fr", "fr"), in_language("en", "en")
    assert french.the(Card("As")) == "l'as de pique"
    assert english.the(Card("Qd")) == "the queen of diamonds"
    assert french.short(Card("Td")) == "10♦"
    assert french.said(Declaration("20d")) == "J'ai un vingt de carreau."
    assert french.said(Declaration("50")) == "J'ai un cinquante."
    assert english.declaration(Declaration("chs")) == "chouine of spades"
    assert french.suit(Suit.HEARTS) == "cœur"


def test_every_phrase_of_the_table_has_words() -> None:
    assert set(SPOKEN) == set(ALLOWED)


def test_every_refusal_of_the_table_has_a_sentence() -> None:
    source = "".join(path.read_text() for path in (SERVER / "room").glob("*.py"))
    source += (Path(SERVER) / "tables.py").read_text()
    codes = set(re.findall(r'Refused\("(room/[a-z-]+)"', source))
    assert codes
    assert codes <= set(PHRASES)
