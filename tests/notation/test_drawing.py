"""Parties and positions drawn for people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import Card, CardSet
from chouine.notation import Record, Setup, partie_line, read_position, read_record, read_records, read_view
from chouine.notation.display import arrange, declaration_spoken, face, faces
from chouine.notation.drawing import draw_record, draw_setup
from chouine.partie import Declaration, Result, State
from chouine.phrases import Language
from chouine.phrases.typography import french_print
from tests.laws.strategies import moments
from tests.notation.test_records import HEAD, LAVARDIN


@pytest.mark.parametrize(
    ("card", "french", "english"),
    [("Ks", "R♠", "K♠"), ("Qh", "D♥", "Q♥"), ("Jc", "V♣", "J♣"), ("Td", "10♦", "10♦"), ("As", "A♠", "A♠")],
)
def test_a_card_as_people_read_it(card: str, french: str, english: str) -> None:
    assert (face(Card(card), "fr"), face(Card(card), "en")) == (french, english)


@pytest.mark.parametrize(
    ("said", "french", "english"),
    [
        ("20d", "J’ai un vingt de carreau", "I have a twenty of diamonds"),
        ("30h", "J’ai un trente de cœur", "I have a thirty of hearts"),
        ("40s", "J’ai un quarante de pique", "I have a forty of spades"),
        ("50", "J’ai un cinquante", "I have a fifty"),
        ("30", "J’ai un trente", "I have a thirty"),
        ("chc", "Chouine de trèfle", "Chouine of clubs"),
    ],
)
def test_what_is_said(said: str, french: str, english: str) -> None:
    """§9.5: Declarations as spoken."""
    assert (declaration_spoken(Declaration(said), "fr"), declaration_spoken(Declaration(said), "en")) == (
        french,
        english,
    )


@pytest.mark.parametrize(
    ("hand", "order"),
    [
        ("Q7.97..8", "D♠ 7♠ 9♥ 7♥ 8♣"),
        ("K.A.A97.", "A♥ R♠ A♦ 9♦ 7♦"),
        ("A.A.A.A", "A♠ A♥ A♣ A♦"),
        ("..97.8", "8♣ 9♦ 7♦"),
        ("...", ""),
    ],
)
def test_a_hand_is_sorted_red_and_black_alternating(hand: str, order: str) -> None:
    """§14: A hand is sorted with red and black suits alternating."""
    assert faces(arrange(CardSet(hand)), "fr") == order


def test_the_example_drawn() -> None:
    lines = draw_record(read_record(LAVARDIN), "fr")
    assert lines[:5] == [
        "Championnat du monde de la Chouine · Lavardin · 2026.03.15 · Jean; Charles · 3x2 · 2 · 3 · 0-1 2-0",
        "classic",
        "Charles donne · atout carreau ♦ · retourne V♦",
        "Jean  D♠ 7♠ 9♥ 7♥ 8♣",
        "Charles  R♥ 7♣ A♦ 9♦ 7♦",
    ]
    assert lines[5] == (
        " 1.  Jean D♠  Charles prend V♦ contre le sept  Charles 7♣  → Jean ramasse 3  Jean tire V♣  Charles tire 8♦"
    )
    assert french_print("Jean D♦ « J’ai un vingt de carreau » (+40)") in lines[10]
    assert lines[15].endswith("{talon épuisé}")
    assert lines[-1] == "Jean gagne 196-44"


def test_an_observer_sees_its_own_cards_alone() -> None:
    lines = draw_record(read_record(LAVARDIN), "en", 1)
    assert lines[3:5] == ["Jean  ? ? ? ? ?", "Charles  K♥ 7♣ A♦ 9♦ 7♦"]
    assert lines[5].endswith("Jean draws ?  Charles draws 8♦")


def test_remarks_are_drawn_variations_are_not() -> None:
    text = f"{HEAD}\n{{un \x1b[2J début}} 1. Qs! (1. 7s) 7c *"
    lines = draw_record(read_record(text), "fr")
    assert lines[4] == "{un  [2J début}"
    assert lines[5].startswith(" 1.  a D♠  !  b 7♣")


def test_au_sept_begins_a_trick() -> None:
    """§11: An "au sept" begins a new trick in the drawing."""
    line = (
        "classic b T.AKQJ..|.8.KQ.KQ 8s JsTdAdThJdAsTcKs9hJc7dAc7s9dQs9s8d8c7h7c9c : "
        "Ts 8h Qh Kc+20c Ah Qd Kh Qc Tc Td Jd Jc Ad As Ac Jh Kd Js 9d 8c 7x"
    )
    [record] = read_records([line])
    assert isinstance(record, Record)
    assert draw_record(record, "fr")[-2] == french_print("11.  a dit « au sept »  b prend 8♠ contre le sept")


def test_the_endgame_drawn() -> None:
    setup = read_position("classic a A.AT.T.A|K.J.7.TK - d - TQ..KQ.Q7|J987.KQ987.AJ98.J98 20d|20c")
    assert draw_setup(setup, "en")[:2] == [
        "classic · a to act · trumps diamonds ♦",
        "a  A♠ A♥ 10♥ A♣ 10♦ · “I have a twenty of diamonds” · taken 10♠ Q♠ K♦ Q♦ Q♣ 7♣ (23)",
    ]
    assert draw_setup(setup, "fr", 1)[1].startswith("a  ? ? ? ? ? · ")


@given(moments(), st.sampled_from(["fr", "en"]), st.data())
def test_any_partie_can_be_drawn(state: State, language: Language, data: st.DataObject) -> None:
    """Any partie can be drawn, and for an observer only its view's cards are."""
    observer = data.draw(st.sampled_from([None, *range(state.rules.seats)]))
    record = Record.of(state)
    lines = draw_record(record, language, observer)
    assert sum(line[:3].strip().rstrip(".").isdigit() for line in lines) >= state.position.tricks
    if observer is None:
        assert draw_setup(Setup.of(state), language)
        return
    view = state.view(observer)
    shown = Record(record.rules, view.deal, record.items, record.result, record.tags)
    assert len(draw_record(shown, language)) == len(lines)
    if read_view(partie_line(view), observer) == view:
        assert draw_record(shown, language) == lines
    setup = Setup.of(state)
    hands = draw_setup(setup, language, observer)[1 : 1 + state.rules.seats]
    for seat, (hand, line) in enumerate(zip(setup.hands, hands, strict=True)):
        if seat != observer:
            assert line.partition(" · ")[0].split()[1:] == ["?"] * len(hand)


def test_how_a_stopped_partie_ends() -> None:
    for by in ("misdeal", "concede", "forfeit", "fault", "nulle", "unfinished", "chouine"):
        record = read_record(f"{HEAD}\n1. Qs 7c *")
        stopped = Record(record.rules, record.deal, record.items, Result(0, (3, 0), by))
        assert draw_record(stopped, "fr")[-1] != draw_record(stopped, "en")[-1]
