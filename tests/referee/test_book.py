"""Hand-made tests of the referee's options, trick winners, legal answers and card points."""

import pytest

from . import parse_rules
from .book import PACK, answers, best_card, card_points


def test_options_defaults_and_errors() -> None:
    assert parse_rules("classic")["declare"] == "any"
    assert parse_rules("mondoubleau-three")["declare"] == "lead"
    assert parse_rules("classic;head=always;figure=held")["figure"] == "held"
    for wrong in ("belote", "classic;head=never", "classic;seven", "three;deal=two-three"):
        with pytest.raises(ValueError, match=r"no preset|no option|§3"):
            parse_rules(wrong)


def test_s1_strength_is_the_order_not_the_points() -> None:
    assert card_points(PACK) == 120
    assert best_card(["8s", "9s"], "h") == "9s"
    assert best_card(["Ks", "Ts"], "h") == "Ts"


@pytest.mark.parametrize(
    ("trick", "trump", "best"),
    [
        ("7s As", "h", "As"),
        ("As 7h", "h", "7h"),
        ("7s Ac", "h", "7s"),
        ("7s 8h 9h Th", "h", "Th"),
        ("7s Ah", None, "7s"),
    ],
)
def test_s6_the_highest_trump_else_the_highest_of_the_lead(trick: str, trump: str | None, best: str) -> None:
    assert best_card(trick.split(), trump) == best


@pytest.mark.parametrize(
    ("hand", "trick", "options", "expected"),
    [
        ("7s As 9h", "8s", "classic", "7s As"),  # follow; heading a plain suit is optional
        ("7s As 9h", "8s", "classic;head=always", "As"),
        ("7s 8s 9h", "Ts", "classic;head=always", "7s 8s"),  # cannot head
        ("7h Ah As", "8h", "classic", "Ah"),  # trumps must be headed
        ("7h 8h As", "9h", "classic", "7h 8h"),
        ("7h Ah Ac", "8s", "classic", "7h Ah"),  # must ruff
        ("7d 8d Ac", "8s", "classic", "7d 8d Ac"),  # any card
        ("7d 8d Ac", "8h", "classic", "7d 8d Ac"),
        ("7h Ah Ac", "8s 9h", "three", "Ah"),  # must overruff
        ("7h Ah Ac", "8s 9h", "three;overruff=no", "7h Ah"),
        ("7h 8h Ac", "8s 9h", "three", "7h 8h"),  # cannot overruff: any trump
        ("7s As Ah", "8s 9h", "three;head=always", "7s As"),  # already ruffed: no heading
        ("7s Js As", "8s Ts", "three;head=always", "As"),  # beat the best card, not the lead
        ("7h Th Ah", "8h Kh", "three", "Th Ah"),
        ("9h Ks", "8h Ad Th", "four", "9h"),
    ],
)
def test_s8_follow_head_ruff_discard(hand: str, trick: str, options: str, expected: str) -> None:
    assert answers(hand.split(), trick.split(), "h", parse_rules(options)) == expected.split()


def test_s8_without_a_trump_follow_else_any_card() -> None:
    rules = parse_rules("mondoubleau")
    assert answers(["7s", "As", "9h"], ["8s"], None, rules) == ["7s", "As"]
    assert answers(["7d", "9h"], ["8s"], None, rules) == ["7d", "9h"]
    assert answers(["7s", "As"], ["8s"], None, parse_rules("mondoubleau;head=always")) == ["As"]


def test_s12_proust_counts_jean_and_charles() -> None:
    jean = ["7s", "8s", "9s", "9h", "9d", "Js", "Jh", "Qs", "Qh", "Ks", "Ts", "As", "Ah", "Ad"]
    charles = [card for card in PACK if card not in jean]
    charles_took = {"7": 3, "8": 3, "9": 1, "J": 2, "Q": 2, "K": 3, "T": 3, "A": 1}
    assert {rank: sum(card[0] == rank for card in charles) for rank in charles_took} == charles_took
    assert card_points(jean) + 20 + 10 == 87
    assert card_points(charles) + 40 == 103
