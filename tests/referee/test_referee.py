"""Hand-made tests of the referee: small parties from the rule book, each with its §."""

import pytest

from . import Referee, Refused, replay
from .book import PACK
from .deals import write_deal

RECORD = (
    "classic b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc : "
    "Qs 7x 7c 8c 8d 9d 9s Kh 7h Ad 9h Ts Qd+20d 7s 8s Jd Jc 9c Js Qh 8h Qc+20c Kd "
    "Td+50 7d Th Jh As Ks Ah Kc Ac Tc"
)


def partie(rules: str, hands: str, drawn: str = "", dealer: str = "", actions: str = "") -> Referee:
    """A partie with these hands, these next cards (turnup first), then the rest of the pack in order.

    By default the last seat deals, so that seat a leads.
    """
    cards = [hand.split() for hand in hands.split("|")]
    told = [card for hand in cards for card in hand] + drawn.split()
    rest = drawn.split() + [card for card in PACK if card not in told]
    referee = Referee(f"{rules} {write_deal(rules, dealer or 'abcd'[len(cards) - 1], cards, rest)}")
    for token in actions.split():
        referee.play(token)
    return referee


def declarations_open(referee: Referee) -> set[str]:
    """The declarations open now, with any card."""
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


def test_s5_the_seat_after_the_dealer_leads_the_taker_draws_first_and_leads() -> None:
    referee = partie("three", "7s 8s 9s|Js Qs Ks|Ts As 7h", "8h Tc Jc Qc", actions="7s Qs")
    assert referee.to_act == "c"
    referee.play("Ts")
    assert referee.to_act == "c"
    assert [hand[-1] for hand in referee.hands] == ["Jc", "Qc", "Tc"]
    assert partie("classic", "7s 8s 9s Js Qs|7h 8h 9h Jh Qh", dealer="a").to_act == "b"


def test_s7_any_card_may_be_answered_while_the_talon_serves() -> None:
    referee = partie("classic", "7s 8s 9s Js Ah|7h 8h 9h Jh As", "9d", actions="7s")
    assert referee.legal() == ["7h", "8h", "9h", "As", "Jh"]
    with pytest.raises(Refused, match="§5"):
        referee.play("8s")


def test_s9_what_each_declaration_needs_and_is_worth() -> None:
    hand = "As Ks Qs Js 7h|7c 8c 9c Jc Qc"
    assert declarations_open(partie("classic", hand, "9d")) == {"20s", "30s", "40s"}
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
    assert declarations_open(partie("classic", hands, "9d", actions="7s")) == {"20c", "30c"}
    assert declarations_open(partie("classic;declare=lead", hands, "9d", actions="7s")) == set()
    head, _, actions = RECORD.partition(" :")
    record = Referee(head)
    for token in actions.partition(" Td+50")[0].split():
        record.play(token)
    assert (record.talon, declarations_open(record)) == ([], {"50"})


def test_s9_the_card_played_is_one_of_the_figure_unless_held_is_enough() -> None:
    hands = "Ks Qs 7s 8s 9s|7c 8c 9c Jc Td"
    assert partie("classic", hands, "9d").legal() == ["7s", "8s", "9s", "Ks", "Ks+20s", "Qs", "Qs+20s"]
    assert "7s+20s" in partie("classic;figure=held", hands, "9d").legal()
    with pytest.raises(Refused, match="§9"):
        partie("classic", hands, "9d", actions="7s+20s")


def test_s9_not_twice_the_same_figure_nor_the_quinte() -> None:
    held = partie("classic;figure=held", "Ks Qs 7s 8s 9s|7c 8c 9c Jc Td", "9d 7d 8d", actions="9s+20s 7c")
    assert (held.to_act, declarations_open(held)) == ("a", set())
    quinte = partie("classic", "As Ts Ah Th Ad|7c 8c 9c Jc Qc", "9d Td 8d", actions="As+50 7c")
    assert (quinte.to_act, declarations_open(quinte)) == ("a", set())
    trente = partie("three", "As Ts Ah|Ad Td Ac|7h 8h 9h", "9s", actions="Ah+30")
    assert declarations_open(trente) == {"30"}  # the other seat's own trente


@pytest.mark.parametrize(
    ("again", "turnup", "points"),
    [("full", "9d", 90), ("full", "9s", 180), ("difference", "9d", 40), ("difference", "9s", 80)],
)
def test_s9_a_second_figure_of_the_suit(again: str, turnup: str, points: int) -> None:
    rules = f"classic;figure=held;again={again}"
    hands = "As Ks Qs Js Th|7c 8c 9c Jc Qc"
    referee = partie(rules, hands, f"{turnup} Tc 7d 7h 8h", actions="Th+30s 7c")
    assert declarations_open(referee) == {"20s", "40s"}
    referee.play("Tc+20s")
    referee.play("8c")
    assert declarations_open(referee) == {"40s"}
    referee.play("7h+40s")
    assert referee.points == [20 + points, 0]


def test_s9_never_again_but_a_chouine_always() -> None:
    hands = "As Ks Qs Js Th|7c 8c 9c Jc Qc"
    referee = partie("classic;figure=held", hands, "9d Ts 8h", actions="Th+20s 7c")
    assert declarations_open(referee) == {"chs"}


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
    after = partie("three", "Ks Qs Js|Kd Qd 7d|7c 8c 9c", "9h", actions="Ks+chs Kd+20d")
    assert (after.result, after.points) == ("*", [0, 0, 0])  # after a chouine declarations score 0
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


# Ten tricks led and taken by seat a with spades and clubs; two cards remain in the talon.
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


def test_s11_one_trick_earlier_the_seven_still_goes_in_answer() -> None:
    referee = partie("classic", LATE_HANDS, LATE_DRAWN, actions=TEN_TRICKS.removesuffix(" Jc 8c"))
    assert (len(referee.talon), "7x" in referee.legal()) == (4, False)
    referee.play("Jc")
    assert "7x" in referee.legal()


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


def test_s17_no_trump_until_a_seat_on_lead_declares() -> None:
    hands = "Ks Qs 7h 8h 9h|As Ts Js Kc Qc"
    referee = partie("mondoubleau", hands)
    assert (referee.trump, "7x" in referee.legal()) == (None, False)
    referee.play("Ks+20s")
    assert (referee.trump, referee.points) == ("s", [40, 0])
    assert declarations_open(referee) == set()
    assert partie("mondoubleau;fixing=plain", hands, actions="Ks+20s").points == [20, 0]
    answer = partie("mondoubleau;declare=any", hands, actions="7h Kc+20c")
    assert (answer.trump, answer.points) == (None, [4, 20])


def test_s17_the_card_led_with_the_declaration_is_a_trump_already() -> None:
    referee = partie("mondoubleau", "Ks Qs 7h 8h 9h|As Ts Js Kc Qc", "7s 8s", actions="Qs+20s Kc")
    assert (referee.to_act, referee.points) == ("a", [47, 0])
    later = partie("mondoubleau", "Ks Qs 7h 8h 9h|As Ts Jd Kc Qc", "7s 8s", actions="Qs+20s Ts")
    assert later.to_act == "b"
    assert declarations_open(later) == {"20c"}
    later.play("Qc+20c")
    assert (later.trump, later.points) == ("s", [40, 33])


def test_s17_quinte_trente_and_chouine_fix_nothing() -> None:
    assert partie("mondoubleau", "As Ts Ah Th Ad|7c 8c 9c Jc Qc", actions="As+50").trump is None
    assert partie("mondoubleau-three", "As Ts Ah|7c 8c 9c|7h 8h 9h", actions="As+30").trump is None
    assert partie("mondoubleau", "As Ts Ks Qs Js|7c 8c 9c Jc Qc", actions="As+chs").trump is None
