"""Records of the counting trainer: right counts in a row, medals, and two records that are joined."""

from __future__ import annotations

import pytest

from chouine.cards import Card
from chouine.phrases import Language
from chouine.school.trainer import pile
from chouine.server.counting import MEDALS, CountRecord, join_records, medal_for
from chouine.server.pages.school import lines_of
from chouine.server.pages.visit import Visit


def test_a_row_grows_with_right_counts_and_ends_with_a_wrong_one() -> None:
    record = CountRecord("full")
    for nth, right in enumerate([True, True, False, True]):
        record = record.after(nth, right=right)
    assert record == CountRecord("full", 1, 2, 3)


def test_a_pile_answered_again_counts_for_nothing() -> None:
    record = CountRecord("full", 3, 5, 7)
    assert record.after(7, right=True) == record
    assert record.after(7, right=False) == record


def test_medals_are_for_the_stated_rows() -> None:
    assert [medal_for(least) for least, _ in MEDALS] == [card for _, card in MEDALS]
    assert [medal_for(best) for best in (0, 4, 9, 19)] == [None, None, Card("Jc"), Card("Tc")]


def test_of_two_records_the_best_stays_and_the_row_here_goes_on() -> None:
    here = (CountRecord("brisques", 2, 4, 9),)
    other = (
        CountRecord("brisques", 6, 6, 1),
        CountRecord("full-calm", 0, 8, 2),
        CountRecord("unknown", 1, 1),
    )
    assert join_records(here, other) == (
        CountRecord("brisques", 2, 6, 9),
        CountRecord("full-calm", 0, 8, -1),
    )


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("brisques", [True, False])
def test_the_lines_of_a_count_add_up_and_dix_de_der_is_last(language: Language, brisques: bool) -> None:  # noqa: FBT001
    """§12, in each language, of forty piles."""
    visit = Visit(language, "csrf", "a")
    for seed in range(40):
        shown = pile(seed, brisques=brisques)
        *lines, total = lines_of(visit, shown)
        assert sum(line.points for line in lines) == total.points == shown.exercise.right
        assert (
            ("Dix de der" in [line.label for line in lines])
            == shown.last
            == (lines[-1].label == "Dix de der")
        )
