"""Offline play: with the server gone a whole match is played and kept in the browser, then sent to the server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, FrameLocator, Locator, Page, expect

from chouine.notation import read_records
from tests.browser.download import PATIENCE, Relay, start_relay, taken_along
from tests.browser.house import House
from tests.browser.processes import megabytes
from tests.browser.visitor import PATIENT, PHONE, show
from tests.needs import need
from tests.patience import wait_until
from tests.server.offline.playing import Device

MOST = 9_000_000
"""Bytes that are fetched, nothing of them twice."""
MEMORY = 450
"""Megabytes of the page's process after a match, once the browser has collected what is free."""
LONGEST = 1_200.0
"""Seconds for a match of one partie on a busy machine."""
SHORT = 10_000
"""Milliseconds for a tap, whose target may disappear."""
VERBS = ("pick", "cut", "go-on", "pass")
ACTS = ", ".join(
    [*(f"form[action$='/{verb}'] button" for verb in VERBS), ".hand.ready button:not([aria-disabled])"]
)
AGAIN = "form[action$='/revanche'] button"
LAST = "async () => (await caches.match('/offline/last'))?.text() ?? ''"
ASLEEP = "window.Worker = class { postMessage() {} }"
"""Prevents Python from starting."""


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    need("pyodide")
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, locale="fr-FR")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(PATIENT)
    yield context.new_page()
    context.close()


@pytest.fixture
def relay(own_house: House) -> Iterator[Relay]:
    own_house.start()
    with start_relay(own_house) as counting:
        yield counting


def online(page: Page, address: str) -> None:
    """Open a server's page, again while a slow answer makes the browser show its offline copy."""

    def open_page() -> bool:
        try:
            page.goto(address)
        except Error:
            return False  # the offline page reloads once its matches are sent
        return not page.url.endswith("/offline")

    wait_until(f"{address} from the server", open_page, PATIENCE / 1000)


ANSWERED = "async () => (await fetch('/offline/rules').catch(() => null))?.ok ?? false"


def wait_for_python(page: Page) -> None:
    """Wait until Python answers: it may need more than the minute after which a page asked for is given up."""
    wait_until("Python to answer", lambda: page.evaluate(ANSWERED), PATIENCE / 1000)


KEEP = """async (matches) => {
  const opening = indexedDB.open("chouine", 1);
  opening.onupgradeneeded = () => ["matches", "me"].forEach((name) => opening.result.createObjectStore(name));
  await new Promise((done) => { opening.onsuccess = done; });
  const writing = opening.result.transaction("matches", "readwrite");
  for (const [key, text] of Object.entries(matches)) writing.objectStore("matches").put({ at: 0, text }, key);
  await new Promise((done) => { writing.oncomplete = done; });
  opening.result.close();
}"""
KEPT = """async () => {
  const opening = indexedDB.open("chouine", 1);
  await new Promise((done) => { opening.onsuccess = done; });
  const store = opening.result.transaction("matches").objectStore("matches");
  const [keys, all] = [store.getAllKeys(), store.getAll()];
  await new Promise((done) => { all.onsuccess = done; });
  opening.result.close();
  return keys.result.filter((_, nth) => !all.result[nth].carried);
}"""


def test_a_match_that_is_refused_keeps_no_other_back(phone: Page, house: House) -> None:
    """Each refusal is told with its reason, and what was refused stays on the device."""
    device = Device()
    first, second, third = (
        device.set_table(rules="classic", format="1x1", **{"chair-0": "me", "chair-1": "level:1"})
        for _ in range(3)
    )
    for game in (first, second, third):
        device.play_out(game)
    unfinished = json.loads(device.matches[second])
    unfinished["log"].pop()
    matches = {"1": device.matches[first], "2": json.dumps(unfinished), "3": device.matches[third]}
    phone.goto(house.url)
    phone.evaluate(KEEP, matches)
    phone.reload()
    phone.route(
        "**/offline/carry", lambda route: route.fulfill(status=413, body="too large"), times=1
    )  # as a proxy would
    phone.click("#takeaway-carry button")
    told = phone.locator("#takeaway-told")
    expect(told).to_contain_text("Ce match n’est pas fini")
    expect(told).to_contain_text("413")
    assert phone.evaluate(KEPT) == ["1", "2"]
    phone.reload()
    expect(phone.locator(".matches li")).to_have_count(1)
    phone.click("#takeaway-carry button")
    expect(told).not_to_contain_text("413")
    expect(told).to_contain_text("Ce match n’est pas fini")
    assert phone.evaluate(KEPT) == ["2"]


LEARN = """async (me) => {
  const opening = indexedDB.open("chouine", 1);
  await new Promise((done) => { opening.onsuccess = done; });
  const writing = opening.result.transaction("me", "readwrite");
  writing.objectStore("me").put(me, "me");
  await new Promise((done) => { writing.oncomplete = done; });
  opening.result.close();
}"""


def test_progress_that_is_refused_is_told_and_kept(phone: Page, house: House) -> None:
    """It stood there that all was brought."""
    phone.goto(house.url)
    phone.evaluate(KEEP, {})
    phone.evaluate(LEARN, json.dumps({"learned": {"done": ["takes"]}}))
    phone.reload()
    phone.route("**/learn/progress", lambda route: route.fulfill(status=413, body="too large"), times=1)
    phone.click("#takeaway-carry button")
    told = phone.locator("#takeaway-told")
    expect(told).to_contain_text("Vos progrès")
    expect(told).to_contain_text("413")
    phone.click("#takeaway-carry button")
    expect(phone.locator("#takeaway-carry")).to_be_hidden()
    phone.goto(f"{house.url}/learn/progress")
    expect(phone.locator("main")).to_contain_text("1 sur 16")


def play_out(page: Page, site: FrameLocator) -> None:
    """Make any possible act until the match is over."""
    until, tried = time.monotonic() + LONGEST, 0
    while not site.locator(AGAIN).count():
        assert time.monotonic() < until, site.locator("body").inner_text()
        try:
            if offered := site.locator(ACTS).count():
                tried += 1  # refused cards have buttons too
                site.locator(ACTS).nth(tried % offered).click(timeout=SHORT)
        except Error:
            continue  # the button disappeared meanwhile
        page.wait_for_timeout(50)


def led_to(site: FrameLocator, way: str, goal: Locator) -> bool:
    """Whether `goal` is there; otherwise tap an act or `way`."""
    try:
        if not goal.count() and site.locator(f"{ACTS}, {way}").count():
            site.locator(f"{ACTS}, {way}").first.click(timeout=SHORT)
    except Error:
        return False  # the button disappeared meanwhile
    return goal.count() > 0


def choose_sound(page: Page, site: FrameLocator) -> None:
    """Choose sounds at the table, which is answered and stored."""
    site.locator(".ears summary").click(timeout=PATIENCE)
    with page.expect_response("**/offline/sound") as chosen:
        site.locator(".ears [name=sound]").check()
    assert chosen.value.status == 204


def download_record(page: Page, site: FrameLocator) -> str:
    """Download the record of the match that is shown."""
    link = site.locator("a[href$='.cgn']")
    link.wait_for()
    page.frames[1].wait_for_load_state()  # only then the page around the frame hands it over
    with page.expect_download() as written:
        link.click()
    return written.value.path().read_text()


def ask_for_a_hint(page: Page, site: FrameLocator) -> None:
    """Open some problem and ask for its first hint."""
    page.frames[1].evaluate("() => { location.href = '/offline/learn/problems/one'; }")
    site.locator("form.hints button").first.click(timeout=PATIENCE)
    expect(site.locator("p.idea")).to_be_visible(timeout=PATIENCE)


def a_reader_of_two_finds_the_curtain_down(phone: Page, site: FrameLocator) -> None:
    """With two players on the device a reload covers the hand: the other player may hold the device."""
    phone.frames[1].evaluate("() => { location.href = '/offline/'; }")
    site.locator("details.choose > summary").click(timeout=PATIENCE)
    site.locator(".choices select[name='chair-1']").select_option("me")
    site.locator("form.choices button.main").click()
    uncovered = site.locator(".hand .card").first
    way = ".curtain a.button:not(.plain)"
    wait_until("a hand to be uncovered", lambda: led_to(site, way, uncovered), LONGEST)
    phone.reload()
    expect(site.locator(".curtain")).to_be_visible(timeout=PATIENCE)
    expect(site.locator(".hand")).to_have_count(0)


COPIES = "async () => (await caches.keys()).map((name) => name.slice('chouine-offline-'.length))"
IN_USE = (
    "async () => (await navigator.locks.query()).held.some((lock) => lock.name === 'chouine-offline-used')"
)
OTHER = "0123456789ab"
"""The version of a copy that is not there yet."""
UNANSWERED = "StorageManager.prototype.persist = () => new Promise(() => {})"
"""As in Firefox, which asks whether the site may keep its data, while nobody answers."""
GO = "document.getElementById('takeaway-go').click()"


@pytest.mark.timeout(3_600)
def test_a_copy_stays_until_the_next_one_is_whole_and_not_in_use(phone: Page, relay: Relay) -> None:
    """An update that breaks off leaves the copy; one that succeeds replaces it once no page is open that uses it."""
    phone.add_init_script(UNANSWERED)
    taken_along(phone, relay)
    (version,) = phone.evaluate(COPIES)
    files = phone.evaluate("async () => (await (await fetch('/offline/files.json')).json()).files")
    step = phone.locator("#takeaway-step")

    def offer(*more: str) -> None:
        phone.unroute_all()
        phone.route(
            "**/offline/files.json",
            lambda route: route.fulfill(json={"version": OTHER, "files": [*files, *more]}),
        )

    offer("/offline/static/absent")
    online(phone, relay.url)
    phone.evaluate(GO)
    expect(step).to_contain_text("n’a pas marché", timeout=PATIENCE)
    assert phone.evaluate(COPIES) == [version]
    expect(phone.locator("#takeaway-kept")).to_be_visible()

    beside = phone.context.new_page()
    beside.add_init_script(ASLEEP)
    beside.goto(f"{relay.url}/offline")
    wait_until("the copy to be in use", lambda: beside.evaluate(IN_USE))
    offer()
    phone.evaluate(GO)
    expect(step).to_contain_text("C’est fait", timeout=PATIENCE)
    assert phone.evaluate(COPIES) == [version, OTHER]
    beside.close()
    wait_until("the copy to be free", lambda: not phone.evaluate(IN_USE))
    after = phone.context.new_page()
    after.goto(f"{relay.url}/offline")
    expect(after.locator("#site")).to_be_visible(timeout=PATIENCE)
    wait_until("the older copy to be dropped", lambda: phone.evaluate(COPIES) == [OTHER])


MATCHES = "a[href^='/offline/table/'], a[href^='/offline/match/']"
DEAF = "window.BroadcastChannel = class { postMessage() {} }"
"""A page that hears and says nothing, as one that a phone has frozen."""


def python_runs_in(*pages: Page) -> list[bool]:
    """Which pages run Python; asking them something lets Playwright hear of it."""
    return [page.evaluate("true") and len(page.workers) == 1 for page in pages]


@pytest.mark.timeout(3_600)
def test_all_tabs_have_one_python(phone: Page, relay: Relay) -> None:
    """The page in sight runs Python for all; out of sight it gives it up: to another at once, else after a while.

    It is taken from a frozen page, which then stores nothing any more: its matches are the other page's.
    """
    taken_along(phone, relay)
    first, frozen, second = phone, phone.context.new_page(), phone.context.new_page()
    frozen.add_init_script(DEAF)
    second.clock.install()

    def open_offline(tab: Page) -> None:
        tab.goto(f"{relay.url}/offline")
        expect(tab.frame_locator("#site").locator("form.at-once")).to_be_visible(timeout=PATIENCE)

    open_offline(frozen)
    assert python_runs_in(frozen) == [True]
    show(frozen, away=True)
    open_offline(first)
    wait_until("Python to be taken over", lambda: python_runs_in(frozen, first) == [False, True])
    frozen.close()

    # From here on the pages' time passes when the test says so: a busy page is not taken for a frozen one.
    second.clock.pause_at(time.time() + 60)  # not the past yet when a busy page hears of it
    open_offline(second)
    assert python_runs_in(first, second) == [True, False]
    second.frame_locator("#site").locator("form.at-once button.huge").click()
    expect(second.frame_locator("#site").locator("#table")).to_be_visible(timeout=PATIENCE)
    first.frames[1].goto(f"{relay.url}/offline/")
    expect(first.frame_locator("#site").locator(MATCHES)).to_have_count(1)

    show(first, away=True)
    wait_until("the other tab to run Python", lambda: python_runs_in(first, second) == [False, True])
    wait_for_python(second)
    second.frames[1].goto(f"{relay.url}/offline/rules")
    expect(second.frame_locator("#site").locator("h1")).to_be_visible(timeout=PATIENCE)

    show(second, away=True)
    second.clock.run_for(29_000)
    assert python_runs_in(second) == [True]
    second.clock.run_for(2_000)
    wait_until("Python to end", lambda: python_runs_in(second) == [False])
    show(second, away=False)
    wait_for_python(second)
    second.frames[1].goto(f"{relay.url}/offline/")
    expect(second.frame_locator("#site").locator(MATCHES)).to_have_count(1, timeout=PATIENCE)


@pytest.mark.first
@pytest.mark.timeout(3_600)
def test_a_whole_match_with_the_server_gone(phone: Page, own_house: House, relay: Relay) -> None:
    assert taken_along(phone, relay) < MOST
    own_house.kill()

    phone.goto(relay.url)  # as from the icon on the home screen
    expect(phone.locator("#wait, #site").first).to_be_attached()
    site = phone.frame_locator("#site")
    site.locator("details.choose > summary").click(timeout=PATIENCE)
    site.locator(".choices select[name='chair-1']").select_option("level:8")
    site.locator(".choices [name=format][value='1x1']").check(force=True)
    site.locator("form.choices button.main").click()
    choose_sound(phone, site)
    play_out(phone, site)
    wait_until(f"the page to need less than {MEMORY} MB", lambda: megabytes() < MEMORY)
    phone.reload()
    expect(site.locator(AGAIN)).to_be_visible(timeout=PATIENCE)  # the match was kept
    wait_until("the table to be kept", lambda: "/revanche" in phone.evaluate(LAST), PATIENCE / 1000)
    phone.close()

    asleep = phone.context.new_page()
    asleep.add_init_script(ASLEEP)
    asleep.goto(relay.url)
    expect(
        asleep.frame_locator("#site").locator(AGAIN)
    ).to_be_visible()  # the last page is shown without Python
    asleep.close()

    phone = phone.context.new_page()
    phone.goto(relay.url)
    site = phone.frame_locator("#site")
    wait_for_python(phone)
    site.locator(".next a[href='/offline/']").click()
    expect(site.locator(".matches li")).to_have_count(1, timeout=PATIENCE)
    site.locator(".matches a").click()
    assert len([*read_records(download_record(phone, site))]) == 1  # one partie
    site.locator("a.brand").click()
    site.locator("a[href='/offline/marqueur']").click()
    expect(site.locator("form[action='/offline/marqueur']").first).to_be_visible(timeout=PATIENCE)
    phone.frames[1].evaluate("() => { location.href = '/offline/daily'; }")
    site.locator("button[name=partie]").first.click(
        timeout=PATIENCE
    )  # of the latest day whose cards are public
    expect(site.locator(".hand .card").first).to_be_visible(timeout=PATIENCE)
    ask_for_a_hint(phone, site)
    phone.frames[1].evaluate("() => { location.href = '/offline/learn/takes/end'; }")
    wait_until("a lesson to be learned", lambda: "learn/takes/end" in phone.evaluate(LAST))

    a_reader_of_two_finds_the_curtain_down(phone, site)

    own_house.start()
    online(phone, relay.url)
    phone.click("#takeaway-carry button")
    wait_until("what was played to be brought", lambda: not phone.locator("#takeaway-carry").is_visible())
    online(phone, relay.url)
    expect(phone.locator(".matches li")).to_have_count(1)
    online(phone, phone.evaluate("document.querySelector('.matches a').href"))
    expect(phone.locator("main")).to_contain_text("Joué sans réseau")
    online(phone, f"{relay.url}/learn/progress")
    expect(phone.locator("main")).to_contain_text("1 sur 16")  # learning progress is sent too
