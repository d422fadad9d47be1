"""Chromium, Firefox and WebKit: what players do, in each engine, and two of them at one table."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Page

from chouine.server.pages.visit import Settings
from chouine.table import Phase
from chouine.table.entries import Acted
from tests.browser.conftest import Halls, Opens
from tests.browser.engines import OTHERS
from tests.browser.film import STILLED
from tests.browser.house import Guest, House
from tests.browser.lettering import lettering_faults
from tests.browser.moments import AU_SEPT, CHOUINE, LAST_CARD, LAVARDIN, SEVEN, TWENTY, Moment
from tests.browser.player import OFFERS, WAITING_CARD, Player
from tests.browser.visitor import DESKTOP, PHONE
from tests.needs import need
from tests.patience import PATIENCE, REVIEWED, wait_until

LONGEST = 600_000
"""Milliseconds for Python to start in a browser, or for a partie, on a busy machine."""
each_engine = pytest.mark.parametrize(
    "engine", [pytest.param("chromium", marks=pytest.mark.nightly), *OTHERS]
)
"""Chromium does all of this by day in the tests beside this file."""
MANY = "([css, many]) => document.querySelectorAll(css).length === many"
SAYS = "([css, text]) => document.querySelector(css)?.textContent.includes(text)"
NOTICE = "#notice:not([hidden])"
TRICK = ".trick .card"


def shows(page: Page, selector: str, many: int = 1, seconds: float = PATIENCE) -> None:
    """Wait until the page has so many elements."""
    page.wait_for_function(MANY, arg=[selector, many], timeout=1000 * seconds)


def says(page: Page, selector: str, text: str) -> None:
    """Wait until the first such element contains a text."""
    page.wait_for_function(SAYS, arg=[selector, text])


def tap(page: Page, *selectors: str) -> None:
    for selector in selectors:
        page.locator(selector).first.click()


def two_engines(house: House, open_in: Opens, **wishes: Any) -> tuple[str, list[Page]]:
    """A table, and its two seats in Firefox on a phone and in WebKit on a computer.

    They see little motion, which without a graphics card costs more than all the rest.
    """
    calm = Settings(hold=0.5, motion="less")
    guests = [house.guest("Anne", settings=calm), house.guest("Basile", "en", settings=calm)]
    game = house.table(guests, **wishes)
    opened = zip(OTHERS, guests, (PHONE, DESKTOP), strict=True)
    return game, [open_in(engine, house, f"/table/{game}", guest, size) for engine, guest, size in opened]


def play_on(
    house: House, game: str, pages: list[Page], reached: Callable[[], bool], before: str = ""
) -> set[str]:
    """Let both act, but not by `before`, until something is reached; the kinds of their acts."""
    players, acts = [Player(page) for page in pages], set[str]()

    def step_all() -> bool:
        acts.update(filter(None, (player.step(before) for player in players)))
        return reached()

    wait_until("the table to come so far", step_all, LONGEST / 1000)
    return acts


@each_engine
def test_an_empty_box_is_dark_in_the_dark_theme(house: House, open_in: Opens, engine: str) -> None:
    """WebKitGTK drew it white, since it has its own drawing for boxes in every theme."""
    guest = house.guest("Anne", settings=Settings(theme="dark"))
    page = open_in(engine, house, "/settings", guest)
    for kind in ("checkbox", "radio"):
        box = f"getComputedStyle(document.querySelector('input[type={kind}]:not(:checked)'))"
        assert page.evaluate(f"{box}.appearance") == "none"
        assert page.evaluate(f"{box}.backgroundColor") == "rgb(42, 49, 45)"


def test_firefox_plays_webkit(house: House, open_in: Opens) -> None:
    """Tirage, cut, count and the next partie; twenty cards in the middle are played in the database."""
    game, pages = two_engines(house, open_in, terms="3x1")
    acts = play_on(house, game, pages, lambda: house.room(game).phase is Phase.PLAY, OFFERS["play"])
    assert {"pick", "cut"} <= acts
    house.play_on(game, 20)
    acts = play_on(house, game, pages, lambda: bool(house.room(game).played), OFFERS["go-on"])
    assert "play" in acts
    for page in pages:
        shows(page, ".sheet.count .total", 2)
    acts = play_on(house, game, pages, lambda: house.room(game).phase is not Phase.PLAY)
    assert "go-on" in acts


@pytest.mark.nightly
def test_firefox_plays_a_whole_partie_with_webkit(house: House, open_in: Opens) -> None:
    game, pages = two_engines(house, open_in, deal=LAVARDIN)
    acts = play_on(house, game, pages, lambda: all(Player(page).over for page in pages))
    assert {"exchange", "play"} <= acts


def test_a_server_that_dies_between_firefox_and_webkit(own_house: House, open_in: Opens) -> None:
    """With a card on the table: both say so, the other's card is played afterwards, and a reload shows the same."""
    house = own_house
    house.start()
    game, pages = two_engines(house, open_in, deal=LAVARDIN)
    tap(pages[0], WAITING_CARD)
    for page in pages:  # the other has it from the server: loaded again before, the first would not send it
        shows(page, TRICK)
    for page in pages:
        page.reload()
        shows(page, f"html.js {TRICK}")
    house.kill()
    for page in pages:
        shows(page, NOTICE)
    tap(pages[1], WAITING_CARD)
    house.start()
    for page in pages:
        shows(page, ".past .card", 2)
        shows(page, NOTICE, 0)
    assert len(house.cards(game)) == 2
    play_on(house, game, pages, lambda: len(house.cards(game)) >= 4)


def table_at(house: House, guest: Guest, moment: Moment, terms: str = "1x1") -> str:
    """A table at a moment at which the guest may act."""
    guests = [house.guest("Basile"), house.guest("Basile")]
    guests[moment.seat] = guest
    return house.table(guests, moment.rules, terms, moment.deal, moment.played)


@each_engine
def test_exchange_declarations_and_au_sept(house: House, open_in: Opens, engine: str) -> None:
    """§9 to §11, and the count."""
    guest = house.guest("Irma")
    page = open_in(engine, house, "/", guest)

    def at(moment: Moment, terms: str = "1x1") -> str:
        game = table_at(house, guest, moment, terms)
        page.goto(f"{house.url}/table/{game}")
        return game

    game = at(SEVEN)
    tap(page, OFFERS["exchange"])
    wait_until("the exchange", lambda: house.log(game)[-1] == Acted(SEVEN.seat, "7x"))
    game = at(TWENTY)
    tap(page, OFFERS["declare"])
    wait_until("the declaration", lambda: house.cards(game)[-1].endswith("+20d"))
    game = at(CHOUINE)
    page.evaluate(
        "document.getElementById('table').dataset.motion = 20"
    )  # a frame before may be shown as slowly
    tap(page, OFFERS["declare"])
    says(page, ".feast .title", "Chouine de pique")
    box = (
        "(e => [e.left, e.top, e.width, e.height])(document.querySelector('.feast').getBoundingClientRect())"
    )
    assert page.evaluate(box) == [0, 0, *PHONE]
    game = at(AU_SEPT)
    tap(page, OFFERS["pass"])
    wait_until("“au sept” to have passed", lambda: not house.room(game).window)
    game = at(LAST_CARD, "3x1")
    tap(page, WAITING_CARD)
    shows(page, ".sheet.count .total", 2)
    tap(page, OFFERS["go-on"])
    wait_until("the next partie", lambda: house.room(game).phase is not Phase.PLAY)


@each_engine
def test_back_and_forward(house: House, open_in: Opens, engine: str) -> None:
    """A table left and come back to shows what happened meanwhile, and goes on."""
    guest = house.guest("Irma")
    game = table_at(house, guest, Moment("classic", LAVARDIN, "", 1))
    page = open_in(engine, house, f"/table/{game}", guest)
    shows(page, ".hand .card", 5)
    page.goto(f"{house.url}/rules")
    house.play(game, "Qs")
    page.go_back()
    shows(page, TRICK)
    page.evaluate("() => { window.seen = true }")
    page.go_forward()
    shows(page, ".hand", 0)
    page.go_back()
    page.wait_for_function("() => !window.seen")  # one that the browser has kept loads itself anew
    shows(page, f"html.js {TRICK}")
    tap(page, WAITING_CARD)
    wait_until("the card to be received", lambda: len(house.cards(game)) == 2)


@each_engine
def test_score_keeper_lesson_and_problem(house: House, open_in: Opens, engine: str) -> None:
    page = open_in(engine, house, "/marqueur", house.guest("Irma"))
    tap(
        page,
        "button[value=start]",
        "button[value=da]",
        "button[value=th]",
        ".saying summary",
        "button[value=sa20h]",
    )
    says(page, ".saying summary b", "40")
    tap(page, ".saying summary", ".counting summary", ".tap:has([name=der][value=a])")
    tap(
        page,
        *(f".tap:has([name=many-{letter}][value='{n}'])" for letter, n in zip("ATKQJ", "22310", strict=True)),
    )
    tap(page, "button[value=count]")
    shows(page, ".last")
    page.goto(f"{house.url}/learn/partie")
    tap(page, ".guide button[value='7x']")
    shows(page, ".happened")
    page.goto(f"{house.url}/learn/problems")
    tap(page, "main a.button[href^='/learn/problem/']", ".guide button[value]")
    shows(page, ".answer", seconds=REVIEWED)


@each_engine
def test_large_letters_break_no_word(house: House, open_in: Opens, engine: str) -> None:
    """On a phone: the replay's steps and a lesson in the program's large letters, other pages with text at 200 %."""
    guest = house.guest("Irma", settings=Settings(large=True, hold=0.5))
    over = Moment("classic", LAST_CARD.deal, f"{LAST_CARD.played} Tc", LAST_CARD.seat)
    game = table_at(house, guest, over)
    page = open_in(engine, house, "/", guest)
    faults = {}
    for address in (f"/match/{game}/1?trick=6", f"/table/{game}", "/learn/takes/2"):
        page.goto(house.url + address)
        faults[address] = lettering_faults(page)
    for address in ("/", "/learn", "/settings", f"/match/{game}", "/marqueur"):
        page.goto(house.url + address)
        page.evaluate("() => { document.documentElement.style.fontSize = '34px' }")
        faults[address] = lettering_faults(page)
    assert {address: found for address, found in faults.items() if found} == {}


FLYERS = """async now => {
  film.at(now);
  await new Promise(requestAnimationFrame); // what has landed is taken away
  const boxes = {};
  for (const flyer of document.querySelectorAll(".flyer")) {
    const card = flyer.querySelector("use").href.baseVal.replace(/.*#/, "");
    const {x, y, width, height} = flyer.firstElementChild.getBoundingClientRect();
    if (getComputedStyle(flyer).opacity > 0 && width > 20) boxes[card] = [x + width / 2, y + height / 2];
  }
  return boxes;
}"""
"""The visible flying cards that are not edge-on, each with the middle of its box."""
INVERT = """card => {
  for (const face of document.querySelectorAll(".flyer .face"))
    face.style.filter = face.closest(".flyer").querySelector(`use[href$='#${card}']`) ? "invert(1)" : "";
  return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""Black cards differ from whatever lies under them."""
DIFFERENT = """async pictures => {
  const pixels = async text => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), one => one.charCodeAt(0))]));
    const canvas = Object.assign(document.createElement("canvas"), {width: image.width, height: image.height});
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [one, other] = await Promise.all(pictures.map(pixels));
  const spots = [];
  for (let at = 0; at < one.data.length; at += 4) {
    const far = [0, 1, 2].some(colour => Math.abs(one.data[at + colour] - other.data[at + colour]) > 24);
    if (far) spots.push([at / 4 % one.width, Math.floor(at / 4 / one.width)]);
  }
  const [across, down] = [0, 1].map(side => spots.map(spot => spot[side]));
  const middle = all => all.sort((a, b) => a - b)[0] / 2 + all.at(-1) / 2;
  return spots.length < 40 ? null : [middle(across), middle(down)];
}"""
"""The middle of where two pictures differ; null if they do not."""


def check_flights(page: Page, flyers: int, *times: int) -> None:
    """Wait for so many flying cards, and compare where two of them are painted with their boxes, at these times."""
    page.wait_for_function(
        "many => (film.at(film.now + 60), document.querySelectorAll('.flyer').length >= many)", arg=flyers
    )
    seen, begun = set[str](), page.evaluate("film.now")
    for time in times:
        boxes = page.evaluate(FLYERS, begun + time)
        for card in [*boxes][-2:]:
            pictures, until = [picture_with(page, "")], monotonic() + PATIENCE
            # Until nothing else changes meanwhile, and the card does: a picture may be older than what was asked for.
            while len(pictures) < 3 or not pictures[-3] == pictures[-1] != pictures[-2]:
                assert monotonic() < until, f"{card} is painted nowhere at {time}"
                pictures += [picture_with(page, card), picture_with(page, "")]
            assert page.evaluate(DIFFERENT, pictures[-2:]) == pytest.approx(boxes[card], abs=CLOSE), (
                card,
                time,
            )
            seen.add(card)
    assert seen


def picture_with(page: Page, black: str) -> str:
    """A picture of the page with this card black, or none."""
    page.evaluate(INVERT, black)
    return b64encode(page.screenshot()).decode()


CLOSE = 30
"""Pixels: half a card may pass under a text."""


@each_engine
def test_cards_are_painted_where_they_fly(house: House, open_in: Opens, engine: str) -> None:
    """The deal, the exchange, and the trick with the draw, on pictures of the page."""
    guest = house.guest("Irma", hold=0.3)
    dealt = house.table([guest, house.guest("Basile")])
    page = open_in(engine, house, f"/table/{dealt}", guest)
    shows(page, "html.js #table")
    page.evaluate(STILLED)
    house.pick_cards(dealt)
    house.cut_pack(dealt)
    check_flights(page, 6, 250)
    game = table_at(house, guest, SEVEN)
    page.goto(f"{house.url}/table/{game}")
    shows(page, "html.js .exchange")
    page.evaluate(STILLED)
    tap(page, ".exchange")
    check_flights(page, 2, 600)
    page.evaluate("film.at(film.now + 2000)")
    shows(page, ".flyer", 0)
    tap(page, WAITING_CARD)
    check_flights(page, 3, 150, 700)


@each_engine
def test_a_result_at_the_desk_of_a_contest(halls: Halls, open_in: Opens, engine: str) -> None:
    """It is typed, and the screen on the wall shows it at once."""
    hall = halls()
    hall.fill(8, 1, open_tables=4)
    hall.start()
    desk = open_in(engine, hall, hall.opening.removeprefix(hall.url), size=DESKTOP)
    screen = open_in(engine, hall, "/screen", size=DESKTOP)
    shows(screen, ".done", 0)
    desk.goto(f"{hall.url}/results")
    desk.locator("#table").press_sequentially("2")
    desk.locator("#score").press_sequentially("20")
    tap(desk, "form.quick button.main")
    says(desk, ".given", "Table 2")
    shows(screen, ".done")


@pytest.mark.nightly
@pytest.mark.timeout(2400)
@pytest.mark.parametrize("engine", OTHERS)
def test_a_match_with_the_server_gone(own_house: House, open_in: Opens, engine: str) -> None:
    """Chouine is taken along, and a match is played without a server, also in a page opened again or gone back to."""
    need("pyodide")
    own_house.start()
    page = open_in(engine, own_house, "/")
    tap(page, "#takeaway-ask", "#takeaway-go")
    page.wait_for_function("() => !document.querySelector('#takeaway-kept').hidden", timeout=LONGEST)
    own_house.kill()
    page.goto(f"{own_house.url}/offline")
    page.wait_for_function("() => !document.querySelector('#site').hidden", timeout=LONGEST)
    site = page.frame("site")
    assert site is not None
    site.locator("form.at-once button.huge").first.click(timeout=LONGEST)
    player = Player(site)  # type: ignore[arg-type]
    player.play_until(".past .card")
    page.goto(f"{own_house.url}/offline")
    page.wait_for_function("() => !document.querySelector('#site').hidden", timeout=LONGEST)
    player.play_until(".sheet.count")
    page.goto("about:blank")
    page.go_back()
    page.wait_for_function("() => !document.querySelector('#site').hidden", timeout=LONGEST)
    player.play_until(WAITING_CARD)
