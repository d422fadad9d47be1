"""Every code that refuses an action, from a realistic position, with its French and English sentences."""

from __future__ import annotations

import re

import pytest

from chouine.cards import Card, CardSet, Suit
from chouine.errors import ChouineError, IllegalAction, InvalidDeal, NotationError
from chouine.partie import Exchange, State
from chouine.partie.actions import check
from chouine.phrases import PHRASES, card_name, in_words, say
from chouine.rules import Rules, rule_table_of
from chouine.rules.combinations import EXCHANGE, MARIAGE
from chouine.rules.explain import explain
from chouine.rules.play import step
from tests.lines import action
from tests.rules.table import endgame, marking_time, partie


def last_draw(option: str = "") -> State:
    """The lead of the last trick with a draw in classic; seat a holds the seven."""
    return marking_time(partie(f"classic{option}", "..7.|", "Kd"), 10, keep="7d")


def answering(state: State) -> State:
    """The state after the leader has played a card other than the seven."""
    return state.play(next(act for act in state.legal() if str(act) not in ("7d", "7x")))


def refusals() -> list[tuple[str, State, str, int]]:
    """Code, state, refused action, and its seat."""
    over = marking_time(partie("classic", "|", "9d"), 16)
    mariage = partie("classic", ".KQ.8.|8...9", "9d")
    late = last_draw(";seven-last=no")
    return [
        ("illegal/over", over, "8s", 0),
        ("illegal/not-your-turn", mariage, "8s", 1),
        ("illegal/no-turnup", partie("mondoubleau", "|"), "7x", 0),
        ("illegal/no-draw-left", marking_time(partie("classic", "..7.|", "Kd"), 11, keep="7d"), "7x", 0),
        ("illegal/seven-turned", partie("classic", "|", "7d"), "7x", 0),
        ("illegal/no-seven", mariage, "7x", 0),
        ("illegal/seven-on-lead", partie("classic;seven=lead", "|..7.", "Kd", actions="8s"), "7x", 1),
        ("illegal/au-sept-asked", marking_time(partie("classic", "..7.|", "Qd"), 10, keep="7d"), "7d", 0),
        ("illegal/seven-too-late", late, "7x", late.turn or 0),
        ("illegal/not-held", mariage, "Ah", 0),
        ("illegal/not-of-figure", mariage, "8d+20h", 0),
        ("illegal/no-such-figure", mariage, "Kh+30", 0),
        ("illegal/declare-on-lead", partie("mondoubleau", "|.KQ..", actions="8s"), "Kh+20h", 1),
        ("illegal/figure-not-held", mariage, "Kh+30h", 0),
        (
            "illegal/said-already",
            partie("classic;figure=held", ".KQ.A.|8.8..", "9c", actions="Ad+20h 8s"),
            "Kh+20h",
            0,
        ),
        ("illegal/suit-counted", partie("classic", ".KQJ.A.|8...", "9c", actions="Jh+30h 8s"), "Kh+20h", 0),
    ]


@pytest.mark.parametrize(
    ("code", "state", "token", "seat"), refusals(), ids=[code for code, *_ in refusals()]
)
def test_a_refusal_names_its_rule_in_both_languages(code: str, state: State, token: str, seat: int) -> None:
    """§5-§12, §17: The sentence cites the §, and the state is unchanged."""
    before = repr(state)
    with pytest.raises(IllegalAction) as refused:
        state.play(action(token), seat)
    assert refused.value.code == code
    assert repr(state) == before
    sentences = [say(code, language, **refused.value.data) for language in ("fr", "en")]
    cited = [re.findall(r"§\d+", sentence) for sentence in sentences]
    assert cited[0] == cited[1] != []
    assert str(refused.value) == sentences[1]


@pytest.mark.parametrize(
    ("code", "rules", "hand", "table", "token", "french", "english"),
    [
        ("illegal/must-follow", "classic", "9.A..", "Kh", "9s", "cœur", "hearts"),
        ("illegal/must-head", "classic", "A7...", "Ks", "7s", "pique", "spades"),
        ("illegal/must-ruff", "classic", "7...9", "Kh", "9c", "pique", "spades"),
        ("illegal/must-overruff", "three", "J7...", "Kh 9s", "7s", "pique", "spades"),
        ("illegal/figure-not-playable", "classic", ".KQ..7", "Ac", "7c+20h", "§9", "§9"),
    ],
)
def test_a_broken_obligation_names_the_suit(
    code: str, rules: str, hand: str, table: str, token: str, french: str, english: str
) -> None:
    """§8, §9: The sentence names the suit; spades are trumps."""
    seats = "|" * len(table.split())
    p = endgame(rules, f"{seats}{hand}", "s", table)
    with pytest.raises(IllegalAction) as refused:
        check(rule_table_of(Rules.parse(rules)), p, p.turn, action(token))
    assert refused.value.code == code
    assert french in say(code, "fr", **refused.value.data)
    assert english in say(code, "en", **refused.value.data)


def test_a_declaration_awaits_its_card() -> None:
    """§9.1, §11: Between a declaration and its card neither a declaration nor an exchange is legal."""
    state = partie("classic", ".KQ.7.A|", "Kd")
    said = step(state.rule_table, (), state.position, MARIAGE + 1)
    assert explain(state.rule_table, said, 0, MARIAGE + 1) == "illegal/card-awaited"
    assert explain(state.rule_table, said, 0, EXCHANGE) == "illegal/card-awaited"
    assert explain(state.rule_table, said, 0, Card("Ac")) == "illegal/not-of-figure"
    assert explain(state.rule_table, said, 0, Card("Kh")) is None


def test_after_au_sept_was_said_and_the_trick_led() -> None:
    """§11: After the lead the holder of the seven is refused the exchange."""
    state = answering(marking_time(partie("classic", "..7.|", "Qd"), 10, keep="7d"))
    assert state.turn == 0
    with pytest.raises(IllegalAction) as refused:
        state.play(Exchange(), 0)
    assert refused.value.code == "illegal/au-sept-past"


def test_every_code_has_been_met() -> None:
    """The tests above produce every code of `explain`."""
    met = {code for code, *_ in refusals()}
    met |= {"illegal/must-follow", "illegal/must-head", "illegal/must-ruff", "illegal/must-overruff"}
    met |= {"illegal/figure-not-playable", "illegal/card-awaited", "illegal/au-sept-past"}
    assert met == {code for code in PHRASES if code.startswith("illegal/")}


def test_cards_and_suits_are_said_in_words() -> None:
    """§1: Cards and suits have names in both languages."""
    assert [card_name(Card(name), "fr") for name in ("Qs", "Td", "Ah")] == [
        "dame de pique",
        "dix de carreau",
        "as de cœur",
    ]
    assert card_name(Card("Qs"), "en") == "queen of spades"
    assert in_words(CardSet(".K..7"), "en") == "the king of hearts and the seven of clubs"
    assert in_words(CardSet(".K..7"), "fr") == "le roi de cœur et le sept de trèfle"
    assert in_words(Card("7c"), "fr") == "le sept de trèfle"
    assert in_words(Suit.CLUBS, "fr") == "trèfle"
    assert in_words(20, "fr") == "20"
    with pytest.raises(KeyError):
        say("illegal/whistling", "fr")


def test_errors_carry_data() -> None:
    """All errors share a base class, and carry code, place and data."""
    for kind in (NotationError, InvalidDeal, IllegalAction):
        assert issubclass(kind, ChouineError)
        assert issubclass(kind, ValueError)
    fault = NotationError("syntax/option", 1, 9, "x=y", known="head")
    moved = fault.at(3, 20)
    assert (moved.line, moved.column, moved.token, moved.code) == (3, 28, "x=y", "syntax/option")
    assert moved.data == fault.data
    lower = NotationError("syntax/option", 2, 9, "x=y", known="head").at(3, 20)
    assert (lower.line, lower.column) == (4, 9)
    assert str(fault) == "Unknown option: “x=y”. Known: head."
    assert InvalidDeal("deal/seats", "deal/turnup").reasons == ("deal/seats", "deal/turnup")
