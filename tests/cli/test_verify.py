"""`chouine verify`: JSON, records or single values; honest deals verify and changed ones do not."""

from __future__ import annotations

import json
from datetime import UTC
from io import BufferedReader, BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.server.records import proof_of, record_text
from tests.server.pages.matches import play_match


@pytest.fixture
def data() -> dict[str, str | int]:
    proof = proof_of(play_match("classic", "1x1", 1).played[0])
    assert proof is not None
    return proof.to_data()


def verify(*arguments: str) -> int:
    return main(["verify", "--language", "en", *arguments])


def test_a_table_s_json(
    data: dict[str, str | int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "1.json"
    file.write_text(json.dumps(data))
    assert verify(str(file)) == 0
    assert capsys.readouterr().out.startswith(f"1. {data['digest']} All agrees.")
    file.write_text(json.dumps({**data, "cut": 20 if data["cut"] != 20 else 21}))
    assert verify(str(file)) == 1


def test_rules_where_the_json_has_none(data: dict[str, str | int], tmp_path: Path) -> None:
    del data["rules"]
    file = tmp_path / "1.json"
    file.write_text(json.dumps(data))
    assert verify(str(file)) == 0
    assert verify(str(file), "--rules", "four") == 1


def test_a_match_s_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = play_match("three", "3x1", 2)
    text = record_text(table, UTC)
    file = tmp_path / "match.cgn"
    file.write_text(text)
    assert verify(str(file)) == 0
    assert capsys.readouterr().out.count("All agrees") == len(table.played) > 1
    file.write_text(text.replace('[Nonce "', '[Nonce "0', 1))
    assert verify(str(file)) == 1
    assert capsys.readouterr().out.count("All agrees") == len(table.played) - 1


def test_standard_input(data: dict[str, str | int], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ((), ("-",)):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BufferedReader(BytesIO(json.dumps(data).encode()))))
        assert verify(*name) == 0


def test_piece_by_piece(data: dict[str, str | int]) -> None:
    pieces = [part for name, value in data.items() for part in (f"--{name}", str(value))]
    assert verify(*pieces) == 0
    assert verify(*pieces, "--nonce", "other") == 1


def test_the_pack_spread_for_the_drawing(
    data: dict[str, str | int], capsys: pytest.CaptureFixture[str]
) -> None:
    """§2: The tirage's spread pack has a digest, but neither cut nor deal."""
    pieces = [part for name in ("pack", "nonce", "digest") for part in (f"--{name}", str(data[name]))]
    assert verify(*pieces) == 0
    assert "while cards were drawn" in capsys.readouterr().out
    assert verify(*pieces, "--nonce", "other") == 1
    assert verify(*pieces, "--cut", "12") == 2
    assert "deal" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "No partie to check here"),
        ("{}", "Missing for the check: pack, nonce, digest"),
        ('{"pack": null}', "Missing for the check"),
        ("[1, 2]", "1:"),
        ("belote", "Unknown rules"),
    ],
)
def test_nothing_to_check(text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    assert verify(str(file)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert told in captured.err
    assert len(captured.err.splitlines()) == 1


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "latin"
    file.write_bytes(b"\xe9")
    assert verify(str(file)) == verify(str(tmp_path)) == verify(str(tmp_path / "none")) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_a_few_pieces_are_not_enough(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("--nonce", "0") == 2
    assert "pack, digest" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("[" * 200_000, "too many brackets within brackets", id="brackets"),
        pytest.param('{"a":' * 200_000, "too many brackets within brackets", id="braces"),
        pytest.param(
            '{"pack": "\\ud800", "nonce": "a"}', "Missing for the check", id="half, and others missing"
        ),
        pytest.param('{"event": "' + "x" * 2_000_000 + '"}', "Too long", id="long"),
    ],
)
def test_unreadable_input_is_an_error(
    text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "1.json"
    file.write_text(text)
    assert verify(str(file)) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("name", ["pack", "nonce", "digest", "deal", "cut"])
def test_half_a_character(
    name: str, data: dict[str, str | int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A lone surrogate, which JSON can contain, cannot be encoded or hashed and is an error."""
    file = tmp_path / "1.json"
    file.write_text(json.dumps({**data, name: f"{data[name]}\ud800"}))
    assert verify(str(file)) == 2
    assert f"There is a character in {name} that cannot be written." in capsys.readouterr().err
    assert verify("--pack", "\udcff", "--nonce", "a", "--cut", "8", "--digest", "a", "--deal", "a") == 2
