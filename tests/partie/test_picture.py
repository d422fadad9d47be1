"""Positions and deals as pictures: small, complete, on their own, and with nothing that a seat may not know."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given

from chouine.cards import PACK, Card, CardSet
from chouine.deck import Canvas
from chouine.notation import Setup, read_position
from chouine.partie import Deal, State
from chouine.partie.deal import SeenHand
from chouine.partie.picture import hand_without
from chouine.rules import PRESETS, Rules
from tests.laws.strategies import SEEDS, moments
from tests.laws.worlds import another_world

SVG = "{http://www.w3.org/2000/svg}"


def drawings_in(svg: str) -> list[str]:
    """The cards, backs and signs on the cloth, in drawing order: a card's name, `back`, `suit-s`."""
    body = svg[svg.index("</defs>") :]
    return [name.replace("index-", "card-") for name in re.findall(r'href="#c\w+?-([^"]+)"', body)]


def cards_of(svg: str) -> list[str]:
    return sorted(name.removeprefix("card-") for name in drawings_in(svg) if name.startswith("card-"))


def parties(preset: str) -> list[State]:
    """Every state of a random partie."""
    rules, rng = Rules.of_preset(preset), Random(5)
    states = [State.new(rules, Deal.random(rules, 0, rng))]
    while not states[-1].result:
        states.append(states[-1].play(rng.choice(states[-1].legal())))
    return states


@pytest.mark.parametrize("preset", PRESETS)
def test_a_state_shows_every_hand_the_trick_and_the_turnup(preset: str) -> None:
    for state in parties(preset):
        seen = state.view(None)
        open_cards = [PACK[card] for card in range(32) for hand in state.position.hands if hand >> card & 1]
        open_cards += [played.card for played in seen.table] + ([] if seen.turnup is None else [seen.turnup])
        svg = state._repr_svg_()
        assert cards_of(svg) == sorted(str(card).lower() for card in open_cards)
        assert drawings_in(svg).count("back") == (seen.talon > (seen.turnup is not None))
        assert (
            (f"suit-{seen.trump.letter}" in drawings_in(svg))
            if seen.trump is not None
            else ("suit" not in svg)
        )


@pytest.mark.parametrize("preset", PRESETS)
def test_a_drawing_is_one_xml_element_whole_by_itself(preset: str) -> None:
    for state in parties(preset)[::6]:
        for svg in (state.svg(), state.view(1).svg("fr"), state.deal._repr_svg_(), Setup.of(state).svg()):
            root = ET.fromstring(svg)  # noqa: S314  our own text
            ids = [str(element.get("id")) for element in root.iter() if element.get("id")]
            used = {str(use.get("href")).removeprefix("#") for use in root.iter(f"{SVG}use")}
            assert len(ids) == len(set(ids))
            assert set(ids) == used, "each drawing once, and none that is not used"
            assert root.get("role") == "img"
            assert root[0].tag == f"{SVG}title"
            assert root[0].text
            assert "var(" not in svg
            assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_the_heaviest_position_of_two_seats_is_below_60_kb() -> None:
    """All aces, seven courts and a back; a deal shows the whole pack and may weigh a little more."""
    canvas = Canvas()
    for name in ["As", "Ah", "Ad", "Ac", "Ks", "Kh", "Kd", "Kc", "Qs", "Qh", "Qc"]:
        canvas.lay(Card(name), 0, 0)
    canvas.lay(None, 0, 0)
    assert len(canvas.svg(420, 404, "")) < 60_000
    assert max(len(state.svg()) for state in parties("classic")) < 60_000
    assert len(parties("four")[0].deal.svg()) < 80_000


@given(moments(), SEEDS)
def test_worlds_that_a_seat_cannot_tell_apart_give_the_same_bytes(state: State, seed: int) -> None:
    """§14"""
    for observer in [*range(state.rules.seats), None]:
        view = state.view(observer)
        other = another_world(view, Random(seed))
        if other is not None:
            assert other.view(observer).svg() == view.svg()
            assert Setup.of(other.view(observer)).svg() == Setup.of(view).svg()


def test_a_view_shows_its_own_hand_nearest_and_the_others_from_behind() -> None:
    state = parties("three")[0]
    for seat in range(3):
        names = drawings_in(state.view(seat)._repr_svg_())
        assert names[-3:] == [f"card-{str(card).lower()}" for card in state.deal.hands[seat]]
        assert names.count("back") == 2 * 3 + 1


def test_two_drawings_on_a_page_share_no_id() -> None:
    first, second = parties("classic")[:2]
    one, other = (set(re.findall(r' id="([^"]+)"', state.svg())) for state in (first, second))
    assert one
    assert not one & other
    assert first.svg() == first.svg()


def test_letters_of_both_languages() -> None:
    state = parties("classic")[0]
    english, french = state.svg("en"), state.svg("fr")
    assert "glyph-K" in english
    assert "glyph-R" not in english
    assert "glyph-R" in french
    assert "glyph-K" not in french


def test_a_deal_shows_the_pack_once() -> None:
    for preset in PRESETS:
        rules = Rules.of_preset(preset)
        deal = Deal.random(rules, 1, Random(2))
        svg = deal.svg()
        assert cards_of(svg) == sorted(str(card).lower() for card in PACK)
        assert "b (dealer)" in svg
        assert str(deal) in svg.replace("&amp;", "&")


def test_the_result_is_written_and_nobody_is_on_turn() -> None:
    end = parties("classic")[-1]
    assert end.result is not None
    assert f"{end.result.text} · classic" in end.svg()
    assert "▸" not in end.svg()
    assert "▸ b · 0 pts" in parties("classic")[0].svg()


def test_rules_with_many_options_do_not_run_over_the_edge() -> None:
    rules = Rules.parse("mondoubleau;head=always;again=difference;declare=lead")
    svg = State.new(rules, Deal.random(rules, 0, Random(1))).svg()
    assert "…</text>" in svg
    assert str(rules) in svg[: svg.index("</title>")]


def test_a_position_line_is_drawn_for_the_seat_to_act() -> None:
    setup = read_position("classic a A.AT.T.A|K.J.7.TK - d - TQ..KQ.Q7|J987.KQ987.AJ98.J98 20d|20c")
    assert drawings_in(setup._repr_svg_())[-5:] == ["card-as", "card-ah", "card-th", "card-td", "card-ac"]
    assert drawings_in(setup.svg(near=1))[-5:] == ["card-ks", "card-jh", "card-7d", "card-tc", "card-kc"]


def test_words_are_escaped() -> None:
    canvas = Canvas()
    canvas.write("<b>\x1b&", 0, 0)
    svg = canvas.svg(10, 10, '</title><script>" id="x"\x07')
    assert "<b>" not in svg
    assert "<script>" not in svg
    assert "\x1b" not in svg
    assert "\x07" not in svg
    ET.fromstring(svg)  # noqa: S314  our own text


def test_a_card_that_is_laid_leaves_a_hand_in_which_it_was_known_or_not() -> None:
    hand = SeenHand(CardSet(PACK[7:10]), 2)
    for card in hand.known:
        assert hand_without(hand, card) == SeenHand(hand.known - CardSet([card]), 2)
    assert hand_without(hand, PACK[0]) == SeenHand(hand.known, 1)
