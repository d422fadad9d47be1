"""§8 Once the talon no longer serves: follow, head, ruff, overruff, else discard."""

from __future__ import annotations

import pytest

from tests.rules.table import endgame, may_play, refused


@pytest.mark.parametrize("rules", ["classic", "mondoubleau", "three", "four"])
def test_any_card_may_be_led(rules: str) -> None:
    """§8 binds answers only."""
    seats = {"three": 3, "four": 4}.get(rules, 2)
    assert may_play(rules, "|".join(["A.7.8.9"] * seats), "s") == "A.7.8.9"


@pytest.mark.parametrize(
    ("table", "hand", "may"),
    [
        ("Kh", "9.A7.8.9", ".A7.."),  # 1 follow: head or not, as one likes
        ("Kh", "9.87..9", ".87.."),
        ("Ks", "AT7.A..", "AT..."),  # 2 a trump is led: head it
        ("Ks", "J7.A..", "J7..."),  # cannot head: any trump
        ("Kh", "J7..8.9", "J7..."),  # 3 cannot follow: ruff
        ("Kh", "..8.97", "..8.97"),  # 4 neither: any card
        ("Ks", ".A.8.9", ".A.8.9"),  # a trump led, none held: any card
    ],
)
def test_two_seats(table: str, hand: str, may: str) -> None:
    """§8 in the order of its clauses; spades are trumps."""
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
    """§8: `head` asks for it in trumps (P, G, J), or `always` (A); spades are trumps."""
    assert may_play("classic", f"|{hand}", "s", table) == trumps
    assert may_play("classic;head=always", f"|{hand}", "s", table) == always


@pytest.mark.parametrize(
    ("table", "hand", "trumps", "always"),
    [
        ("Kh Ah", ".T7..", ".T7..", ".T7.."),  # the ace cannot be beaten
        ("9h Jh", ".T87..", ".T87..", ".T.."),  # beat the best so far, not the card led
        ("9h Jc", ".T87..", ".T87..", ".T.."),  # a discard is not to beat
        ("9h 7s", ".T87..", ".T87..", ".T87.."),  # a plain lead that was ruffed asks for no heading
        ("9s Js", "T87...", "T...", "T..."),  # in trumps always
        ("9s Ts", "J87...", "J87...", "J87..."),
    ],
)
def test_three_seats_head_the_best_of_the_suit_led(table: str, hand: str, trumps: str, always: str) -> None:
    """§8: unless a trump has been put on a plain lead; spades are trumps."""
    assert may_play("three", f"||{hand}", "s", table) == trumps
    assert may_play("three;head=always", f"||{hand}", "s", table) == always
    assert may_play("four", f"||{hand}|..7.", "s", table) == trumps
    assert may_play("four;head=always", f"||{hand}|..7.", "s", table) == always


@pytest.mark.parametrize(
    ("table", "hand", "yes", "no"),
    [
        ("Kh 9s", "J87...", "J...", "J87..."),  # beat the trump there if you can
        ("Kh 9s", "87..A.", "87...", "87..."),  # cannot: any trump
        ("Kh 9c", "J87...", "J87...", "J87..."),  # no trump there yet
        ("Kh 9s", "J.7..", ".7..", ".7.."),  # follow before all
    ],
)
def test_option_overruff(table: str, hand: str, yes: str, no: str) -> None:
    """§8: who must ruff must beat the best trump already there; spades are trumps."""
    assert may_play("three", f"||{hand}", "s", table) == yes
    assert may_play("three;overruff=no", f"||{hand}", "s", table) == no


def test_the_fourth_seat_overruffs_the_best_trump() -> None:
    """§8: not the first one."""
    assert may_play("four", "|||AJ8...", "s", "Kh 9s Ts") == "A..."
    assert may_play("four", "|||KJ8...", "s", "Kh 9s Ts") == "KJ8..."
    assert may_play("four;overruff=no", "|||AJ8...", "s", "Kh 9s Ts") == "AJ8..."


def test_overruff_says_nothing_of_a_trump_lead() -> None:
    """§8: heading in trumps is asked whatever `overruff` is."""
    assert may_play("three;overruff=no", "||T87...", "s", "9s Js") == "T..."


@pytest.mark.parametrize(
    ("hand", "trumps", "always"),
    [(".A7..", ".A7..", ".A.."), ("A..8.9", "A..8.9", "A..8.9")],
)
def test_without_a_trump_follow_or_play_any_card(hand: str, trumps: str, always: str) -> None:
    """§17, §8: `head=always` heads without a trump too."""
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
    """§8: the refusal names it; spades are trumps."""
    seats = "|" * len(table.split())
    assert refused(rules, endgame(rules, f"{seats}{hand}", "s", table), card) == code
