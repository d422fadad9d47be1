"""A table's finished parties as records, each with what verifies its deal."""

from __future__ import annotations

from datetime import UTC, datetime

from chouine.notation.records import Record
from chouine.partie.deal import SEATS
from chouine.server.room.state import Phase, Played, Room
from chouine.server.verify import Proof


def record_text(room: Room) -> str:
    """The finished parties as a `.cgn` file."""
    return "".join(f"{record_of(room, played)}\n\n" for played in room.played)


def record_of(room: Room, played: Played) -> Record:
    """One finished partie. It is dated once the match is over, by its last day."""
    tags = {
        "Players": "; ".join(
            (chair.name or SEATS[seat]).replace(";", ",") for seat, chair in enumerate(room.chairs)
        ),
        "Format": str(room.match.format),
        "Manche": str(played.manche),
        "Partie": str(played.partie),
        "Score": played.score,
    }
    if played.stopped is not None and played.state.result is not None:
        tags["Termination"] = f"{played.state.result.by} {SEATS[played.stopped]}"
    if room.phase is Phase.OVER:
        tags["Date"] = datetime.fromtimestamp(room.since, UTC).strftime("%Y.%m.%d")
    proof = proof_of(played)
    if proof is not None:
        tags |= {"Pack": proof.pack, "Nonce": proof.nonce, "Cut": str(proof.cut), "Digest": proof.digest}
    return Record.of(played.state, tags)


def proof_of(played: Played) -> Proof | None:
    """What verifies a finished partie's deal; None when an earlier deal was played again."""
    if played.pack is None:
        return None
    pack, state = played.pack, played.state
    return Proof(state.rules, pack.cards, pack.nonce, played.cut, pack.digest, str(state.deal))
