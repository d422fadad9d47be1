"""A finished partie with every hand face up: the deal, each trick, the count. Each trick has its own address."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from chouine.ai.levels import looks_back
from chouine.notation.french import arranged
from chouine.notation.narration import Narrator
from chouine.partie import AuSept, Declared, Exchanged, TrumpFixed
from chouine.server.pages.cards import face, sign
from chouine.server.pages.env import render
from chouine.server.pages.match import named
from chouine.server.pages.trick_history import TrickRecord, trick_history
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
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
    narrator = Narrator(who.names, who.you, visit.language)
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
        happened=list(beyond_cards(narrator, history[trick])) if trick < count else [],
        tally=tally_of(played.state),
        order=order(room, visit),
        proof=proof,
        reviewed=looks_back(played.state.rules),
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


def beyond_cards(narrator: Narrator, record: TrickRecord) -> Iterator[str]:
    """Declarations, exchanges and shown cards of a trick, as sentences."""
    for event in record.events:
        match event:
            case Declared():
                yield narrator.counted(event)
            case AuSept() | Exchanged() | TrumpFixed():
                yield narrator.sentence(event)
            case _:
                pass


def command(proof: Proof) -> str:
    """The command that verifies this deal."""
    options = " ".join(f"--{name} {shlex.quote(str(value))}" for name, value in proof.to_data().items())
    return f"chouine verify {options}"
