"""§8 Once the talon is empty: follow, head, ruff, overruff, else discard."""

from __future__ import annotations

import pytest

from tests.rules.table import endgame, may_play, refusal


@pytest.mark.parametrize("rules", ["classic", "mondoubleau", "three", "four"])
def test_any_card_may_be_led(rules: str) -> None:
    """§8: A leader may play any card."""
    seats = {"three": 3, "four": 4}.get(rules, 2)
    assert may_play(rules, "|".join(["A.7.8.9"] * seats), "s") == "A.7.8.9"


@pytest.mark.parametrize(
    ("table", "hand", "may"),
    [
        ("Kh", "9.A7.8.9", ".A7.."),  # 1 follow: heading optional
        ("Kh", "9.87..9", ".87.."),
        ("Ks", "AT7.A..", "AT..."),  # 2 trump led: head it
        ("Ks", "J7.A..", "J7..."),  # cannot head: any trump
        ("Kh", "J7..8.9", "J7..."),  # 3 cannot follow: ruff
        ("Kh", "..8.97", "..8.97"),  # 4 neither: any card
        ("Ks", ".A.8.9", ".A.8.9"),  # trump led, none held: any card
    ],
)
def test_two_seats(table: str, hand: str, may: str) -> None:
    """§8: The clauses in order; spades are trumps."""
    assert may_play("classic", f"|{hand}", "s", table) == may


@pytest.mark.parametrize(
    ("table", "hand", "trumps", "always"),
    [
        ("Kh", ".A7..", ".A7..", ".A.."),
        ("Kh", ".87..", ".87..", ".87.."),
        ("Ah", ".T7..", ".T7..", ".T7.."),
        ("Kh", "A.T9..", ".T9..", ".T.."),
        ("Ks", "T7...", "T...", "T..."),
    ],
)
def test_option_head(table: str, hand: str, trumps: str, always: str) -> None:
    """§8: `head` requires heading in trumps (P, G, J), or `always` (A); spades are trumps."""
    assert may_play("classic", f"|{hand}", "s", table) == trumps
    assert may_play("classic;head=always", f"|{hand}", "s", table) == always


@pytest.mark.parametrize(
    ("table", "hand", "trumps", "always"),
    [
        ("Kh Ah", ".T7..", ".T7..", ".T7.."),  # the ace is unbeatable
        ("9h Jh", ".T87..", ".T87..", ".T.."),  # beat the best card so far, not the lead
        ("9h Jc", ".T87..", ".T87..", ".T.."),  # a discard need not be beaten
        ("9h 7s", ".T87..", ".T87..", ".T87.."),  # a ruffed plain lead requires no heading
        ("9s Js", "T87...", "T...", "T..."),  # in trumps always
        ("9s Ts", "J87...", "J87...", "J87..."),
    ],
)
def test_three_seats_head_the_best_of_the_suit_led(table: str, hand: str, trumps: str, always: str) -> None:
    """§8: Head the best card of the suit led unless a plain lead was ruffed; spades are trumps."""
    assert may_play("three", f"||{hand}", "s", table) == trumps
    assert may_play("three;head=always", f"||{hand}", "s", table) == always
    assert may_play("four", f"||{hand}|..7.", "s", table) == trumps
    assert may_play("four;head=always", f"||{hand}|..7.", "s", table) == always


@pytest.mark.parametrize(
    ("table", "hand", "yes", "no"),
    [
        ("Kh 9s", "J87...", "J...", "J87..."),  # beat the trump if possible
        ("Kh 9s", "87..A.", "87...", "87..."),  # else any trump
        ("Kh 9c", "J87...", "J87...", "J87..."),  # no trump on the table yet
        ("Kh 9s", "J.7..", ".7..", ".7.."),  # following comes first
    ],
)
def test_option_overruff(table: str, hand: str, yes: str, no: str) -> None:
    """§8: A seat that must ruff must beat the best trump on the table; spades are trumps."""
    assert may_play("three", f"||{hand}", "s", table) == yes
    assert may_play("three;overruff=no", f"||{hand}", "s", table) == no


def test_the_fourth_seat_overruffs_the_best_trump() -> None:
    """§8: The fourth seat must beat the best trump, not the first."""
    assert may_play("four", "|||AJ8...", "s", "Kh 9s Ts") == "A..."
    assert may_play("four", "|||KJ8...", "s", "Kh 9s Ts") == "KJ8..."
    assert may_play("four;overruff=no", "|||AJ8...", "s", "Kh 9s Ts") == "AJ8..."


def test_overruff_says_nothing_of_a_trump_lead() -> None:
    """§8: Heading in trumps is required whatever `overruff` is."""
    assert may_play("three;overruff=no", "||T87...", "s", "9s Js") == "T..."


@pytest.mark.parametrize(
    ("hand", "trumps", "always"),
    [(".A7..", ".A7..", ".A.."), ("A..8.9", "A..8.9", "A..8.9")],
)
def test_without_a_trump_follow_or_play_any_card(hand: str, trumps: str, always: str) -> None:
    """§17, §8: Without a trump, `head=always` still requires heading."""
    assert may_play("mondoubleau", f"|{hand}", "-", "Kh") == trumps
    assert may_play("mondoubleau;head=always", f"|{hand}", "-", "Kh") == always


@pytest.mark.parametrize(
    ("rules", "table", "hand", "card", "code"),
    [
        ("classic", "Kh", "9.A7.8.9", "9c", "illegal/must-follow"),
        ("classic", "Ks", "A7.8..", "8h", "illegal/must-follow"),
        ("classic", "Ks", "A7...", "7s", "illegal/must-head"),
        ("classic", "Ks", "J7.8..", "8h", "illegal/must-follow"),
        ("classic;head=always", "Kh", ".A7..", "7h", "illegal/must-head"),
        ("classic", "Kh", "J7..8.", "8d", "illegal/must-ruff"),
        ("three", "Kh 9s", "J7..8.", "8d", "illegal/must-ruff"),
        ("three", "Kh 9s", "J7..8.", "7s", "illegal/must-overruff"),
        ("classic", "Kh", ".A7..", "Ah", None),
        ("classic", "Kh", ".A7..", "Ac", "illegal/not-held"),
    ],
)
def test_which_obligation_a_card_breaks(
    rules: str, table: str, hand: str, card: str, code: str | None
) -> None:
    """§8: The refusal names the broken obligation; spades are trumps."""
    seats = "|" * len(table.split())
    assert refusal(rules, endgame(rules, f"{seats}{hand}", "s", table), card) == code
