"""The desk between honest and less honest people: who may do what, who is signed in, and what is asked twice."""

from __future__ import annotations

import asyncio
import re
import stat
from contextlib import ExitStack, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from chouine.contest import Erased, Revealed, commit
from chouine.server import limits
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore, resume
from chouine.server.contest.desk import ROLES, Role, digest
from chouine.server.contest.hall import BUSY, PER_ADDRESS
from tests.server.contest.volunteer import SEED, Volunteer
from tests.server.serving import cookie_in
from tests.server.typed import FormsShown


@pytest.fixture
def app(store: ContestStore) -> Starlette:
    return desk_application(store)


def desk_after_draw(app: Starlette) -> Volunteer:
    """The desk at a contest of four with round 1 drawn."""
    desk = Volunteer(app).open().enter_some(4)
    desk.draw(card="Qh")
    return desk


def signed_in(app: Starlette, role: Role, address: str = "10.0.0.7") -> Volunteer:
    """A helper in a role, at a network address of its own."""
    worker = from_address(app, address)
    return worker.open() if role == "desk" else worker.join(role)


def from_address(app: Starlette, address: str) -> Volunteer:
    worker = Volunteer(app, "http://10.0.0.1")
    worker.http._transport = httpx.ASGITransport(app, client=(address, 50_000))
    return worker


def send(worker: Volunteer, address: str, fields: dict[str, str]) -> httpx.Response:
    """Post a form with the worker's token, whether or not a page offers it."""
    found = worker.app.state.desk.worker(cookie_in(worker.http.cookies, "desk"))
    return worker.send(address, csrf=found.csrf if found else "", **fields)


FORM = "application/x-www-form-urlencoded"
ALL, MAY = set(ROLES), {
    "entry": {"desk", "entry"},
    "draw": {"desk", "referee"},
    "results": {"desk", "referee", "results"},
    "correct": {"desk", "referee"},
    "desk": {"desk"},
}  # fmt: skip
MATRIX = [
    ("entry", "/entries", {"name": "Zoé"}),
    ("entry", "/entries/1", {"act": "paid"}),
    ("entry", "/entries/1", {"act": "away"}),
    ("entry", "/entries/1", {"act": "here"}),
    ("entry", "/entries/1", {"act": "withdraw"}),
    ("entry", "/entries/1", {"act": "amend", "name": "Anne B"}),
    ("entry", "/import", {"csv": "nom\nZoé"}),
    ("entry", "/door", {"act": "here", "number": "1"}),
    ("entry", "/door", {"act": "undo", "line": "9"}),
    ("desk", "/settings", {"title": "x"}),
    ("desk", "/copies", {"act": "stick"}),
    ("desk", "/entries/1", {"act": "erase"}),
    ("desk", "/entries/1", {"act": "restore"}),
    ("draw", "/draw/main", {"card": "Qh"}),
    ("draw", "/round/main/1", {"act": "call"}),
    ("draw", "/round/main/1", {"act": "swap", "one": "1", "other": "2", "reason": "x"}),
    ("draw", "/round/main/1", {"act": "pair", "one": "1", "other": "2", "reason": "x"}),
    ("results", "/results", {"table": "1", "score": "20"}),
    ("results", "/table/main/1/1", {"act": "result", "score": "2-0"}),
    ("results", "/table/main/1/1", {"act": "forfeit", "number": "1"}),
    ("correct", "/table/main/1/2", {"act": "score", "score": "0-2", "reason": "x"}),
    ("correct", "/palmares", {"order": "1 2", "reason": "x"}),
    ("correct", "/log", {"act": "undo", "undo": "2", "reason": "x"}),
    ("desk", "/log", {"act": "end", "reason": "x"}),
    ("desk", "/log", {"act": "reveal"}),
    ("desk", "/desks", {"act": "out", "session": "x"}),
    ("desk", "/desks", {"act": "copy", "place": "x"}),
    ("desk", "/desks", {"act": "pin", "role": "results"}),
]  # fmt: skip


def test_each_role_does_what_it_may_and_nothing_else(store: ContestStore, app: Starlette) -> None:
    desk = desk_after_draw(app)
    desk.post("/results", table="2", score="20")
    workers = {role: signed_in(app, role) for role in ROLES}
    for what, address, fields in MATRIX:
        for role in ALL - MAY[what]:
            before, pins = store.contest, dict(app.state.desk.pins)
            assert send(workers[role], address, fields).status_code == 403, (role, address, fields)
            assert (store.contest, app.state.desk.pins) == (before, pins)
        assert send(workers["desk"], address, fields).status_code in (200, 422), (address, fields)
    for role in ALL - {"desk"}:
        assert signed_in(app, role).get("/desks").status_code == 403


def test_every_route_that_takes_a_form_is_in_the_matrix(app: Starlette) -> None:
    """A new route is added there, or here if it asks for no role: signing in, the language, players' sheets."""
    without = {
        "/join",
        "/language",
        "/larger",
        "/marqueur/{stage}/{number:few}/{table:few}/{key}",
        "/marqueur/{table:few}/{key}",
    }
    routes: list[Any] = list(app.routes)
    taking = {route.path for route in routes if "POST" in (getattr(route, "methods", None) or ())}
    shapes = {re.sub(r"\{stage\}", "main", re.sub(r"\{\w+:few\}", "1", path)) for path in taking - without}
    assert shapes == {re.sub(r"/\d+\b", "/1", address) for _, address, _ in MATRIX}


def test_a_stranger_s_long_body_is_not_read(app: Starlette) -> None:
    """Only a list may be long, and that form is read for whoever may enter it: parsing one takes seconds."""
    stranger, long = from_address(app, "10.0.0.8"), "&" * 70_000
    paths = {re.sub(r"\{\w+(:few)?\}", "1", route.path) for route in app.routes if isinstance(route, Route)}
    for path in paths:
        code = 303 if path == "/import" else 413
        sent = stranger.http.post(path, content=long, headers={"content-type": FORM}, follow_redirects=False)
        assert asyncio.run(sent).status_code == code, path


def test_a_phone_that_asks_without_end_stops_nobody_else(
    app: Starlette, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search on the page for phones is made anew for each request."""
    monkeypatch.setattr(limits, "monotonic", lambda: 1000.0)
    desk_after_draw(app)
    scope = {"client": ("10.0.0.8", 1)}
    app.state.limits.spend("busy", scope, BUSY)
    assert from_address(app, "10.0.0.8").get("/public?q=Denis").status_code == 429
    assert from_address(app, "10.0.0.9").get("/public?q=Denis").status_code == 200


def test_a_form_of_a_desk_that_is_busy_is_given_back(app: Starlette, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "monotonic", lambda: 1000.0)
    desk = Volunteer(app).open()
    csrf = desk.token("/entries")
    desk.http.headers["Accept"] = "text/html"
    app.state.limits.spend("busy", {"client": ("127.0.0.1", 1)}, BUSY)
    fields = {"csrf": csrf, "act": "enter", "name": "Bordier Chéron"}
    for files in (None, {"file": ("list.csv", b"Denis")}):
        answer = asyncio.run(desk.http.post("/entries", data=fields, files=files))
        (back,) = (one for one in FormsShown(answer.text).found if one.action == "/entries")
        sent = {name: text for name, (text,) in back.fields_to_send(None).items()}
        assert (answer.status_code, sent) == (429, fields)
    too_long = asyncio.run(desk.http.post("/entries", data=fields | {"name": "&" * 70_000}))
    assert too_long.status_code == 429
    assert too_long.text.startswith("C’était trop vite")


def test_a_form_of_a_desk_that_is_too_large_is_given_back(app: Starlette) -> None:
    desk = Volunteer(app).open()
    fields = {"csrf": desk.token("/entries"), "act": "enter", "name": "Bordier Chéron " * 5000}
    answer = asyncio.run(desk.http.post("/entries", data=fields, headers={"Accept": "text/html"}))
    (back,) = (one for one in FormsShown(answer.text).found if one.action == "/entries")
    assert (answer.status_code, [one.value for one in back.fields]) == (413, [fields["name"]])
    assert "65 Ko au plus" in answer.text.replace("\N{NO-BREAK SPACE}", " ")


def test_a_stream_too_many_is_refused_before_it_begins(app: Starlette) -> None:
    app.state.desk.closing = True  # each stream ends with its first event
    with ExitStack() as held:
        for _ in range(PER_ADDRESS):
            held.enter_context(app.state.limits.stream({"client": ("10.0.0.8", 1)}))
        assert from_address(app, "10.0.0.8").get("/stream").status_code == 429
        assert from_address(app, "10.0.0.9").get("/stream").status_code == 200
    assert from_address(app, "10.0.0.8").get("/stream").status_code == 200


def test_a_referee_neither_ends_nor_closes_nor_reopens(store: ContestStore, app: Starlette) -> None:
    desk, referee = desk_after_draw(app), signed_in(app, "referee")
    before = store.contest
    assert send(desk, "/log", {"act": "reveal"}).status_code == 422
    assert store.contest == before
    desk.post_twice("/log", act="end", reason="orage")
    assert store.contest.ended
    n = str(store.contest.head.n)
    assert send(referee, "/log", {"undo": n, "reason": "x"}).status_code == 403
    assert "annulez cette opération" in send(desk, "/results", {"table": "1", "score": "20"}).text
    assert "annulez cette opération" in desk.get("/results").text
    desk.post("/log", undo=n, reason="accalmie")
    assert not store.contest.ended
    desk.post("/results", table="1", score="20")
    assert store.contest.main[0].table(1).decided


def test_a_contest_closed_too_early_goes_on_with_a_new_seed(store: ContestStore, app: Starlette) -> None:
    """After another laptop has taken it over too."""
    desk = desk_after_draw(app)
    desk.post_twice("/log", act="end", reason="orage")
    desk.post_twice("/log", act="reveal")
    assert isinstance(store.contest.head.act, Revealed)
    referee = signed_in(app, "referee")
    assert send(referee, "/log", {"undo": str(store.contest.head.n), "reason": "x"}).status_code == 403
    desk.post("/log", undo=str(store.contest.head.n), reason="accalmie")
    desk.post("/log", undo=str(store.contest.head.n - 2), reason="accalmie")
    assert store.seed != SEED
    assert commit(store.seed) == store.contest.commit
    assert store.contest.commit in desk.get("/").text
    desk.play("main")
    assert store.copy is not None
    with closing(resume(store.copy, store.path.with_name("other.chouine"))) as taken:
        assert taken.seed == store.seed
        again = Volunteer(desk_application(taken)).open()
        again.draw(card="7s")
        again.play("main")
        again.draw("consolante", "7s")
        again.play("consolante")
        again.post_twice("/log", act="reveal")
        assert taken.contest.seed == store.seed


def test_ending_is_asked_again_if_more_was_played_meanwhile(store: ContestStore, app: Starlette) -> None:
    desk = desk_after_draw(app)
    asked = desk.post("/log", act="end", reason="orage")
    told = re.search(r'name="told" value="(\w+)"', asked)
    assert told
    assert "2" in asked
    desk.post("/results", table="1", score="20")
    assert "Arrêter le concours" in desk.post("/log", act="end", reason="orage", told=told[1])
    assert not store.contest.ended


def test_a_name_is_erased_by_the_desk_after_a_question(store: ContestStore, app: Starlette) -> None:
    """It is an act without the name. The copy keeps the name until the contest is closed, and gives it back before."""
    desk, door = Volunteer(app).open(), signed_in(app, "entry")
    desk.enter("Zénobie Unique", village="Troo")
    assert "Effacer le nom" not in door.get("/entries/1").text
    assert "la copie le garde" in desk.post("/entries/1", act="erase").replace("’", "'")
    assert 1 in store.people
    desk.post_twice("/entries/1", act="erase")
    assert isinstance(store.contest.head.act, Erased)
    assert "Zénobie" not in str(store.contest.head) + desk.get("/entries").text + desk.get("/log").text
    assert store.copy is not None
    assert "Zénobie".encode() not in store.path.read_bytes()
    assert "Zénobie".encode() in store.copy.read_bytes()
    with closing(resume(store.copy, store.path.with_name("other.chouine"))) as taken:
        assert 1 not in taken.people
        assert "Zénobie".encode() not in taken.path.read_bytes()
    desk.post("/entries/1", act="restore")
    assert (store.people[1].name, store.people[1].village) == ("Zénobie Unique", "Troo")
    desk.post_twice("/entries/1", act="erase")
    desk.post_twice("/log", act="end", reason="orage")
    desk.post_twice("/log", act="reveal")
    assert "Zénobie".encode() not in store.path.read_bytes() + store.copy.read_bytes()
    assert send(desk, "/entries/1", {"act": "restore"}).status_code == 422


def test_wrong_pins_make_one_phone_wait_and_nobody_else(
    app: Starlette, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr("chouine.server.contest.desk.monotonic", lambda: clock.now)
    guesser, other = from_address(app, "10.0.0.66"), from_address(app, "10.0.0.7")
    pin = app.state.desk.pins["results"]
    waits = []
    for _ in range(25):
        answer = guesser.send("/join", pin="x", role="results")
        assert answer.status_code == 422
        found = re.search(r"dans (\d+)", answer.text)
        if found:
            waits.append(int(found[1]))
            assert guesser.send("/join", pin=pin, role="results").status_code == 422
            clock.now += waits[-1]
    assert waits == sorted(waits)
    assert waits[-1] >= 60
    other.join("results")
    guesser.join("entry")
    clock.now += 600
    guesser.join("results")
    for _ in range(3):
        assert "dans" not in guesser.send("/join", pin="x", role="results").text
    guesser.join("results")


def test_wrong_pins_tried_at_once_add_up(app: Starlette) -> None:
    guesser, pin = from_address(app, "10.0.0.66"), app.state.desk.pins["results"]

    async def at_once() -> None:
        forms = [{"pin": f"{n:06}", "role": "results"} for n in range(1_000_000, 1_000_030)]
        await asyncio.gather(*(guesser.http.post("/join", data=form) for form in forms))

    asyncio.run(at_once())
    assert guesser.send("/join", pin=pin, role="results").status_code == 422


def test_a_pin_opens_its_own_role_and_none_the_desk(app: Starlette) -> None:
    pins = app.state.desk.pins
    for number, (role, pin) in enumerate(pins.items()):
        for other in ROLES:
            phone = from_address(app, f"10.0.1.{number}")
            expected = 200 if role == other else 422
            assert phone.send("/join", pin=pin, role=other).status_code == expected
        assert from_address(app, "10.0.2.1").send("/join", pin="", role="desk").status_code == 422


def test_another_pin_signs_its_role_out(app: Starlette) -> None:
    desk = Volunteer(app).open()
    results, door = signed_in(app, "results"), signed_in(app, "entry", "10.0.0.8")
    old = app.state.desk.pins["results"]
    desk.post("/desks", act="pin", role="results")
    assert results.get("/results", follow=False).headers["location"] == "/join"
    assert results.send("/join", pin=old, role="results").status_code == 422
    assert door.get("/entries").status_code == 200
    assert desk.get("/desks").status_code == 200
    results.join("results")


def test_the_desk_sees_who_is_signed_in_and_signs_out(store: ContestStore, app: Starlette) -> None:
    """Signing out lasts when the program starts again, as signing in does."""
    desk = Volunteer(app).open()
    lost, kept = from_address(app, "10.0.0.7"), from_address(app, "10.0.0.8")
    for worker, label in ((lost, "Odette"), (kept, "Marthe " * 20)):
        worker.send("/join", pin=app.state.desk.pins["entry"], role="entry", label=label)
    page = desk.get("/desks").text
    assert "inscriptions à l’entrée 1</b> Odette" in page
    assert "10.0.0.7" in page
    assert "Marthe " * 5 not in page
    session = digest(cookie_in(lost.http.cookies, "desk"))
    assert session in page
    desk.post("/desks", act="out", session=session)
    again = desk_application(store)
    for worker in (lost, kept, desk):
        worker.app = again
        worker.http._transport = httpx.ASGITransport(again)
    assert lost.get("/entries", follow=False).status_code == 303
    assert kept.get("/entries", follow=False).status_code == 200
    assert "Odette" not in desk.get("/desks").text
    late = Volunteer(again).join("entry")
    late.post("/entries", name="Zoé")
    assert store.contest.head.by == "entry 3"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_files_are_their_owner_s_alone(store: ContestStore, app: Starlette, tmp_path: Path) -> None:
    """From the beginning, whatever the umask; files of earlier versions are tightened when they are opened."""
    desk = Volunteer(app).open()
    desk.enter("Anne")
    assert store.copy is not None
    with closing(resume(store.copy, tmp_path / "taken.chouine")) as taken:
        files = (store.path, store.copy, taken.path)
        assert [mode(file) for file in files] == [0o600] * 3
    store.path.chmod(0o644)
    ContestStore(store.path).close()
    assert mode(store.path) == 0o600


def test_no_cookie_travels_with_the_copy(store: ContestStore, app: Starlette, tmp_path: Path) -> None:
    """Neither the copy nor the contest taken up from it lets a browser in that was signed in before."""
    desk = desk_after_draw(app)
    cookie = cookie_in(desk.http.cookies, "desk").encode()
    kept = digest(cookie.decode()).encode()
    (key,) = store._file.execute("SELECT key FROM secret").fetchone()
    assert store.copy is not None
    for secret in (cookie, kept, key.encode()):
        assert secret not in store.copy.read_bytes()
    assert cookie not in store.path.read_bytes()
    for source in (store.copy, store.path):
        with closing(resume(source, tmp_path / f"of-{source.parent.name}.chouine")) as taken:
            assert kept not in taken.path.read_bytes()
            assert key.encode() not in taken.path.read_bytes()
            stranger = Volunteer(desk_application(taken))
            stranger.http.cookies.set("desk", cookie.decode())
            assert stranger.get("/entries", follow=False).status_code == 303


def test_the_key_is_taken_out_of_a_copy_of_an_earlier_version(store: ContestStore) -> None:
    (key,) = store._file.execute("SELECT key FROM secret").fetchone()
    assert store.copy is not None
    with closing(ContestStore(store.copy)) as copy:
        copy._file.execute("UPDATE secret SET key = ?", (key,))
    store.update_copy()
    assert key.encode() not in store.copy.read_bytes()
