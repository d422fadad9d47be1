"""Cards, combinations and names stand in every sentence with the article, elision and gender that it needs (ADR 0017).

Each placeholder of the catalogue is in a class; a new one fails until it is put into one, and the class says which
words may not stand before it.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import combinations

import pytest
from babel.dates import format_date

from chouine.ai.explanations import reasons
from chouine.ai.facts import FACTS
from chouine.cards import Card, CardSet, Rank
from chouine.notation.display import Narrator, declaration_announcement, declaration_name, declaration_spoken
from chouine.partie import Declaration, Exchange, Play
from chouine.partie.actions import Action
from chouine.partie.events import Declared, Drawn, Event, Exchanged, Played, Shown, Taken
from chouine.phrases import PHRASES, Language, date_in_words, in_words, say, thousands_apart, translations
from chouine.rules.combinations import ACTIONS, MARIAGE
from chouine.server.pages.advising import advice_sentence, rather, the_act
from chouine.server.pages.words import in_language
from tests.phrases.test_catalogue import PLACEHOLDER, english
from tools.messages import forms, update_catalogue

CLASSES = {
    "site": "own seen to url",
    "thing": "act best card cards declaration declarations replies second seven",
    "rank": "rank",
    "suit": "suit trump",
    "name": (
        "a after b before by desk label like name names opponent opponents player players seat seats sides tag theirs "
        "title who winner"
    ),
    "place": (
        "address addresses database file folder heading host letters link never path place port room sender "
        "server table tables village where which"
    ),
    "number": (
        "acts action all amount amounts answers at behind below boards cells column cost count counted counts day days "
        "deal deals imps nth spared "
        "decisions der done draws due end entries error errors evening every exempts fair faults faults_a faults_b "
        "fewest games gap "
        "good hand high highest hour kept least level levels line losses lost low luck manche manches matches mine "
        "minutes most n new nulles num number numbers one other others paid pairs pair parties partie parts percent "
        "pin played points price rate rating ratio result round rounds row rows score scores seconds seconds_a sent "
        "seconds_b several share signal simulations small spread status sum talon talons threads time total trick "
        "tricks times unproven value values version villages weight weights win wins worlds worth year "
    ),
    "words": (
        "again alone answer argument_name aside because browser checks choices code command commit condition copy "
        "default "
        "digest download draw dtype endings ends entry expected extra figure first form format found header heads help "
        "helps "
        "here how item known last later left limit near "
        "message mode now of option options ours outcome package piece preset prog program reasons rules said "
        "sample saved seal seed setting settings shape side sound symbol system text token tokens told type usual "
        "variable what whole why won "
    ),
}
"""What each placeholder receives. `thing`: a card, a combination or an act, with its article, or a card's short form;
`site`: a web address with its scheme; `rank`, `suit`: a rank with its article, a bare suit; `name`: a person or a seat;
`words`: anything else with letters.
"""
PATTERNS = {
    "thing": r"\b(de|du|des|d|à|au|aux|l|la|le|les|un|une|qu|jusqu|lorsqu|puisqu|si|ne)",
    "rank": r"\b(de|du|des|d|à|au|aux|l|la|le|les|un|une|qu)",
    "name": r"\b(de|du|des|d|au|aux|l|la|le|les|que|qu|jusque|lorsque|puisque|quoique|presque|ne|se|je|me|te)",
}
PATTERNS["words"] = PATTERNS["place"] = PATTERNS["name"]
ALLOWED = {
    "%(rank)s of %(suit)s": "the pattern of every card's name",
    "Act %(line)s is expected here; %(found)s is found.": "a number: “le 12”",
    "%(rank)se place": "an ordinal from 2",
}
"""Sentences with such a word before a placeholder, and why they may have it."""
BARE = re.compile(
    r"(?i)\b(?:plutôt que|après|montre[sz]?|joue[zr]?|tire[zr]?|échange[zr]?|contre|annonce[zr]?|et jouer|prend|avec|"
    r"rather than|after|plays?|shows?|draws?|announce|with|exchanges?) "
    r"(?:as|dix|roi|dame|valet|neuf|huit|sept|vingt|trente|quarante|cinquante|chouine|ace|ten|king|queen|jack|nine|eight|"
    r"seven|twenty|thirty|forty|fifty) (?:de|of)\b"
)
UNELIDED = re.compile(
    r"(?i)(?<!-)\b(?:de|que|le|la|ne|se|si(?= il)|jusque|lorsque|je) (?!huit)(?=[aâàeéèêiîoôuyhö’'])"
)
CONTRACTED = re.compile(r"(?i)\b(?:de les?|à les?) (?=as|dix|roi|valet|neuf|huit|sept)")
PEOPLE = ["Odette", "Basile", "Hector", "Yvonne", "Élodie", "Ömer", "Joueur 1", "d’Artagnan"]
LANGUAGES: tuple[Language, ...] = ("fr", "en")


CARDS = [Card(number) for number in range(32)]
COMBINATIONS = [Declaration(number) for number in range(MARIAGE, ACTIONS)]
ACTS: list[Action | None] = [
    None,
    Exchange(),
    *map(Play, CARDS),
    *(Play(CARDS[number], each) for number, each in enumerate(COMBINATIONS)),
]


def well_said(text: str) -> bool:
    """Whether no card lacks its article, no word its elision, no preposition its contraction."""
    return not (BARE.search(text) or UNELIDED.search(text) or CONTRACTED.search(text))


def class_of(name: str) -> list[str]:
    return [kind for kind, names in CLASSES.items() if name in names.split()]


@pytest.fixture(scope="module")
def sentences() -> list[tuple[str, str]]:
    """Every English and French sentence with a placeholder."""
    pairs = []
    for message in update_catalogue():
        if message.id:
            pairs += [(one, other) for one, other in zip(english(message), forms(message), strict=True)]
    return [pair for pair in pairs if "%(" in pair[0]]


def test_each_placeholder_is_of_one_class(sentences: list[tuple[str, str]]) -> None:
    found = {name for one, _ in sentences for name in PLACEHOLDER.findall(one)}
    assert {name: class_of(name) for name in found if len(class_of(name)) != 1} == {}


def test_no_word_that_contracts_or_elides_stands_before_a_name(sentences: list[tuple[str, str]]) -> None:
    """« de %(name)s » would say « de Odette », « que %(declaration)s » « que un vingt »."""
    wrong = []
    for one, french in sentences:
        if one in ALLOWED or french in ALLOWED:
            continue
        for name in PLACEHOLDER.findall(french):
            before = PATTERNS.get(class_of(name)[0])
            if before and re.search(rf"(?i){before}['’\s]\s?(«\s)?%\({name}\)", french):
                wrong.append(french)
            if class_of(name) == ["thing"] and "declaration" in name and f"que %({name})" in french:
                wrong.append(french)
            if class_of(name) == ["thing"] and re.search(rf"\b(the|an?) %\({name}\)", one):
                wrong.append(one)
    assert wrong == []


COUNTED = re.compile(r"%\((?!num\))(\w+)\)s\s(?:autres |premiers |more )?([a-zéè]{3,}[sx])\b")
NEVER_ONE = {
    "counts": "a declaration doubled",
    "at": "four cards at least",
    "cards": "of a pack",
    "seats": "two at least",
    "day": "of a month",
    "days": "two at least",
    "several": "two at least",
    "worlds": "two at least",
    "most": "a limit",
    "least": "a limit",
    "below": "a limit",
    "parties": "a limit",
    "parts": "a book is made in many",
    "played": "the same",
    "villages": "a contest of several",
    "minutes": "a limit",
    "seconds": "since 1970",
    "rounds": "of a contest",
    "entries": "thousands",
    "count": "of a batch",
    "points": "a declaration's or a trick's, never 0 or 1 where it is said",
}
NO_NOUN = {
    "fois",
    "près",
    "bat",
    "plus",
    "draws",
    "shows",
    "plays",
    "deals",
    "takes",
    "exchanges",
    "beats",
    "ruffs",
    "says",
    "wins",
}


def test_a_count_that_may_be_one_has_a_singular() -> None:
    wrong = []
    for message in update_catalogue():
        if message.id and isinstance(message.id, str):
            for text in forms(message):
                wrong += [
                    text
                    for name, noun in COUNTED.findall(text)
                    if class_of(name) == ["number"] and name not in NEVER_ONE and noun not in NO_NOUN
                ]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_says_cards_suits_and_names_well(language: Language) -> None:
    for code, texts in PHRASES.items():
        whole = " ".join((texts,) if isinstance(texts, str) else texts)
        names = set(PLACEHOLDER.findall(whole))
        for card, person in zip(CARDS, PEOPLE * 4, strict=True):
            values: dict[str, object] = {"rank": "12", "num": 2} | {
                name: card if "thing" in class_of(name) else person if "name" in class_of(name) else "12"
                for name in names - {"num", "suit", "trump", "rank"}
            }
            said = say(code, language, **values | {"suit": card.suit, "trump": card.suit})
            assert well_said(said), (code, said)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("person", PEOPLE)
def test_every_event_is_said_well(person: str, language: Language) -> None:
    names = (person, "Odette")
    for card in CARDS:
        events: list[Event] = [
            Played(0, card),
            Drawn(0, card, turnup=False),
            Drawn(0, card, turnup=True),
            Exchanged(0, card),
            Shown(
                0,
                COMBINATIONS[0],
                CardSet([card, Card(Rank.ACE + 8 * card.suit), Card(Rank.TEN + 8 * card.suit)]),
            ),
            Shown(0, COMBINATIONS[0], CardSet([card, Card((card + 8) % 32)])),
            Taken(0, 0, (card, Card((card + 1) % 32)), 4),
        ]
        for event in events:
            for you in (None, 0):
                assert well_said(Narrator(names, you, language).sentence(event)), event
    for declaration in COMBINATIONS:
        assert well_said(Narrator(names, None, language).tell_count(Declared(0, declaration, 20)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_act_is_advised_preferred_and_answered_well(language: Language) -> None:
    words = in_language(language, language)
    for act in ACTS:
        after = translations(language).gettext("After %(act)s: %(replies)s.")
        said = [
            advice_sentence(words, act),
            rather(words, act, reasons(act, [("turnup", int(Rank.ACE)), ("trumps", 1.5)], language)),
            after % {"act": the_act(words, act), "replies": the_act(words, act)},
        ]
        assert all(map(well_said, said)), said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("trait", FACTS)
def test_every_reason_is_said_well_of_every_card(trait: str, language: Language) -> None:
    names_a_suit = trait in ("fixes", "couple")
    for number in range(4 if names_a_suit else 32):
        said = rather(in_language(language, language), Exchange(), reasons(None, [(trait, number)], language))
        assert well_said(said), said


@pytest.mark.parametrize("language", LANGUAGES)
def test_combinations_have_their_articles(language: Language) -> None:
    article = r"(une? |une )" if language == "fr" else r"an? "
    for declaration in COMBINATIONS:
        assert re.match(article, declaration_announcement(declaration, language))
        assert declaration_announcement(declaration, language).endswith(
            declaration_name(declaration, language)
        )
        assert declaration_spoken(declaration, language)


def test_the_sentences_of_a_french_player() -> None:
    """The sentences that were wrong, as a player says them."""
    words, king = in_language("fr", "fr"), Play(Card("Kh"))
    twenty = Declaration("20d")
    nb = "\N{NO-BREAK SPACE}"
    assert rather(words, Play(Card("Ah")), "…") == f"Plutôt que l’as de cœur{nb}: …."
    assert rather(words, Exchange(), "…") == f"Plutôt que d’échanger le sept{nb}: …."
    assert (
        advice_sentence(words, Play(Card("Qd"), twenty))
        == "Annoncez un vingt de carreau et jouez la dame de carreau."
    )
    assert the_act(words, king) == "le roi de cœur"
    shown = Shown(1, COMBINATIONS[0], CardSet([Card("Kc"), Card("Qc")]))
    assert Narrator(("", "Basile"), 0, "fr").sentence(shown) == "Basile montre le roi et la dame de trèfle."
    several = CardSet([Card("As"), Card("Th"), Card("Ad")])
    assert in_words(several, "fr").count(" et ") == 1
    assert rather(in_language("en", "en"), Play(Card("Ah")), "…") == "Rather than the ace of hearts: …."
    for person in PEOPLE:
        last = translations("fr").gettext("Last trick of %(name)s") % {"name": person}
        assert last == f"{person}{nb}: dernier pli"


def test_cards_of_one_suit_are_named_together() -> None:
    for first, second in combinations([Card("Ah"), Card("Th"), Card("Kh")], 2):
        assert in_words(CardSet([first, second]), "fr").count("de cœur") == 1


def test_thousands_stand_apart() -> None:
    apart = "\N{NARROW NO-BREAK SPACE}"
    assert [thousands_apart(each, "fr") for each in (0, 999, 2300)] == ["0", "999", f"2{apart}300"]
    assert say("problem/packed", "en", num=2300, file="f") == "2,300 problems in f."
    assert say("problem/packed", "fr", num=0, file="f").startswith("0 problème dans")


def test_dates_are_those_of_the_locales() -> None:
    """CLDR as the judge, but for the first day of a month, which is “1er” in French print."""
    for nth in range(366):
        day = date(2028, 1, 1) + timedelta(nth)
        assert date_in_words(day, "en") == format_date(day, "long", "en_GB")
        french = format_date(day, "long", "fr")
        assert date_in_words(day, "fr") == (f"1er{french[1:]}" if day.day == 1 else french)
