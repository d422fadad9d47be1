"""One form of a name for every comparison, one function that accepts a name to be shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.names import (
    NameRefused,
    another_name,
    begins,
    display_name,
    display_text,
    free_name,
    is_found,
    person_key,
    plain_name,
    twins,
)
from chouine.phrases import say

VENDOME = [
    "Vendôme",
    "VENDOME",
    "Vendome",
    "vendôme ",
    unicodedata.normalize("NFD", "Vendôme"),
    "Vend\u00adôme",
]
SAME = [
    VENDOME,
    ["St-Calais", "Saint Calais", "saint-calais", "ST. CALAIS", "St Calais"],
    ["Ste-Anne", "Sainte Anne"],
    ["Montoire-sur-le-Loir", "MONTOIRE SUR LE LOIR", "Montoire s/ le Loir", "Montoire‑sur‑le‑Loir"],
    ["L’Hôpital", "L'Hopital", "LʼHôpital", "L´Hôpital"],
    ["Cœur", "COEUR", "Coeur"],
    ["Weiß", "WEISS"],
]


@pytest.mark.parametrize("spellings", SAME)
def test_one_name_is_written_in_many_ways(spellings: list[str]) -> None:
    assert len(set(map(plain_name, spellings))) == 1


def test_different_names_stay_different() -> None:
    for one, other in [
        ("Vendôme", "Vendœuvres"),
        ("Le Mans", "Les Mans"),
        ("Thomas/Marie", "Thomasur Marie"),
    ]:
        assert plain_name(one) != plain_name(other)
    assert person_key("Bordier Jean") == person_key("Jean BORDIER") != person_key("Jeanne Bordier")


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Bordier Jean", "Jean Bordier"),
        ("obrien", "Patrick O’Brien"),
        ("o’brien", "Patrick O'BRIEN"),
        ("o'brien", "OBrien"),
        ("oeuvrard", "Léa Œuvrard"),
        ("jean noel", "Jean-Noël Petit"),
        ("tour de la", "Anne de La Tour"),
        ("st calais", "Saint-Calais"),
        ("St", "Stéphane"),
        ("vendome", "vendo\u0302me"),
        ("", "anybody"),
    ],
)
def test_search_finds(asked: str, name: str) -> None:
    assert is_found(asked, name)


def test_search_finds_nobody_else() -> None:
    assert not is_found("jean petit", "Jean Bordier")


@given(st.text())
def test_the_form_for_comparison_is_stable(text: str) -> None:
    assert plain_name(plain_name(text)) == plain_name(text)
    assert plain_name(text.upper().casefold()) == plain_name(text.casefold()) or not text.isascii()


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Léa \t Bordier ", "Léa Bordier"),
        (unicodedata.normalize("NFD", "Léa"), "Léa"),
        ("Jean\u202egnp", "Jeangnp"),
        ("Lé\u200ba\ufeff", "Léa"),
        ("Jean\u00a0Paul", "Jean Paul"),
        ("O´Brien", "O’Brien"),
        ("Ｌéa", "Léa"),
        ("", ""),
        (" \u3000 ", ""),
        ("Nguyễn", "Nguyễn"),
        ("Ольга", "Ольга"),
        ("さくらカタ漢字", "さくらカタ漢字"),
        ("x" * 30, "x" * 24),
        ("x" * 23 + "q\u0303\u0301", "x" * 23),
    ],
)
def test_names_that_can_be_shown(typed: str, shown: str) -> None:
    assert display_name(typed, 24) == shown


BLANKS = "\u3164\u115f\u1160\uffa0\u200b\u200f\u2060\ufeff\u00ad\ufe0f\u2800\U000e0041\U000e0100"


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        *((sign, "name/blank") for sign in BLANKS),
        (BLANKS, "name/blank"),
        ("007", "name/no-letter"),
        ("★ !", "name/no-letter"),
        ("a" + "\u0301" * 23, "name/marks"),
        ("L" + "\u0334\u0335\u0336" + "éa", "name/marks"),
        ("\u0301Léa", "name/marks"),
        ("Lisоn", "name/scripts"),
        ("Αnna", "name/scripts"),
    ],
)
def test_names_that_cannot(typed: str, code: str) -> None:
    with pytest.raises(NameRefused) as refused:
        display_name(typed, 24)
    assert refused.value.code == code
    for language in ("fr", "en"):
        assert "%(" not in say(code, language, **refused.value.data)


@given(st.text())
def test_what_is_shown_can_be_shown_again(text: str) -> None:
    """An accepted name is short, visible and accepted as it is."""
    try:
        name = display_name(text, 24)
    except NameRefused:
        return
    assert len(name) <= 24
    assert name.isprintable()
    assert display_name(name, 24) == name
    assert display_text(text, 500).isprintable()


@pytest.mark.parametrize(
    "other",
    [
        "lison",
        "LISON",
        "Líson",
        "Iison",
        "1ison",
        "Lis0n",
        "Li son",
        "Ⅼison",
        "Lıson",
        "Liѕоn",
        "ＬＩＳＯＮ",
        "Lison\u200b",
    ],
)
def test_twins(other: str) -> None:
    assert twins("Lison", other)
    assert another_name(other, ["Basile", "Lison"]) != other
    assert free_name(["Lison", "Milo"], [other]) == "Milo"


@pytest.mark.parametrize(("one", "other"), [("Тома", "Toma"), ("Bernard", "Bemard"), ("ΜΑΝΟΣ", "MANOΣ")])
def test_twins_of_other_alphabets(one: str, other: str) -> None:
    assert twins(one, other)


def test_a_number_tells_twins_apart() -> None:
    taken: list[str] = []
    for _ in range(120):
        taken.append(another_name("Lison", taken))
    assert taken[:3] == ["Lison", "Lison 2", "Lison 3"]
    assert len(set(taken)) == 120
    assert another_name("x" * 24, ["x" * 24]) == "x" * 21 + " 2"
    assert another_name("", [""]) == ""


def test_what_is_searched_begins_words_each_another() -> None:
    assert begins("hers her", "Hervé Hersant")
    assert not begins("hers her", "Fabrice Hersant")
    assert begins("st cal", "Léa de Saint-Calais")
    assert not begins("que", "Léa Évêque")
    assert begins("", "Léa")
