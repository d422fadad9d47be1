"""The score sheet of a physical table: declarations, counts, parties, manches, and errors."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chouine.errors import ChouineError
from chouine.match import Format, InvalidEntry
from chouine.notation.tokens import token
from chouine.partie import Deal, State
from chouine.partie.actions import Play
from chouine.rules import Rules
from chouine.table.count import COUNTED, counts_of
from chouine.table.sheet import Sheet

TAPS = ("da", "db", "th", "ts", "sa20h", "sb20h", "sa50", "sbchs", "e", "cap57-", "cbr43-", "cbr22222-", "xa", "fa0",
        "fb1", "g", "r", "m", "w21", "w02", "oa", "ob")  # fmt: skip
TWO = Rules.parse("classic")


def sheet(acts: str, rules: str = "classic", form: str = "3x2") -> Sheet:
    return Sheet.read(Rules.parse(rules), Format.parse(form), acts.split())


def totals(made: Sheet) -> tuple[int, ...]:
    return made.played[-1].result.points


def refusal(acts: str, last: str, rules: str = "classic") -> str:
    before = sheet(acts, rules, "3x2" if rules == "classic" else "3")
    with pytest.raises(ChouineError) as refused:
        before.after(last)
    return refused.value.code


def test_proust_s_example() -> None:
    """§12: Jean 57 + 20 + 10 = 87, Charles 63 + 40 = 103."""
    made = sheet("da th sa20s sb20h cap57-")
    assert totals(made) == (87, 103)
    assert made.match.score == (0, 1)
    assert sheet("da th sa20s sb20h cap57p63").played == made.played


def test_piles_by_rank_say_the_short_count_too() -> None:
    """§12: Piles by rank also give the short count; the full count decides."""
    made = sheet("da th car22000-")
    assert totals(made) == (52, 78)
    assert made.played[-1].short == (52, 42)
    assert made.played[-1].shortcut == 0
    assert made.played[-1].result.winner == 1


def test_aces_and_tens_are_enough_when_heads_can_change_nothing() -> None:
    """§12: Aces and tens are enough if the 36 points of heads cannot change the winner."""
    made = sheet("da th car43-")
    assert made.played[-1].result.winner == 0
    assert refusal("da th", "car32-") == "sheet/count-heads"  # 63 to 31: heads could raise the other to 67
    assert not made.played[-1].count.heads  # type: ignore[union-attr]


def test_trumps_count_double_but_not_a_quinte() -> None:
    """§9"""
    made = sheet("da th sa40h sb50 sb20c")
    assert [made.declared_points(seat) for seat in made.seats] == [80, 70]


@pytest.mark.parametrize(
    ("said", "again", "why"),
    [
        ("sa20h", "sa20h", "sheet/declared-already"),
        ("sa20h", "sa30h", "sheet/declared-already"),
        ("sa20h", "sb20h", "sheet/others-cards"),
        ("sa50", "sa50", "sheet/declared-already"),
        ("sa50", "sb50", "sheet/others-cards"),
        ("sa20h", "sbchh", "sheet/others-cards"),
        ("sa20h", "sb30", "sheet/figure"),
        ("sachs", "sb20h", "sheet/chouine-said"),
        ("sachs", "cap57-", "sheet/not-now"),
        ("", "cap121-", "sheet/sum"),
        ("", "cap57p60", "sheet/sum"),
        ("", "cap57r32120", "sheet/piles"),
        ("", "ca--", "sheet/pile-missing"),
        ("", "cap57", "sheet/piles"),
        ("", "da", "sheet/not-now"),
        ("", "xc", "sheet/act"),
        ("", "nonsense", "sheet/act"),
        ("", "oa", "sheet/not-now"),
    ],
)
def test_what_is_refused(said: str, again: str, why: str) -> None:
    """§9.4, §12: Impossible declarations and counts are refused."""
    assert refusal(f"da ts {said}", again) == why


def test_a_second_of_the_same_suit_counts_as_the_table_agreed() -> None:
    """§9.4: A second figure of a suit counts by the option `again`."""
    assert sheet("da ts sa20h sa30h", "classic;again=full").declared_points(0) == 50
    assert sheet("da ts sa20h sa30h", "classic;again=difference").declared_points(0) == 30


def test_a_chouine_wins_unless_one_in_trumps_answers() -> None:
    """§10"""
    assert sheet("da th sachs e").match.score == (1, 0)
    assert sheet("da th sachs sbchh e").match.score == (0, 1)
    assert sheet("da th sachs sbchd e").match.score == (1, 0)
    assert sheet("da th sb20c sachs e").played[-1].result.points == (0, 20)
    assert sheet("da th sachh e", "classic;trump-chouine=manche").match.manches == (1, 0)


def test_a_tie_is_nobody_s_and_the_same_player_deals_again() -> None:
    """§12"""
    made = sheet("da th cap55-")
    assert totals(made) == (65, 65)
    assert made.match.score == (0, 0)
    assert made.match.dealer == 0


def test_manches_belle_and_sous_la_table() -> None:
    """§13: The other player deals first in manche 2; the belle has a new tirage."""
    manche = "th cap100- ts cap100- tc cap100-"
    made = sheet(f"da {manche}")
    assert made.match.manches == (1, 0)
    assert made.match.sous_la_table == (1,)
    assert made.match.dealer == 1
    made = sheet(f"da {manche} {manche.replace('cap', 'cbp').replace('100-', '0-')}")
    assert made.match.belle
    assert made.waits == "dealer"
    made = sheet(" ".join((*made.acts, "db", *manche.split())))
    assert (made.match.over, made.match.winner, made.waits) == (True, 0, "over")
    assert sheet(" ".join((*made.acts, "oa", "ob"))).agreed == {0, 1}


def test_faults_and_conceding() -> None:
    """§15, §16"""
    made = sheet("da th fa0")
    assert made.waits == "fault"
    assert sheet("da th fa0 g").waits == "play"
    assert sheet("da th fa0 r").match.dealer == 0
    assert sheet("da th fa0 g fa1").match.score == (0, 1)
    assert sheet("da th fa0 g fb1").waits == "fault"
    assert sheet("da th xa").match.score == (0, 1)
    assert sheet("da m").match.partie == 1


def test_three_seats_leave_two_cards_and_four_none() -> None:
    """§5, §12"""
    assert refusal("da th", "cap40p40-", "three") == "sheet/pile-missing"
    assert totals(sheet("da th sc30 cap40p40p30", "three", "3")) == (50, 40, 60)
    assert totals(sheet("db th cap40p40p30-", "four", "3")) == (50, 40, 30, 10)
    assert totals(sheet("db th car11111r11111r11111-", "four", "3")) == (40, 30, 30, 30)
    assert refusal("da th", "cap40p40p10", "three") == "sheet/sum"


def test_mondoubleau_has_no_trump_before_a_declaration() -> None:
    """§17"""
    made = sheet("da sa50 sa20h sb20c", "mondoubleau")
    assert [made.declared_points(seat) for seat in made.seats] == [90, 20]


def test_undoing_leaves_the_last_act_out() -> None:
    made = sheet("da th sa20h cap57-")
    assert made.without_last_act() == sheet("da th sa20h")
    assert made.without_last_act().without_last_act().without_last_act().without_last_act() == sheet("")


@given(st.integers(0, 2**32))
@settings(max_examples=60)
def test_a_partie_played_comes_to_the_same_on_the_sheet(seed: int) -> None:
    """§9, §12: The sheet counts the same points as the program's table."""
    rng = Random(seed)
    state = State.new(TWO, Deal.random(TWO, dealer=0, rng=rng))
    made = sheet("da").after(f"t{'shdc'[state.position.trump]}")
    while state.result is None:
        said = [act for act in state.legal() if isinstance(act, Play) and act.declaration is not None]
        act = rng.choice(said or state.legal())
        seat = state.turn
        if isinstance(act, Play) and act.declaration is not None:
            made = made.after(f"s{'ab'[seat or 0]}{token(act).partition('+')[2]}")
        state = state.play(act)
    if state.result.by == "chouine":
        assert made.after("e").played[-1].result.winner == state.result.winner
        return
    one, other = counts_of(state)
    ranks = "".join(str(sum(card.rank is rank for card in (*one.brisques, *one.heads))) for rank in COUNTED)
    ended = made.after(f"c{'a' if one.der else 'b'}r{ranks}-")
    assert ended.played[-1].result == state.result
    assert ended.played[-1].short == (one.short, other.short)


@given(
    st.lists(
        st.sampled_from(TAPS),
        max_size=40,
    )
)
def test_whatever_is_tapped_a_sheet_is_read_back_the_same(taps: list[str]) -> None:
    made = sheet("")
    for tap in taps:
        try:
            made = made.after(tap)
        except InvalidEntry:
            continue
    assert sheet(" ".join(made.acts)) == made


def test_the_result_alone() -> None:
    """Who has not counted on the sheet enters the manches, any time before the end; one undo takes it back."""
    for acts in ("", "da", "da th sa20h", "da th cap57- th"):
        made = sheet(f"{acts} w12")
        assert made.told
        assert (made.match.winner, made.match.manches, made.waits) == (1, (1, 2), "over")
        assert made.after("oa").agreed == {0}
        assert made.without_last_act() == sheet(acts)
        assert not made.without_last_act().told
    assert sheet("w010", "three", "3").match.winner == 1
    for last in ("w11", "w22", "w10", "w211", "w00"):
        assert refusal("", last) == "sheet/act", last
    assert refusal("w20", "w21") == refusal("w20", "da") == "sheet/not-now"
