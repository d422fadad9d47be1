"""Turn notifications: offered after the player's act, and shown when the table is not visible."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import Page, Worker, expect

from tests.browser.conftest import Visits
from tests.browser.house import House
from tests.browser.moments import LAVARDIN
from tests.browser.player import WAITING_CARD
from tests.browser.visitor import PATIENT
from tests.patience import PATIENCE, wait_until
from tests.server.push.mail_server import Post, delivering
from tests.server.push.test_push import AUTH, KEY

WINDOWED = True
"""Chromium shows notifications only with a window."""
SERVICE = f"""
const FOUND = {{
  get endpoint() {{ return localStorage.getItem("endpoint"); }},
  toJSON: () => ({{endpoint: FOUND.endpoint, keys: {{p256dh: "{KEY}", auth: "{AUTH}"}}}}),
  unsubscribe: async () => localStorage.removeItem("endpoint"),
}};
PushManager.prototype.getSubscription = async () => FOUND.endpoint && FOUND;
PushManager.prototype.subscribe = async () => {{
  const nth = Number(localStorage.getItem("nth")) + 1;
  localStorage.setItem("nth", nth);
  if (!FOUND.endpoint) localStorage.setItem("endpoint", `https://push.example/${{nth}}`);
  return FOUND;
}};"""
"""A stub for the push service's subscription, which the browser keeps until it unsubscribes."""
RENEWED = f"""async () => {{
  const fresh = {{endpoint: "https://push.example/renewed", keys: {{p256dh: "{KEY}", auth: "{AUTH}"}}}};
  PushManager.prototype.getSubscription = async () => null;
  PushManager.prototype.subscribe = async () => ({{toJSON: () => fresh}});
  const event = new ExtendableEvent("pushsubscriptionchange");
  event.oldSubscription = {{endpoint: "https://push.example/1"}};
  const done = new Promise((resolve) => {{ event.waitUntil = resolve; }});
  dispatchEvent(event);
  await done;
}}"""
"""Has the worker of push messages renew a subscription that the browser has ended."""
LISTEN = """() => {
  const show = registration.showNotification.bind(registration);
  registration.showNotification = (title, options) => {
    self.told = [options.body, options.data];
    return show(title, options);
  };
}"""


@pytest.fixture
def sending(own_house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A server with a public address."""
    return start(own_house, monkeypatch)


def start(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setenv("CHOUINE_PUBLIC_URL", "https://chouine.example")
    monkeypatch.setenv("CHOUINE_ALLOWED_HOSTS", "127.0.0.1")
    house.usual = True
    house.start()
    return house


def test_a_turn_is_told(sending: House, visit: Visits) -> None:
    anne = sending.guest("Anne")
    game = sending.table([anne, sending.guest("Basile")], deal=LAVARDIN)
    visitor = visit(sending, guest=anne, permissions=["notifications"])
    visitor.context.add_init_script(PATIENT)
    visitor.context.add_init_script(SERVICE)
    page = visitor.go(f"/table/{game}")
    offer = page.locator("#push")
    expect(page.locator(WAITING_CARD).first).to_be_visible()
    expect(offer).to_be_hidden()
    page.evaluate("document.getElementById('push').dataset.after = '0'")
    page.locator(WAITING_CARD).first.click()
    expect(offer).to_be_visible()
    offer.get_by_role("button", name="prévenir").click()
    expect(page.locator("#live")).to_contain_text("vous préviendra")
    expect(offer).to_be_hidden()
    expect(visitor.go("/settings").locator("#this-browser button[value=off]")).to_be_visible()
    assert notification_for(page, f"/table/{game}") == ["À vous de jouer", f"/table/{game}"]


def endpoints(house: House) -> list[str]:
    """The endpoints that the server has, in their order."""
    with closing(sqlite3.connect(house.database)) as database:
        found = database.execute("select endpoint from subscription order by endpoint").fetchall()
    return [endpoint for (endpoint,) in found]


def change(house: House, statement: str) -> None:
    with closing(sqlite3.connect(house.database, timeout=PATIENCE)) as database, database:
        database.execute(statement)


def test_the_settings_turn_it_on_and_off(sending: House, visit: Visits) -> None:
    """This browser's state is shown; a subscription that has ended is replaced, also by the browser itself."""
    visitor = visit(sending, guest=sending.guest("Anne"), permissions=["notifications"])
    visitor.context.add_init_script(PATIENT)
    visitor.context.add_init_script(SERVICE)
    page = visitor.go("/settings")
    here, others = page.locator("#this-browser"), page.locator("#all-browsers")
    on, off = (here.get_by_role("button", name=name) for name in ("Me prévenir de", "Ne plus me"))
    expect(here).to_contain_text("ne vous prévient pas")
    page.locator("input[name=large]").check()
    on.click()
    expect(off).to_be_visible()
    expect(page.locator("input[name=large]")).to_be_checked()  # nothing else on the page is lost
    assert endpoints(sending) == ["https://push.example/1"]
    visitor.go("/settings")
    expect(off).to_be_visible()
    expect(others).to_be_hidden()
    worker_of(page).evaluate(RENEWED)
    assert endpoints(sending) == ["https://push.example/renewed"]
    change(sending, "delete from subscription")  # as after the service's status 410
    visitor.go("/settings")
    on.click()
    expect(off).to_be_visible()
    assert endpoints(sending) == ["https://push.example/2"]
    change(
        sending,
        "insert into subscription select 'x', guest, 'https://push.example/other', key, auth, at, 0, 0, browser"
        " from subscription",
    )
    visitor.go("/settings")
    expect(others).to_contain_text("1 autre de vos navigateurs")
    off.click()
    expect(on).to_be_visible()
    assert endpoints(sending) == ["https://push.example/other"]
    on.click()
    expect(off).to_be_visible()
    others.get_by_role("button").click()
    expect(on).to_be_visible()
    assert (endpoints(sending), page.evaluate("localStorage.getItem('endpoint')")) == ([], None)
    on.click()
    expect(off).to_be_visible()
    assert endpoints(sending) == ["https://push.example/4"]


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("delete window.PushManager;", "ne sait pas vous prévenir"),
        (
            "Object.defineProperty(Notification, 'permission', {value: 'denied'});",
            "interdit les notifications",
        ),
        ("ServiceWorkerContainer.prototype.getRegistration = () => Promise.reject();", "ne sait pas"),
    ],
)
def test_a_browser_that_cannot_tell_is_said_so(
    sending: House, visit: Visits, script: str, sentence: str
) -> None:
    visitor = visit(sending, guest=sending.guest("Anne"), permissions=["notifications"])
    visitor.context.add_init_script(script)
    here = visitor.go("/settings").locator("#this-browser")
    expect(here).to_contain_text(sentence)
    expect(here.get_by_role("button")).to_have_count(0)


def test_an_address_is_given_at_the_table(
    own_house: House, visit: Visits, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser without push is offered letters, as on Safari for phones; the first letter asks for confirmation."""
    post = Post()
    with delivering(post) as port:
        monkeypatch.setenv("CHOUINE_SMTP_URL", f"smtp://127.0.0.1:{port}")
        monkeypatch.setenv("CHOUINE_MAIL_FROM", "chouine@chouine.example")
        start(own_house, monkeypatch)
        anne = own_house.guest("Anne")
        game = own_house.table([anne, own_house.guest("Basile")], deal=LAVARDIN)
        visitor = visit(own_house, guest=anne)
        visitor.context.add_init_script(PATIENT)
        visitor.context.add_init_script("delete window.PushManager;")
        page = visitor.go(f"/table/{game}")
        page.evaluate("document.getElementById('push').dataset.after = '0'")
        page.locator(WAITING_CARD).first.click()
        page.locator("#push [type=email]").fill("anne@loir.example")
        expect(page.locator("#push").get_by_role("button", name="prévenir")).to_be_hidden()
        visitor.remember("#push [role=status]")  # it goes by itself after a while
        page.locator("#push").get_by_role("button", name="Écrivez-moi").click()
        visitor.has_seen("#push [role=status]", "part vers vous")
        wait_until("the first letter", lambda: len(post.got) == 1)
        assert post.got[0]["To"] == "anne@loir.example"
        expect(visitor.go("/settings").locator("form[action='/letters']")).to_contain_text(
            "anne@loir.example"
        )


def test_who_declines_is_not_asked_again(sending: House, visit: Visits) -> None:
    anne = sending.guest("Anne")
    visitor = visit(sending, guest=anne, permissions=["notifications"])
    for asked in (True, False):
        page = visitor.go(f"/table/{sending.table([anne, sending.guest('Basile')], deal=LAVARDIN)}")
        expect(page.locator(WAITING_CARD).first).to_be_visible()
        page.evaluate("document.getElementById('push').dataset.after = '0'")
        page.locator(WAITING_CARD).first.click()
        if asked:
            page.get_by_role("button", name="Non merci").click()
        expect(page.locator(".hand.ready")).to_have_count(0)
        expect(page.locator("#push")).to_be_hidden()


def worker_of(page: Page) -> Worker:
    """The browser's service worker, of which Playwright may hear later than the page."""
    wait_until("the worker", lambda: page.evaluate("1") and page.context.service_workers)
    (worker,) = page.context.service_workers
    return worker


def notification_for(page: Page, table: str) -> list[object]:
    """The notification that the worker shows for a push message, after Chromium reports it as displayed.

    The list of notifications is not used: an entry could vanish a moment later.
    """
    worker = worker_of(page)
    worker.evaluate(LISTEN)
    devtools = page.context.new_cdp_session(page)
    found: list[str] = []
    shown: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(one["registrationId"] for one in told["registrations"]),
    )
    devtools.on(
        "BackgroundService.backgroundServiceEventReceived",
        lambda told: shown.append(told["backgroundServiceEvent"]["eventName"]),
    )
    devtools.send("ServiceWorker.enable")
    devtools.send("BackgroundService.startObserving", {"service": "notifications"})
    devtools.send("BackgroundService.setRecording", {"shouldRecord": True, "service": "notifications"})
    while not found:
        page.wait_for_timeout(50)
    message = {
        "origin": page.evaluate("origin"),
        "registrationId": found[0],
        "data": json.dumps({"table": table}),
    }
    devtools.send("ServiceWorker.deliverPushMessage", message)
    while "Notification displayed" not in shown:
        page.wait_for_timeout(50)
    told: list[object] = worker.evaluate("() => self.told")
    return told
