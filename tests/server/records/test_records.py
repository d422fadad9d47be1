"""A match's `.cgn`: it reads back as the same parties, and its tags verify each deal."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from io import StringIO
from zoneinfo import ZoneInfo

import pytest

from chouine.days import day_of
from chouine.notation.reader import read_records
from chouine.notation.records import Record
from chouine.server.records import proof_of, record_text
from chouine.table import Phase, TableState, commands
from tests.server.pages.matches import Table, play_match


def read(room: TableState) -> list[Record]:
    entries = list(read_records(StringIO(record_text(room, UTC))))
    assert all(isinstance(entry, Record) for entry in entries), entries
    return [entry for entry in entries if isinstance(entry, Record)]


@pytest.mark.parametrize(
    "preset", ["classic", "three", "four", "mondoubleau", "mondoubleau-three", "classic;head=always"]
)
def test_a_match_reads_back(preset: str) -> None:
    room = play_match(preset, "3x1", 2)
    records = read(room)
    assert len(records) == len(room.played)
    for record, played in zip(records, room.played, strict=True):
        state = played.state
        assert (record.rules, str(record.deal), record.result) == (state.rules, str(state.deal), state.result)
        proof = proof_of(played)
        assert proof is not None
        assert proof.faults == ()
        for tag, value in {"Digest": proof.digest, "Nonce": proof.nonce, "Pack": proof.pack}.items():
            assert record.tag(tag) == value
        assert record.tag("Cut") == str(proof.cut)


def test_13_tags_tell_the_match() -> None:
    """§13: tags for manche, partie and the score before each partie."""
    room = play_match("classic", "3x2", 3)
    records = read(room)
    assert [record.tag("Manche") for record in records] == [str(played.manche) for played in room.played]
    assert [record.tag("Score") for record in records] == [played.score for played in room.played]
    assert records[0].tag("Score") == "0-0 0-0"
    assert {record.tag("Players") for record in records} == {"Jean; Charles"}
    assert {record.tag("Format") for record in records} == {"3x2"}


def test_a_match_is_dated_once_it_is_over() -> None:
    table = Table("classic", "3x1", 3)
    assert "[Date" not in record_text(table.play_to(Phase.COUNT), UTC)
    room = table.play_to(Phase.OVER)
    for zone in (ZoneInfo("Etc/GMT+12"), ZoneInfo("Pacific/Kiritimati")):
        day = day_of(datetime.fromtimestamp(room.since, UTC), zone).strftime("%Y.%m.%d")
        assert re.findall(r'\[Date "(.*)"\]', record_text(room, zone)) == [day] * len(room.played)


@pytest.mark.parametrize("rules", ["classic", "three", "four"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("forfeit", [False, True])
def test_16_who_stopped_a_partie_is_told(rules: str, seat: int, forfeit: bool) -> None:  # noqa: FBT001
    """§16: the tags name who conceded or forfeited."""
    table = Table(rules, "3x1", 4)
    table.play_to(Phase.PLAY)
    for _ in range(7):
        table.step()
    table.do(commands.ForfeitMatch(seat) if forfeit else commands.Concede(seat))
    (record,) = read(table.table)
    assert record.tag("Termination") == f"{'forfeit' if forfeit else 'concede'} {'abcd'[seat]}"
    assert record.result == table.table.played[0].state.result


def test_a_deal_played_again_has_no_pack_to_tell() -> None:
    deal = str(play_match("classic", "1x1", 5).played[0].state.deal)
    (record,) = read(Table("classic", "1x1", 9, deal=deal).play_to(Phase.OVER))
    assert record.tag("Digest") is None
    assert str(record.deal) == deal


def test_14_a_partie_in_progress_is_not_told() -> None:
    """§14: a partie in progress is not in the record."""
    table = Table("classic", "3x1", 6)
    assert record_text(table.play_to(Phase.PLAY), UTC) == ""
