"""Partie lines read back to the same value, for every observer, with no hidden information."""

from __future__ import annotations

from copy import copy
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import BRISQUES, CardSet
from chouine.errors import IllegalAction, NotationError
from chouine.notation import PartieLine, complete_deal, read_deal, read_state
from chouine.notation.lines import (
    Disclosures,
    contradicts,
    disclose,
    disclosures,
    legal,
    partie_line,
    read_view,
    result_of_duplicate,
    seen_by_turn,
)
from chouine.notation.tokens import read_suits
from chouine.partie import Deal, Event, Exchanged, Shown, State, View
from chouine.partie.actions import Figure
from chouine.partie.events import Played
from chouine.partie.state import arrange_draw
from chouine.rules.options import PRESETS, Rules
from tests.laws.strategies import moments

BEGINNING = "classic b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc : Qs 7x 7c 8c 8d 9d 9s"
SEAT_B = "classic b ?5|.K.A97.7 Jd ??8d9c??8s???????????????????????????????? : Qs 7x 7c 8c 8d 9d 9s"
SEAT_A = "classic b Q7.97..8|?5 Jd Jc????9s??Qd?????????????????????????????? : Qs 7x 7c 8c 8d 9d 9s"


def test_the_whole_truth_is_one_line() -> None:
    state = read_state(BEGINNING)
    assert partie_line(state) == BEGINNING
    assert state.position.tricks == 3


def test_a_partie_with_duplicate_draws_is_read_to_its_result() -> None:
    """Its line has the talon as it was dealt, not as the seats drew."""
    rng = Random(3)
    state = dealt = State.new(Rules(), Deal.random(Rules(), 0, rng))
    acts = []
    while state.result is None:
        action = rng.choice(state.legal())
        acts.append(str(action))
        state = arrange_draw(state, action).play(action)
    assert state.deal != dealt.deal
    assert result_of_duplicate(f"{partie_line(dealt)} {' '.join(acts)}") == state.result
    assert result_of_duplicate(partie_line(dealt)) is None


def test_a_seat_writes_hands_as_dealt_and_its_own_draws() -> None:
    state = read_state(BEGINNING)
    assert partie_line(state.view(0)) == SEAT_A
    assert partie_line(state.view(1)) == SEAT_B


def test_a_seats_line_reads_as_that_seats_view() -> None:
    state = read_state(BEGINNING)
    for seat, line in enumerate((SEAT_A, SEAT_B)):
        view = read_view(line, seat)
        assert view == state.view(seat)
        assert view.legal == state.view(seat).legal
        assert view.position == state.view(seat).position


@pytest.mark.parametrize("left_out", [1, 2, 15])
def test_unknown_cards_at_the_end_of_a_talon_may_be_left_out(left_out: int) -> None:
    head, _, actions = SEAT_A.partition(" : ")
    short = f"{head[: -2 * left_out]} : {actions}"
    assert short != SEAT_A
    assert partie_line(read_view(short, 0)) == SEAT_A
    assert str(PartieLine.parse(short)) == SEAT_A


@pytest.mark.parametrize(
    "line",
    [
        "classic b ?5|.K.A97.7 Jd ?????????????????????????????????????????? : Qs",
        f"mondoubleau b Q7.97..8|?5 - {'??' * 22} :",
    ],
)
def test_an_unknown_talon_may_be_left_out(line: str) -> None:
    short = line.replace("??", "").replace("  ", " ")
    assert short.count(" ") == line.count(" ") - 1
    assert read_view(short, None) == read_view(line, None)


def test_a_talon_with_drawn_cards_cannot_be_left_out() -> None:
    for line, code in ((SEAT_A, "deal/own-cards"), (BEGINNING, "deal/talon-size")):
        fields = line.split()
        short = " ".join(fields[:4] + fields[5:])
        with pytest.raises(NotationError) as told:
            read_view(short, 0)
        assert (told.value.code, told.value.column) == (code, short.index(":") + 1)


@pytest.mark.parametrize("talon", ["Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAh", "Jc"])
def test_the_talon_of_the_whole_truth_must_be_whole(talon: str) -> None:
    head, _, actions = BEGINNING.partition(" : ")
    short = f"{head.rpartition(' ')[0]} {talon} : {actions}"
    with pytest.raises(NotationError) as told:
        PartieLine.parse(short)
    assert told.value.code == "deal/talon-size"


def test_a_card_drawn_cannot_be_left_out_of_its_seats_line() -> None:
    head, _, actions = SEAT_A.partition(" : ")
    short = f"{head.partition('Jc')[0]}Jc : {actions}"
    with pytest.raises(NotationError) as told:
        read_view(short, 0)
    assert told.value.code == "deal/own-cards"


def test_nothing_played_ends_with_the_colon() -> None:
    line = BEGINNING.partition(" : ")[0] + " :"
    assert partie_line(read_state(line)) == line
    assert str(PartieLine.parse(line)) == line


def test_a_line_is_read_whatever_blanks_are_between_its_words() -> None:
    assert partie_line(read_state("  " + BEGINNING.replace(" ", " \t ") + "  ")) == BEGINNING


@given(moments())
def test_every_line_comes_back(state: State) -> None:
    line = partie_line(state)
    assert read_state(line) == state
    assert str(PartieLine.parse(line)) == line


@given(moments(), st.data())
def test_every_seats_line_comes_back(state: State, data: st.DataObject) -> None:
    """A view's line reads back, except for data that lines omit: the seat of an "au sept", others' brisques."""
    observer = data.draw(st.sampled_from([*range(state.rules.seats), None]))
    view = state.view(observer)
    line = partie_line(view)
    read = read_view(line, observer)
    assert partie_line(read) == line
    assert read_view(line, observer) == read
    assert [told for pair in zip(read.events, view.events, strict=True) if (told := difference(*pair))] == []
    assert str(PartieLine.parse(line)) == line
    assert read.hand == view.hand
    assert read.legal == view.legal
    assert read.points == view.points


def difference(read: Event, told: Event) -> tuple[Event, Event] | None:
    """Two events, if they differ in more than lines omit; otherwise None."""
    match read, told:
        case Shown(seat=a, declaration=said, cards=None), Shown(seat=b, declaration=same) if (a, said) == (
            b,
            same,
        ):
            return None
        case Exchanged(seat=None, card=card), Exchanged(card=same) if card == same:
            return None
    return None if read == told else (read, told)


@given(moments(), st.data())
def test_the_whole_truth_read_for_a_seat_is_that_seats_view(state: State, data: st.DataObject) -> None:
    """§14: The full line read for a seat gives that seat's view."""
    observer = data.draw(st.sampled_from([*range(state.rules.seats), None]))
    assert read_view(partie_line(state), observer) == state.view(observer)


@given(moments())
def test_a_deal_comes_back(state: State) -> None:
    assert complete_deal(read_deal(str(state.deal), state.rules)) == state.deal
    seen = state.deal.seen_by(0)
    assert read_deal(str(seen), state.rules) == seen
    assert complete_deal(seen) is None


def test_a_deal_is_four_words() -> None:
    with pytest.raises(NotationError) as caught:
        read_deal(BEGINNING.removeprefix("classic "), Rules())
    assert (caught.value.code, caught.value.column, caught.value.token) == ("syntax/surplus", 67, ":")


@pytest.mark.parametrize("short", ["", "classic", "classic b ?5|.K.A97.7 Jd"])
def test_a_line_that_is_too_short_is_told_its_form(short: str) -> None:
    """The whole line's: that of the deal within it was named."""
    with pytest.raises(NotationError, match="rules dealer hands turnup talon : actions"):
        PartieLine.parse(short)


@pytest.mark.parametrize(
    ("line", "observer", "code", "column"),
    [
        (SEAT_A, 1, "deal/own-cards", 11),
        (SEAT_A.replace("9s", "??", 1), 0, "deal/own-cards", 26),
        (SEAT_A, 2, "deal/seat", 9),
        (SEAT_A, -1, "deal/seat", 9),
        (SEAT_A, -(10**30), "deal/seat", 9),
        ("", 0, "syntax/short", 1),
    ],
)
def test_a_seat_must_know_its_own_cards(line: str, observer: int, code: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        read_view(line, observer)
    assert (caught.value.code, caught.value.column) == (code, column)


def test_a_spectators_line_needs_no_hand() -> None:
    line = f"classic b ?5|?5 Jd {'??' * 21} : Qs 7x 7c"
    view = read_view(line, None)
    assert isinstance(view, View)
    assert view.legal == ()
    assert partie_line(view) == line


def test_the_truth_is_not_read_out_of_a_seats_line() -> None:
    with pytest.raises(NotationError) as caught:
        read_state(SEAT_A)
    assert (caught.value.code, caught.value.column) == ("deal/unknown", 11)


def test_an_illegal_action_has_its_place() -> None:
    with pytest.raises(NotationError) as caught:
        read_state(BEGINNING + " As", line=7)
    error = caught.value
    assert (error.code, error.line, error.column, error.token) == ("illegal/not-held", 7, 98, "As")


def test_a_deal_that_is_a_value_writes_the_same_text() -> None:
    state = read_state(BEGINNING)
    assert isinstance(state.deal, Deal)
    assert BEGINNING.startswith(f"classic {state.deal} :")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_view_comes_back_whole(preset: str) -> None:
    """§9.5, §11: Shown cards and the seat of an exchange are restored."""
    rules, known = Rules.of_preset(preset), Disclosures((), ())
    # a line omits the shown cards in seed 4, and the exchanging seat in seeds 6 and 20
    for seed in (4, 6, 20):
        rng = Random(seed)
        state = State.new(rules, Deal.random(rules, 0, rng))
        while state.turn is not None:
            view = state.view(state.turn)
            known = disclosures(view)
            again = disclose(read_view(partie_line(view), view.observer), known)
            assert again == view
            assert not contradicts(again)
            assert seen_by_turn(partie_line(view)).observer == view.observer
            assert legal(partie_line(view)) == view.legal
            said = [act for act in state.legal() if "+" in str(act)]
            state = state.play(rng.choice(said or state.legal()))
        with pytest.raises(ValueError, match="one for each"):
            disclose(state.view(0), Disclosures((*known.shown, None), (*known.exchanged, None)))


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("classic b ?5|.K.A98.7 Jd ?? : 7x Qs", Disclosures((), (1,))),
        ("classic b ?5|.K.A97.7 Jd 8c : Qs+20s 7d", Disclosures((read_suits("..AJ."),), ())),
        ("classic b ?5|.K.A97.7 Jd 8c : Qs+20s 7d", Disclosures((read_suits("KQ..J."),), ())),
    ],
)
def test_an_impossible_exchange_or_figure_contradicts(line: str, known: Disclosures) -> None:
    """§9, §11: seat b had no seven; a mariage of spades is its king and queen."""
    assert contradicts(disclose(read_view(line, 1), known))


@pytest.mark.parametrize("preset", ["three", "four"])
def test_cards_shown_that_others_lay_contradict(preset: str) -> None:
    """§9.5: whoever showed a card keeps it until they lay it, and shows no more than a hand holds."""
    rules, found = Rules.of_preset(preset), 0
    for seed in range(60):
        rng = Random(seed)
        state = State.new(rules, Deal.random(rules, 0, rng))
        while state.turn is not None:
            said = [act for act in state.legal() if "+50" in str(act) or "+30" in str(act)]
            state = state.play(rng.choice(said or state.legal()))
        for nth, shown in enumerate(each for each in state.events if isinstance(each, Shown)):
            known = disclosures(state.view(0))
            after = state.events[state.events.index(shown) :]
            others = [each.card for each in after if isinstance(each, Played) and each.seat != shown.seat]
            brisques = [card for card in others if BRISQUES >> card & 1]
            if shown.seat and brisques and shown.declaration.figure in (Figure.QUINTE, Figure.TRENTE):
                own = shown.cards or CardSet()
                for cards in (own | CardSet(brisques[:1]), own | CardSet(brisques), CardSet(brisques)):
                    wrong = known._replace(shown=(*known.shown[:nth], cards, *known.shown[nth + 1 :]))
                    assert contradicts(disclose(state.view(0), wrong))
                    found += 1
    assert found


def test_an_error_can_be_copied() -> None:
    error = IllegalAction("7x", "illegal/card")
    assert vars(copy(error)) == vars(error)
