"""What is prepared for other projects applies, and passes their own tests."""

from __future__ import annotations

import sys

import pytest

from tools.upstream import FILES, GAMES, PLAYTHROUGHS, UPSTREAM, overlay, replay, run

pytest.importorskip("pyspiel")


def test_openspiel_with_our_files_passes_its_tests() -> None:
    """The wrapper's test, and OpenSpiel's own replay of both playthroughs."""
    with overlay() as folder:
        replay(folder)
        run(sys.executable, "open_spiel/python/games/chouine_wrapper_test.py", folder=folder)


def test_every_new_file_says_under_which_licence_it_is_given() -> None:
    for path in FILES.rglob("*.py"):
        assert "Licensed under the Apache License, Version 2.0" in path.read_text(encoding="utf-8")
    assert {path.stem for path in (FILES / PLAYTHROUGHS).iterdir()} == set(GAMES)


def test_the_address_is_still_to_be_written() -> None:
    """The sender is told to."""
    assert "https://ADDRESS" in (UPSTREAM / "pettingzoo.patch").read_text(encoding="utf-8")
    assert "`ADDRESS`" in (UPSTREAM / "README.md").read_text(encoding="utf-8")
