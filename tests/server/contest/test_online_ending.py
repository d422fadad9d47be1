"""The end of a contest, told to each of its players on its page, and never before it."""

from __future__ import annotations

import re
from html import unescape
from random import Random

import pytest

from chouine.contest import Formula, formula_for, ranking
from chouine.contest.ranking import keys_of
from chouine.phrases import Language
from chouine.server.contest.online import Online
from chouine.server.contest.online_pages import contest_page
from chouine.server.contest.standing import TIES, ending_told, place_words, won_final
from chouine.server.pages.visit import Visit
from chouine.server.store import Store
from tests.server.contest.test_steward import Hall
from tests.server.stores import with_store

SCENE = 'data-contest="'
LAVARDIN = formula_for("lavardin", matches=("1x1",), consolante_matches=("1x1",))
SWISS = formula_for("swiss", rounds=3, matches=("1x1",))


def page_for(online: Online, number: int | None, language: Language = "fr") -> str:
    """The contest's page for an entry."""
    return unescape(contest_page(Visit(language, "csrf", "a"), online, number, (), 0.0)).replace(
        "\N{NO-BREAK SPACE}", " "
    )


@pytest.mark.parametrize("formula", [LAVARDIN, SWISS], ids=["lavardin", "swiss"])
def test_each_player_is_told_the_winner_and_their_own_place(sqlite: str, formula: Formula) -> None:
    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(5, formula)
        await hall.contests.turn(hall.which, "live")
        await hall.steward.look()
        before = await hall.online()
        assert ending_told(before.contest, before.names, "fr") == []
        assert SCENE not in page_for(before, 1)
        online = await hall.play_all(Random(5))
        assert online.state == "over"
        told = ending_told(online.contest, online.names, "fr")
        for one in ranking(online.contest):
            page = page_for(online, one.number)
            assert SCENE in page
            assert all(page.count(sentence.replace("\N{NO-BREAK SPACE}", " ")) == 2 for sentence in told)
            place = "Première place" if one.rank == 1 else f"{one.rank}e place"
            assert re.search(f'class="prize">{place}</p>', page)
        assert SCENE not in page_for(online, None)
        assert [which.id for which in await hall.contests.ended_lately("guest-1")] == [hall.which]
        hall.clock.now += 8 * 24 * 3600
        assert await hall.contests.ended_lately("guest-1") == []

    with_store(sqlite, test)


@pytest.mark.parametrize("seed", range(4))
def test_what_decided_a_swiss_contest_is_what_differs(sqlite: str, seed: int) -> None:
    """More wins, or with as many what the formula asks next; a shared first place has no winner."""

    async def test(store: Store) -> None:
        hall = Hall(store, seed)
        await hall.open(6, SWISS)
        await hall.contests.turn(hall.which, "live")
        online = await hall.play_all(Random(seed))
        contest, names = online.contest, online.names
        told, (first, second, *_) = ending_told(contest, names, "en"), ranking(contest)
        assert won_final(contest) is None
        if second.rank == 1:
            assert told[0].startswith("The first place is shared: ")
            return
        assert told[0] == f"{names[first.number]} wins the contest."
        if first.tally.wins > second.tally.wins:
            assert told[1] == f"{first.tally.wins} wins, more than anybody else."
        else:
            keys = keys_of(contest)
            own, other = keys[first.number][3:], keys[second.number][3:]
            differs = next(tie for tie, a, b in zip(contest.formula.ties, own, other, strict=True) if a != b)
            assert told[1] == TIES[differs]

    with_store(sqlite, test)


def test_places_are_said_as_in_english() -> None:
    ranks = (1, 2, 3, 4, 11, 21, 101, 111, 112, 113, 122)
    said = ["First", "2nd", "3rd", "4th", "11th", "21st", "101st", "111th", "112th", "113th", "122nd"]
    assert [place_words(str, rank) for rank in ranks] == [f"{each} place" for each in said]


def test_a_final_is_told_with_its_score(sqlite: str) -> None:
    async def test(store: Store) -> None:
        hall = Hall(store)
        await hall.open(2)
        await hall.contests.turn(hall.which, "live")
        online = await hall.play_all(Random(2))
        final = won_final(online.contest)
        assert final is not None
        assert final.score is not None
        winner, loser = (online.names[n] for n in (final.players[final.score.winner], final.losers[0]))
        assert ending_told(online.contest, online.names, "en") == [
            f"{winner} wins the contest.",
            f"{winner} won the final against {loser}, {final.score.of_winner()}.",
        ]

    with_store(sqlite, test)
