"""Portraits, and moods that depend only on public events (§14)."""

from __future__ import annotations

from collections import Counter

import pytest

from chouine.partie import Taken
from chouine.phrases.personas import PERSONAS
from chouine.server.pages.frames import Viewer
from chouine.server.pages.portraits import EMBLEMS, mood_after, mood_at, nth_of_family, portrait
from chouine.server.pages.visit import Visit
from chouine.table import Phase, Watcher
from chouine.table.entries import SeatHolder
from tests.server.pages.tables import random_match


def test_each_of_the_valley_has_a_face_of_their_own() -> None:
    faces = {
        portrait(SeatHolder(f"level:{level}", name))
        for level, family in enumerate(PERSONAS, 1)
        for name in family
    }
    assert len(faces) == sum(map(len, PERSONAS))
    assert nth_of_family(3, "Marius 2") == 1
    assert portrait(SeatHolder("level:3", "Robot")) == portrait(SeatHolder("level:3", "Léontine"))


def test_a_person_is_shown_by_the_emblem_they_chose_or_not_at_all() -> None:
    assert len({portrait(SeatHolder("person", "Irma", "g", each)) for each in EMBLEMS}) == 12
    assert portrait(SeatHolder("person", "Irma", "g")) == ""
    assert portrait(SeatHolder("person", "Irma", "g", "<script>")) == ""
    assert portrait(SeatHolder("heuristic", "Lavardin")) == ""


@pytest.mark.parametrize(("rules", "format_", "guests"), [("classic", "2x2", "ab"), ("four", "1", "abcd")])
def test_moods_come_of_what_all_were_told(rules: str, format_: str, guests: str) -> None:
    """All observers, spectators included, see each player in the same mood; every mood occurs."""
    seen: Counter[str] = Counter()
    for moment in random_match(rules, format_, guests, 5, 150):
        table = moment.after
        if table.phase is not Phase.PLAY or table.state is None:
            continue
        boards = [Watcher(observer).board(table.state) for observer in (None, *table.seats)]
        for seat in table.seats:
            moods = {mood_at(board, seat, None, awaited=seat in table.awaited) for board in boards}
            assert len(moods) == 1
            seen.update(moods)
    assert set(seen) == {"calm", "pleased", "vexed", "thinking"}


def test_while_a_full_trick_lies_its_taker_is_pleased_where_it_is_worth_something() -> None:
    pleased = 0
    for moment in random_match("classic", "1x1", "ab", 3):
        before, after = moment.before.state, moment.after.state
        if before is None or after is None:
            continue
        taken = next((each for each in after.events[len(before.events) :] if isinstance(each, Taken)), None)
        if taken is None:
            continue
        lost = taken.cards[(1 - taken.seat - taken.leader) % 2].points
        held = Viewer(Visit("en", "csrf", "a"), "g", None).frames(moment.before, moment.entry, moment.after)[
            0
        ]
        assert held.html.count('class="takes"') == 1
        board = Watcher(None).board(before).then(after.events[len(before.events) :][:1])
        if board.said or len(board.trick) < 2:
            continue
        told = [mood_at(board, seat, taken.seat, awaited=False) for seat in (taken.seat, 1 - taken.seat)]
        assert told == (["pleased", "vexed"] if lost >= 10 else ["calm", "calm"])
        pleased += lost >= 10
    assert pleased


def test_at_the_count_the_winner_is_pleased() -> None:
    for moment in random_match("classic", "1x1", "ab", 3):
        if moment.after.phase is Phase.OVER:
            result = moment.after.played[-1].state.result
            assert result is not None
            told = [mood_after(result, seat) for seat in range(2)]
            assert told == ["calm", "calm"] if result.winner is None else told[result.winner] == "pleased"
            assert mood_after(None, 0) == "calm"
