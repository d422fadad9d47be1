"""A table's finished parties as records, each with what verifies its deal."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from chouine.days import day_of
from chouine.notation.records import Record
from chouine.server.verify import Proof
from chouine.table.records import tags_of
from chouine.table.state import FinishedPartie, Phase, TableState


def record_text(room: TableState, zone: tzinfo | None) -> str:
    """The finished parties as a `.cgn` file."""
    return "".join(f"{record_of(room, played, zone)}\n\n" for played in room.played)


def record_of(room: TableState, played: FinishedPartie, zone: tzinfo | None) -> Record:
    """One finished partie. It is dated once the match is over, by its last day in the visitor's time zone."""
    tags = tags_of(room, played)
    if room.phase is Phase.OVER:
        tags["Date"] = f"{day_of(datetime.fromtimestamp(room.since, UTC), zone):%Y.%m.%d}"
    proof = proof_of(played)
    if proof is not None:
        tags |= {"Pack": proof.pack, "Nonce": proof.nonce, "Cut": str(proof.cut), "Digest": proof.digest}
    return Record.of(played.state, tags)


def proof_of(played: FinishedPartie) -> Proof | None:
    """What verifies a finished partie's deal; None when an earlier deal was played again."""
    if played.pack is None:
        return None
    pack, state = played.pack, played.state
    return Proof(state.rules, pack.cards, pack.nonce, pack.digest, played.cut, str(state.deal))
