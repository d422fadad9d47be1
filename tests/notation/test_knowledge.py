"""The line of one seat allows others every action that known cards do not exclude."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from chouine.cards import BRISQUES, PACK, CardSet
from chouine.errors import IllegalAction, NotationError
from chouine.notation import partie_line, read_action, read_state, read_view
from chouine.notation.lines import actions_of
from chouine.notation.records import seen_deal
from chouine.notation.replay import certain_actions, positions, replay_with_events
from chouine.partie import Deal, Play, SeenDeal, Shown, State
from chouine.rules.options import PRESETS, Rules
from chouine.rules.play import legal
from tests.laws.strategies import moments

MINE = "classic b Q7.97..8|?5 Jd " + "??" * 21 + " :"


@pytest.mark.parametrize(
    "actions",
    ["Qs Kc+20c", "8c Ac+50", "8c 9c", "Qs 7x 7c", "Qs 7x Jd+30d", "8c Kc+chc", "8c Kc+40c", "8c Th+40c"],
)
def test_another_seat_may_do_what_it_may_be_holding(actions: str) -> None:
    rules = "classic;figure=held" if "Th+40c" in actions else "classic"
    view = read_view(f"{MINE} {actions}".replace("classic", rules), None)
    assert partie_line(view).endswith(f": {actions}")


@pytest.mark.parametrize(
    "line",
    [
        f"four d ?3|?3|?3|?3 Jd {'??' * 19} : 8c Tc 7h 9c Ks Jh 9s 9h Qh 8d 7c 8s Js Kd As Jc 8h 7s Th+30 Kc Kh Ad+30",
        f"three b ?3|?3|?3 9s {'??' * 22} : 7s Jd Ks 7c 9c Js 8d Kh 9h 9d 7d 7h 8h Qd Qc Kc Qh 8c Kd Jc Jh As Ac+30",
    ],
)
def test_another_seat_may_hold_the_brisques_that_allow_its_card(line: str) -> None:
    """§8: In the last tricks a trente of other brisques would oblige it to follow suit."""
    assert partie_line(read_view(line, None)) == line


@pytest.mark.parametrize("preset", PRESETS)
def test_each_seat_can_read_a_partie_whose_brisques_come_late(preset: str) -> None:
    rng, rules = Random(preset), Rules.parse(preset)
    for _ in range(60):
        pack = sorted(PACK, key=lambda card: (card in CardSet(BRISQUES)) + 1.5 * rng.random())
        state = State.new(rules, Deal.from_pack(rules, rng.randrange(rules.seats), pack))
        while state.turn is not None:
            acts = state.legal(state.turn)
            said = [act for act in acts if isinstance(act, Play) and act.declaration]
            state = state.play(rng.choice(said if said and rng.random() < 0.8 else acts))
        for seat in (*range(rules.seats), None):
            line = partie_line(state.view(seat))
            assert partie_line(read_view(line, seat)) == line


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"{MINE} 8c Qd+50", "illegal/figure-not-held"),
        (f"{MINE} Qs Ks+20c", "illegal/not-of-figure"),
        (f"{MINE} Qs Qc+20s", "illegal/figure-not-held"),
        (f"classic b Q7.97..8|..8.+?4 Jd {'??' * 21} : 8c Ac+50", "illegal/figure-not-held"),
        (f"classic b AT.AT.T.|?5 Jd {'??' * 21} : As Ac+50", "illegal/figure-not-held"),
        (f"{MINE} 8c Ad+30", "illegal/no-such-figure"),
        (f"classic;declare=lead b Q7.97..8|?5 Jd {'??' * 21} : 8c Kc+20c", "illegal/declare-on-lead"),
        (f"classic;seven=lead b Q7.97..8|?5 Jd {'??' * 21} : 8c 7x", "illegal/seven-on-lead"),
        (f"mondoubleau b Q7.97..8|?5 - {'??' * 22} : 8c 7x", "illegal/no-turnup"),
        (f"classic b Q7.97..8|?5 7d {'??' * 21} : 8c 7x", "illegal/seven-turned"),
    ],
)
def test_another_seat_may_not_do_what_cannot_be(line: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_view(line, None)
    assert caught.value.code == code


def test_what_was_shown_is_known_from_then_on() -> None:
    """§9.5: A king shown with its mariage is known in that hand until played, and obliges it to follow."""
    view = read_view(f"{MINE} 8c Qc+20c", None)
    assert str(view.held(1).known) == "...K"


def test_with_two_seats_it_is_known_who_took_the_turnup_at_au_sept() -> None:
    """§11: With two seats the exchange at "au sept" can only be by the other seat."""
    state = read_state(
        "classic b T.AKQJ..|.8.KQ.KQ 8s JsTdAdThJdAsTcKs9hJc7dAc7s9dQs9s8d8c7h7c9c : "
        "Ts 8h Qh Kc+20c Ah Qd Kh Qc Tc Td Jd Jc Ad As Ac Jh Kd Js 9d 8c 7x"
    )
    for seat in (0, 1):
        assert state.view(seat).events[-1] == state.events[-1]
        assert read_view(partie_line(state.view(seat)), seat) == state.view(seat)


@given(moments())
def test_what_is_certain_to_a_seat_is_legal(state: State) -> None:
    """Actions certain from a view are legal; for a fully known hand they are all the legal ones."""
    rule_table, p = state.rule_table, state.position
    assert certain_actions(rule_table, p) == legal(rule_table, p)
    for observer in range(state.rules.seats):
        view = state.view(observer)
        known = certain_actions(rule_table, view.position)
        assert known & ~legal(rule_table, p) == 0
        if p.turn == observer:
            assert {str(action) for action in view.legal} <= {str(action) for action in state.legal()}
            assert known == legal(rule_table, view.position)


@given(moments())
def test_every_way_of_playing_a_text_leads_to_the_same(state: State) -> None:
    actions = tuple(actions_of(state.events))
    fast = list(positions(state.rules, seen_deal(state.deal), actions))
    slow = [p for p, _ in replay_with_events(state.rules, seen_deal(state.deal), actions)]
    assert fast == slow
    assert fast[-1] == state.position


@given(moments(("classic", "mondoubleau")))
def test_a_seats_line_can_be_replayed(state: State) -> None:
    """With two seats, positions from a view's line equal the true ones in all that the seat can know."""
    view = state.view(0)
    assert isinstance(view.deal, SeenDeal)
    known = list(positions(view.rules, view.deal, tuple(actions_of(view.events))))
    assert known[-1].points == state.position.points
    if not any(
        isinstance(event, Shown) and event.seat == 1 and str(event.declaration) == "50"
        for event in view.events
    ):
        assert known[-1] == view.position


def test_what_is_known_to_be_elsewhere_is_refused_by_the_course_too() -> None:
    state = read_state(
        MINE.replace("?5", ".K.A97.7").replace("??" * 21, "Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc")
    )
    view = state.view(0)
    with pytest.raises(IllegalAction) as caught:
        list(positions(view.rules, view.deal, [read_action("Kh")]))
    assert caught.value.code == "illegal/not-held"
