"""A match's permanent page: finished parties only, manche by manche."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from chouine.cards import Suit
from chouine.partie import Declared
from chouine.server.pages.frames import Viewer
from chouine.server.pages.match import manches_of, match_page
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.table import Phase, commands
from chouine.table.state import digest_of
from tests.server.pages.matches import Table, play_match
from tests.server.pages.reading import Page

VISIT = Visit("fr", "a-token", "guest-0", "Jean")


@pytest.mark.parametrize("seed", range(6))
def test_13_manches_and_their_parties(seed: int) -> None:
    """§13: the manches list each finished partie in order, and their scores are the match's."""
    table = play_match("classic", "3x2", seed)
    manches = manches_of(table)
    assert [manche.score for manche in manches] == list(table.match.history)
    assert [line.number for manche in manches for line in manche.lines] == list(
        range(1, len(table.played) + 1)
    )
    for manche in manches:
        won = [line.result.winner for line in manche.lines]
        assert tuple(won.count(seat) for seat in (0, 1)) == manche.score
        assert won[-1] == manche.winner


def test_every_partie_has_a_link() -> None:
    table = play_match("three", "3x1", 2)
    page = Page(match_page(VISIT, "g", table))
    assert [link for link in page.links if link.startswith("/match/g/")] == [
        *(f"/match/g/{number}" for number in range(1, len(table.played) + 1)),
        "/match/g/review",
    ]
    assert "/match/g.cgn" in page.links
    assert f"{table.holders[table.match.winner or 0].name} gagne le match" in page.text


def test_14_nothing_of_a_partie_in_progress() -> None:
    """§14: the page does not depend on the hands of the partie in progress, except for the pack's digest."""
    pages = set()
    for seed in (1, 2, 3):
        table = Table(seed=7)
        table.play_to(Phase.COUNT)
        while table.table.phase is not Phase.CUT:
            table.step()
        assert table.table.pack is not None
        table.rng.seed(seed)
        shuffled = table.shuffle()
        pack = replace(table.table.pack, cards=shuffled.pack, nonce=shuffled.nonce)
        table.table = replace(table.table, pack=pack)
        table.do(commands.CutAt(min(table.table.awaited), 12))
        digest = pack.digest
        html = match_page(VISIT, "g", table.table)
        assert html.count(digest) == 1
        pages.add(html.replace(digest, ""))
    assert len(pages) == 1
    assert "Ce match est en cours" in pages.pop()


def test_13_sous_la_table() -> None:
    """§13: "sous la table" is shown exactly for a manche lost without a partie."""
    rooms = [play_match("classic", "2x2", seed) for seed in range(6)]
    for table in rooms:
        bare = any(0 in score for score in table.match.history)
        assert ("sous la table" in match_page(VISIT, "g", table)) == bare
    assert any(0 in score for table in rooms for score in table.match.history)
    assert "sous la table" not in match_page(VISIT, "g", play_match("four", "1x1", 1))


def test_whoever_played_is_spoken_to() -> None:
    """The page addresses its player as "vous" and lists each partie's declarations (§9)."""
    rooms = [play_match("classic", "1x1", seed) for seed in range(6)]
    won, lost = (next(table for table in rooms if table.match.winner == seat) for seat in (0, 1))
    assert "Vous gagnez le match" in match_page(VISIT, "g", won)
    assert f"{lost.holders[1].name} gagne le match" in match_page(VISIT, "g", lost)
    for table in rooms:
        text = Page(match_page(VISIT, "g", table)).text
        assert "Jean" not in text
        for event in table.played[0].state.events:
            if isinstance(event, Declared):
                assert words_of(VISIT).declaration(event.declaration) in text


def test_13_how_it_stands() -> None:
    """§13: manches won, or the parties of the only one, or the points of a single partie, and who has won."""
    for terms, unit in (("2x2", "manches gagnées"), ("3x1", "parties gagnées"), ("1x1", "points")):
        table = play_match("classic", terms, 1)
        html = match_page(VISIT, "g", table)
        match, last = table.match, table.played[-1].state.result
        assert last is not None
        standing = {"2x2": match.manches, "3x1": match.history[-1], "1x1": last.points}[terms]
        assert [int(figure) for figure in re.findall(r"<b>(\d+)</b></li>", html)] == list(standing)
        assert f'<p class="unit">{unit}</p>' in html
        assert html.count('<li class="won">') == 1
        played = [one.state.position.trump for one in table.played]
        assert re.findall(r"#suit-(\w)", html.partition("<section aria-labelledby")[2]) == [
            Suit(trump).letter for trump in played
        ]


def test_before_the_first_partie_is_over() -> None:
    table = Table(seed=1)
    page = Page(match_page(VISIT, "g", table.play_to(Phase.CUT)))
    assert "Aucune partie n’est encore finie" in page.text
    assert "/match/g.cgn" not in page.links


def test_the_draw_can_be_verified() -> None:
    """§2: the published pack and nonce give the digest shown, and the drawn places give the drawn cards."""
    table = Table(form="1x1", seed=1)
    table.play_to(Phase.CUT)
    assert len(table.table.spreads) == len(table.table.tirages)
    html = match_page(Visit("fr", "t", "g"), "g1", table.table)
    for spread, drawn in zip(table.table.spreads, table.table.tirages, strict=True):
        assert tuple(spread.pack.in_order[place] for place in spread.places) == drawn.cards
        assert digest_of(spread.pack.cards, spread.pack.nonce) == spread.pack.digest
        for shown in (spread.pack.digest, spread.pack.cards, spread.pack.nonce):
            assert shown in html


def test_the_digest_stays_readable_after_the_cut() -> None:
    """The pack itself and its nonce are published only after the partie."""
    table = Table(form="1x1", seed=1)
    table.play_to(Phase.PLAY)
    pack = table.table.pack
    assert pack is not None
    html = match_page(Visit("fr", "t", "g"), "g1", table.table)
    assert pack.digest in html
    assert pack.nonce not in html
    assert pack.cards not in html


def test_the_draws_digest_is_shown_while_it_is_made() -> None:
    table = Table(form="1x1", seed=1)
    pack = table.table.pack
    assert pack is not None
    for html in (
        match_page(Visit("fr", "t", "g"), "g1", table.table),
        Viewer(Visit("fr", "t", "guest-0"), "g1", 0).page(table.table),
    ):
        assert pack.digest in html
        assert pack.nonce not in html
