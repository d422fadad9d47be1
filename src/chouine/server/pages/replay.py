"""A finished partie with every hand face up: the deal, each trick, the count. Each trick has its own address."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from chouine.ai.levels import looks_ahead
from chouine.cards import Card
from chouine.notation.french import arranged
from chouine.partie import AuSept, Declared, Exchanged, TrumpFixed
from chouine.partie.actions import Declaration
from chouine.server.pages.cards import face, sign
from chouine.server.pages.env import render
from chouine.server.pages.match import Named, named
from chouine.server.pages.trick_history import TrickRecord, trick_history
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.records import proof_of
from chouine.server.verify import Proof
from chouine.table import TableState
from chouine.table.count import tally_of


def replay_page(visit: Visit, game: str, room: TableState, number: int, trick: int) -> str:
    """Partie `number`, from 1, which is over. Trick 0 is the deal; one more than the last is the count."""
    played = room.played[number - 1]
    history = trick_history(played.state)
    count = len(history)
    trick = max(0, min(trick, count))
    proof = proof_of(played)
    words = words_of(visit)
    who = named(room, visit, words)
    return render(
        visit,
        "replay.html",
        here=f"/match/{game}/{number}?trick={trick}",
        address=f"/match/{game}/{number}",
        game=game,
        room=room,
        number=number,
        played=played,
        result=played.state.result,
        **who._asdict(),
        history=history,
        trick=trick,
        count=count,
        now=history[trick] if trick < count else None,
        told=list(told(words, who, history[trick])) if trick < count else [],
        tally=tally_of(played.state),
        order=order(room, visit),
        proof=proof,
        reviewed=looks_ahead(),
        command=command(proof) if proof else "",
        words=words,
        arranged=arranged,
        face=face,
        sign=sign,
    )


def order(room: TableState, visit: Visit) -> list[int]:
    """The seats from the top of the screen: round the table, the visitor's own, else seat a, at the bottom."""
    own = (*room.held_by(visit.guest), 0)[0]
    return [(own + place) % len(room.holders) for place in range(1, len(room.holders) + 1)]


def told(words: Words, who: Named, record: TrickRecord) -> Iterator[str]:
    """What was said and done in a trick beyond its cards."""
    _ = words.gettext
    for event in record.events:
        match event:
            case AuSept(seat):
                yield who.about(seat, _("You say “Au sept”."), _("%(name)s says: “Au sept”."))
            case Exchanged(seat, card) if seat is not None:
                seven = words.the(Card(8 * card.suit))
                ways = (
                    _("You exchange %(seven)s for %(card)s."),
                    _("%(name)s exchanges %(seven)s for %(card)s."),
                )
                yield who.about(seat, *ways, seven=seven, card=words.the(card))
            case Declared(seat, declaration, counts):
                yield said(words, who.labels[seat], declaration, counts)
            case TrumpFixed(suit):
                yield _("Trumps are %(suit)s.") % {"suit": words.suit(suit)}
            case _:
                pass


def said(words: Words, name: str, declaration: Declaration, counts: int) -> str:
    """A declaration in its declarer's words, and what it counts."""
    data = {"name": name, "said": words.said(declaration), "points": counts}
    if not counts:
        return words.gettext("%(name)s: “%(said)s”") % data
    return words.gettext("%(name)s: “%(said)s” (%(points)s points)") % data


def command(proof: Proof) -> str:
    """What anyone can run to check this deal."""
    options = " ".join(f"--{name} {shlex.quote(str(value))}" for name, value in proof.to_data().items())
    return f"chouine verify {options}"
