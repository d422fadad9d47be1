"""What the commands that explain play have in common: acts, chances and reasons in a person's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chouine.partie.actions import Action
from chouine.phrases import Language, say

if TYPE_CHECKING:
    from chouine.ai.reasons import Reason


def in_figures(text: str, language: Language) -> str:
    """A number as it is written in a language."""
    return text.replace("-", "−").replace(".", "," if language == "fr" else ".")


def percent(share: float, language: Language) -> str:
    """`62,1 %`."""
    return f"{in_figures(f'{100 * share:.1f}', language)} %"


def difference(share: float, language: Language) -> str:
    """`−6,3 %`, `+6.3 %`."""
    return f"{in_figures(f'{100 * share:+.1f}', language)} %"


def act(action: Action | None, language: Language) -> str:
    """An act, or letting "au sept" pass (§11)."""
    return str(action) if action else say("review/pass", language)


def reasons(told: list[Reason], language: Language) -> str:
    """Why one act is better than another."""
    amounts = [
        say(f"reason/{reason.trait}", language, amount=amount(reason.difference, language)) for reason in told
    ]
    return (" ; " if language == "fr" else "; ").join(amounts)


def amount(more: float, language: Language) -> str:
    """A number of points, or of cards."""
    return in_figures(f"{more:.1f}" if more >= 1 else f"{more:.2f}", language)
