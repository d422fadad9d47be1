"""The page of the deal of the day: results, comparisons and what may be sent on."""

from __future__ import annotations

import re
from datetime import date

from chouine.daily import DailyScore, Day
from chouine.school.review import Judgement
from chouine.server.daily_field import ChoiceShare
from chouine.server.pages.daily import Boast, PartieOfDay, boast_line, daily_page, picture_of
from chouine.server.pages.visit import Visit

DAY = Day.of(bytes(32), date(2026, 11, 30))
SCORES = (DailyScore(2, 23), DailyScore(0, -100, chouine=True), DailyScore(1, 0))
MISTAKE = Judgement(3, 2, 0, "Kh", "Qs", 0.2, "blunder", 0.6, 0.4, exact=False)


def page(language: str = "fr", parties: list[PartieOfDay] | None = None) -> str:
    visit = Visit("fr" if language == "fr" else "en", "csrf", "a")
    return daily_page(
        visit,
        DAY,
        parties or [PartieOfDay(nth) for nth in (1, 2, 3)],
        {"week": [], "month": []},
        village="",
        today=DAY.day,
        first=date(2026, 11, 1),
        last=DAY.day,
        playable=True,
        published=False,
        streak_days=[],
        digests=[],
        listed="",
        boast=None,
    )


def test_what_was_made_of_a_partie() -> None:
    choices = [ChoiceShare("Kh", 0.62, 45, "Kh", 0.62), ChoiceShare("Qs", 0.25, 8, "Ad", 0.5)]
    played = PartieOfDay(
        1, "t", SCORES[0], level8=SCORES[1], better=0.75, choices=choices, costliest=MISTAKE, place=4
    )
    shown = page("en", [played, PartieOfDay(2, "u"), PartieOfDay(3)])
    for words in (
        "Won by 23",
        "Lost to a chouine",
        "75% of the players",
        "62% of the 45 players who came there",
        "most often: the ace of diamonds, 50%",
        "the king of hearts; better: the queen of spades",
        'href="/match/t/1/review/4"',
        'href="/table/u"',
        'value="3"',
    ):
        assert words in shown, words
    assert "75 % des joueurs" in page("fr", [played, PartieOfDay(2), PartieOfDay(3)]).replace(
        "\xa0", " "
    ).replace("\u202f", " ")


def test_a_hundred_points_are_no_chouine() -> None:
    shown = page(
        "en",
        [
            PartieOfDay(nth, "t", score)
            for nth, score in enumerate((DailyScore(2, 100), DailyScore(0, -100)), 1)
        ],
    )
    assert "Won by 100" in shown
    assert "Lost by 100" in shown
    assert not re.search("(by|to) a chouine", shown)


def test_no_card_is_sent() -> None:
    visit = Visit("fr", "csrf", "a")
    line = boast_line(visit, DAY.day, Boast(SCORES, "https://chouine.example/daily/2026-11-30", ""))
    assert "♣ ✓ +23 · ♦ ✗ −100 · ♥ = +0" in line
    assert line.endswith("https://chouine.example/daily/2026-11-30")
    picture = picture_of(visit, DAY.day, [(2, 23), (0, 100), (1, 0)])
    assert "✓ +23" in picture
    assert "✗ −100" in picture
    assert "= 0" in picture
