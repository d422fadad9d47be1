"""Every sentence shown is spelled as the dictionaries of Debian have it, and says each thing by one word.

A word that hunspell does not know is wrong, or is one of the game's, of a place's or of a command's: then it stands in
`words-fr.txt` or `words-en.txt`. What a dictionary cannot hear, a calque or a second word for one thing, is a pattern.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from chouine.phrases import Language
from chouine.phrases.catalogue import CHILD
from tests.needs import need
from tests.phrases.test_catalogue import english
from tools.messages import forms, update_catalogue

ROOT = Path(__file__).parents[2]
DICTIONARIES: dict[Language, str] = {"fr": "fr_FR", "en": "en_GB"}
PRINTS, LARGE = "src/chouine/school/content/prints", ("page", "booklet")
PAGES: dict[Language, tuple[str, ...]] = {
    "fr": (
        "REGLES.md",
        "docs/concours.md",
        "docs/book/fr.md",
        "docs/site/fr.md",
        "docs/site/apprendre.md",
        *(f"{PRINTS}/{name}-fr.md" for name in LARGE),
    ),
    "en": (
        "RULES.md",
        "docs/contest.md",
        "docs/book/en.md",
        "docs/site/en.md",
        "docs/site/learn.md",
        *(f"{PRINTS}/{name}-en.md" for name in LARGE),
    ),
}
CODE = re.compile(
    r"```.*?```|`[^`]*`|\]\([^)]*\)|<[^>]*>|%\(\w+\)\w|https?://\S+|\{[^}]*\}|--?\w[\w-]*|[\w.*/-]*[\d_./]+[\w*/-]+|\b[A-Z_]{3,}\b",
    re.DOTALL,
)
"""What is no language: code, addresses, placeholders, options, files' names, settings."""
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
SAID_OTHERWISE: dict[Language, dict[str, str]] = {
    "fr": {
        r"couleur (d’attaque|attaquée)": "couleur demandée",
        r"compte (rapide|raccourci)": "compte court",
        r"feuille de match": "feuille de marque",
        r"bureau du concours": "table de marque",
        r"\b(e-?mail|mail)s?\b": "courriel",
        r"% du temps|pour cent du temps": "fois sur cent, des parties",
        r"\ben atout\b": "à l’atout",
        r"(?-i:\b(le|du|au) (Dix|Roi|Valet|Neuf|Huit|Sept)|\b(la|une) Dame|[ld]’As|\bles (As|Dix))\b": "small letters",
        r"\bvous (êtes|serez) (\w+ )?(inscrit|invité|sûr|seul|prêt|content|arrivé|connecté|assis)\b": "both genders",
        r"\bvotre ami\b": "la personne invitée",
        r"\bfourni\w* la couleur\b": "fournir à la couleur",
        r"\bcombinaisons?\b|\bdéclar\w*\b(?! forfait)": "annonce, annoncer",
        r"^\W*têtes?$": "figures",
    },
    "en": {
        r"\b(for|to|than|from) who\b": "whoever, the player who",
        r"(^|\. )Who (opens|plays|wins|loses|holds|has|comes)\b[^?]*\.( |$)": "Whoever",
        r"\bto (three|five) parties won\b": "first to win three deals",
        r"\bof itself\b": "by itself",
        r"\bthere is but\b": "there is only",
        r"\bmore points wins\b": "the most points win",
        r"\bannounce an? (twenty|thirty|forty|fifty|mariage|tierce|quarteron|quinte|chouine)\b": "declare",
        r"\b(something to|could) announce\b": "declare",
        r"\b(make a|same|lower|different) figure\b|\bfigure (announced|of the same suit)\b": "combination, declaration",
        r"^\W*heads$|\b(face|picture) cards?\b": "court cards",
        r"\bmarriages?\b|\bmelds?\b": "mariage, declaration",
        r"\b(two|three|four) seats\b(?=,|;|\.| with| in)": "players",
    },
}
"""Patterns of what is not said, each with what is said instead."""


@cache
def texts(language: Language) -> tuple[str, ...]:
    """Every sentence of the catalogue, the lessons and the pages for players."""
    said = english if language == "en" else forms
    sentences = [text for message in update_catalogue() if message.id for text in said(message)]
    if language == "fr":
        sentences += [text for message in update_catalogue(CHILD) if message.id for text in forms(message)]
    for file in (ROOT / "src/chouine/school/content").rglob("*.toml"):
        sentences += texts_of(tomllib.loads(file.read_text("utf-8")), language)
    return (*sentences, *(ROOT.joinpath(page).read_text("utf-8") for page in PAGES[language]))


def texts_of(data: object, language: Language, key: str = "") -> Iterator[str]:
    """The texts of a lesson in one language, those for children too."""
    if isinstance(data, str) and key.removesuffix("_child").endswith(language):
        yield data
    for name, one in data.items() if isinstance(data, dict) else ():
        yield from texts_of(one, language, name)
    for one in data if isinstance(data, list) else ():
        yield from texts_of(one, language, key)


def words(language: Language) -> set[str]:
    """The words to be spelled; a French one without what is elided before it."""
    plain = [CODE.sub(" ", text).replace("’", "'") for text in texts(language)]
    found = {word for text in plain for word in WORD.findall(text)}
    return {re.sub(r"(?i)^([cdjlmnst]|qu|jusqu|lorsqu|puisqu)'", "", word) for word in found}


def unknown_words(language: Language) -> set[str]:
    """The words that the dictionary has not."""
    program = ["hunspell", "-d", DICTIONARIES[language], "-i", "utf-8", "-l"]
    listed = "\n".join(sorted(words(language)))
    answer = subprocess.run(program, input=listed, capture_output=True, encoding="utf-8", check=True)
    return set(answer.stdout.split())


@pytest.mark.parametrize("language", DICTIONARIES)
def test_every_word_is_in_the_dictionary_or_in_the_list(language: Language) -> None:
    need("hunspell")
    listed = set(Path(__file__).with_name(f"words-{language}.txt").read_text("utf-8").split())
    assert unknown_words(language) == listed


def test_figures_are_kings_queens_and_jacks() -> None:
    """For a French player no annonce is a figure; `figure` of a rule's option is code."""
    sentences = [one for text in texts("fr") for one in re.split(r"(?<=[.?!:;])\s", CODE.sub(" ", text))]
    about = [
        one for one in sentences if re.search(r"\b(les|des|une|la|ces|\d+) figures?\b", one, re.IGNORECASE)
    ]
    assert len(about) >= 5
    assert [
        one
        for one in about
        if not re.search(r"rois|dames|valets|compt|points|ne font que|toutes les figures", one)
    ] == []
    assert [one for one in about if re.search(r"mariage|tierce|quarteron|quinte|chouine", one)] == []


@pytest.mark.parametrize("language", DICTIONARIES)
def test_each_thing_is_said_in_one_way(language: Language) -> None:
    plain = [CODE.sub(" ", text).replace("'", "’") for text in texts(language)]
    wrong = [
        (found[0], instead, text[:120])
        for pattern, instead in SAID_OTHERWISE[language].items()
        for text in plain
        if (found := re.search(f"(?i){pattern}", text))
    ]
    assert wrong == []
