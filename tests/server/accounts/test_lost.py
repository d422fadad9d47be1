"""Whoever lost everything gets a new card from the server's keeper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chouine.cli import main
from tests.server.accounts.people import make_card, press, type_words
from tests.server.serving import serving

REASON = ("--reason", "asked by telephone")


def test_the_keeper_makes_a_new_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The old one signs in no more, the person is told, and the matches are all there; so for who had no account."""
    database = f"sqlite:///{tmp_path / 'chouine.db'}"
    with serving(database, tmp_path / "errors") as served:
        lost, guest = served.visit("en"), served.visit("en")
        theirs, played = lost.open(**{"name-0": "Marthe"}), guest.open(**{"name-0": "Basile"})
        before, _ = make_card(lost)
        numbers = [re.findall(r"<code>(\w{32})", one.get("/mine").text)[0] for one in (lost, guest)]
        for name, table, number in zip(("Marthe", "Basile"), (theirs, played), numbers, strict=True):
            assert main(["operator", "card", number, *REASON, "--database", database]) == 0
            link, words = capsys.readouterr().out.splitlines()
            assert re.fullmatch(r"http://127\.0\.0\.1:8000/account/card/[\w-]{15}", link)
            new = served.visit("en")
            type_words(new, words.split())
            assert f"/table/{table}" in new.get("/").text
            assert "asked by telephone" in new.get("/told").text
            assert name in new.get("/").text
        assert "No account has this card" in type_words(served.visit("en"), before)
        assert f"/table/{theirs}" in lost.get("/").text  # that browser was not lost
        press(lost, "leave")
        assert f"/table/{theirs}" not in lost.get("/").text
        assert f"/table/{played}" not in guest.get("/").text
        for wrong in ((numbers[0],), ("nobody", *REASON)):
            assert main(["operator", "card", *wrong, "--database", database]) == 2


def test_a_card_that_is_made_in_part_loses_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever had no account is still found after that, and is in the account of the next card."""
    database = f"sqlite:///{tmp_path / 'chouine.db'}"
    with serving(database, tmp_path / "errors") as served:
        guest = served.visit("en")
        played = guest.open(**{"name-0": "Basile"})
        [number] = re.findall(r"<code>(\w{32})", guest.get("/mine").text)
        arguments = ["operator", "card", number, *REASON, "--database", database]
        with monkeypatch.context() as broken:
            broken.setattr("builtins.print", fail_to_print)
            with pytest.raises(BrokenPipeError):
                main(arguments)
        assert f"/table/{played}" in guest.get("/").text
        assert main(arguments) == 0
        words = capsys.readouterr().out.splitlines()[-1]
        new = served.visit("en")
        type_words(new, words.split())
        assert f"/table/{played}" in new.get("/").text


def fail_to_print(*_: object, **__: object) -> None:
    """Whoever should have read the card is gone."""
    raise BrokenPipeError
