"""Cards, suits and numbers as a sentence takes them, in French and English.

`in_words` is what puts a card into a sentence: always with its article, so that no sentence needs to know a card's
gender or first letter. A sentence never has “de”, “à” or another word that contracts or elides just before it. Bare
names, `dame de pique`, stand alone: the label of a picture or a button (ADR 0017).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from functools import cache

from chouine.cards import Card, CardSet, Rank, Suit
from chouine.phrases.catalogue import N_, Language, spoken_language, translations
from chouine.phrases.reasons import PHRASES as REASONS
from chouine.phrases.reasons import reason_code
from chouine.plaintext import repr_of

SUITS = (N_("spades"), N_("hearts"), N_("diamonds"), N_("clubs"))
RANKS = (N_("seven"), N_("eight"), N_("nine"), N_("jack"), N_("queen"), N_("king"), N_("ten"), N_("ace"))
WITH_ARTICLE = (
    N_("the seven"),
    N_("the eight"),
    N_("the nine"),
    N_("the jack"),
    N_("the queen"),
    N_("the king"),
    N_("the ten"),
    N_("the ace"),
)
MONTHS = (
    N_("%(day)s January %(year)s"),
    N_("%(day)s February %(year)s"),
    N_("%(day)s March %(year)s"),
    N_("%(day)s April %(year)s"),
    N_("%(day)s May %(year)s"),
    N_("%(day)s June %(year)s"),
    N_("%(day)s July %(year)s"),
    N_("%(day)s August %(year)s"),
    N_("%(day)s September %(year)s"),
    N_("%(day)s October %(year)s"),
    N_("%(day)s November %(year)s"),
    N_("%(day)s December %(year)s"),
)


def in_words(value: object, language: Language) -> str:
    """A card or cards with their articles, a rank too, a suit by its name, or several; an error as why a disk refuses.

    Anything else is as it prints.

    >>> in_words(Card("Qs"), "fr"), in_words(CardSet([Card("Kh"), Card("Qh")]), "en")
    ('la dame de pique', 'the king and the queen of hearts')
    """
    if isinstance(value, Card):
        return the_card(value, language)
    if isinstance(value, Suit):
        return suit_name(value, language)
    if isinstance(value, Rank):
        return the_rank(value, language)
    if isinstance(value, tuple):
        return join_names([in_words(one, language) for one in value], language)
    if isinstance(value, CardSet):
        return the_cards(tuple(value), language)
    if isinstance(value, Exception) and (code := reason_code(value)):
        return translations(language).gettext(REASONS[code]).rstrip(".")
    return repr_of(value) if type(value) is int else str(value)  # it may have thousands of digits


def reason_in_words(fault: Exception, otherwise: str = "") -> str:
    """Why something failed, in the language of the command, to stand within a sentence.

    Without words of ours for it `otherwise`, or the error's own.
    """
    own = otherwise or str(fault).partition("\n")[0] or type(fault).__name__
    return in_words(fault, spoken_language()) if reason_code(fault) else own


@cache
def card_name(card: Card, language: Language) -> str:
    """`dame de pique`, `queen of spades`: for a label, not for a sentence."""
    return of_suit(rank_name(card.rank, language), card.suit, language)


@cache
def the_card(card: Card, language: Language) -> str:
    """`la dame de pique`, `the queen of spades`."""
    return of_suit(the_rank(card.rank, language), card.suit, language)


def the_cards(cards: Sequence[Card], language: Language) -> str:
    """`le roi et la dame de pique`; of several suits, `l'as de pique et le dix de cœur`."""
    if len({card.suit for card in cards}) == 1:
        ranks = join_names([the_rank(card.rank, language) for card in cards], language)
        return of_suit(ranks, cards[0].suit, language)
    return join_names([the_card(card, language) for card in cards], language)


def join_names(names: Sequence[str], language: Language) -> str:
    """Names in a row, `and` before the last."""
    *before, last = names or ("",)
    both = {"first": ", ".join(before), "last": last}
    return translations(language).gettext(N_("%(first)s and %(last)s")) % both if before else last


def of_suit(rank: str, suit: Suit, language: Language) -> str:
    named = {"rank": rank, "suit": suit_name(suit, language)}
    return translations(language).gettext(N_("%(rank)s of %(suit)s")) % named


def rank_name(rank: Rank, language: Language) -> str:
    """`dame`, `queen`."""
    return translations(language).gettext(RANKS[rank])


def the_rank(rank: Rank, language: Language) -> str:
    """`la dame`, `the queen`."""
    return translations(language).gettext(WITH_ARTICLE[rank])


def suit_name(suit: Suit, language: Language) -> str:
    """`pique`, `spades`."""
    return translations(language).gettext(SUITS[suit])


def thousands_apart(number: object, language: Language) -> str:
    """A whole number with its thousands apart, as each language writes them; anything else as it prints.

    >>> thousands_apart(2300, "en"), thousands_apart(1.5, "en")
    ('2,300', '1.5')
    """
    if not isinstance(number, int):
        return str(number)
    return f"{number:,}" if language == "en" else f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def signed_number(value: float, language: Language) -> str:
    """A number with its sign, in the language's way, with one place where it is not whole."""
    text = f"{value:+.0f}" if round(value, 1) == round(value) else f"{value:+.1f}"
    text = "0" if text in ("+0", "-0") else text
    return text.replace("-", "−").replace(".", "," if language.startswith("fr") else ".")


def score_of(numbers: Iterable[int], glue: str = "\N{WORD JOINER}") -> str:
    """The numbers of those who played each other; `glue` has a browser keep them on one line.

    >>> score_of((196, 44), glue="")
    '196–44'
    """
    return f"–{glue}".join(map(str, numbers))


def date_in_words(day: date, language: Language) -> str:
    """A date, the month in letters.

    >>> date_in_words(date(2026, 11, 22), "en"), date_in_words(date(2027, 5, 1), "fr")
    ('22 November 2026', '1er mai 2027')
    """
    first = "1er" if language.startswith("fr") else "1"
    number = first if day.day == 1 else str(day.day)
    return translations(language).gettext(MONTHS[day.month - 1]) % {"day": number, "year": day.year}


def hour_in_words(at: datetime | time, language: Language) -> str:
    """An hour as each language writes it: 20 h 30, 20:30; 9 h, 09:00."""
    if not language.startswith("fr"):
        return f"{at:%H:%M}"
    hour = f"{at.hour}\N{NO-BREAK SPACE}h"
    return f"{hour}\N{NO-BREAK SPACE}{at:%M}" if at.minute else hour


def money(cents: int, language: Language) -> str:
    r"""An amount in euros.

    >>> money(1250, "en"), money(1250, "fr")
    ('€12.50', '12,50\xa0€')
    """
    amount = decimal(cents, language)
    return f"{amount}\N{NO-BREAK SPACE}€" if language.startswith("fr") else f"€{amount}"


def decimal(cents: int, language: Language) -> str:
    """Hundredths as a number, as each language writes it: 12,50 or 12.50."""
    return f"{cents / 100:.2f}".replace(".", "," if language.startswith("fr") else ".")


def capitalize(text: str) -> str:
    """A sentence with its first letter large; the others stay as they are."""
    return text[:1].upper() + text[1:]
