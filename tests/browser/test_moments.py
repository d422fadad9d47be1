"""What a table must show at each event, to the acting player and to the other."""

from __future__ import annotations

import re
from dataclasses import replace

from playwright.sync_api import Page, expect

from chouine.table.entries import Acted, Conceded, WindowClosed
from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import AFTER_TALON, AU_SEPT, CHOUINE, LAST_CARD, SEVEN, THIRTY, TWENTY, Moment
from tests.browser.player import HELD, take_trick
from tests.browser.visitor import DESKTOP, PHONE, Visitor
from tests.patience import PATIENCE

BUBBLE = ".others .bubble"
LAID_OPEN = ".others .laid-open .card"
TRICK = ".trick .card"
READY_TOO_SOON = "body:has(.au-sept) .hand.ready"


def two(
    house: House, visit: Visits, moment: Moment, hold: float = 0.5, window: float = PATIENCE
) -> tuple[str, Visitor, Visitor]:
    """A table at a moment in two browsers: its identifier, the browser on turn, and the other."""
    guests = [house.guest("Anne", "fr", hold), house.guest("Basile", "en", hold)]
    game = house.table(guests, moment.rules, deal=moment.deal, played=moment.played, window=window)
    visitors = [visit(house, guest=guests[0], size=PHONE), visit(house, guest=guests[1], size=DESKTOP)]
    for visitor in visitors:
        visitor.go(f"/table/{game}")
    return game, visitors[moment.seat], visitors[1 - moment.seat]


def hand_of(page: Page) -> list[str]:
    """The hand, by the labels of its buttons."""
    return [card.get_attribute("aria-label") or "" for card in page.locator(".hand .card").all()]


def test_one_tap_declares_and_plays(house: House, visit: Visits) -> None:
    """§9: an answerer's declaration is offered with its value, then said and laid open to the other side."""
    game, anne, basile = two(house, visit, TWENTY)
    for place in (BUBBLE, LAID_OPEN, "#live"):
        basile.remember(place)
    offer = anne.page.get_by_role("group", name=re.compile("vingt de carreau.*40", re.IGNORECASE))
    expect(offer.get_by_role("button")).to_have_count(2)
    offer.get_by_role("button", name=re.compile("dame")).click()
    basile.has_seen(BUBBLE, "I have a twenty of diamonds")
    assert basile.seconds_shown(LAID_OPEN, 2) > 0
    basile.has_seen("#live", "I have a twenty of diamonds")
    expect(anne.page.locator(".hand .card")).to_have_count(5)
    last = house.log(game)[-1]
    assert isinstance(last, Acted)
    assert last.token == "Qd+20d"


def test_the_answerer_declares_too(house: House, visit: Visits) -> None:
    """§9.1: the answering seat can declare."""
    _, basile, anne = two(house, visit, THIRTY)
    anne.remember(BUBBLE)
    expect(
        basile.page.get_by_role("group", name=re.compile("thirty of diamonds.*30", re.IGNORECASE))
    ).to_be_visible()
    basile.page.locator(".figure", has_text="Twenty of diamonds").click()
    offer = basile.page.get_by_role("group", name=re.compile("twenty of diamonds.*20", re.IGNORECASE))
    offer.get_by_role("button").first.click()
    anne.has_seen(BUBBLE, "J’ai un vingt de carreau")


def test_a_chouine_ends_the_partie(house: House, visit: Visits) -> None:
    """§10: a chouine wins the partie and is laid open."""
    game, basile, anne = two(house, visit, CHOUINE)
    anne.remember(BUBBLE)
    offer = basile.page.get_by_role("group", name=re.compile("chouine of spades", re.IGNORECASE))
    offer.get_by_role("button").first.click()
    anne.has_seen(BUBBLE, "Chouine de pique")
    expect(anne.page.locator("#headline")).to_have_text("Chouine ! Basile gagne la partie.")
    laid_open = anne.page.locator(".chouine .card")
    expect(laid_open).to_have_count(5)
    expect(laid_open.first).to_have_attribute("aria-label", "as de pique")
    assert house.room(game).match.winner == 1


def test_the_exchange_is_shown_to_the_other_side(house: House, visit: Visits) -> None:
    """§11: the other side sees the exchange and the new turnup."""
    _, basile, anne = two(house, visit, SEVEN)
    anne.remember(".exchanged")
    expect(anne.page.locator(".turnup")).to_have_attribute("aria-label", re.compile("valet de carreau"))
    basile.page.get_by_role("button", name=re.compile("Exchange the seven")).click()
    anne.has_seen(".exchanged", "Basile")
    expect(anne.page.locator(".turnup")).to_have_attribute("aria-label", re.compile("sept de carreau"))
    expect(basile.page.get_by_role("button", name="jack of diamonds", exact=True)).to_be_visible()
    expect(basile.page.get_by_role("button", name=re.compile("Exchange the seven"))).to_have_count(0)


def at_au_sept(house: House, visit: Visits, window: float = PATIENCE) -> tuple[Visitor, Visitor]:
    """The answering and the other browser; "au sept", which times out, is said only once both show the table."""
    *before, last = AU_SEPT.played.split()
    game, *visitors = two(house, visit, replace(AU_SEPT, played=" ".join(before)), window=window)
    for visitor in visitors:
        visitor.page.locator(".hand .card").first.wait_for()
        for place in (".au-sept", ".au-sept button", ".exchanged", READY_TOO_SOON):
            visitor.remember(place)
    house.play(game, last)
    answering, other = visitors
    return answering, other


def test_au_sept_is_said_and_answered(house: House, visit: Visits) -> None:
    """§11: the exchange in answer to "au sept" is shown to both."""
    basile, anne = at_au_sept(house, visit)
    basile.page.locator(".au-sept button[value='7x']").click()
    anne.has_seen(".au-sept", "Au sept")
    anne.has_seen(".exchanged", "Basile")
    expect(anne.page.locator(".hand.ready")).to_be_visible()
    assert anne.has_never_seen(READY_TOO_SOON)


def test_au_sept_closes_by_itself(house: House, visit: Visits) -> None:
    """§11: "au sept" times out without a tap."""
    basile, anne = at_au_sept(house, visit, window=20.0)
    assert basile.seconds_shown(".au-sept button", 2) > 2
    expect(anne.page.locator(".hand.ready")).to_be_visible()
    expect(basile.page.locator(".au-sept button")).to_have_count(0)
    game = basile.page.url.rpartition("/")[2]
    # by the server's clock: a busy page shows the buttons late
    *_, (_, said), (last, closed) = house.do(lambda tables: tables.store.log(game))
    assert isinstance(last, WindowClosed)
    assert closed - said > 19.9


def test_a_refusal_says_why(house: House, visit: Visits) -> None:
    """§8: a refusal gives its reason in the player's language, restores the hand and allows the legal card."""
    game, basile, _ = two(house, visit, AFTER_TALON)
    basile.expected = r"^422 for POST"
    before, entries = hand_of(basile.page), house.room(game).n
    basile.page.locator(".hand .card.barred").first.click()
    expect(basile.page.get_by_role("alert")).to_contain_text("§8")
    assert hand_of(basile.page) == before
    assert house.room(game).n == entries
    basile.page.locator(".hand .card:not(.barred)").click()
    expect(basile.page.get_by_role("alert")).to_be_hidden()
    expect(basile.page.locator(".hand .card")).to_have_count(len(before) - 1)


def test_the_rules_lead_back_to_the_table(house: House, visit: Visits) -> None:
    """Links lead from a § at the table to its chapter, to another one, and back to the same hand."""
    _, basile, _ = two(house, visit, AFTER_TALON)
    page = basile.page
    hand, table = hand_of(page), page.url
    page.locator(".rule a").click()
    expect(page.locator("h1")).to_contain_text("§8")
    page.get_by_role("link", name="§9").click()
    expect(page.locator("h1")).to_contain_text("§9")
    page.get_by_role("link", name="Back to the table").click()
    expect(page.locator(".hand .card")).to_have_count(len(hand))
    assert page.url.partition("?")[0] == table
    assert hand_of(page) == hand


def test_a_refusal_without_scripts(house: House, visit: Visits) -> None:
    """§8: without JavaScript a refusal also names its §."""
    guest = house.guest("Basile", "fr")
    game = house.table(["heuristic", guest], deal=AFTER_TALON.deal, played=AFTER_TALON.played)
    basile = visit(house, guest=guest, scripts=False)
    basile.expected = r"^422 for POST"
    page = basile.go(f"/table/{game}")
    page.locator(".hand .card.barred").first.click()
    expect(page.get_by_role("alert")).to_contain_text("§8")
    page.locator(".hand .card:not(.barred)").click()
    expect(page.get_by_role("alert")).to_be_hidden()


def test_a_complete_trick_is_held(house: House, visit: Visits) -> None:
    """A complete trick is held as long as the player's setting says."""
    _, basile, anne = two(house, visit, SEVEN, hold=3.0)
    basile.remember(TRICK)
    basile.page.get_by_role("button", name="nine of diamonds", exact=True).click()
    assert 2.9 < basile.seconds_shown(TRICK, 2) < HELD
    expect(anne.page.locator(TRICK)).to_have_count(0)
    expect(anne.page.locator(".past .card")).to_have_count(2)


def test_a_tap_takes_the_trick(house: House, visit: Visits) -> None:
    _, basile, _ = two(house, visit, SEVEN, hold=HELD)
    basile.page.get_by_role("button", name="nine of diamonds", exact=True).click()
    expect(basile.page.locator(".trick .card")).to_have_count(2)
    take_trick(basile.page)


def test_the_menu_is_heeded_while_a_trick_is_held(house: House, visit: Visits) -> None:
    """A tap on the menu works during a hold and does more than end it."""
    game, basile, anne = two(house, visit, SEVEN, hold=HELD)
    basile.page.get_by_role("button", name="nine of diamonds", exact=True).click()
    expect(anne.page.locator(".trick .card")).to_have_count(2)  # so that the server has answered
    basile.page.locator(".menu > summary").click()
    basile.page.locator("summary", has_text="Give up").click()
    basile.page.get_by_role("button", name="Give up this partie").click()
    expect(basile.page.locator("section.count").first).to_be_visible()
    assert isinstance(house.log(game)[-1], Conceded)


def test_the_count_and_the_revanche(house: House, visit: Visits) -> None:
    """§12, §13: the count with brisques, heads, declarations and dix de der; a revanche wanted by both opens."""
    game, basile, anne = two(house, visit, LAST_CARD)
    basile.page.locator(".hand .card").click()
    sides = anne.page.locator("section.count section.count")
    expect(sides).to_have_count(2)
    expect(sides.nth(0)).to_contain_text("Cinquante")
    expect(sides.nth(0).locator(".total .sum")).to_have_text("196")
    expect(sides.nth(1).locator(".total .sum")).to_have_text("44")
    expect(anne.page.locator("#headline")).to_have_text("Vous gagnez la partie, 196–\N{WORD JOINER}44.")
    expect(basile.page.locator("#headline")).to_have_text("Anne wins the partie, 196–\N{WORD JOINER}44.")
    for player in (anne, basile):
        player.page.locator("form[action*='/revanche'] button").click()
    for player in (anne, basile):
        expect(player.page.locator(".spread")).to_be_visible()
    assert anne.page.url.partition("?")[0] == basile.page.url.partition("?")[0]
    assert game not in anne.page.url


def test_what_one_may_look_at(house: House, visit: Visits) -> None:
    """§14: one's own tricks and the other's last one can be looked at; talon, turnup and trump are visible."""
    _, anne, _ = two(house, visit, TWENTY)
    page = anne.page
    expect(page.locator(".talon .left")).to_contain_text("12")
    expect(page.locator(".trump")).to_contain_text("carreau")
    piles = page.locator(".pile:not([hidden])")
    for pile in piles.all():
        pile.locator("summary").click()
        expect(pile.locator(".panel")).to_be_visible()
    other = page.locator(".others .pile .panel li")
    assert other.count() <= 1
    mine = page.locator(".me .pile")
    taken = int((mine.locator(".count").inner_text()).split()[0])
    expect(mine.locator(".panel li")).to_have_count(taken)


def test_nothing_hidden_is_sent(house: House, visit: Visits) -> None:
    """The page contains neither the other hand nor the talon."""
    game, basile, anne = two(house, visit, SEVEN)
    state = house.room(game).state
    assert state is not None
    known = {str(card).lower() for card in state.view(1).hand} | {"qs", "jd"}
    assert cards_in_page(basile.page) == known
    anne.page.wait_for_selector(".others .seat.awaited")
    assert cards_in_page(anne.page) == {"7s", "9h", "7h", "8c", "qs", "jd"}


def cards_in_page(page: Page) -> set[str]:
    """The cards whose faces are in the page, visible or not."""
    return set(re.findall(r"#card-(\w\w)\b", page.content()))
