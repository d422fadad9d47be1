"""Random rules, deals and parties are well-formed, and properties of every partie hold."""

from random import Random

import pytest

from . import Referee, parse_rules, random_deal, random_partie, random_rules, replay, rich_deal
from .book import card_points
from .options import CHOICES, SEATS_OF_PRESET, default


def test_s3_a_deal_is_the_whole_pack() -> None:
    rng = Random(3)
    for rules in SEATS_OF_PRESET:
        deal = random_deal(rules, rng)
        Referee(f"{rules} {deal}")
        with pytest.raises(ValueError, match="§3"):
            Referee(f"{rules} {deal[:-2]}")
        with pytest.raises(ValueError, match="§3"):
            Referee(f"{rules} {deal[:-2]}{deal[-4:-2]}")
    with pytest.raises(ValueError, match="§3"):
        Referee(f"four e{random_deal('four', rng)[1:]}")


@pytest.mark.parametrize(
    ("preset", "tricks", "left"),
    [
        ("three", 7, 2),
        ("mondoubleau-three", 7, 2),
        ("four", 5, 0),
        ("mondoubleau-four", 5, 0),
        ("classic", 11, 0),
    ],
)
def test_s5_one_draw_each_while_the_talon_serves_every_seat(preset: str, tricks: int, left: int) -> None:
    rng = Random(5)
    referee = Referee(f"{preset} {random_deal(preset, rng)}")
    while not referee.over:
        size, before = len(referee.hands[0]), len(referee.talon)
        for _ in range(referee.seats):
            referee.play(next(token for token in referee.legal() if len(token) == 2 and token != "7x"))
        assert (len(referee.hands[0]) == size) == (tricks > 0)
        assert len(referee.talon) == before - (referee.seats if tricks > 0 else 0)
        tricks -= 1
    assert len(referee.talon) == left


def test_s12_the_points_sum_to_130_less_what_is_never_drawn() -> None:
    rng = Random(12)
    for _ in range(200):
        rules = random_rules(rng)
        referee = Referee(f"{rules} {random_deal(rules, rng)}")
        while not referee.over:
            referee.play(rng.choice([token for token in referee.legal() if "+" not in token]))
        assert sum(referee.points) == 130 - card_points(referee.talon)
        assert (referee.by == "nulle") == (referee.points.count(max(referee.points)) > 1)


@pytest.mark.long
def test_s12_an_equal_top_is_a_nulle() -> None:
    rng = Random(65)
    nulles = 0
    for _ in range(300):
        outcome = replay(random_partie("classic", random_deal("classic", rng), rng))
        if outcome["points"] == [65, 65]:
            assert (outcome["result"], outcome["by"]) == ("0-0", "nulle")
            nulles += 1
    assert nulles > 0


def test_random_rules_name_only_what_differs_in_order() -> None:
    rng = Random(0)
    for _ in range(300):
        preset, *differing = random_rules(rng).split(";")
        options = [item.partition("=")[0] for item in differing]
        assert options == [option for option in CHOICES if option in options]
        assert all(item.partition("=")[2] != default(preset, item.partition("=")[0]) for item in differing)
        parse_rules(";".join([preset, *differing]))


def test_rich_deals_meet_every_rule() -> None:
    rng = Random(2026)
    seen: set[object] = set()
    for _ in range(600):
        rules = random_rules(rng)
        line = random_partie(rules, rich_deal(rules, rng), rng)
        outcome = replay(line)
        seen |= {token[3:5] if "+" in token else token for token in line.partition(" : ")[2].split()}
        seen |= {outcome["by"], f"{line.count('+ch')} chouines"}
        assert str(outcome["result"]).count("1") == (outcome["by"] != "nulle")
    assert seen >= {
        "7x",
        "20",
        "30",
        "40",
        "50",
        "ch",
        "points",
        "chouine",
        "nulle",
        "2 chouines",
        "3 chouines",
    }
