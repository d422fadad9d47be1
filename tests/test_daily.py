"""The deal of the day: the same for everybody, sealed before it, and the opponent answers the same acts alike."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from chouine.cli import main
from chouine.daily import PARTIES, Day, opponent, play_day
from chouine.notation.lines import read_state
from chouine.notation.tokens import read_action
from chouine.players.simple import GreedyPlayer
from chouine.rules import Rules

SEED = b"0123456789abcdef0123456789abcdef"
MONDAY = date(2027, 3, 1)
WEEK = [MONDAY + timedelta(nth) for nth in range(7)]


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weigh acts in fewer worlds than the pages do, a quarter of the time."""
    monkeypatch.setattr("chouine.daily.COST_WORLDS", 48)


def test_three_seats_on_thursday_and_mondoubleau_on_saturday() -> None:
    presets = [Day.of(SEED, day).rules.preset for day in WEEK]
    assert presets == ["classic", "classic", "classic", "three", "classic", "mondoubleau", "classic"]


def test_over_two_weeks_every_seat_deals_alike() -> None:
    for preset in ("classic", "three"):
        days = [Day.of(SEED, MONDAY + timedelta(nth)) for nth in range(28)]
        dealers = Counter(deal.dealer for day in days if day.rules.preset == preset for deal in day.deals)
        assert len(dealers) == Rules.of_preset(preset).seats
        assert max(dealers.values()) - min(dealers.values()) <= 2


def test_the_seed_alone_tells_the_deals() -> None:
    deals = [deal for day in WEEK for seed in (SEED, SEED + b"x") for deal in Day.of(seed, day).deals]
    assert len(set(map(str, deals))) == 2 * PARTIES * len(WEEK)
    assert Day.of(SEED, MONDAY) == Day.of(SEED, MONDAY)


def test_a_digest_is_made_of_what_is_shown_later() -> None:
    day = Day.of(SEED, MONDAY)
    text = "\n".join([day.nonce, "2027-03-01", "classic", *map(str, day.deals)]) + "\n"
    assert day.digest == sha256(text.encode()).hexdigest()
    assert Day.of(SEED + b"x", MONDAY).digest != day.digest


@pytest.mark.parametrize("day", WEEK[3:6])
def test_the_same_acts_get_the_same_answers(day: date) -> None:
    """Whoever plays, as often as it is asked, and whatever else was asked in between."""
    today = Day.of(SEED, day)
    first = play_day(today, [GreedyPlayer() for _ in range(PARTIES)])
    play_day(Day.of(SEED, day + timedelta(1)), [GreedyPlayer() for _ in range(PARTIES)])
    assert play_day(today, [GreedyPlayer() for _ in range(PARTIES)]).acts == first.acts


def test_what_is_printed_replays(capsys: pytest.CaptureFixture[str]) -> None:
    """`docs/notation.md`: twice the same, and the acts lead by the rules to the points."""
    call = ["daily", "simulate", "level:2", "--from", "2027-03-04", "--json"]
    assert main(call) == 0
    text = capsys.readouterr().out
    assert main(call) == 0
    assert capsys.readouterr().out == text
    line = json.loads(text)
    assert (line["date"], line["rules"]) == ("2027-03-04", "three")
    for deal, acts, points in zip(line["deals"], line["acts"], line["points"], strict=True):
        state = read_state(deal)
        for act in acts:
            state = state.play(read_action(act))
        assert state.result is not None
        assert list(state.result.points) == points
    assert 0 <= line["cost"] < PARTIES


@pytest.mark.parametrize(("language", "place"), [("fr", ","), ("en", ".")])
def test_a_day_is_printed_in_the_language(
    language: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scores as everywhere else, and what was given away."""
    assert main(["daily", "simulate", "greedy", "--from", "2027-03-04", "--language", language]) == 0
    scores = ", ".join(["[0-9]+–[0-9]+–[0-9]+"] * PARTIES)
    assert re.fullmatch(rf"2027-03-04 three: {scores}; [0-9]\{place}[0-9]{{2}}\n", capsys.readouterr().out)


def test_mistakes_cost() -> None:
    """The opponent itself, in the player's seat, gives away less than a greedy player."""
    day = Day.of(SEED, MONDAY)
    worst, best = (play_day(day, [player() for _ in range(PARTIES)]) for player in (GreedyPlayer, opponent))
    assert worst.cost > best.cost >= 0


def test_a_seed_is_made_once_and_digests_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "seed"
    call = ["daily", "make", str(file), "--from", "2027-03-01", "--days", "2"]
    assert main(call) == 0
    text = capsys.readouterr().out
    assert main(call) == 0
    assert capsys.readouterr().out == text
    assert file.stat().st_mode & 0o77 == 0
    seed = file.read_text().strip().encode()
    digests = [json.loads(line)["digest"] for line in text.splitlines()]
    assert digests == [Day.of(seed, day).digest for day in WEEK[:2]]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["make", "seed"], "fewer than 32 characters"),
        (["make", "."], "a folder"),
        (["simulate", "level:2", "--seed", "none"], "no such file"),
        (["simulate", "level:9"], "Unknown player"),
        (["simulate", "level:2", "--from", "9999-12-31", "--days", "2"], "The last day is 9999-12-31"),
    ],
)
def test_errors_say_what_to_do(
    arguments: list[str],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seed").write_text("short\n")
    assert main(["daily", *arguments, "--language", "en"]) == 2
    assert why in capsys.readouterr().err
