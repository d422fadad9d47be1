"""The guided first partie: a chosen deal against an easy computer, with a note at each new thing.

The state of the partie is the acts of both players so far, as tokens in the page; nothing is stored, and a learner
may come back by the same address. Notes and warnings use the learner's view alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from chouine.ai.levels import level
from chouine.errors import ChouineError
from chouine.notation.deals import complete_deal, read_deal
from chouine.notation.tokens import PASS, read_action, token
from chouine.partie import State
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.deal import Deal
from chouine.partie.events import Declared, Event
from chouine.partie.view import View
from chouine.rules.options import Rules
from chouine.rules.play import au_sept, beats, playable
from chouine.school.exercises import Text
from chouine.school.lessons import text_of

LEARNER, FRIEND = 0, 1
FRIENDLY = 1
"""The computer's level."""
NOTES_FIRST, NOTES_LATER = 2, 1
"""Most notes shown at the first decision and at later ones, so that the cards stay on the same screen."""


@dataclass(frozen=True, slots=True)
class Note:
    """One or two sentences on something new, and their subject."""

    name: str
    zone: str
    text: Text


@dataclass(frozen=True, slots=True)
class Guide:
    """The chosen deal and its notes."""

    deal: Deal
    seed: int
    """Random seed of the computer."""
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """The guided partie as the learner sees it when it is their turn, or when it is over."""

    view: View
    acts: tuple[str, ...]
    """All acts so far, both players', as tokens."""
    happened: tuple[Event, ...]
    """Events since the learner's last act."""
    notes: tuple[Note, ...]
    """Notes due at this moment."""


class UnreadableActs(ChouineError, ValueError):
    """The acts are not possible in this partie."""


@cache
def guide() -> Guide:
    """The guide, from its content file."""
    content = tomllib.loads((files("chouine.school") / "content" / "guide.toml").read_text(encoding="utf-8"))
    notes = tuple(Note(note["name"], note["zone"], text_of(note)) for note in content["note"])
    deal = complete_deal(read_deal(content["deal"], Rules()))
    if deal is None:
        raise ValueError("guide.toml: the deal must be whole")
    return Guide(deal, content["seed"], notes)


def moment(tokens: Sequence[str]) -> Moment:
    """The guided partie after these acts, and after the computer's if it is on turn.

    Raises `UnreadableActs` for acts that are not legal here.
    """
    state, friend = State.new(Rules(), guide().deal), level(FRIENDLY, Rules(), guide().seed)
    acts, shown, known = list[str](), set[str](), 0
    notes = new_notes(state.view(LEARNER), shown)
    coming = iter(tokens)
    while not state.result:
        mine = asks_learner(state, acts)
        text = next(coming, None)
        if text is None:
            if mine:
                break
            text = token(friend.act(state.view(FRIEND)))
        known = len(state.events) if mine else known
        state = play_tokens(state, text)
        acts.append(text)
        if state.result or asks_learner(state, acts):
            notes = new_notes(state.view(LEARNER), shown)
    view = state.view(LEARNER)
    return Moment(view, tuple(acts), view.events[known:], notes)


def asks_learner(state: State, acts: Sequence[str]) -> bool:
    """Whether the learner decides next: on turn, or asked at "au sept" with the seven and without having passed."""
    if state.turn == LEARNER:
        return True
    return state.position.turn >= 0 and Exchange() in state.view(LEARNER).legal and acts[-1:] != [PASS]


def play_tokens(state: State, text: str) -> State:
    """The partie after an act written as a token."""
    if text == PASS:
        return state
    try:
        return state.play(read_action(text))
    except ChouineError as error:
        raise UnreadableActs("guide/unreadable") from error


def new_notes(view: View, shown: set[str]) -> tuple[Note, ...]:
    """The notes due now that were not shown yet; marks them as shown in `shown`."""
    most = NOTES_LATER if shown else NOTES_FIRST
    found = [note for note in guide().notes if note.name not in shown and MOMENTS[note.name](view)][:most]
    shown.update(note.name for note in found)
    return tuple(found)


def warning_about(view: View, act: Action) -> str | None:
    """The code of a warning about an act that a beginner would regret, or None. The act is allowed all the same."""
    if not isinstance(act, Play) or act.declaration is not None:
        return None
    if any(isinstance(other, Play) and other.card == act.card and other.declaration for other in view.legal):
        return "guide/silent"
    if Exchange() in view.legal and int(act.card) == 8 * view.position.trump:
        return "guide/seven-away"
    loses = bool(view.table) and not beats(act.card, view.position.best, view.position.trump)
    spared = any(isinstance(other, Play) and not other.card.brisque for other in view.legal)
    return "guide/brisque-away" if loses and spared and act.card.brisque else None


def answering(view: View) -> bool:
    return bool(view.table) and not view.result


def drawing(view: View) -> bool:
    return view.talon > 0


MOMENTS: dict[str, Callable[[View], bool]] = {
    "aim": lambda _: True,
    "seven": lambda view: Exchange() in view.legal,
    "values": lambda view: bool(view.tricks) or not view.table,
    "free": lambda view: answering(view) and drawing(view),
    "taking": lambda view: answering(view) and drawing(view) and view.table[0].card.suit != view.trump,
    "drawing": lambda view: bool(view.tricks) and drawing(view),
    "declaring": lambda view: any(isinstance(act, Play) and act.declaration for act in view.legal),
    "declared": lambda view: any(
        isinstance(event, Declared) and event.seat == LEARNER for event in view.events
    ),
    "au-sept": lambda view: not view.result and au_sept(view.rule_table, view.position),
    "empty": lambda view: not view.result and not drawing(view),
    "bound": lambda view: answering(view) and playable(view.rule_table, view.position) != view.hand.mask,
    "last": lambda view: not view.result and len(view.hand) == 1,
    "count": lambda view: view.result is not None and view.result.by != "chouine",
    "chouine": lambda view: view.result is not None and view.result.by == "chouine",
}
"""For each note, when it is due."""
