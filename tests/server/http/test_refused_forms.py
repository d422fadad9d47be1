"""Whatever form the server refuses, the page shows it as it was filled in; no form is left out by mistake."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import httpx
import pytest
from starlette.types import Scope

from chouine.cli import main
from chouine.server.limits import Limits, refuse
from chouine.server.pages.env import TEMPLATES
from chouine.server.pages.form_back import SECRET
from tests.attack.conftest import deal
from tests.server.contest.test_refused_forms import CASES as DESK_CASES
from tests.server.marked import forms_to_type_in, serve_marked
from tests.server.push.test_push import SITE
from tests.server.serving import Browser, Forms, RunningServer, serving
from tests.server.typed import STATE, Case, FormsShown, check_given_back, check_refused

CASES = {
    "account/index.html:2": Case("/account", {"address": "zoe@"}),
    "contests/index.html:1": Case("/contests"),
    "contests/one.html:1": Case("{contest}"),
    "daily/index.html:2": Case("/daily", button=("list", "1")),
    "home.html:3": Case("/"),
    "home.html:4": Case("/"),
    "home_choices.html:1": Case("/"),
    "import.html:1": Case("/import", {"text": "classic b <…>"}),
    "join.html:1": Case("{link}", who="nobody"),
    "marqueur/sheet.html:8": Case("/marqueur"),
    "marqueur/start.html:1": Case("/marqueur?new=1"),
    "operator/index.html:1": Case("/operator", {"reason": " "}, who="keeper"),
    "operator/index.html:2": Case("/operator", {"reason": " "}, who="keeper"),
    "partners/list.html:1": Case("/partners", who="barred"),
    "partners/list.html:3": Case("/partners"),
    "people/invited.html:1": Case("{friend}", who="nobody"),
    "people/own.html:1": Case("{own}"),
    "people/person.html:2": Case("{person}", who="barred"),
    "school/join_class.html:2": Case("/class"),
    "school/trainer.html:1": Case("/learn/count?pile=3"),
    "settings_turns.html:3": Case("/settings?back=/table/x?as=0", {"address": "zoe"}),
    "tables/index.html:2": Case("/tables"),
    "tables/prepare.html:2": Case("{prepare}", gone={"token": "7x"}, who="waits"),
    "tokens.html:2": Case("/mine/tokens"),
    "tokens.html:3": Case("/mine/tokens"),
}
"""How each form is refused, by its mark (see `tests.server.marked`)."""
OTHERS = {
    "account/enter.html:1": "one tick; what is refused is the link",
    "account/index.html:1": "one tick; its answer is the device's",
    "account/index.html:3": "the words of a card are secret",
    "form_back.html:1": "it gives another form back",
    "operator/report.html:1": "nothing is refused but an address that does not exist",
    "operator/told.html:1": "nothing is refused",
    "rating.html:1": "nothing is refused",
    "replay.html:1": "nothing is refused",
    "school/lesson.html:1": "an answer is right or wrong, and the verdict shows it",
    "settings.html:1": "nothing is refused: what cannot be read keeps its default",
    "table/cut.html:1": "a slide within bounds, at a table that moves on by itself",
    "table/ears.html:1": "nothing is refused",
    "table/push.html:2": "a script sends it and leaves it as it is",
    "tables/index.html:1": "nothing is refused: an hour that there is not means never",
}
"""Forms that are not filled in again, and why."""


def test_each_form_of_the_server_a_desk_and_a_season_is_refused_here() -> None:
    """A new form needs a case above, or among those of the desk and the season, or a reason to be left out."""
    assert forms_to_type_in() == CASES.keys() | DESK_CASES.keys() | OTHERS.keys()


BUSY = "x-busy"
"""The header of a request that is refused as if its address had sent too much."""


def serve_busy(arguments: Sequence[str]) -> int:
    """Run `chouine serve` with marked forms, some of which it refuses for no fault of theirs."""
    of_address = Limits.of_address

    def refuse_busy(limits: Limits, what: str, scope: Scope, weight: int = 1) -> None:
        where = {"bytes": b"inside", "requests": b"edge"}.get(what, b"")
        if where and (BUSY.encode(), where) in scope["headers"]:
            refuse(what, 60)
        of_address(limits, what, scope, weight)

    Limits.of_address = refuse_busy  # type: ignore[assignment, method-assign]
    return serve_marked(arguments)


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, str]]:
    """A server that could send letters: none of these is."""
    folder: Path = tmp_path_factory.mktemp("refused")
    database = f"sqlite:///{folder / 'chouine.db'}"
    options = ("--public-url", SITE, "--allowed-hosts", "127.0.0.1", "--mail-from", "chouine@chouine.example")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHOUINE_SMTP_URL", "smtp://127.0.0.1:9")
        with serving(database, folder / "errors", options=options, program=serve_busy) as server:
            yield server, database
    assert "failure" not in (folder / "errors").read_text()


class World:
    """Visitors, and the addresses of the pages with forms."""

    def __init__(self, server: RunningServer, database: str) -> None:
        self.who = {name: server.visit() for name in ("", "nobody", "barred", "keeper", "friend")}
        anne, friend, barred = self.who[""], self.who["friend"], self.who["barred"]
        self.addresses = {"link": anne.links(anne.open(**{"name-0": "Anne"}))[1]}
        self.addresses["contest"] = anne.post("/contests", title="Troo").headers["location"]
        self.addresses["own"] = anne.get("/circle/me").url.path
        self.keep_score(anne)
        self.play_slowly(anne, friend)
        friend.get("/circle/me")
        friend.submit(friend.form(friend.page.url.path), name="Lucien")
        found = re.search(r"/friend/[\w-]+", friend.get("/circle/link").text)
        assert found
        self.addresses["friend"] = found[0]
        barred.sit(friend.links(friend.open(**{"name-0": "Lucien"}))[1], "Basile")
        found = re.search(r"/people/[\w-]+", barred.get("/circle").text)
        assert found
        self.addresses["person"] = found[0]
        self.bar(server, database)
        friend.post("/partners", what="wait", name="Lucien", rated="1")

    def keep_score(self, browser: Browser) -> None:
        """Begin a sheet and play on it until the count."""
        browser.post("/marqueur", what="start", **{"name-0": "Jean", "name-1": "Charles", "format": "3x2"})
        for n, act in enumerate(("da", "th")):
            browser.post("/marqueur", n=str(n), act=act)

    def play_slowly(self, host: Browser, friend: Browser) -> None:
        """A slow table at which one of two can prepare an act."""
        table_id = host.open(move="86400", reserve="172800")
        friend.sit(host.links(table_id)[1], "Lucien")
        deal(host, friend, table_id)
        self.addresses["prepare"] = f"/tables/prepare/{table_id}"
        for browser in (host, friend):
            if 'name="token"' in browser.get(self.addresses["prepare"]).text:
                self.who["waits"] = browser

    def bar(self, server: RunningServer, database: str) -> None:
        """Bar a visitor who waits for a partner."""
        barred, keeper = self.who["barred"], self.who["keeper"]
        barred.post("/partners", what="wait", name="Basile")
        with redirect_stdout(StringIO()) as said:
            assert main(["operator", "--public-url", server.url, "--database", database]) == 0
        keeper.get(httpx.URL(said.getvalue().strip()).path)
        keeper.get("/operator")
        form = next(form for form in keeper.forms("/operator") if ":" in form.fields.get("target", ""))
        assert keeper.submit(form, what="bar", reason="rude").status_code == 200
        assert "lift" in keeper.page.text


@pytest.fixture(scope="module")
def world(village: tuple[RunningServer, str]) -> World:
    return World(*village)


@pytest.mark.parametrize("source", CASES)
def test_a_refused_form_keeps_what_was_typed(source: str, world: World) -> None:
    case = CASES[source]
    browser = world.who[case.who]

    def post(action: str, fields: dict[str, list[str]], *, multipart: bool) -> httpx.Response:
        files = {"file": ("", b"")} if multipart else None
        return browser.http.post(action, data=fields, files=files)

    check_refused(source, case, browser.get(case.page.format(**world.addresses)).text, post)


@pytest.mark.parametrize("where", ["inside", "edge"])
@pytest.mark.parametrize("source", CASES)
def test_a_form_refused_for_no_fault_of_its_own_is_given_back(source: str, where: str, world: World) -> None:
    """Whatever it is: it can be sent again as it was, and what somebody wrote can be read and copied."""
    case = CASES[source]
    browser = world.who[case.who]

    def post(action: str, fields: dict[str, list[str]], *, multipart: bool) -> httpx.Response:
        files = {"file": ("", b"")} if multipart else None
        return browser.http.post(
            action, data=fields, files=files, headers={BUSY: where, "Accept": "text/html"}
        )

    page = browser.get(case.page.format(**world.addresses)).text
    back, sent = check_given_back(source, case, page, post, 429)
    shown = {one.name for one in back.fields}
    assert shown == {
        name
        for name, texts in sent.items()
        if name not in STATE and any(len(text.split()) > 1 for text in texts)
    }


def test_a_form_given_back_is_carried_out_when_it_is_sent_again(world: World) -> None:
    browser = world.who["friend"]
    browser.get("/contests")
    form = browser.form("/contests")
    refused = browser.http.post(
        "/contests", data=form.fields | {"title": "Troo, 8 mai"}, headers={BUSY: "inside"}
    )
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
    again = next(one for one in Forms(refused.text).found if one.action == "/contests")
    answer = browser.submit(again, title="Troo, 9 mai")
    assert (answer.status_code, "Troo, 9 mai" in answer.text) == (200, True)


def test_what_was_written_in_a_form_that_is_too_old_can_be_copied(world: World) -> None:
    """It cannot be sent again: its token is not good any more."""
    browser = world.who["friend"]
    browser.get("/contests")
    form = browser.form("/contests")
    answer = browser.submit(form, title="Troo, 8 mai", csrf="old")
    (back,) = (one for one in FormsShown(answer.text).found if one.source == "form_back.html:1")
    assert (answer.status_code, back.hidden, back.buttons) == (403, {}, [])
    assert [one.value for one in back.fields] == ["Troo, 8 mai"]


HTML = {"Accept": "text/html", "Accept-Language": "en"}
LONG = "un mot de plus\n" * 5000
"""75,000 bytes, as a file of many parties has."""


@pytest.mark.parametrize("multipart", [True, False])
def test_what_was_written_in_a_form_that_is_too_large_can_be_copied(world: World, *, multipart: bool) -> None:
    """The page says what was sent and what may be: of a file less than of the form that it is in."""
    files = {"file": ("", b"")} if multipart else None
    data = {"csrf": "x", "text": f"<b>\n{LONG}"}
    answer = world.who["friend"].http.post("/import", data=data, files=files, headers=HTML)
    assert answer.status_code == 413
    assert re.search(r"you sent (7[5-9]|8\d|9\d) KB, and 50 KB at most can be taken", answer.text)
    (back,) = (one for one in FormsShown(answer.text).found if one.source == "form_back.html:1")
    assert (back.hidden, back.buttons) == ({}, [])
    assert [one.value for one in back.fields] == [data["text"]]


def test_the_page_of_what_was_too_large_is_in_the_language_that_was_chosen(world: World) -> None:
    browser = world.who["nobody"]
    assert browser.post("/language", language="en").status_code in (200, 303)
    answer = browser.http.post("/import", data={"text": LONG}, headers=HTML | {"Accept-Language": "fr"})
    assert "50 KB at most can be taken" in answer.text


def test_what_is_too_large_even_to_be_given_back_is_told_in_the_same_words(world: World) -> None:
    browser = world.who["friend"]
    answer = browser.http.post("/import", data={"text": LONG * 20}, headers=HTML)
    assert (answer.status_code, "un mot" in answer.text) == (413, False)
    assert "MB, and 50 KB at most can be taken" in answer.text
    assert "too long to be shown here again" in answer.text
    french = browser.http.post("/import", data={"text": LONG * 20}, headers=HTML | {"Accept-Language": "fr"})
    assert "50 Ko au plus" in french.text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_form_without_a_limit_of_its_own_is_told_that_of_every_request(world: World) -> None:
    answer = world.who["friend"].http.post("/contests", data={"title": LONG}, headers=HTML)
    assert (answer.status_code, "65 KB at most can be taken" in answer.text) == (413, True)


def test_a_script_that_sends_too_much_gets_the_sentence(world: World) -> None:
    headers = {"Accept": "application/json", "Accept-Language": "en"}
    answer = world.who["friend"].http.post("/import", data={"text": LONG}, headers=headers)
    told = answer.json()
    assert (answer.status_code, told["ok"], told["code"]) == (413, False, "too-large")
    assert "50 KB at most" in told["message"]


def test_what_never_ended_is_refused_with_the_limit(world: World) -> None:
    """A body without its length in advance."""
    pieces = (b"text=" + LONG.encode() for _ in range(2))
    headers = HTML | {"Content-Type": "application/x-www-form-urlencoded"}
    answer = world.who["friend"].http.post("/import", content=pieces, headers=headers)
    assert (answer.status_code, "50 KB at most can be taken" in answer.text) == (413, True)


def test_another_sites_form_is_not_given_back(world: World) -> None:
    headers = {BUSY: "edge", "Accept": "text/html", "Origin": "https://elsewhere.example"}
    for title, status in (("Not of this site", 429), (LONG, 429)):
        answer = world.who[""].http.post("/contests", data={"title": title}, headers=headers)
        assert (answer.status_code, "of this site" in answer.text, "un mot" in answer.text) == (
            status,
            False,
            False,
        )
    del headers[BUSY]
    answer = world.who[""].http.post("/contests", data={"title": LONG}, headers=headers)
    assert (answer.status_code, "un mot" in answer.text) == (403, False)


def test_what_is_secret_is_not_given_back(world: World) -> None:
    """The words of a card; a field marked as secret is in no other form."""
    answer = world.who["nobody"].http.post(
        "/account/words", data={"words": "not the words of a card"}, headers={BUSY: "inside"}
    )
    assert (answer.status_code, "the words of" in answer.text) == (429, False)
    pages = [path.read_text() for path in TEMPLATES.rglob("*.html")]
    secret = {
        found[1]
        for page in pages
        for found in re.finditer(r'<form[^>]*action="([^"]+)"(?:(?!</form>).)*data-secret', page, re.DOTALL)
    }
    assert secret == SECRET


def test_the_words_of_a_card_are_not_shown_again(world: World) -> None:
    browser = world.who["nobody"]
    answer = browser.post("/account/words", words="not the words of a card")
    assert (answer.status_code, "the words of" in answer.text) == (422, False)
