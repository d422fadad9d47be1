"""§9 Declarations."""

from __future__ import annotations

import pytest

from chouine.cards import CardSet
from chouine.errors import IllegalAction
from chouine.partie import Declaration, Declared, Figure, Played, Shown, State, Taken
from chouine.partie.actions import refusal
from chouine.rules import Rules, rule_table_of
from chouine.rules.combinations import MARIAGE, QUARTERON, TIERCE
from chouine.rules.play import declare
from tests.lines import action, play
from tests.rules.table import endgame, marking_time, partie


def counts(state: State) -> list[int]:
    """The points of each declaration, in order."""
    return [event.counts for event in state.events if isinstance(event, Declared)]


def sayable(state: State) -> set[str]:
    """The declarations open to the seat on turn."""
    return {text.partition("+")[2] for text in map(str, state.legal()) if "+" in text}


def why(state: State, token: str) -> str:
    """The code that refuses an action."""
    with pytest.raises(IllegalAction) as refused:
        state.play(action(token))
    return refused.value.code


@pytest.mark.parametrize(
    ("hand", "token", "plain", "trump"),
    [
        (".KQ..", "Kh+20h", 20, 40),
        (".KQJ..", "Jh+30h", 30, 60),
        (".AKQJ..", "Ah+40h", 40, 80),
        ("A.AT.T.A", "Ah+50", 50, 50),
        (".ATKQJ..", "Th+chh", 0, 0),
    ],
)
def test_figures_of_two_seats(hand: str, token: str, plain: int, trump: int) -> None:
    """§9: mariage 20, tierce 30, quarteron 40, doubled in trumps; quinte 50, never doubled; chouine."""
    assert counts(partie("classic", f"{hand}|", "9d", actions=token)) == [plain]
    assert counts(partie("classic", f"{hand}|", "9h", actions=token)) == [trump]


@pytest.mark.parametrize(
    ("hand", "token", "plain", "trump"),
    [(".KQ..", "Kh+20h", 20, 40), ("A.A.T.", "Ah+30", 30, 30), (".KQJ..", "Jh+chh", 0, 0)],
)
@pytest.mark.parametrize(("rules", "others"), [("three", "||"), ("four", "|||")])
def test_figures_of_three_and_four_seats(
    rules: str, others: str, hand: str, token: str, plain: int, trump: int
) -> None:
    """§9: mariage 20 or 40, trente 30, chouine K Q J."""
    assert counts(partie(rules, hand + others, "9d", actions=token)) == [plain]
    assert counts(partie(rules, hand + others, "9h", actions=token)) == [trump]


@pytest.mark.parametrize(
    ("rules", "hands", "token"),
    [
        ("classic", "A.A.T.|", "Ah+30"),
        ("three", ".KQJ..||", "Kh+30h"),
        ("four", ".KQJ..|||", "Kh+40h"),
        ("three", "A.A.T.||", "Ah+50"),
    ],
)
def test_figures_of_other_seat_counts_do_not_exist(rules: str, hands: str, token: str) -> None:
    """§9: no trente with two seats; no tierce, quarteron or quinte with three or four."""
    assert why(partie(rules, hands, "9d"), token) == "illegal/no-such-figure"


def test_never_compulsory() -> None:
    """§9.1: Every card may be played without a declaration."""
    state = partie("classic", ".KQ..|", "9d")
    assert {"Kh", "Qh", "Kh+20h", "Qh+20h"} <= set(map(str, state.legal()))


def test_by_either_seat_on_lead_or_in_answer() -> None:
    """§9.1: The leader and the answerer may declare."""
    state = partie("classic", ".KQ..|...KQ", "9d", actions="Kh+20h Kc+20c")
    assert counts(state) == [20, 20]
    assert state.view(None).points[0] == 20 + 8
    assert state.view(None).points[1] == 20


def test_option_declare() -> None:
    """§9.1: `declare` allows declarations by `any` seat, or only on `lead`."""
    led = ".KQ..|.T.8.KQ"
    assert "20c" in sayable(partie("classic", led, "9d", actions="Kh"))
    answering = partie("classic;declare=lead", led, "9d", actions="Kh+20h")
    assert sayable(answering) == set()
    assert why(answering, "Kc+20c") == "illegal/declare-on-lead"
    assert "20c" in sayable(play(answering, "Th"))
    chouine = partie("classic;declare=lead", "|.ATKQJ..", "9d", actions="8s")
    assert why(chouine, "Ah+chh") == "illegal/declare-on-lead"


def test_also_after_the_talon_is_empty() -> None:
    """§9.1 (P, W): Declarations stay legal after the talon is empty, with a card that §8 allows."""
    state = partie("classic", ".KQ..|...KQ", "9d")
    state = marking_time(state, 11, keep="KhQhKcQc")
    assert state.view(None).talon == 0
    assert state.turn is not None
    mine = "20h" if state.turn == 0 else "20c"
    assert mine in sayable(state)
    rule_table = rule_table_of(Rules())
    p = endgame("classic", "|.KQ..7", "s", "Ac")
    assert refusal(rule_table, p, 1, action("7c")) is None
    assert refusal(rule_table, p, 1, action("Kh+20h")) == "illegal/must-follow"
    assert refusal(rule_table, p, 1, action("7c+20h")) == "illegal/figure-not-playable"
    p = endgame("classic;figure=held", "|.KQ..7", "s", "Ac")
    assert refusal(rule_table_of(Rules(figure="held")), p, 1, action("7c+20h")) is None


def test_all_its_cards_are_in_hand_when_it_is_said() -> None:
    """§9.2: All cards of the figure are in hand, the one being played included; cards already played do not count."""
    queen = partie("classic", ".KQ..|8...", "9d", actions="Kh 8s")
    assert sayable(queen) == set()
    assert why(queen, "Qh+20h") == "illegal/figure-not-held"
    assert why(partie("classic", ".K.Q.|", "9d"), "Kh+20h") == "illegal/figure-not-held"
    assert why(partie("classic", "A.AT.T.|", "9d"), "Ah+50") == "illegal/figure-not-held"


def test_option_figure() -> None:
    """§9.3: The card played belongs to the figure (`played`, W), or is any card (`held`)."""
    hands = ".KQ.7.|"
    played, held = partie("classic", hands, "9d"), partie("classic;figure=held", hands, "9d")
    assert why(played, "7d+20h") == "illegal/not-of-figure"
    assert counts(held.play(action("7d+20h"))) == [20]
    assert {str(act) for act in held.legal()} - {str(act) for act in played.legal()} == {
        "7d+20h", "8s+20h", "8h+20h"
    }  # fmt: skip
    quinte = partie("classic", "A.AT.T.A|", "9d")
    assert {str(act) for act in quinte.legal() if "+50" in str(act)} == {
        "As+50", "Ah+50", "Th+50", "Td+50", "Ac+50"
    }  # fmt: skip


def test_not_twice_the_same() -> None:
    """§9.4: A figure is not declared twice in a suit, but in another suit it may be."""
    state = partie("classic;figure=held", ".KQ..KQ|.8..", "9d", actions="Kc+20h 8h")
    assert why(state, "Qh+20h") == "illegal/said-already"
    assert sayable(partie("classic;figure=held", ".KQ.8.KQ|.8..", "9d", actions="8d+20h 8h")) == {"20c"}


def test_quinte_and_trente_once_a_partie() -> None:
    """§9.4 (W)."""
    state = partie("classic;figure=held", "AT.AT.A.|9...", "9d", drawn="Tc", actions="Ad+50 9s")
    assert why(state, "As+50") == "illegal/said-already"
    state = partie("three", "A.A.A.|9...|8...", "9h", drawn="Ts", actions="As+30 9s 8s")
    assert why(state, "Ts+30") == "illegal/said-already"


def test_a_brisque_may_serve_a_quarteron_and_a_quinte() -> None:
    """§9.4 (W)."""
    state = partie(
        "classic", "AKQJ.A..|987...", "9d", drawn="Th 7d Td 7h Ad 7c", actions="Js+40s 9s Qs 8s Ks 7s"
    )
    assert counts(state.play(action("As+50"))) == [40, 50]


@pytest.mark.parametrize(
    ("again", "down", "up"),
    [("never", [40], [20]), ("full", [40, 30, 20], [20, 30, 40]), ("difference", [40, 0, 0], [20, 10, 10])],
)
def test_option_again(again: str, down: list[int], up: list[int]) -> None:
    """§9.4: By `again`, a second figure of a suit is illegal, counts in full, or counts its excess over the best."""
    option = "" if again == "never" else f";again={again}"
    state = partie(f"classic{option}", "AKQJ.A..|987...", "9d", actions="As+40s 9s")
    falling = ["Js+30s 8s", "Ks+20s 7s"]
    for turn in falling if again != "never" else []:
        state = play(state, turn)
    assert counts(state) == down
    if again == "never":
        assert why(state, "Js+30s") == why(state, "Ks+20s") == "illegal/suit-counted"
        assert sayable(state) == set()

    rising = f"classic;figure=held{option}"
    state = partie(rising, "AKQJ.A..|.987..", "9d", drawn="Ac 8d Ad 7d", actions="Ah+20s 9h")
    for turn in ["Ac+30s 8h", "Ad+40s 7h"] if again != "never" else []:
        state = play(state, turn)
    assert counts(state) == up


def test_the_best_already_counted_is_the_seat_s_own_and_the_suit_s() -> None:
    """§9.4: `difference` is by seat and suit, and doubles before it subtracts."""
    rules = "classic;again=difference;figure=held"
    suits = partie(rules, "KQ.KQ..A|.8..", "9s", actions="Ac+20s 8h Kh+20h")
    assert counts(suits) == [40, 20]
    seats = partie(rules, "KQ...A|J.KQ..", "9s", drawn="Qd Ts", actions="Ac+20s Js+20h")
    assert counts(seats) == [40, 20]
    tierce = partie(rules, "KQJ.A..A|.98..", "9s", actions="Ah+20s 9h Ac+30s")
    assert counts(tierce) == [40, 20]


def test_in_each_suit_only_what_exceeds_its_best_counts() -> None:
    """§9.4: With `difference`, each suit counts its excess over its own best, whatever was declared in others."""
    state = partie("classic;again=difference", "AKQJ...|...", "9d")
    position = state.position
    for figure, counts_plain in ((MARIAGE, 20), (TIERCE, 10), (QUARTERON, 10)):
        for suit in range(4):
            before, position = position, declare(state.rule_table, position, figure + suit)
            double = 2 if suit == position.trump else 1
            assert position.declared[0] - before.declared[0] == counts_plain * double


def test_a_chouine_may_always_be_declared() -> None:
    """§9.4: A chouine is legal whatever was declared in its suit before."""
    state = partie("classic;figure=held", ".AKQJ.A.|..98.", "8s", drawn="Th", actions="Ad+40h 9d")
    assert "chh" in sayable(state)
    assert sayable(state) == {"chh"}
    ended = play(state, "Ah+chh 8d")
    assert ended.result is not None
    assert (ended.result.by, ended.result.winner) == ("chouine", 0)


def test_said_with_the_card_and_shown_when_the_trick_is_complete() -> None:
    """§9.5: Figure and suit are public at once, the cards before the next lead."""
    state = partie("classic", ".KQ..|...KQ", "9d", actions="Kh+20h Kc+20c")
    told = [event for event in state.events if isinstance(event, Declared | Played | Shown | Taken)]
    twenty, twenty_of_clubs = Declaration("20h"), Declaration("20c")
    assert told[:6] == [
        Declared(0, twenty, 20),
        told[1],
        Declared(1, twenty_of_clubs, 20),
        told[3],
        Shown(0, twenty, CardSet(".KQ..")),
        Shown(1, twenty_of_clubs, CardSet("...KQ")),
    ]
    assert isinstance(told[6], Taken)


def test_a_quinte_s_cards_become_public_only_when_shown() -> None:
    """§9.5: A quinte announces the figure; its brisques stay hidden until shown."""
    state = partie("classic", "A.AT.T.A|", "9d", actions="As+50")
    assert CardSet(state.view(1).position.hands[0]) == CardSet()
    state = marking_time(state, 1)
    assert CardSet(state.view(1).position.hands[0]) == CardSet(".AT.T.A")
    assert [event.cards for event in state.events if isinstance(event, Shown)] == [CardSet("A.AT.T.A")]


def test_a_mariage_s_cards_stay_known_until_played() -> None:
    """§9.5, §14: After the trick the other card of the mariage is known to be in that hand."""
    state = partie("classic", ".KQ..|8...", "9d", actions="Kh+20h 8s")
    assert CardSet(state.view(1).position.hands[0]) == CardSet(".Q..")
    assert CardSet(state.view(None).position.hands[0]) == CardSet(".Q..")


def test_what_a_declaration_is() -> None:
    """§9: A declaration has a figure, a suit, plain points and cards."""
    rule_table = rule_table_of(Rules())
    told = {
        text: (said.figure, said.suit, said.value, str(said.cards(rule_table)))
        for text in ("20s", "30h", "40d", "50", "30", "chc")
        if (said := Declaration(text))
    }
    assert told == {
        "20s": (Figure.MARIAGE, 0, 20, "KQ..."),
        "30h": (Figure.TIERCE, 1, 30, ".KQJ.."),
        "40d": (Figure.QUARTERON, 2, 40, "..AKQJ."),
        "50": (Figure.QUINTE, None, 50, "AT.AT.AT.AT"),
        "30": (Figure.TRENTE, None, 30, "AT.AT.AT.AT"),
        "chc": (Figure.CHOUINE, 3, 0, "...ATKQJ"),
    }
    assert str(Declaration("chc").cards(rule_table_of(Rules(seats=4)))) == "...KQJ"
    for wrong in ("60s", "20", "ch", 32, 51):
        with pytest.raises(ValueError, match="not a declaration"):
            Declaration(wrong)
