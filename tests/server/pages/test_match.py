"""A match's permanent page: finished parties only, manche by manche."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chouine.server.pages.match import manches_of, match_page
from chouine.server.pages.visit import Visit
from chouine.server.room import Phase, commands
from tests.server.pages.matches import Table, finished
from tests.server.pages.reading import Page

VISIT = Visit("fr", "a-token", "guest-0", "Jean")


@pytest.mark.parametrize("seed", range(6))
def test_13_manches_and_their_parties(seed: int) -> None:
    """§13: each finished partie in its manche, in order, whose score is the match's."""
    room = finished("classic", "3x2", seed)
    manches = manches_of(room)
    assert [manche.score for manche in manches] == list(room.match.history)
    assert [line.number for manche in manches for line in manche.lines] == list(
        range(1, len(room.played) + 1)
    )
    for manche in manches:
        won = [line.result.winner for line in manche.lines]
        assert tuple(won.count(seat) for seat in (0, 1)) == manche.score
        assert won[-1] == manche.winner


def test_every_partie_has_a_link() -> None:
    room = finished("three", "3x1", 2)
    page = Page(match_page(VISIT, "g", room))
    assert [link for link in page.links if link.startswith("/match/g/")] == [
        f"/match/g/{number}" for number in range(1, len(room.played) + 1)
    ]
    assert "/match/g.cgn" in page.links
    assert f"{room.chairs[room.match.winner or 0].name} gagne le match" in page.text


def test_14_nothing_of_a_partie_in_progress() -> None:
    """§14: the page is the same whatever the hands of the partie being played."""
    pages = set()
    for seed in (1, 2, 3):
        table = Table(seed=7)
        table.play_to(Phase.COUNT)
        while table.room.phase is not Phase.CUT:
            table.step()
        assert table.room.pack is not None
        table.rng.seed(seed)
        shuffled = table.shuffle()
        pack = replace(table.room.pack, cards=shuffled.pack, nonce=shuffled.nonce)
        table.room = replace(table.room, pack=pack)
        table.do(commands.CutAt(min(table.room.awaited), 12))
        pages.add(match_page(VISIT, "g", table.room))
    assert len(pages) == 1
    assert "Ce match est en cours" in pages.pop()


def test_13_sous_la_table() -> None:
    """§13"""
    rooms = [finished("classic", "1x2", seed) for seed in range(3)]
    assert all("passe sous la table" in match_page(VISIT, "g", room) for room in rooms)


def test_before_the_first_partie_is_over() -> None:
    table = Table(seed=1)
    page = Page(match_page(VISIT, "g", table.play_to(Phase.CUT)))
    assert "Aucune partie n'est encore finie" in page.text
    assert "/match/g.cgn" not in page.links
