"""A card as people type or say it."""

from __future__ import annotations

import pytest

from chouine.cards import PACK, Card
from chouine.notation.spoken import CardUnclear, said_card
from chouine.notation.tokens import CARDS
from chouine.phrases import card_name, say, the_card

SAID = {
    "Qh": "dame de cœur|dame de coeur|DC|dc|Dh|d♥|♥D|la dame de coeur|  LA DAME  DE CŒUR |dame-de-cœur|dame cœurs|"
    "reine de cœur|la dame de chœur|c’est la dame de cœur|queen of hearts|a queen of hearts|QH|q♥|Q❤|dame co|"
    "queen hearts|d. de cœur",
    "As": "as de pique|l'as de pique|L’AS DE PIQUE|las de pique|l as de pique|A♠|as pique|AP|As|1 de pique|"
    "ace of spades|asdepique|pique as|the ace of spades",
    "Kc": "roi trèfle|roi de trefle|RT|R♣|Kc|KC|king of clubs|kingofclubs|roi tr",
    "Td": "10 de carreau|dix de carreau|10 carreau|10carreau|10♦|10d|td|TD|10K|the ten of diamonds|dix d'carreau",
    "7c": "le 7 de trefle|cette de trèfle|sept de trèfle|7T|7♣|7c|seven of clubs",
    "Jd": "valet de carreau|valet carreaux|valet de carreaus|VK|V♦|v ca|jack of diamonds|knave of diamonds|VD",
    "Ac": "Ac|ATr|as de trèfle",
}
OPEN = {
    "valet": "Js Jh Jd Jc",
    "as": "As Ah Ad Ac",
    "AS": "As Ah Ad Ac",
    "10": "Ts Th Td Tc",
    "de cœur": "Ah Th Kh Qh Jh 9h 8h 7h",
    "AC": "Ah Ac",
    "9C": "9h 9c",
    "10 c": "Th Tc",
}


@pytest.mark.parametrize(
    ("card", "text"), [(card, one) for card, all_ in SAID.items() for one in all_.split("|")]
)
def test_said(card: str, text: str) -> None:
    assert str(said_card(text)) == card


def test_what_the_program_writes_it_reads() -> None:
    for form, card in CARDS.items():
        assert said_card(form) == card
    for card in PACK:
        for language in ("fr", "en"):
            for name in (
                card_name(card, language),
                the_card(card, language),
                card_name(card, language).upper(),
            ):
                assert said_card(name) == card, name


@pytest.mark.parametrize(("text", "cards"), OPEN.items())
def test_what_may_be_several_cards_names_them(text: str, cards: str) -> None:
    with pytest.raises(CardUnclear) as refused:
        said_card(text)
    assert refused.value.code == "card/open"
    assert {*refused.value.data["cards"]} == {*map(Card, cards.split())}  # type: ignore[misc]
    assert the_card(Card(cards.split(maxsplit=1)[0]), "fr") in say("card/open", "fr", **refused.value.data)


@pytest.mark.parametrize(
    ("text", "between"),
    [
        ("D", "la dame et carreau"),
        ("c", "cœur, carreau et trèfle"),
        ("T", "le dix et trèfle"),
        ("K", "le roi et carreau"),
    ],
)
def test_one_letter_names_what_it_may_stand_for(text: str, between: str) -> None:
    with pytest.raises(CardUnclear) as refused:
        said_card(text)
    assert between in say(refused.value.code, "fr", **refused.value.data)


@pytest.mark.parametrize(
    "text", ["deux de cœur", "2♥", "6c", "le six de pique", "joker", "Joker rouge", "4 of clubs", "trois"]
)
def test_a_card_of_a_larger_pack_is_refused_by_its_name(text: str) -> None:
    with pytest.raises(CardUnclear) as refused:
        said_card(text)
    assert refused.value.code == "card/outside"
    assert text in say(refused.value.code, "fr", **refused.value.data)


@pytest.mark.parametrize(
    "text", ["", "  ", "bonjour", "dame roi de cœur", "dame de pique et roi", "11 de cœur", "dame de 2", "🂽"]
)
def test_anything_else_is_no_card(text: str) -> None:
    with pytest.raises(CardUnclear) as refused:
        said_card(text)
    assert refused.value.code == "card/unknown"
