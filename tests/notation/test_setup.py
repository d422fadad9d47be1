"""The position line: prepared tables, problems, and positions of parties."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import Card, CardSet, Suit
from chouine.errors import InvalidDeal
from chouine.notation import Setup, read_position, read_state
from chouine.partie import Declaration, SeenHand, State
from chouine.rules import Rules
from chouine.rules.combinations import TRENTE
from chouine.rules.play import legal, total
from chouine.rules.position import UNKNOWN
from tests.laws.strategies import moments

ENDGAME = "classic a A.AT.T.A|K.J.7.TK - d - TQ..KQ.Q7|J987.KQ987.AJ98.J98 20d|20c"
EXACT = {
    "hands",
    "turnup",
    "trump",
    "leader",
    "turn",
    "table",
    "best",
    "taker",
    "pot",
    "tricks",
    "points",
    "said",
}


def test_an_endgame_is_set_on_the_table() -> None:
    setup = read_position(ENDGAME)
    assert str(setup) == ENDGAME
    assert setup.hands[0] == SeenHand(CardSet("A.AT.T.A"), 0)
    assert (setup.to_act, setup.trump, setup.turnup, setup.tricks) == (0, Suit.DIAMONDS, None, 11)
    p, talon = setup.position()
    assert [total(p, seat) for seat in (0, 1)] == [63, 44]
    assert legal(setup.rule_table, p).bit_count() == 6
    assert talon == (UNKNOWN,) * 21


def test_an_empty_field_is_a_hyphen_for_one_seat_or_for_all() -> None:
    line = "classic a Q7.97..8|.K.A97.7 - Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc - -"
    assert str(read_position(line)) == line.replace(" - -", " -|- -|-")
    assert read_position(str(read_position(line))) == read_position(line)


def test_the_last_trick_counts_ten_more() -> None:
    """§12: The seat that would lead next has taken the last trick, worth ten more."""
    setup = read_position("classic b -|- - d - ATQ.AT.TKQ.AQ|KJ987.KQJ987.AJ987.TKJ987 20d|20c")
    p, _ = setup.position()
    assert p.turn < 0
    assert p.points[0] + p.points[1] == 130
    assert p.points[1] == setup.taken[1].points + 10


@given(moments(), st.data())
def test_every_position_comes_back(state: State, data: st.DataObject) -> None:
    observer = data.draw(st.sampled_from(["truth", *range(state.rules.seats), None]))
    partie = state if observer == "truth" else state.view(observer)
    setup = Setup.of(partie)
    setup.check()
    assert read_position(str(setup)) == setup
    p, talon = setup.position()
    assert {name: getattr(p, name) for name in EXACT} == {
        name: getattr(partie.position, name) for name in EXACT
    }
    assert legal(setup.rule_table, p) == legal(setup.rule_table, partie.position)
    drawn = setup.drawn
    if observer == "truth":
        assert talon[drawn:] == tuple(map(int, state.deal.talon[drawn:]))


@given(moments(("classic", "three", "four")))
def test_declarations_count_as_they_did_between_tricks(state: State) -> None:
    """§9: Between tricks, declared points are restored; outside Mondoubleau their order does not matter."""
    p, _ = Setup.of(state).position()
    if state.position.table == 0 and state.position.chouine < 0:
        assert (p.declared, p.counted) == (state.position.declared, state.position.counted)
        assert p == state.position


@given(moments(("mondoubleau", "mondoubleau-three", "mondoubleau-four")))
def test_in_mondoubleau_the_first_in_trumps_fixed_them(state: State) -> None:
    """§17: If only leaders declare, the first trump declaration is the one that fixed trump."""
    if state.rules.declare == "lead" and state.position.table == 0 and state.position.chouine < 0:
        assert Setup.of(state).position()[0] == state.position


def test_a_fixing_figure_may_count_plain() -> None:
    """§17: With `fixing=plain` the fixing figure counts plain."""
    line = f"mondoubleau;fixing=plain a Q7.97..8|?5 - d {'??' * 22} - 20c,20d|-"
    assert read_position(line).position()[0].declared[0] == 20 + 20
    assert read_position(line.replace(";fixing=plain", "")).position()[0].declared[0] == 20 + 40


def test_a_chouine_leaves_its_trick_on_the_table() -> None:
    """§10: The cards of a chouine's trick are not counted; a trump chouine beats the first declared."""
    state = read_state(
        "classic a .ATKQJ..|..ATKQJ. 9d QsJcJsQcAsAcKcKs7c9c8sTs8cTc7s7d9s9h8h8d7h : Kd+chd Kh+chh"
    )
    setup = Setup.of(state)
    assert setup.table == (Card("Kd"), Card("Kh"))
    assert setup.to_act == 1
    assert setup.over
    p, _ = setup.position()
    assert (p.chouine, p.turn, p.table) == (state.position.chouine, -1, 0) == (1, -1, 0)
    assert read_position(str(setup)) == setup


def test_every_reason_why_a_position_cannot_be() -> None:
    empty = SeenHand(CardSet(), 0)
    setup = Setup(Rules(), 0, (empty, empty), (), None, None, (), (CardSet("A..."), CardSet()), ((), ()))
    with pytest.raises(InvalidDeal) as caught:
        setup.check()
    assert caught.value.reasons == (
        "deal/taken",
        "deal/hand-size",
        "deal/turnup",
        "deal/trump",
        "deal/talon-size",
    )


def test_a_position_set_wrongly_says_which_card_or_declaration() -> None:
    good = read_position(ENDGAME)
    twice = replace(good, taken=(good.taken[0], CardSet("J987.KQ987.AJ98.AJ9")))
    foreign = replace(good, said=((Declaration(TRENTE),), ()))
    short = replace(good, hands=(good.hands[0], SeenHand(CardSet(), 1)))
    left = replace(good, talon=(Card("Ac"),))
    size = f"must have {len(good.hands[1])}, §3"
    for wrong, told in ((twice, "§1: “Ac”"), (foreign, "§9: “30”"), (short, size), (left, "must have 0, §3")):
        with pytest.raises(InvalidDeal) as refused:
            wrong.check()
        assert told in str(refused.value)
