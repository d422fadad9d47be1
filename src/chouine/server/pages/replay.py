"""A finished partie with every hand face up: the deal, each trick, the count. Each moment has its own address."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from chouine.cards import Card
from chouine.notation.french import arranged
from chouine.partie import AuSept, Declared, Exchanged, TrumpFixed
from chouine.partie.actions import Declaration
from chouine.server.pages.cards import face, sign
from chouine.server.pages.counting import tally_of
from chouine.server.pages.env import render
from chouine.server.pages.match import names_of
from chouine.server.pages.moments import Moment, moments_of
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.server.records import proof_of
from chouine.server.room import Room
from chouine.server.verify import Proof


def replay_page(visit: Visit, game: str, room: Room, number: int, trick: int) -> str:
    """Partie `number`, from 1, which is over. Trick 0 is the deal; one more than the last is the count."""
    played = room.played[number - 1]
    moments = moments_of(played.state)
    count = len(moments)
    trick = max(0, min(trick, count))
    proof = proof_of(played)
    words = words_of(visit)
    names = names_of(room, words)
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
        names=names,
        moments=moments,
        trick=trick,
        count=count,
        now=moments[trick] if trick < count else None,
        told=list(told(words, names, moments[trick])) if trick < count else [],
        tally=tally_of(played.state),
        order=order(room, visit),
        proof=proof,
        command=command(proof) if proof else "",
        words=words,
        arranged=arranged,
        face=face,
        sign=sign,
    )


def order(room: Room, visit: Visit) -> list[int]:
    """The seats from the top of the screen: round the table, the visitor's own, else seat a, at the bottom."""
    own = (*room.held_by(visit.guest), 0)[0]
    return [(own + place) % len(room.chairs) for place in range(1, len(room.chairs) + 1)]


def told(words: Words, names: tuple[str, ...], moment: Moment) -> Iterator[str]:
    """What was said and done in a trick beyond its cards."""
    _ = words.gettext
    for event in moment.events:
        match event:
            case AuSept(seat):
                yield _("%(name)s says: “Au sept”.") % {"name": names[seat]}
            case Exchanged(seat, card) if seat is not None:
                seven = words.the(Card(8 * card.suit))
                data = {"name": names[seat], "seven": seven, "card": words.the(card)}
                yield _("%(name)s exchanges %(seven)s for %(card)s.") % data
            case Declared(seat, declaration, counts):
                yield said(words, names[seat], declaration, counts)
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
