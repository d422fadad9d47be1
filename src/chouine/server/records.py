"""A table's finished parties as records, each with what verifies its deal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from chouine.days import day_of
from chouine.notation.records import Record
from chouine.phrases import Language
from chouine.server.verify import FIELDS, Proof
from chouine.table.brief import tags_of
from chouine.table.entries import NOBODY
from chouine.table.state import FinishedPartie, Phase, TableState


@dataclass(frozen=True)
class ImportedTable(TableState):
    """A match as a file tells it: over, with nobody's guest at its seats."""

    records: tuple[Record, ...] = ()
    """The parties as the file has them, with its tags and comments."""
    owner: str = NOBODY
    """The guest who brought it."""


def record_text(table: TableState, zone: tzinfo | None) -> str:
    """The finished parties as a `.cgn` file."""
    return "".join(f"{record_of(table, played, zone)}\n\n" for played in table.played)


def record_of(table: TableState, played: FinishedPartie, zone: tzinfo | None) -> Record:
    """One finished partie. It is dated once the match is over, by its last day in the visitor's time zone.

    One that was brought as a file is as the file has it.
    """
    if isinstance(table, ImportedTable):
        return next(one for one, each in zip(table.records, table.played, strict=True) if each is played)
    tags = tags_of(table, played)
    if table.phase is Phase.OVER:
        tags["Date"] = f"{day_of(datetime.fromtimestamp(table.since, UTC), zone):%Y.%m.%d}"
    proof = proof_of(played)
    if proof is not None:
        tags |= {"Pack": proof.pack, "Nonce": proof.nonce, "Cut": str(proof.cut), "Digest": proof.digest}
    return Record.of(played.state, tags)


def film_of(table: TableState, played: FinishedPartie, language: Language) -> str:
    """A finished partie as a film, one SVG, with the names that the pages show."""
    return Record.of(played.state, tags_of(table, played)).svg(language)


def proof_of(played: FinishedPartie) -> Proof | None:
    """What verifies a finished partie's deal; None when an earlier deal was played again."""
    if played.pack is None:
        return None
    pack, state = played.pack, played.state
    return Proof(state.rules, pack.cards, pack.nonce, pack.digest, played.cut, str(state.deal))


def deal_data(played: FinishedPartie) -> dict[str, object]:
    """The proof of a finished partie's deal as JSON data: nonce, digest and pack, or the rules and the deal alone."""
    proof = proof_of(played)
    deal_only = {"rules": str(played.state.rules), "deal": str(played.state.deal)}
    return {**proof.to_data()} if proof else dict.fromkeys(FIELDS) | deal_only


def seat_again(table: TableState, guest: str, *, swap: bool) -> int:
    """The seat of a guest who plays a deal again: their own, or the next with `swap`; the first for a stranger."""
    return ((*table.held_by(guest), 0)[0] + swap) % len(table.holders)
