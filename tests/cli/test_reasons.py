"""Why something failed is said in the language of the command, whoever found it: the system or a library."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.error import URLError

import pytest

from chouine.cli import main
from chouine.cli.api_client import ApiClient, Away
from chouine.cli.language import speaking
from chouine.phrases import reason_in_words, say
from chouine.phrases.reasons import REASONS, reason_code
from chouine.server.database import Unreachable

OTHERS = re.compile(
    r"\b(refused|connect|cannot|assign|address|already|in use|errno|error|expected|object|missing|required"
    r"|invalid|must|email|found|failed|denied|line)\b",
    re.IGNORECASE,
)
"""Words of libraries and of the system."""
NOBODY = "127.0.0.1:1"
"""Where nothing answers."""
LEGAL = {
    "host": ('contact = "a@example.org"\n', "il y manque host"),
    "contact": ('host = "Loir"\n', "il y manque contact"),
    "no text": ('host = 3\ncontact = "a@example.org"\n', "host"),
    "no TOML": ('host = "Loir"\ncontact = a@example.org\n', "ligne 2"),
    "no address": ('host = "Loir"\ncontact = "a at example.org"\n', "a at example.org"),
}


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that is in use."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        yield listening.getsockname()[1]


def refusal_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command in French says when it fails."""
    try:
        assert main([*arguments, "--language", "fr"]) != 0
    except SystemExit as left:
        assert left.code  # noqa: PT017  # the status
    said = capsys.readouterr().err
    assert not OTHERS.search(said), said
    return said


@pytest.mark.parametrize("fault", LEGAL)
def test_a_legal_notice_that_cannot_be_read(
    fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, (text, said) = tmp_path / "legal.toml", LEGAL[fault]
    file.write_text(text)
    assert said in refusal_of(capsys, "serve", "--port", "0", "--legal", str(file))


def test_a_legal_notice_in_another_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file := tmp_path / "legal.toml").write_bytes('host = "Trôo"\n'.encode("latin-1"))
    assert "TOML" in refusal_of(capsys, "serve", "--port", "0", "--legal", str(file))


def test_an_address_at_which_nothing_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    season = str(tmp_path / "saison.chouine")
    assert main(["saison", "new", season, "--title", "Loir"]) == 0
    capsys.readouterr()
    for arguments in (
        ("export", "--database", f"postgresql://anne@{NOBODY}/chouine", "anne@example.org", "anne.zip"),
        ("serve", "--port", "0", "--database", f"postgresql://anne@{NOBODY}/chouine"),
        ("worker", "--check", "--redis", f"redis://{NOBODY}/0"),
        ("saison", "add", season, f"http://{NOBODY}/"),
    ):
        assert "rien ne répond" in refusal_of(capsys, *arguments), arguments


def test_a_port_that_cannot_be_had(tmp_path: Path, taken: int, capsys: pytest.CaptureFixture[str]) -> None:
    database = f"sqlite:///{tmp_path / 'chouine.db'}"
    serve = ("serve", "--no-browser", "--database", database)
    assert "un autre programme" in refusal_of(capsys, *serve, "--port", str(taken))
    assert "n’a pas cette adresse" in refusal_of(capsys, *serve, "--host", "192.0.2.1", "--port", "0")
    contest = ("concours", "open", str(tmp_path / "c.chouine"), "--no-browser", "--host", "192.0.2.1")
    assert "n’a pas cette adresse" in refusal_of(capsys, *contest)


def test_a_server_that_is_away() -> None:
    with speaking("fr"), pytest.raises(Away, match="rien ne répond"):
        ApiClient(f"http://{NOBODY}", "token", "fr").ask("GET", "tables")


def error_around(inside: Exception, around: Exception) -> Exception:
    """An error as a library raises it, which hides the system's."""
    around.__cause__ = inside
    return around


def test_a_reason_is_found_within_what_libraries_raise() -> None:
    password, certificate = Exception("role"), ssl.SSLCertVerificationError(1, "certificate verify failed")
    password.sqlstate, certificate.verify_code = "28P01", 10  # type: ignore[attr-defined]
    for error, code in {
        error_around(OSError(111, "Connection refused"), Unreachable()): "net/refused",
        URLError(OSError(111, "Connection refused")): "net/refused",
        OSError("Multiple exceptions: [Errno 111] Connect call failed, [Errno 111] …"): "net/refused",
        error_around(password, Unreachable()): "net/password",
        certificate: "net/expired",
        ssl.SSLError(1, "wrong version number"): "net/not-safe",
        socket.gaierror(-2, "Name or service not known"): "net/no-name",
        TimeoutError(): "net/silent",
        asyncio.IncompleteReadError(b"", 1): "",
        ValueError("nothing of ours"): "",
    }.items():
        assert reason_code(error) == code, error
    assert reason_in_words(ValueError("as it is\nand more")) == "as it is"
    assert reason_in_words(ValueError()) == "ValueError"
    for code in REASONS.values():
        assert say(code, "fr") != say(code, "en")
