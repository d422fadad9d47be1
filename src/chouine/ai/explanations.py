"""Acts, chances and reasons in a person's words: what explains play says, in the terminal and on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from chouine.cards import Card, Rank, Suit
from chouine.notation.display import declaration_name, face
from chouine.partie.actions import Action, Declaration, Exchange, Figure, Play
from chouine.phrases import Language, say, the_rank, thousands_apart, translations

if TYPE_CHECKING:
    from chouine.ai.advice import ActEstimate, Advice

SHOWN = 0.0005
"""The smallest probability that is not rounded to 0.0 %."""

AVERAGES = frozenset(
    ("tricks", "declared", "others-declared", "trumps", "brisques", "chouine", "others-chouine")
)
"""The reasons that are true on average (`ai.reasons`); all others are certain."""
WORTH = {0.0: "lost", 0.5: "nulle", 1.0: "won"}


def localized_number(text: str, language: Language) -> str:
    """A number in a language's notation: decimal comma or point, and a minus sign."""
    return text.replace("-", "−").replace(".", "," if language == "fr" else ".")


def percent(share: float, language: Language) -> str:
    """A share as a percentage: `62,1 %`, `62.1%`."""
    return localized_number(f"{100 * share:.1f}", language) + sign(language)


def chance(share: float, language: Language) -> str:
    """An estimated probability as a percentage, never 0 or 100 %: those are for certainties."""
    least = 0.001
    if share < least / 2:
        return f"< {percent(least, language)}"
    return f"> {percent(1 - least, language)}" if share > 1 - least / 2 else percent(share, language)


def difference(share: float, language: Language) -> str:
    """`−6,3 %`, `+6.3%`."""
    return localized_number(f"{round(100 * share, 1) + 0.0:+.1f}", language) + sign(language)


def sign(language: Language) -> str:
    """The sign of a percentage, a space before it in French."""
    return " %" if language == "fr" else "%"


def outcome(win: float, language: Language) -> str:
    """The words for a certain result: won, lost, nulle."""
    return say(f"outcome/{WORTH[win]}", language)


def act(action: Action | None, language: Language) -> str:
    """An act as players say it, or letting "au sept" pass (§11)."""
    match action:
        case Play(card=card, declaration=None):
            return face(card, language)
        case Play(card=card, declaration=Declaration() as declaration):
            said = declaration_name(declaration, language)
            return say("act/declared", language, card=face(card, language), said=said)
        case Exchange():
            return say("act/exchange", language)
        case _:
            return say("act/pass", language)


def reasons(best: Action | None, found: Iterable[tuple[str, float]], language: Language) -> str:
    """Why an act is better than another, from `ai.reasons`; a chouine speaks for itself (§10)."""
    if isinstance(best, Play) and best.declaration and best.declaration.figure is Figure.CHOUINE:
        return say("reason/wins", language)
    between, traits = translations(language).gettext("; "), list(found)
    sure = [fact(trait, number, language) for trait, number in traits if trait not in AVERAGES]
    others = between.join(say(f"reason/{trait}", language) for trait, _ in traits if trait in AVERAGES)
    return between.join([*sure, *([say("reason/average", language, reasons=others)] if others else [])])


def fact(trait: str, number: float, language: Language) -> str:
    """A reason that is certain, with the card, suit or points that it names."""
    whole = int(number)
    match trait:
        case "turnup":
            return say("reason/turnup", language, rank=the_rank(Rank(whole), language))
        case "fixes" | "couple":
            return say(f"reason/{trait}", language, suit=Suit(whole))
        case "declares":
            return say("reason/declares", language, points=whole)
        case _:
            return say(f"reason/{trait}", language, card=Card(whole))


def advice_lines(advice: Advice, language: Language) -> Iterator[str]:
    """The advice as lines of text."""
    best = advice.options[0]
    for each in advice.options:
        yield option(each, language, solved=advice.solved)
    if len(advice.line) > 1:
        line = ", ".join(act(each, language) for each in advice.line)
        yield say("advice/best-line" if advice.solved else "advice/line", language, line=line)
    why = reasons(best.action, advice.reasons, language)
    if why and advice.worlds:
        yield say(
            "advice/why",
            language,
            best=act(best.action, language),
            second=act(advice.beside, language),
            why=why,
        )
    how, because = method_of(advice), say("advice/because", language, why=why) if why else ""
    tried = [each.worlds for each in advice.options]
    fewest, worlds = (thousands_apart(number, language) for number in (min(tried), max(tried)))
    yield say(f"advice/{how}", language, fewest=fewest, worlds=worlds, because=because)


def method_of(advice: Advice) -> str:
    """The method behind the advice."""
    tried = {each.worlds for each in advice.options}
    if advice.worlds and len(tried) > 1:
        return "worlds-between"
    if advice.worlds:
        return "worlds" if advice.worlds > 1 else "world"
    if advice.solved:
        return "exact"
    return "settled" if is_certain(advice.options[0]) else "equilibrium"


def option(estimate: ActEstimate, language: Language, *, solved: bool = False) -> str:
    """An act's win probability and its distance to the best, each with bounds; or its certain result."""
    if solved or is_certain(estimate):
        so = outcome(estimate.win, language)
        return say("advice/certain", language, act=act(estimate.action, language), outcome=so)
    if estimate.low == estimate.high:
        return say(
            "advice/sure", language, act=act(estimate.action, language), win=chance(estimate.win, language)
        )
    return say(
        "advice/behind" if estimate.behind_error > SHOWN else "advice/act",
        language,
        act=act(estimate.action, language),
        win=chance(estimate.win, language),
        low=chance(estimate.low, language),
        high=chance(estimate.high, language),
        behind=percent(estimate.behind, language),
        error=percent(estimate.behind_error, language),
    )


def is_certain(estimate: ActEstimate) -> bool:
    """Whether an act is known to win, or to lose."""
    return estimate.low == estimate.high and estimate.win in (0, 1)
