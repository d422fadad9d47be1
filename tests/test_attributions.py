"""Who says what: the attributions of the rule books, against a list of where each is found in the five sources.

The sources are not in the repository, so a pointer is the heading under which a source says it, or `(untitled)` and
the matter. A cell that changes without its pointer fails, in both languages.
"""

from __future__ import annotations

import re
from random import Random

import pytest

from chouine.partie import Deal, Declared, Play, State, TrumpFixed
from chouine.rules import Rules, rule_table_of
from chouine.rules.options import VALUES, text_name
from tests.test_rulebook import rows, sections, words

SOURCES = "PGAWJ"
TITLES = {"REGLES.md": ("Les options", "aucune"), "RULES.md": ("The options", "none")}
OTHERS = {
    "REGLES.md": "Ce qui ne se choisit pas",
    "RULES.md": "What cannot be chosen",
}

OPTIONS: dict[str, dict[str, dict[str, str]]] = {
    "deal": {
        "one": {"P": "La donne", "G": "The Deal", "A": "La distribution", "J": "(untitled) first dealer"},
        "two-three": {"W": "Deal"},
        "three-two": {},
    },
    "head": {
        "trumps": {
            "P": "Généralités",
            "G": "(untitled) after the number of games",
            "J": "(untitled) talon empty",
        },
        "always": {"A": "Déroulement d'une partie"},
    },
    "overruff": {"yes": {}, "no": {}},
    "declare": {
        "any": {"P": "Les annonces", "G": "Les Annonces", "W": "Declarations"},
        "lead": {},
    },
    "figure": {
        "played": {"W": "Declarations"},
        "held": {"P": "Les annonces", "G": "Les Annonces", "A": "Les annonces"},
    },
    "again": {"never": {}, "full": {}, "difference": {}},
    "trump-chouine": {
        "partie": {
            "P": "Les annonces, 5",
            "G": "Les Annonces, 5",
            "A": "Les annonces, last item",
            "W": "Declarations, last item",
            "J": "table of combinations",
        },
        "manche": {},
    },
    "seven": {"turn": {}, "lead": {}},
    "au-sept": {
        "yes": {"P": "Le sept d'atout", "G": "The Seven Trump", "W": "Play"},
        "no": {},
    },
    "seven-last": {
        "yes": {"P": "Le sept d'atout", "G": "The Seven Trump", "W": "Play"},
        "no": {"J": "La spécificité du 7 d'atout"},
    },
    "tie": {
        "replay": {"P": "Le compte des points", "G": "Counting the points", "W": "Scoring and winning"},
        "nobody": {"J": "(untitled) last paragraph"},
    },
    "fixing": {"double": {}, "plain": {}},
}
MONDOUBLEAU = {
    "lead": {"W": "Chouine de Mondoubleau"},
    "any": {"P": "La Chouine de Mondoubleau", "G": "La Chouine de Mondoubleau"},
}
"""In Mondoubleau the option `declare`: Proust asks for the lead only to fix trump."""

DISAGREEMENTS: list[tuple[int, list[dict[str, str]]]] = [
    (
        9,
        [
            {"P": "Les annonces", "G": "Les Annonces", "W": "Declarations"},
            {"A": "Les annonces, last paragraph"},
            {"J": "(untitled) first stage"},
        ],
    ),
    (
        1,
        [
            {
                "P": "Les cartes",
                "G": "The Cards",
                "A": "La hiérarchie des cartes",
                "W": "Cards",
                "J": "(untitled) second line",
            },
            {"P": "La marche du coup", "G": "La marche du coup"},
        ],
    ),
    (10, [{"P": "Les annonces", "G": "Les Annonces", "A": "Les annonces"}, {"W": "Declarations"}]),
    (11, [{"W": "Play"}]),
    (11, [{"P": "Le sept d'atout"}, {"G": "The Seven Trump"}]),
    (
        13,
        [
            {"P": "Généralités", "G": "(untitled) number of games", "A": "(untitled) second paragraph"},
            {
                "P": "Généralités",
                "G": "(untitled) number of games",
                "W": "Scoring and winning",
                "J": "(untitled) agreement",
            },
            {"W": "Overview"},
        ],
    ),
    (13, [{"P": "La marche du coup", "G": "La marche du coup"}, {"W": "Deal"}]),
    (14, [{"P": "Le pli", "A": "Déroulement d'une partie, last paragraph"}, {"G": "The trick"}]),
    (15, [{"P": "Pénalités"}, {"G": "(untitled) sanctions"}]),
    (16, [{"G": "Les Annonces, last paragraph"}]),
]
"""Each row of the table in its order: its §, then who says what."""


def attributions(cell: str) -> dict[str, set[str]]:
    """What a cell of sources attributes to each value: `one` P G A J."""
    found = re.findall(r"`([\w-]+)` ((?:[PGAWJ]\b ?)+|aucune|none)", cell)
    return {
        value: set(who) & set(SOURCES) if who not in ("aucune", "none") else set() for value, who in found
    }


@pytest.mark.parametrize("book", TITLES)
def test_each_value_of_each_option_is_attributed_to_who_says_it(book: str) -> None:
    """§3 to §17: every value of every option, and whether a source says it."""
    told = {}
    for name, _, _, sources, _ in rows(book, TITLES[book][0]):
        here, _, mondoubleau = sources.partition("Mondoubleau")
        told[words(name)[0]] = attributions(here)
        assert (attributions(mondoubleau) != {}) == (words(name)[0] == "declare")
        if mondoubleau:
            assert attributions(mondoubleau) == {value: set(where) for value, where in MONDOUBLEAU.items()}
    assert told == {
        option: {value: set(where) for value, where in values.items()} for option, values in OPTIONS.items()
    }


def test_the_list_has_every_option() -> None:
    assert {option: tuple(values) for option, values in OPTIONS.items()} == {
        text_name(option): values for option, values in VALUES.items()
    }


@pytest.mark.parametrize("book", OTHERS)
def test_each_other_disagreement_is_attributed(book: str) -> None:
    """What the sources say differently and is no option."""
    lines = [line for line in sections(book)[OTHERS[book]].splitlines() if line.startswith("|")][2:]
    told = []
    for line in lines:
        _, sources, reason, chapter = (cell.strip() for cell in line.strip("|").split("|"))
        assert reason
        told.append(
            (
                int(chapter[1:]),
                [set(re.findall(r"\b[PGAWJ]\b", part.rsplit(":", 1)[1])) for part in sources.split(";")],
            )
        )
    assert told == [(chapter, [set(each) for each in said]) for chapter, said in DISAGREEMENTS]


@pytest.mark.parametrize(
    ("book", "chapter", "said"),
    [
        ("REGLES.md", "§2 ", "le joueur placé juste avant le donneur"),
        ("REGLES.md", "§2 ", "l'un *et de l'autre* paquet"),
        ("REGLES.md", "§5 ", "dans quel sens on tourne"),
        ("REGLES.md", "§9 ", "ne porte qu'une annonce"),
        ("REGLES.md", "§10 ", "Aucune carte de ce pli n'est comptée"),
        ("REGLES.md", "§11 ", "à son tour, avant de jouer"),
        ("REGLES.md", "§11 ", "il reste alors cinq cartes au talon à trois, quatre à quatre"),
        ("REGLES.md", "§11 ", "après, c'est trop tard"),
        ("REGLES.md", "§17 ", "une annonce faite en réponse ne fixe jamais l'atout"),
        ("RULES.md", "§2 ", "the one who sits just before the dealer"),
        ("RULES.md", "§2 ", "meant of *both* packets"),
        ("RULES.md", "§5 ", "which way round the table goes"),
        ("RULES.md", "§9 ", "carries one declaration"),
        ("RULES.md", "§10 ", "No card of that trick is counted"),
        ("RULES.md", "§11 ", "in the holder's own turn, before"),
        ("RULES.md", "§11 ", "five cards are then left in the talon with three players, four with four"),
        ("RULES.md", "§11 ", "afterwards it is too late"),
        ("RULES.md", "§17 ", "a declaration made in answer never fixes trump"),
    ],
)
def test_what_no_source_says_is_marked_as_our_ruling(book: str, chapter: str, said: str) -> None:
    """§2 to §17: the sentence follows the mark in its paragraph."""
    text = next(text for heading, text in sections(book).items() if heading.startswith(chapter))
    paragraph = next(part for part in (" ".join(part.split()) for part in text.split("\n\n")) if said in part)
    mark = "**Arbitrage.**" if book == "REGLES.md" else "**Ruling.**"
    assert mark in paragraph[: paragraph.index(said)]


@pytest.mark.parametrize(("preset", "left"), [("classic", 2), ("three", 5), ("four", 4)])
def test_the_cards_left_at_au_sept(preset: str, left: int) -> None:
    """§11: two cards at two seats, as Proust says; five at three seats and four at four."""
    rules = Rules.of_preset(preset)
    talon = {2: 22, 3: 23, 4: 20}[rules.seats]
    assert talon - rules.seats * (rule_table_of(rules).drawing - 1) == left


def test_by_proust_a_figure_said_in_answer_counts_but_never_fixes_trump() -> None:
    """§17: whole parties of `mondoubleau;declare=any`, where every figure is said at once."""
    rules, chance = Rules.parse("mondoubleau;declare=any"), Random(17)
    fixed = answered = 0
    for _ in range(150):
        state = State.new(rules, Deal.random(rules, 0, chance))
        while state.turn is not None:
            view = state.view(state.turn)
            before, trump = len(state.events), view.trump
            said = [act for act in view.legal if isinstance(act, Play) and act.declaration]
            state = state.play(chance.choice(said or list(view.legal)))
            new = state.events[before:]
            if any(isinstance(event, TrumpFixed) for event in new):
                assert trump is None
                assert not view.table
                fixed += 1
            if (
                view.table
                and trump is None
                and (declared := [each for each in new if isinstance(each, Declared)])
            ):
                assert state.view(0).trump is None
                assert declared[0].counts == declared[0].declaration.value
                answered += 1
    assert min(fixed, answered) > 10
