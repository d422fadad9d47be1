"""What the commands that explain play have in common: acts, chances and reasons in a person's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chouine.notation.french import face
from chouine.partie.actions import Action, Declaration, Exchange, Figure, Play
from chouine.phrases import Language, in_words, say
from chouine.phrases.words import RANKS

if TYPE_CHECKING:
    from chouine.ai.reasons import Reason

UNITS = {
    "tricks": ("point", "points"),
    "declared": ("point", "points"),
    "others-declared": ("point", "points"),
    "trumps": ("trump", "trumps"),
    "brisques": ("brisque", "brisques"),
    "chouine": ("partie", "parties"),
    "others-chouine": ("partie", "parties"),
}
"""What a reason counts: the unit of fewer than `SEVERAL`, and of more."""
SEVERAL = 2
WORTH = {0.0: "lost", 0.5: "nulle", 1.0: "won"}


def in_figures(text: str, language: Language) -> str:
    """A number as it is written in a language."""
    return text.replace("-", "−").replace(".", "," if language == "fr" else ".")


def percent(share: float, language: Language) -> str:
    """`62,1 %`, `62.1%`."""
    return in_figures(f"{100 * share:.1f}", language) + sign(language)


def chance(share: float, language: Language) -> str:
    """The same of what is not certain: never 0 nor 100 %."""
    least = 0.001
    if share < least / 2:
        return f"< {percent(least, language)}"
    return f"> {percent(1 - least, language)}" if share > 1 - least / 2 else percent(share, language)


def difference(share: float, language: Language) -> str:
    """`−6,3 %`, `+6.3%`."""
    return in_figures(f"{round(100 * share, 1) + 0.0:+.1f}", language) + sign(language)


def sign(language: Language) -> str:
    """The sign of a percentage, a space before it in French."""
    return " %" if language == "fr" else "%"


def outcome(win: float, language: Language) -> str:
    """What is certain to come of a partie that a seat is so sure to win."""
    return say(f"outcome/{WORTH[win]}", language)


def act(action: Action | None, language: Language) -> str:
    """An act as players say it, or letting "au sept" pass (§11)."""
    match action:
        case Play(card=card, declaration=None):
            return face(card, language)
        case Play(card=card, declaration=Declaration() as declaration):
            said = named(declaration, language)
            return say("act/declared", language, card=face(card, language), said=said)
        case Exchange():
            return say("act/exchange", language)
        case _:
            return say("act/pass", language)


def named(declaration: Declaration, language: Language) -> str:
    """`vingt de carreau`."""
    suit = "" if declaration.suit is None else in_words(declaration.suit, language)
    return say(f"act/{declaration.figure.value}", language, suit=suit)


def reasons(best: Action | None, told: list[Reason], language: Language) -> str:
    """Why an act is better than another; a chouine speaks for itself (§10)."""
    if isinstance(best, Play) and best.declaration and best.declaration.figure is Figure.CHOUINE:
        return say("reason/wins", language)
    between = " ; " if language == "fr" else "; "
    card = [brought(each, language) for each in told if each.trait == "turnup"]
    amounts = between.join(reason(each, language) for each in told if each.trait != "turnup")
    return between.join([*card, *([say("reason/average", language, amounts=amounts)] if amounts else [])])


def brought(told: Reason, language: Language) -> str:
    """The trump that an exchange brings (§11)."""
    return say("reason/turnup", language, rank=RANKS[int(told.difference)][language == "en"])


def reason(told: Reason, language: Language) -> str:
    """One of them, of parties so many in a hundred."""
    one, many = UNITS[told.trait]
    more = told.difference * 100 if many == "parties" else told.difference
    digits = 0 if many == "parties" else 1 if more >= 1 else 2
    shown = f"{more:.{digits}f}"
    unit = say(f"unit/{one if float(shown) < SEVERAL else many}", language)
    return say(f"reason/{told.trait}", language, amount=in_figures(shown, language), unit=unit)
