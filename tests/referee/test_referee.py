"""The referee is itself refereed: small parties made by hand from the rule book, each named by its §."""

from random import Random

import pytest

from . import Referee, Refused, parse_rules, random_deal, random_partie, random_rules, replay, rich_deal
from .book import PACK, answers, best_card, card_points
from .deals import write_deal
from .options import CHOICES, SEATS_OF_PRESET, default

RECORD = (
    "classic b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc : "
    "Qs 7x 7c 8c 8d 9d 9s Kh 7h Ad 9h Ts Qd+20d 7s 8s Jd Jc 9c Js Qh 8h Qc+20c Kd "
    "Td+50 7d Th Jh As Ks Ah Kc Ac Tc"
)


def partie(rules: str, hands: str, drawn: str = "", dealer: str = "", actions: str = "") -> Referee:
    """A partie with these hands, these cards next (the turnup first), then the rest of the pack as it comes.

    The last seat deals unless told otherwise, so that seat a leads.
    """
    cards = [hand.split() for hand in hands.split("|")]
    told = [card for hand in cards for card in hand] + drawn.split()
    rest = drawn.split() + [card for card in PACK if card not in told]
    referee = Referee(f"{rules} {write_deal(rules, dealer or 'abcd'[len(cards) - 1], cards, rest)}")
    for token in actions.split():
        referee.play(token)
    return referee


def said(referee: Referee) -> set[str]:
    """What may be said now, whatever the card."""
    return {token.partition("+")[2] for token in referee.legal() if "+" in token}


def test_the_record_of_the_notation() -> None:
    outcome = replay(RECORD)
    legal = outcome.pop("legal")
    assert outcome == {"result": "1-0", "points": [196, 44], "by": "points", "actions": 33}
    assert isinstance(legal, list)
    assert legal[0] == ["7h", "7s", "8c", "9h", "Qs"]
    assert legal[1] == ["7c", "7d", "7x", "9d", "Ad", "Kh"]


def test_a_partie_stopped_early_is_unfinished_and_keeps_its_points() -> None:
    outcome = replay(RECORD[: RECORD.index(" 7s 8s")])
    assert (outcome["result"], outcome["by"], outcome["points"]) == ("*", "unfinished", [56, 15])
    assert replay(RECORD[: RECORD.index(" Qs 7x")])["actions"] == 0


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


def test_s5_the_seat_after_the_dealer_leads_the_taker_draws_first_and_leads() -> None:
    referee = partie("three", "7s 8s 9s|Js Qs Ks|Ts As 7h", "8h Tc Jc Qc", actions="7s Qs")
    assert referee.to_act == "c"
    referee.play("Ts")
    assert referee.to_act == "c"
    assert [hand[-1] for hand in referee.hands] == ["Jc", "Qc", "Tc"]
    assert partie("classic", "7s 8s 9s Js Qs|7h 8h 9h Jh Qh", dealer="a").to_act == "b"


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


def test_s7_any_card_may_be_answered_while_the_talon_serves() -> None:
    referee = partie("classic", "7s 8s 9s Js Ah|7h 8h 9h Jh As", "9d", actions="7s")
    assert referee.legal() == ["7h", "8h", "9h", "As", "Jh"]
    with pytest.raises(Refused, match="§5"):
        referee.play("8s")


@pytest.mark.parametrize(
    ("hand", "trick", "options", "expected"),
    [
        ("7s As 9h", "8s", "classic", "7s As"),  # follow, no need to head a plain suit
        ("7s As 9h", "8s", "classic;head=always", "As"),
        ("7s 8s 9h", "Ts", "classic;head=always", "7s 8s"),  # cannot head
        ("7h Ah As", "8h", "classic", "Ah"),  # trumps are headed
        ("7h 8h As", "9h", "classic", "7h 8h"),
        ("7h Ah Ac", "8s", "classic", "7h Ah"),  # must ruff
        ("7d 8d Ac", "8s", "classic", "7d 8d Ac"),  # any card
        ("7d 8d Ac", "8h", "classic", "7d 8d Ac"),
        ("7h Ah Ac", "8s 9h", "three", "Ah"),  # must overruff
        ("7h Ah Ac", "8s 9h", "three;overruff=no", "7h Ah"),
        ("7h 8h Ac", "8s 9h", "three", "7h 8h"),  # cannot overruff: any trump
        ("7s As Ah", "8s 9h", "three;head=always", "7s As"),  # ruffed already: no head to beat
        ("7s Js As", "8s Ts", "three;head=always", "As"),  # beats the best, not the lead
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


def test_s9_what_each_declaration_needs_and_is_worth() -> None:
    hand = "As Ks Qs Js 7h|7c 8c 9c Jc Qc"
    assert said(partie("classic", hand, "9d")) == {"20s", "30s", "40s"}
    for saying, plain in (("20s", 20), ("30s", 30), ("40s", 40)):
        assert partie("classic", hand, "9d", actions=f"Ks+{saying}").points == [plain, 0]
        assert partie("classic", hand, "9s", actions=f"Ks+{saying}").points == [2 * plain, 0]
    brisques = "As Ts Ah Th Ad|7c 8c 9c Jc Qc"
    assert partie("classic", brisques, "9s", actions="Ad+50").points == [50, 0]
    more = "As Ts Ah|Kd Qd 7d|Kc Qc Jc"
    assert partie("three", more, "9s", actions="Ah+30 Kd+20d").points == [30, 20, 0]
    assert "Jc+chc" in partie("three", more, "9s", actions="Ah Kd").legal()


def test_s9_one_declares_on_lead_or_in_answer_and_after_the_talon_too() -> None:
    hands = "7s 8s 9s Js 7h|Kc Qc 9c Jc Td"
    assert said(partie("classic", hands, "9d", actions="7s")) == {"20c", "30c"}
    assert said(partie("classic;declare=lead", hands, "9d", actions="7s")) == set()
    head, _, actions = RECORD.partition(" :")
    record = Referee(head)
    for token in actions.partition(" Td+50")[0].split():
        record.play(token)
    assert (record.talon, said(record)) == ([], {"50"})


def test_s9_the_card_played_is_one_of_the_figure_unless_held_is_enough() -> None:
    hands = "Ks Qs 7s 8s 9s|7c 8c 9c Jc Td"
    assert partie("classic", hands, "9d").legal() == ["7s", "8s", "9s", "Ks", "Ks+20s", "Qs", "Qs+20s"]
    assert "7s+20s" in partie("classic;figure=held", hands, "9d").legal()
    with pytest.raises(Refused, match="§9"):
        partie("classic", hands, "9d", actions="7s+20s")


def test_s9_not_twice_the_same_figure_nor_the_quinte() -> None:
    held = partie("classic;figure=held", "Ks Qs 7s 8s 9s|7c 8c 9c Jc Td", "9d 7d 8d", actions="9s+20s 7c")
    assert (held.to_act, said(held)) == ("a", set())
    quinte = partie("classic", "As Ts Ah Th Ad|7c 8c 9c Jc Qc", "9d Td 8d", actions="As+50 7c")
    assert (quinte.to_act, said(quinte)) == ("a", set())
    trente = partie("three", "As Ts Ah|Ad Td Ac|7h 8h 9h", "9s", actions="Ah+30")
    assert said(trente) == {"30"}  # another seat has its own


@pytest.mark.parametrize(
    ("again", "turnup", "points"),
    [("full", "9d", 90), ("full", "9s", 180), ("difference", "9d", 40), ("difference", "9s", 80)],
)
def test_s9_a_second_figure_of_the_suit(again: str, turnup: str, points: int) -> None:
    rules = f"classic;figure=held;again={again}"
    hands = "As Ks Qs Js Th|7c 8c 9c Jc Qc"
    referee = partie(rules, hands, f"{turnup} Tc 7d 7h 8h", actions="Th+20s 7c")
    assert said(referee) == {"30s", "40s"}
    referee.play("Tc+40s")
    referee.play("8c")
    assert said(referee) == {"30s"}
    referee.play("7h+30s")
    assert referee.points == [20 + points, 0]


def test_s9_never_again_but_a_chouine_always() -> None:
    hands = "As Ks Qs Js Th|7c 8c 9c Jc Qc"
    referee = partie("classic;figure=held", hands, "9d Ts 8h", actions="Th+20s 7c")
    assert said(referee) == {"chs"}


def test_s10_the_first_chouine_said_wins() -> None:
    hands = "As Ts Ks Qs Js|Ah Th Kh Qh Jh"
    ended = partie("classic", hands, "9d", actions="Js+chs Jh+chh")
    assert (ended.result, ended.by, ended.points, ended.legal()) == ("1-0", "chouine", [0, 0], [])
    with pytest.raises(Refused, match="§12"):
        ended.play("As")


def test_s10_a_chouine_in_trumps_beats_any_other() -> None:
    hands = "As Ts Ks Qs Js|Ah Th Kh Qh Jh"
    assert partie("classic", hands, "9h", actions="Js+chs Jh+chh").result == "0-1"
    assert partie("classic", hands, "9h", actions="Js+chs Jh").result == "1-0"
    assert partie("classic", hands, "9h", actions="Js+chs").result == "*"
    three = "Ks Qs Js|Kh Qh Jh|Kd Qd Jd"
    assert partie("three", three, "9d", actions="Js+chs Jh+chh Jd+chd").result == "0-0-1"
    assert partie("three", three, "9c", actions="Js Jh+chh Jd+chd").result == "0-1-0"


def test_s10_points_stand_as_before_the_trick() -> None:
    hands = "As Ks Qs Js 7h|Ah Th Kh Qh 8h"
    for answer in ("Js", "Js+30s", "Js+chs"):
        actions = f"7h+20s 8h+20h Ah+chh {answer}"
        referee = partie("classic;figure=held;again=full", hands, "Ad Jh Ts", actions=actions)
        assert (referee.result, referee.by, referee.points) == ("0-1", "chouine", [20, 20])
    three = partie("three", "Ks Qs 7h|Kd Qd Jd|7c 8c 9c", "9h", actions="Ks+20s Jd+chd")
    assert three.points == [20, 0, 0]
    three.play("7c")
    assert (three.result, three.points) == ("0-1-0", [0, 0, 0])


def test_s11_the_seven_is_exchanged_in_its_holders_turn() -> None:
    hands = "7s 8s 9s Js Qs|7h 8h 9h Jh Qh"
    referee = partie("classic", hands, "Ah")
    assert "7x" not in referee.legal()
    referee.play("7s")
    assert "7x" in referee.legal()
    referee.play("7x")
    assert (referee.to_act, sorted(referee.hands[1])) == ("b", ["8h", "9h", "Ah", "Jh", "Qh"])
    assert (referee.turnup, referee.talon[-1], "7x" in referee.legal()) == ("7h", "7h", False)
    assert "7x" in partie("classic;seven=lead", hands, "Ah", dealer="a").legal()
    with pytest.raises(Refused, match="§11"):
        partie("classic;seven=lead", hands, "Ah", actions="7s 7x")
    assert "7x" not in partie("classic", hands, "7d", actions="7s").legal()  # the turnup is a seven


# Ten tricks that seat a leads and takes with its spades and clubs, then two cards are left in the talon.
LATE_HANDS = "As Ts Ks Qs Js|7h Jh 8d 9d Jd"
LATE_DRAWN = "Ah Ac Qd Tc Kd Kc Td Qc Ad Jc 7d 9c 7c 9s 8c 8s 7s Kh Th Qh 9h 8h"
TEN_TRICKS = "As 8d Ts 9d Ks Jd Qs Qd Js Kd Ac Td Tc Ad Kc 7d Qc 7c Jc 8c"


@pytest.mark.parametrize(
    ("options", "when"),
    [
        ("", "before the lead"),
        (";seven=lead", "before the lead"),
        (";au-sept=no", "in answer"),
        (";au-sept=no;seven=lead", "never"),
        (";seven-last=no", "never"),
    ],
)
def test_s11_when_the_seven_may_go_in_the_last_trick_with_a_draw(options: str, when: str) -> None:
    referee = partie(f"classic{options}", LATE_HANDS, LATE_DRAWN, actions=TEN_TRICKS)
    assert (referee.to_act, referee.talon) == ("a", ["8h", "Ah"])
    assert ("7x" in referee.legal()) == (when == "before the lead")
    referee.play("9s")
    assert ("7x" in referee.legal()) == (when == "in answer")


def test_s11_au_sept_the_leader_still_leads_and_the_last_draw_is_the_seven() -> None:
    referee = partie("classic", LATE_HANDS, LATE_DRAWN, actions=f"{TEN_TRICKS} 7x")
    assert (referee.to_act, "Ah" in referee.hands[1]) == ("a", True)
    referee.play("9c")
    referee.play("Jh")
    assert (referee.to_act, referee.talon, referee.turnup) == ("b", [], None)
    assert (referee.hands[0][-1], referee.hands[1][-1]) == ("7h", "8h")
    assert "7x" not in referee.legal()


def test_s11_with_three_seats_the_seven_exchanged_is_never_drawn() -> None:
    referee = partie("three", "7h 8s 9s|8c 9c Jc|8d 9d Jd", "Ah", actions="7x")
    while not referee.over:
        referee.play(next(token for token in referee.legal() if len(token) == 2))
    assert referee.talon[-1] == "7h"


def test_s12_proust_counts_jean_and_charles() -> None:
    jean = ["7s", "8s", "9s", "9h", "9d", "Js", "Jh", "Qs", "Qh", "Ks", "Ts", "As", "Ah", "Ad"]
    charles = [card for card in PACK if card not in jean]
    charles_took = {"7": 3, "8": 3, "9": 1, "J": 2, "Q": 2, "K": 3, "T": 3, "A": 1}
    assert {rank: sum(card[0] == rank for card in charles) for rank in charles_took} == charles_took
    assert card_points(jean) + 20 + 10 == 87
    assert card_points(charles) + 40 == 103


def test_s12_the_points_sum_to_130_less_what_is_never_drawn() -> None:
    rng = Random(12)
    for _ in range(200):
        rules = random_rules(rng)
        referee = Referee(f"{rules} {random_deal(rules, rng)}")
        while not referee.over:
            referee.play(rng.choice([token for token in referee.legal() if "+" not in token]))
        assert sum(referee.points) == 130 - card_points(referee.talon)
        assert (referee.by == "nulle") == (referee.points.count(max(referee.points)) > 1)


def test_s12_an_equal_top_is_a_nulle() -> None:
    rng = Random(65)
    nulles = 0
    for _ in range(300):
        outcome = replay(random_partie("classic", random_deal("classic", rng), rng))
        if outcome["points"] == [65, 65]:
            assert (outcome["result"], outcome["by"]) == ("0-0", "nulle")
            nulles += 1
    assert nulles > 0


def test_s17_no_trump_until_a_seat_on_lead_declares() -> None:
    hands = "Ks Qs 7h 8h 9h|As Ts Js Kc Qc"
    referee = partie("mondoubleau", hands)
    assert (referee.trump, "7x" in referee.legal()) == (None, False)
    referee.play("Ks+20s")
    assert (referee.trump, referee.points) == ("s", [40, 0])
    assert said(referee) == set()
    assert partie("mondoubleau;fixing=plain", hands, actions="Ks+20s").points == [20, 0]
    answer = partie("mondoubleau;declare=any", hands, actions="7h Kc+20c")
    assert (answer.trump, answer.points) == (None, [4, 20])


def test_s17_the_card_led_with_the_declaration_is_a_trump_already() -> None:
    referee = partie("mondoubleau", "Ks Qs 7h 8h 9h|As Ts Js Kc Qc", "7s 8s", actions="Qs+20s Kc")
    assert (referee.to_act, referee.points) == ("a", [47, 0])
    later = partie("mondoubleau", "Ks Qs 7h 8h 9h|As Ts Jd Kc Qc", "7s 8s", actions="Qs+20s Ts")
    assert later.to_act == "b"
    assert said(later) == {"20c"}
    later.play("Qc+20c")
    assert (later.trump, later.points) == ("s", [40, 33])


def test_s17_quinte_trente_and_chouine_fix_nothing() -> None:
    assert partie("mondoubleau", "As Ts Ah Th Ad|7c 8c 9c Jc Qc", actions="As+50").trump is None
    assert partie("mondoubleau-three", "As Ts Ah|7c 8c 9c|7h 8h 9h", actions="As+30").trump is None
    assert partie("mondoubleau", "As Ts Ks Qs Js|7c 8c 9c Jc Qc", actions="As+chs").trump is None


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
