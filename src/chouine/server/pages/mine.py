"""The pages of what is a visitor's own: all of it, and the ways to take it along, erase it or sign out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chouine.phrases import N_
from chouine.server.pages.env import render
from chouine.server.pages.match import names_of
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.table.brief import Brief
from chouine.table.state import Phase

LABELS = {
    "account": N_("Your account, with your name, settings and progress"),
    "devices": N_("Browsers signed in to your account"),
    "credentials": N_("Passkeys, cards and addresses that sign you in"),
    "browsers": N_("Name, settings, progress and score sheets of this browser"),
    "seats": N_("Seats at tables, with what you played and said there"),
    "tables": N_("Tables that you set"),
    "contests": N_("Contests that you announced"),
    "entries": N_("Your entries in contests"),
    "waits": N_("Your search for a partner"),
    "dailies": N_("Deals of the day that you played"),
    "daily name": N_("Your name in the tables of the day"),
    "blocks": N_("Players whom you do not want to meet"),
    "reports": N_("What you reported to the keeper of the server"),
    "rulings": N_("What the keeper of the server decided about you"),
    "notifications": N_("Browsers that are notified when it is your turn"),
    "ratings": N_("Matches that counted for your rating"),
    "tallies": N_("Matches counted in your statistics"),
    "showing": N_("Whether others see your rating and your measure of play"),
    "reminder": N_("The hour at which you wish to be reminded of your tables"),
    "holidays": N_("Your holidays from slow matches"),
    "prepared acts": N_("Acts that you prepared for another's card"),
    "addresses": N_("E-mail addresses"),
    "tokens": N_("Tokens of programs that play for you"),
    "bots": N_("That this browser is a program's, and its name"),
    "page": N_("Your page for others, and when you were last seen if friends may know"),
    "friends": N_("Your friends, and whom you have asked"),
    "challenges": N_("Matches that you offered"),
    "answers": N_("Your answers to matches offered to you"),
    "imports": N_("Parties that you brought as files"),
    "classes": N_("Classes that you made as a teacher"),
    "class": N_("Your first name in a class"),
}
"""The parts of what is stored of a person, in words."""


def mine_page(visit: Visit, parts: Mapping[str, Sequence[object]], *, done: bool = False) -> str:
    """What is stored of the visitor, and what they can do with it. `done`: other browsers were just signed out."""
    counted = [(label, len(parts[part])) for part, label in LABELS.items() if parts[part]]
    return render(visit, "mine.html", here="/mine", counted=counted, done=done)


def forget_page(visit: Visit, matches: Sequence[tuple[str, Brief]], *, whole: bool) -> str:
    """What will be lost, of which the seats in matches in progress, what stays, and the button.

    `whole`: not only this browser forgets: the visitor is erased from others' matches too.
    """
    words = words_of(visit)
    playing = [
        (table_id, names_of(brief, words)) for table_id, brief in matches if brief.phase is not Phase.OVER
    ]
    here = "/settings/forget?all=1" if whole else "/settings/forget"
    return render(visit, "forget.html", here=here, playing=playing, forgotten=False, whole=whole)


def forgotten_page(visit: Visit, *, whole: bool) -> str:
    """What the server has done, and what the browser does now; without a script, what is left to do by hand."""
    return render(visit, "forget.html", here="/", playing=[], forgotten=True, whole=whole)
