"""Template variables of the help against computers: explanations, advice, taking an act back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from chouine.phrases import N_
from chouine.server.pages.advising import advice_variables
from chouine.server.pages.explaining import explanations
from chouine.server.pages.render_context import RenderContext
from chouine.server.pages.vocabulary import linked
from chouine.server.pages.words import Words
from chouine.table.state import HELPS

HELPED = dict(
    zip(HELPS, (N_("the play explained"), N_("advice asked for"), N_("acts taken back")), strict=True)
)
"""Names of the kinds of help with which a match is marked."""


def help_variables(context: RenderContext) -> dict[str, Any]:
    """Template variables of help at the table: explanations, and the advice that can be requested."""
    given = context.snapshot.help
    if given is None:
        raise LookupError("nobody is helped here")
    sentences = explanations(context) if given.explained else ()
    return {
        "form": context.form,
        "seat": context.snapshot.learner,
        "explained": given.explained,
        "sentences": linked(sentences, context.visit.language, context.here),
        **advice_variables(context),
        "takes_back": given.takes_back and not context.snapshot.held and not context.snapshot.paused,
    }


def helped_in_words(helped: Collection[str], words: Words) -> list[str]:
    """The kinds of help used in a match, in words."""
    return [words.gettext(HELPED[kind]) for kind in HELPS if kind in helped]
