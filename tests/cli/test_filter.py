"""`chouine filter`: records by their tags, unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from chouine.cli import main
from tests.calls import status_of

LAVARDIN = Path("tests/records/lavardin.cgn").read_text(encoding="utf-8")


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Five records, whose `Partie` is 1 to 5."""
    path = tmp_path / "parties.cgn"
    records = [LAVARDIN.replace('[Partie "3"]', f'[Partie "{number}"]') for number in range(1, 6)]
    path.write_text("\n".join(records), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ([], "12345"),
        (["--where", "Partie=2"], "2"),
        (["--where", "Event=*Chouine", "--skip", "1", "--limit", "2"], "23"),
        (["--where", "Event=Chouine"], ""),
        (["--skip", "0"], "12345"),
        (["--where", "Partie=*", "--where", "Result=1-0", "--skip", "2"], "345"),
        (["--where", "Partie=[2-4]"], ""),
        (["--where", "Partie=?"], ""),
        (["--where", f"Event={'*' * 40}Chouine"], "12345"),
        (["--where", f"Event={'*e' * 40}"], ""),
    ],
)
def test_records_by_their_tags(
    options: list[str], kept: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["filter", file, *options]) == 0
    records = [LAVARDIN.replace('[Partie "3"]', f'[Partie "{number}"]').rstrip() for number in kept]
    assert capsys.readouterr().out == "".join(f"{record}\n\n" for record in records)
    assert main(["filter", file, *options, "--count"]) == 0
    assert capsys.readouterr().out == f"{len(kept)}\n"


def test_wrong_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["filter", str(tmp_path / "none"), "--language", "en"]) == 2
    assert "there is no such file" in capsys.readouterr().err
    (tmp_path / "latin").write_bytes('[Event "épuisé"]\n'.encode("latin-1"))
    assert main(["filter", str(tmp_path / "latin"), "--language", "en"]) == 2
    assert "not a UTF-8 text" in capsys.readouterr().err
    assert status_of("filter", "--skip", "-1", "--language", "en") == 2
    assert "--skip: a whole number from 0, not “-1”" in capsys.readouterr().err
    assert status_of("filter", "--where", "Result", "--language", "en") == 2
    assert "a tag such as Result=1-0, not “Result”" in capsys.readouterr().err
