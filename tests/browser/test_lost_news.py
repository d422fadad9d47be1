"""A page that follows a stream shows all that it tells, however late the server answers, or if it is too busy once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from chouine.server.offline.bundle import STATIC
from tests.browser.visitor import REMEMBER
from tests.patience import PATIENCE, wait_until

ADDRESS = "http://chouine.test"
FAKES = """
window.answers = [];
window.fetch = () => new Promise((done) => answers.push((text, status) => done(new Response(text, { status }))));
window.EventSource = class {
  constructor() { window.stream = this; }
  addEventListener() {}
  close() {}
};
"""
"""The page's requests wait to be answered by the test, which also sends the stream's events."""


def text_of(said: str, script: str) -> str:
    """A page that follows a stream by one of our scripts."""
    part = f'<p id="part" data-live data-stream="/stream">{said}</p>'
    linked = f'<script type="module" src="/static/js/{script}.js"></script>'
    return f'<body data-stream="/stream"><main id="main">{part}</main>{linked}</body>'


BESIDE = """
<div id="table"><div class="board" data-turn></div></div>
<div id="beside" data-from="/tables/beside"><div class="beside">nothing</div></div>
<script type="module" src="/static/js/beside.js"></script>
"""
"""A slow table, and what stands beside it."""


TABLE = """
<div id="site-banners"><p id="site-banner" hidden></p></div><p id="away" hidden></p>
<script type="module">
  import { Stream } from "/static/js/stream.js";
  const nothing = () => {};
  window.news = new Stream({stream: "/stream", events: "/events"}, 1, nothing, nothing, nothing, () => true);
  news.open();
</script>
"""
"""What a table's stream needs to tell of more than the table."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page with a clock that stands still, and no server."""

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if path.startswith("/static/"):
            route.fulfill(path=Path(STATIC, path.removeprefix("/static/")), content_type="text/javascript")
        else:
            texts = {"/beside": BESIDE, "/table": TABLE}
            text = texts.get(path) or text_of("nothing", path.removeprefix("/"))
            route.fulfill(body=text, content_type="text/html")

    opened = browser.new_page()
    opened.add_init_script(FAKES)
    opened.route("**", answer)
    opened.clock.install()
    opened.clock.pause_at(time.time() + PATIENCE)
    yield opened
    opened.close()


def tell(page: Page) -> None:
    """An event of the stream."""
    page.evaluate("stream.onmessage({data: '1'})")


def count_requests(page: Page) -> int:
    """How many requests the page has made."""
    return int(page.evaluate("answers.length"))


def wait_for_request(page: Page, nth: int) -> None:
    """Let the page's time pass until it has made its nth request, and not another."""

    def is_made() -> bool:
        page.clock.run_for(500)
        return count_requests(page) >= nth

    wait_until("a request", is_made)
    assert count_requests(page) == nth


def test_a_review_asks_for_what_was_found_during_a_late_answer(page: Page) -> None:
    page.goto(f"{ADDRESS}/review")
    tell(page)
    page.clock.run_for(1)
    assert count_requests(page) == 1
    for _ in range(3):  # each after a request was due, and while the first still waits
        tell(page)
        page.clock.run_for(1_500)
    assert count_requests(page) == 1
    page.evaluate("text => answers[0](text, 200)", text_of("one judgement", "review"))
    expect(page.locator("#part")).to_have_text("one judgement")
    wait_for_request(page, 2)


def test_a_review_does_not_go_back_to_an_answer_that_was_overtaken(page: Page) -> None:
    """As after a stream that ended during a late answer: then the page asks at once."""
    page.goto(f"{ADDRESS}/review")
    tell(page)
    page.clock.run_for(1)
    page.evaluate("stream.onerror()")
    page.clock.run_for(1_000)
    assert count_requests(page) == 2
    page.evaluate("text => answers[1](text, 200)", text_of("all judgements", "review"))
    expect(page.locator("#part")).to_have_text("all judgements")
    page.evaluate("text => answers[0](text, 200)", text_of("one judgement", "review"))
    tell(page)
    wait_for_request(page, 3)
    expect(page.locator("#part")).to_have_text("all judgements")


def test_a_contest_s_page_asks_again_where_the_server_was_too_busy(page: Page) -> None:
    page.goto(f"{ADDRESS}/live")
    tell(page)
    page.evaluate("answers[0]('busy', 503)")
    wait_for_request(page, 2)
    page.evaluate("text => answers[1](text, 200)", text_of("an act", "live"))
    expect(page.locator("#part")).to_have_text("an act")


def test_what_stands_beside_a_table_does_not_go_back_to_an_answer_that_was_overtaken(page: Page) -> None:
    """Otherwise it would stand there for half a minute, until it is asked for again."""
    page.goto(f"{ADDRESS}/beside")
    page.evaluate(REMEMBER, ".beside")

    def turn() -> int:
        """Pass the turn, and wait for the request that follows."""
        before = count_requests(page)
        page.evaluate("document.querySelector('.board').toggleAttribute('data-turn')")
        wait_until("a request", lambda: count_requests(page) > before)
        return before

    def answer(nth: int, text: str) -> None:
        page.evaluate("([nth, html]) => answers[nth](html, 200)", [nth, f"<div class=beside>{text}</div>"])

    first, second = turn(), turn()
    answer(second, "the second")
    expect(page.locator(".beside")).to_have_text("the second")
    answer(first, "the first")
    answer(turn(), "the third")
    expect(page.locator(".beside")).to_have_text("the third")
    shown = page.evaluate("remembered['.beside'].map(moment => moment.text)")
    assert shown == ["nothing", "the second", "the third"]


AWAY = """{"n": 0, "frames": [], "away": "Odette has left."}"""


def test_a_late_answer_does_not_say_that_somebody_is_away_who_has_come_back(page: Page) -> None:
    """The stream has told that already, and would not tell it again."""
    page.goto(f"{ADDRESS}/table")
    page.wait_for_function("() => Boolean(window.stream?.onmessage)")
    away = page.locator("#away")
    page.evaluate("data => stream.onmessage({data})", AWAY)
    expect(away).to_be_visible()
    page.evaluate("() => { news.ask(); }")
    page.clock.run_for(1)
    page.evaluate("data => stream.onmessage({data})", AWAY.replace("Odette has left.", ""))
    page.evaluate("text => answers[0](text, 200)", f"[{AWAY}]")
    page.wait_for_function("() => !news.source.polled")
    expect(away).to_be_hidden()
