"""The desk of a contest in Chromium: its pages, prints and screens."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from playwright.sync_api import Page, Route, expect

from chouine.contest import ResultEntered, Score, draw, formula_for
from chouine.contest.formula import Kind
from chouine.phrases import Language
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.solver import cheapest_matching
from tests.browser.conftest import Halls, Visits
from tests.browser.hall import SEED, Hall
from tests.browser.lettering import lettering_faults
from tests.browser.pairs import themes_of
from tests.browser.test_every_page import (
    APART,
    FINGER,
    SET,
    TARGETS,
    beyond_width,
    faults_by,
    faults_of,
    room_on,
)
from tests.browser.visitor import DESKTOP, PHONE, Size, Visitor, resize
from tests.needs import need
from tests.night import is_night

SLOW = 3
"""Factor allowed on a busy machine."""
STAYING = "window.setInterval = () => 0;"
"""A screen shows one of its pages: on a busy machine the seconds until the next one pass while it is measured."""
A4 = (595, 842)
"""Width and height in points."""


@pytest.fixture
def hall(halls: Halls) -> Hall:
    return halls()


def at_the_desk(hall: Hall, visit: Visits, language: Language = "fr", size: Size = DESKTOP) -> Visitor:
    """A browser logged in as the desk."""
    visitor = visit(hall, language=language, size=size)
    visitor.page.goto(hall.opening)
    return visitor


PAGES = (
    "/", "/entries", "/entries?q=agn", "/entries/1", "/door", "/door?q=tar", "/settings", "/copies", "/check",
    "/import", "/draw/main", "/draw/consolante", "/round/main/1",
    "/round/main/3?by=name", "/results", "/table/main/1/1", "/table/main/3/1", "/palmares", "/log", "/desks", "/join",
    "/evening", "/public", "/public?q=bordier", *(f"/screen?page={nth}" for nth in range(5)), "/print/slips/main/3",
    "/print/calls/main/3", "/print/tree/main", "/print/tree/consolante", "/print/ranking", "/print/diplomas",
    "/print/instructions", "/print/digest", "/print/accounts", "/print/press", "/print/poster", "/print/by-hand",
    "/nowhere",
)  # fmt: skip


@pytest.mark.parametrize(("language", "size"), [("fr", PHONE), ("en", DESKTOP)])
def test_every_page_of_the_desk(hall: Hall, visit: Visits, language: Language, size: Size) -> None:
    """No faults by axe-core (by day on a phone, on the wall for screens), no scrolling sideways, large targets apart.

    Nor do pages for the hand scroll sideways, or break a word, on a phone with text at 200 %.
    """
    need("axe")
    hall.fill(41, 3, open_tables=3)
    hall.start()
    visitor = at_the_desk(hall, visit, language, size)
    visitor.expected = r"^404 for .*/nowhere"
    visitor.context.add_init_script(STAYING)
    faults = {}
    for number, address in enumerate(PAGES):
        page = visitor.go(address)
        by_axe = is_night() or (size == PHONE) != address.startswith("/screen")
        themes = themes_of(number, language) if by_axe else ()
        found = [fault for theme in themes for fault in faults_by(page, theme)]
        if address.startswith("/screen") and size == PHONE:  # its letters are for a wall
            found += beyond_width(page)
        elif not address.startswith("/print"):
            found += room_on(page)
        if not address.startswith(("/print", "/screen")):
            resize(page, PHONE)
            page.evaluate(SET, "34px")
            found += beyond_width(page) + lettering_faults(page)
            resize(page, size)
        if found:
            faults[address] = found
    assert faults == {}


def test_the_page_that_opens_a_contest(halls: Halls, visit: Visits) -> None:
    """The start page of `chouine concours` opens a contest by its title, later the same one, or a copy."""
    need("axe")
    hall = halls("home/Chouine", made=False)
    hall.start()
    visitor = at_the_desk(hall, visit, "fr", PHONE)
    page = visitor.page
    assert faults_of(page) == []
    for summary in page.locator("summary").all()[1:]:
        summary.click()
    assert faults_of(page) == []
    assert page.evaluate(TARGETS, [FINGER, APART]) == []
    page.locator("#title").fill("Concours de Troo")
    with page.expect_response("**/stream"):
        page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Concours de Troo")
    hall.end()
    with page.expect_response("**/stream"):  # the open page of the desk reconnects
        hall.start()
    page.goto(hall.opening)
    page.get_by_role("button", name="Concours de Troo").click()
    expect(page.locator("h1")).to_have_text("Concours de Troo")
    hall.end()
    hall.start()
    page.goto(hall.opening)
    page.locator("summary", has_text="Depuis une clé").click()
    page.locator("#copy").set_input_files(hall.folder / "concours-de-troo.chouine")
    page.get_by_role("button", name="Reprendre le concours").click()
    expect(page.locator("h1")).to_have_text("Concours de Troo")
    assert (hall.folder / "concours-de-troo-2.chouine").is_file()


def test_a_file_that_cannot_be_opened_is_named_within_the_page(halls: Halls, visit: Visits) -> None:
    """Its long path is broken rather than reach beyond a phone with large letters."""
    hall = halls("home/Chouine", made=False)
    hall.folder.mkdir(parents=True)
    (hall.folder / f"concours-{'de' * 20}.chouine").write_bytes(b"no contest")
    hall.start()
    page = at_the_desk(hall, visit, "fr", PHONE).page
    page.get_by_role("button", name="Plus grand").click()
    expect(page.locator(".notice li")).to_have_count(1)
    assert beyond_width(page) == []


def test_a_laptop_that_is_killed_comes_back(hall: Hall, visit: Visits) -> None:
    """After a restart in under 5 s a helper continues without joining again, and the screen reconnects."""
    hall.fill(8, 1, open_tables=4)
    hall.start()
    screen = visit(hall, size=DESKTOP)
    screen.expected = "never mind"
    screen.go("/screen")
    helper = visit(hall)
    helper.page.goto(f"{hall.url}/join")
    helper.page.locator("#pin").fill(hall.pin("results"))
    helper.page.get_by_label("résultats", exact=True).check()
    helper.page.keyboard.press("Enter")
    helper.page.get_by_role("link", name="Saisir les résultats").click()
    page, times = helper.page, list[float]()
    for table in ("1", "2", "3"):
        page.locator("#table").fill(table)
        page.locator("#score").fill("20")
        page.keyboard.press("Enter")
        expect(page.locator(".given")).to_contain_text(f"Table {table}")
        page.wait_for_load_state()  # with its scripts, which a laptop that is dead no longer sends
        hall.kill()
        expect(page.locator("#lost")).to_be_in_viewport()  # however long the page is
        began = time.monotonic()
        hall.start()
        page = helper.go("/results")
        times.append(time.monotonic() - began)
        assert len(hall.contest.main[0].open) == 4 - int(table)
    assert min(times) < 5 * SLOW
    expect(screen.page.locator(".done")).to_have_count(3)
    expect(screen.page.locator("#lost")).to_be_hidden()


def test_the_screen_and_the_phones_show_an_act_at_once(hall: Hall, visit: Visits) -> None:
    """Open pages update without a reload, including a name searched on a phone and the link to the next screen."""
    hall.fill(8, 1, open_tables=4)
    hall.start()
    screen, phone = visit(hall, size=DESKTOP).go("/screen"), visit(hall).go("/public")
    found = visit(hall).go("/public?q=benoit")
    expect(screen.locator(".done")).to_have_count(0)
    desk = at_the_desk(hall, visit).go("/results")
    other = at_the_desk(hall, visit).go("/results")
    desk.locator("#table").fill("2")
    desk.locator("#score").fill("20")
    desk.keyboard.press("Enter")
    expect(screen.locator(".done")).to_have_count(1)
    expect(phone.locator(".done")).to_have_count(1)
    expect(other.locator("#playing .taps")).to_have_count(3)
    expect(found.locator("h2")).to_have_text(re.compile("Benoît"))
    address = screen.evaluate("document.body.dataset.next")
    assert address.startswith("/screen?page=")


def test_a_form_pressed_twice_is_sent_once(hall: Hall, visit: Visits) -> None:
    """A second submit while the first is pending is ignored, or the entry would be doubled."""
    hall.start()
    page = at_the_desk(hall, visit).go("/entries")
    sent = list[str]()

    def slowly(route: Route) -> None:
        if route.request.method != "GET":  # the list may be loaded again, since an entry is new
            sent.append(route.request.method)
        time.sleep(0.5)
        route.continue_()

    page.route("**/entries", slowly)
    page.get_by_label("Nom", exact=True).fill("Agnès")
    page.evaluate("""() => {
      Object.defineProperty(Event.prototype, "timeStamp", {value: 0}); // the timer of a busy page is late
      const form = document.querySelector("form.entering");
      form.requestSubmit();
      setTimeout(() => form.requestSubmit(), 100);
    }""")
    expect(page.locator(".given")).to_contain_text("Agnès")
    assert sent == ["POST"]
    assert len(hall.contest.entrants) == 1


def test_the_cut_card_is_touched_and_the_phone_verifies_the_draw(hall: Hall, visit: Visits) -> None:
    """Enter on the empty field draws nothing; the public page checks the log without HTTPS, once closed round 1 too."""
    hall.fill(8, 0)
    hall.start()
    visitor = at_the_desk(hall, visit)
    visitor.expected = "422"
    page = visitor.go("/draw/main")
    expect(page.locator("#said")).to_be_focused()  # which a busy page does late
    page.keyboard.press("Enter")
    expect(page.locator("[role=alert]")).to_contain_text("Touchez la carte")
    assert not hall.contest.main
    page.get_by_role("button", name="dame de cœur").click()
    expect(page.locator("h1")).to_have_text("C’est bien votre choix ?")
    page.get_by_role("button", name="Tirer au sort").click()
    expect(page.locator("h1")).to_contain_text("Tour 1")
    assert hall.contest.main[0].card == "Qh"
    phone = visit(hall, size=PHONE).go("/check")
    expect(phone.locator("#verdict .good")).to_have_count(1)
    for act in ("end", "reveal"):
        page = visitor.go("/log")
        if act == "end":
            page.locator("summary").click()
            page.locator("#why").fill("orage")
        page.locator(f"button[value={act}]").click()
        page.locator(f".consequences button[value={act}]").click()
    expect(page.locator(".log")).to_contain_text("Graine")
    phone.reload()
    expect(phone.locator("#verdict .good")).to_have_count(3)
    expect(phone.locator("#verdict .bad")).to_have_count(0)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("rooms", [(), (("Salle des fêtes", 12), ("Bar", 20))])
def test_the_screen_shows_all_of_a_page(
    halls: Halls, visit: Visits, seats: int, rooms: tuple[tuple[str, int], ...]
) -> None:
    """No screen needs scrolling, and numbers keep a distance from names."""
    hall = halls(formula=formula_for("lavardin", seats), rooms=rooms)
    hall.fill(84, 2, open_tables=3)
    hall.start()
    for page in screens(visit(hall, size=DESKTOP)):
        assert page.evaluate(LOST) == [0], page.url
        assert page.evaluate(GAPS) >= 8, page.url


def test_no_name_in_a_tree_is_cut(halls: Halls, visit: Visits) -> None:
    """Nor that of who is exempt, beside whose name there is a word."""
    hall = halls()
    hall.fill(84, 9)
    hall.start()
    exempt = 0
    for page in screens(visit(hall, size=DESKTOP)):
        assert page.evaluate(LOST) == [0], page.url
        exempt += page.locator(".alone").count()
    assert exempt > 0


def screens(visitor: Visitor) -> Iterator[Page]:
    """All pages that the hall's screen cycles through."""
    visitor.context.add_init_script(STAYING)
    page, following = visitor.go("/screen"), None
    while following != "/screen?page=0":
        yield page
        following = page.evaluate("document.body.dataset.next")
        visitor.go(following)


GAPS = """() => Math.min(99, ...[...document.querySelectorAll(".hall main > ol > li")].map(
  li => li.children[1].getBoundingClientRect().left - li.children[0].getBoundingClientRect().right))"""
SMALL = """() => { const pen = document.createElement("canvas").getContext("2d"); return Object.fromEntries(
  [...document.querySelectorAll(".hall *")].filter(e => e.getClientRects().length
    && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())).map(e => {
      const style = getComputedStyle(e);
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const metres = pen.measureText("H").actualBoundingBoxAscent / innerHeight;
      return [e.textContent.trim(), Math.atan(metres / 10) * 180 / Math.PI * 60]; })); }"""
"""The height in arc minutes of the capitals of each text, from ten metres, on a screen one metre high."""
LOST = """() => [Math.max(0, document.documentElement.scrollHeight - innerHeight),
  ...[...document.querySelectorAll(".by-names span, .tree li > span > span")]
  .filter(e => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 8).map(e => e.textContent)]"""
"""By how many pixels a page needs scrolling, and the names that are cut."""


@pytest.mark.parametrize("size", [DESKTOP, (1024, 768)])
def test_the_screen_is_read_from_ten_metres(halls: Halls, visit: Visits, size: Size) -> None:
    """A normal eye needs 5 arc minutes: all has 6, and names that fit on a line, which everybody looks for, 10."""
    hall = halls(rooms=(("Salle des fêtes", 12), ("Bar", 30)))
    hall.fill(78, 1, open_tables=39)
    hall.start()
    visitor = visit(hall, size=size)
    visitor.context.add_init_script(STAYING)
    page = visitor.go("/screen")  # fetches the typeface, which a page shows only if it is there at once
    for nth in range(2):
        page.goto(f"{hall.url}/screen?page={nth}")
        heights = page.evaluate(SMALL)
        assert min(heights.values()) >= 6
        assert min(height for text, height in heights.items() if " " in text and len(text) < 15) >= 10
        assert page.evaluate(LOST) == [0]
    with closing(ContestStore(hall.path)) as store:
        for table in store.contest.main[0].open:
            store.do(ResultEntered("main", 1, table.number, Score.of((2, 0))), "results 1")
        store.do(draw(store.contest, "main", SEED, "Qh", solver=cheapest_matching), "desk")
        store.do(ResultEntered("main", 2, 1, Score.of((2, 1))), "results 1")
    for nth in range(6):
        page.goto(f"{hall.url}/screen?page={nth}")
        assert {text: height for text, height in page.evaluate(SMALL).items() if height < 6} == {}, nth


def sheet(page: Page, folder: Path) -> pypdfium2.PdfDocument:
    """The page as Chromium prints it."""
    path = folder / "sheet.pdf"
    page.pdf(path=path, prefer_css_page_size=True)
    return pypdfium2.PdfDocument(path)


def texts(paper: pypdfium2.PdfDocument) -> list[str]:
    """The text of each printed page, with normalised blanks."""
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in paper]


def is_whole(paper: pypdfium2.PdfDocument, size: tuple[int, int] = A4) -> None:
    """Check that all pages are of this size, black on white, with margins of 5 mm, the printable area."""
    for page in paper:
        assert [round(side) for side in page.get_size()] == list(size)
        image = page.render(scale=1).to_numpy().astype(int)
        assert (image.max(axis=2) - image.min(axis=2)).max() < 8, "colour"
        ink = np.argwhere(image.min(axis=2) < 200)
        assert ink.size, "an empty page"
        assert ink.min() >= 14
        assert (np.array(image.shape[:2]) - ink.max(axis=0)).min() >= 14


CUT = """() => [...document.querySelectorAll("main *")]
  .filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow !== "visible")
  .map(e => e.textContent)"""


OVER = """() => [...document.querySelectorAll(".slip")].filter(e => { const pen = e.querySelector("footer span");
  return e.scrollHeight > e.clientHeight + 1 || (pen && pen.getBoundingClientRect().top
    - e.querySelector(".how").getBoundingClientRect().bottom < 20) }).map(e => e.textContent)"""
"""Slips with more than they have room for, which would be printed over the next one, or without 5 mm to sign."""


@pytest.mark.parametrize("language", ["fr", "en"])
def test_paper(halls: Halls, visit: Visits, tmp_path: Path, language: Language) -> None:
    """84 entries: 42 slips on 11 sheets, two sheets of calls, both trees, the ranking, instructions, diplomas."""
    hall = halls(language=language, rooms=(("Salle des fêtes", 12), ("Bar de l’Étoile", 40)))
    hall.fill(84, 7)
    hall.start()
    page = at_the_desk(hall, visit, language).page
    names = [f"Table {n}" for n in range(1, 43)]

    def print_page(address: str) -> pypdfium2.PdfDocument:
        page.goto(hall.url + address)
        page.emulate_media(media="print")
        assert page.evaluate(CUT) == []
        return sheet(page, tmp_path)

    slips = print_page("/print/slips/main/1")
    is_whole(slips)
    assert page.evaluate(OVER) == []
    assert [re.findall(r"Table \d+", text) for text in texts(slips)] == [
        names[n : n + 4] for n in range(0, 42, 4)
    ]
    assert all(len(re.findall("Signature", text)) == 8 for text in texts(slips)[:10])
    calls = print_page("/print/calls/main/1")
    is_whole(calls)
    assert len(calls) == 2
    assert texts(calls)[0].count("Bordier") == texts(calls)[1].count("Bordier")
    for stage in ("main", "consolante"):
        tree = print_page(f"/print/tree/{stage}")
        is_whole(tree, (A4[1], A4[0]))
        assert len(tree) <= 2
    ranking = print_page("/print/ranking")
    is_whole(ranking)
    assert len(ranking) == 1
    instructions = print_page("/print/instructions")
    is_whole(instructions)
    assert len(instructions) == 1
    is_whole(print_page("/print/digest"))
    accounts = print_page("/print/accounts")
    is_whole(accounts)
    assert "84 " in texts(accounts)[-1]
    diplomas = print_page("/print/diplomas")
    is_whole(diplomas)
    assert len(diplomas) == 6
    for address, pages in (("/print/press", 1), ("/print/poster", 1), ("/print/by-hand", 4)):
        paper = print_page(address)
        is_whole(paper)
        assert len(paper) == pages, address


def test_a_fixed_tree_on_paper(halls: Halls, tmp_path: Path, visit: Visits) -> None:
    """The tree of 84 entries, with a cadrage to 64: four sheets of sixteen places and one that joins them."""
    hall = halls(formula=formula_for("tree"))
    hall.fill(84, 2)
    hall.start()
    page = at_the_desk(hall, visit).go("/print/tree/main")
    tree = sheet(page, tmp_path)
    is_whole(tree, (A4[1], A4[0]))
    assert len(tree) == 5


@pytest.mark.parametrize(
    ("kind", "seats", "members"), [("lavardin", 3, 1), ("lavardin", 4, 1), ("poules", 2, 1), ("swiss", 2, 2)]
)
def test_slips_of_other_formats(
    halls: Halls, tmp_path: Path, visit: Visits, kind: Kind, seats: int, members: int
) -> None:
    """Slips fit for three and four at a table, and for both boards of two teams."""
    hall = halls(formula=formula_for(kind, seats, members=members))
    hall.fill(12, 1)
    hall.start()
    page = at_the_desk(hall, visit).go("/print/slips/main/1")
    page.emulate_media(media="print")
    assert page.evaluate(CUT) == []
    slips = sheet(page, tmp_path)
    is_whole(slips)
    assert len(slips) == -(-len(hall.contest.main[0].played) // (4 if seats == 2 and members == 1 else 3))
    assert page.evaluate(OVER) == []
