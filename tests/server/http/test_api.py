"""The API for programs: accounts, tables, whole matches, streams, and whom it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from time import monotonic
from typing import Any

import httpx
import jsonschema
import pytest

from chouine.notation.lines import read_view
from chouine.partie.deal import SEATS
from chouine.players.pipe import acts
from chouine.rules import PRESETS
from chouine.server.limits import PER_ACCOUNT
from chouine.server.routes.api import ENDPOINTS
from chouine.server.routes.api_events import LOOK, PING
from tests.patience import wait_until
from tests.server.programs import ApiClient, client_of, close_all, program, token_of
from tests.server.serving import UNENCRYPTED, RunningServer

DOCUMENT: dict[str, Any] = {}


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """Close the programs' connections after each test."""
    yield
    close_all()


@pytest.fixture
def document(served: RunningServer) -> dict[str, Any]:
    """The description that the server gives."""
    if not DOCUMENT:
        DOCUMENT.update(httpx.get(f"{served.url}/api/1/openapi.json", verify=UNENCRYPTED).json())
    return DOCUMENT


def check_shape(document: dict[str, Any], path: str, method: str, answer: httpx.Response) -> None:
    """Fail unless an answer is as the description says."""
    responses = document["paths"][f"/api/1/{path}"][method]["responses"]
    (content,) = responses[str(answer.status_code)]["content"].values()
    schema = content["schema"] | {"components": document["components"]}
    for line in answer.text.splitlines():
        if line:
            jsonschema.Draft202012Validator(schema).validate(json.loads(line))


def lay(served: RunningServer, rules: str = "classic", terms: str = "1x1") -> tuple[list[ApiClient], str]:
    """Bots at a table of theirs, which begins, and its name."""
    seats = 3 if "three" in rules else 4 if "four" in rules else 2
    bots = [program(served, f"Loir {Random().getrandbits(30):x}") for _ in range(seats)]
    opened = bots[0].do("tables", rules=rules, format=terms, seats=["me"] + ["open"] * (seats - 1))
    for other, seat in zip(bots[1:], opened["seats"][1:], strict=True):
        other.do("join", link=seat["link"])
    return bots, str(opened["id"])


def play(bots: list[ApiClient], table_id: str, rng: Random, phase: str = "over") -> list[dict[str, Any]]:
    """Let the bots play at random until a phase; the tables that they were shown on the way."""
    told = []
    for _ in range(3000):
        for bot in bots:
            table = bot.get(f"tables/{table_id}")
            told.append(table)
            if table["phase"] == phase:
                return told
            while table["todo"] != "nothing" and table["phase"] != phase:
                table = bot.answer(table, rng)
                told.append(table)
    raise AssertionError("never came to what was wished")


@pytest.mark.parametrize("rules", PRESETS)
def test_bots_play_a_whole_match_by_the_api_alone(
    rules: str, served: RunningServer, document: dict[str, Any]
) -> None:
    """From the tirage (§2) to the end; each view is that of the seat, each answer as it is described."""
    bots, table_id = lay(served, rules, "2x1")
    told = play(bots, table_id, Random(1))
    assert {table["phase"] for table in told} >= {"tirage", "cut", "play", "count", "over"}
    for table in told:
        if table["view"]:
            seat = SEATS.index(table["seat"])
            view = read_view(table["view"], seat)
            assert not table["legal"] or {*table["legal"]} == {*acts(view)}
            hands = table["view"].split(" ")[2].split("|")
            assert "?" not in hands[seat]
            assert all("?" in hand for place, hand in enumerate(hands) if place != seat or not hand)
    assert told[-1]["winner"] in [*SEATS]
    assert {seat["kind"] for seat in told[-1]["seats"]} == {"bot"}
    assert all(seat["name"].startswith("BOT Loir") for seat in told[-1]["seats"])
    answer = bots[0].http.get(f"/api/1/tables/{table_id}")
    check_shape(document, "tables/{table_id}", "get", answer)
    assert [match["id"] for match in bots[0].get("matches")["matches"]] == [table_id]
    record = bots[0].get(f"matches/{table_id}")["record"]
    assert "BOT Loir" in record
    assert record.count("[Result ") == sum(1 for _ in record.split("[Deal ")[1:])


def test_every_route_is_described_and_answers_as_described(
    served: RunningServer, document: dict[str, Any]
) -> None:
    bots, table_id = lay(served)
    for endpoint in ENDPOINTS:
        described = document["paths"][f"/api/1/{endpoint.path}"][endpoint.method.lower()]
        path = f"/api/1/{endpoint.path.format(table_id=table_id)}"
        for client, headers in ((bots[0], {}), (bots[0], {"Authorization": ""})):
            if endpoint.streams and not headers:
                continue
            sent: Any = {"json": {}} if endpoint.takes else {}
            answer = client.http.request(endpoint.method, path, headers=headers, **sent)
            assert str(answer.status_code) in described["responses"], answer.text
            check_shape(document, endpoint.path, endpoint.method.lower(), answer)
    assert len(document["paths"]) == len({endpoint.path for endpoint in ENDPOINTS})


@contextmanager
def listening(client: ApiClient, path: str = "events") -> Iterator[Iterator[dict[str, Any]]]:
    """The events of a stream."""
    with client.http.stream("GET", f"/api/1/{path}") as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        yield (json.loads(line) for line in answer.iter_lines() if line)


def test_a_stream_tells_all_and_resumes(served: RunningServer, document: dict[str, Any]) -> None:
    """A reader who comes back is told each table's whole state first."""
    (one, other), table_id = lay(served)
    rng = Random(2)
    with listening(one) as events:
        first = next(events)
        assert (first["type"], first["table"]["id"], first["table"]["phase"]) == ("start", table_id, "tirage")
        other.answer(other.get(f"tables/{table_id}"), rng)
        after = next(events)
        assert after["type"] == "change"
        assert after["table"]["n"] > first["table"]["n"]
    with listening(one, f"tables/{table_id}/events") as events:
        again = next(events)
        assert (again["type"], again["table"]["n"]) == ("start", after["table"]["n"])
        play([one, other], table_id, rng)
        *_, last = events
        assert (last["type"], last["table"]["phase"]) == ("over", "over")
    schema = {"$ref": "#/components/schemas/Event", "components": document["components"]}
    for event in (first, after, again, last):
        jsonschema.Draft202012Validator(schema).validate(event)


def test_a_stream_tells_of_a_match_that_ends_before_it_is_found(served: RunningServer) -> None:
    client = program(served)
    with client.http.stream("GET", "/api/1/events") as answer:
        lines = answer.iter_lines()
        assert next(lines) == ""  # it has looked for the first time
        table_id = client.do("tables", seats=["me", "level:1"])["id"]
        client.do(f"tables/{table_id}/forfeit")
        told = [json.loads(next(filter(None, lines)))]
        while told[-1]["type"] != "over":  # on a busy machine it may have looked in between
            told.append(json.loads(next(filter(None, lines))))
    assert told[-1]["table"]["id"] == table_id


def test_a_stream_without_news_gives_a_sign_of_life_now_and_then(served: RunningServer) -> None:
    """Not each time that it looks for new tables."""
    with program(served).http.stream("GET", "/api/1/events") as answer:
        lines = answer.iter_lines()
        assert next(lines) == ""
        begun = monotonic()
        assert next(lines) == ""
        assert monotonic() - begun > PING - LOOK


def test_a_stream_ends_with_its_token(served: RunningServer) -> None:
    browser = served.visit("en")
    browser.post("/mine/tokens", what="bot", bot="Ephemere")
    data = {"csrf": browser.csrf, "what": "make", "name": "x", "scope": ["play", "tables"]}
    page = browser.http.post("/mine/tokens", data=data).text
    client = client_of(served, "chouine_" + page.split("chouine_")[1][:43])
    client.do("tables", seats=["me", "level:1"])
    with listening(client) as events:
        assert next(events)["type"] == "start"
        which = page.split('name="which" value="')[1].split('"')[0]
        assert browser.post("/mine/tokens", what="revoke", which=which).status_code == 200
        *_, last = events
        assert last == {"type": "end", "table": None, "error": "unknown-token"}
    refused = client.http.get("/api/1/account")
    assert (refused.status_code, refused.json()["error"]) == (401, "unknown-token")
    assert refused.headers["www-authenticate"] == "Bearer"


def test_a_token_does_what_it_may(served: RunningServer) -> None:
    reader = program(served, scopes=("matches",))
    assert reader.get("account") == {"bot": False, "name": "", "token": "Mine", "scopes": ["matches"]}
    assert reader.get("matches") == {"matches": []}
    for answer in (reader.http.get("/api/1/tables"), reader.post("tables"), reader.http.get("/api/1/events")):
        assert (answer.status_code, answer.json()["error"]) == (403, "scope")


def test_another_s_table_is_none(served: RunningServer) -> None:
    """Whoever holds no seat is told nothing, not even as a spectator."""
    (one, _), table_id = lay(served)
    stranger = program(served, "Passant")
    for verb in ("GET", "POST"):
        for path in (
            ("", "/events") if verb == "GET" else ("/act", "/forfeit", "/leave", "/pick", "/revanche")
        ):
            fields = {"/act": {"act": "As"}, "/pick": {"place": 1}}.get(path, {})
            body: Any = {"json": fields} if verb == "POST" else {}
            answer = stranger.http.request(verb, f"/api/1/tables/{table_id}{path}", **body)
            assert (answer.status_code, answer.json()["error"]) == (404, "no-such-table")
    assert stranger.http.get(f"/api/1/matches/{table_id}").status_code == 404
    assert one.http.get(f"/api/1/tables/{table_id}", params={"seat": "b"}).status_code == 403
    assert one.http.get(f"/api/1/tables/{table_id}", params={"seat": "ab"}).status_code == 403


@pytest.mark.parametrize(
    ("headers", "error"),
    [
        ({}, "no-token"),
        ({"Authorization": "Basic eDp5"}, "no-token"),
        ({"Authorization": "Bearer"}, "no-token"),
        ({"Authorization": "Bearer x"}, "unknown-token"),
        ({"Authorization": "Bearer chouine_" + "x" * 43}, "unknown-token"),
        ({"Authorization": "Bearer chouine_" + "x" * 20_000}, "unknown-token"),
    ],
)
def test_without_a_token_nothing(headers: dict[str, str], error: str, served: RunningServer) -> None:
    """Neither a cookie nor an address takes its place."""
    token = token_of(served)
    browser = served.visit()
    for address in (
        "/api/1/account",
        f"/api/1/account?token={token}",
        f"/api/1/account?access_token={token}",
    ):
        answer = browser.http.get(address, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (401, error)
    assert token not in served.errors.read_text()


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        (b"{", 400, "not-json"),
        (b"\xff\xfe", 400, "not-json"),
        (b'{"rules": "\xff"}', 400, "not-json"),
        (b"[]", 422, "invalid"),
        (b'{"rules": 7}', 422, "invalid"),
        (b'{"ruels": "classic"}', 422, "invalid"),
        (b'{"clock": {"move": 0}}', 422, "invalid"),
        (b'{"rules": "belote"}', 422, "syntax/preset"),
        (b'{"format": "99x1"}', 422, "table/manche-too-long"),
        (b'{"seats": ["open", "open"]}', 422, "api/own-seat"),
        (b'{"seats": ["me", "me"]}', 422, "api/own-seat"),
        (b'{"seats": ["level:3", "level:3", "me"]}', 422, "api/own-seat"),
        (b'{"seats": ["me", "pipe:rm"]}', 422, "player/unknown"),
        (b'{"seats": ["me", "engine:x"]}', 422, "player/unknown"),
        (b"[" * 30_000, 422, "invalid"),
        (b" " * 70_000, 413, "too-large"),
    ],
)
def test_what_cannot_be_is_refused(body: bytes, status: int, error: str, served: RunningServer) -> None:
    answer = program(served, scopes=("tables",)).http.post("/api/1/tables", content=body)
    assert (answer.status_code, answer.json()["error"]) == (status, error), answer.text
    assert answer.json()["message"]


def test_what_is_too_large_is_told_with_both_sizes(served: RunningServer) -> None:
    answer = program(served, scopes=("tables",)).http.post(
        "/api/1/tables", content=b" " * 70_000, headers={"Accept-Language": "en"}
    )
    assert "you sent 70 KB, and 65 KB at most can be taken" in answer.json()["message"]


def test_a_command_is_carried_out_once(served: RunningServer) -> None:
    (one, _), table_id = lay(served)
    before = one.do(f"tables/{table_id}/speak", phrase="hello", id="first")
    again = one.do(f"tables/{table_id}/speak", phrase="hello", id="first")
    assert again["n"] == before["n"]
    assert before["said"] == {"seat": "a", "phrase": "hello"}


def test_a_flood_is_told_when_to_come_back(served: RunningServer) -> None:
    bot = program(served, "Deluge")
    *_, answer = [bot.post("tables", seats=["me", "level:1"]) for _ in range(21)]
    assert (answer.status_code, answer.json()["error"]) == (429, "too-fast")
    assert int(answer.headers["retry-after"]) > 0


def test_an_account_has_ten_streams(served: RunningServer) -> None:
    """More are refused, until one ends."""
    bot = program(served, "Affluent")
    with ExitStack() as held:
        for _ in range(PER_ACCOUNT):
            assert held.enter_context(bot.http.stream("GET", "/api/1/events")).status_code == 200
        answer = bot.http.get("/api/1/events")
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "10")
        assert program(served, "Autre rive").get("tables") == {"tables": []}
    wait_until("a free stream", lambda: opens(bot))


def opens(bot: ApiClient) -> bool:
    """Whether a stream is opened."""
    with bot.http.stream("GET", "/api/1/events") as answer:
        return answer.status_code == 200


def test_a_person_s_program_plays_under_their_name(served: RunningServer) -> None:
    person = program(served)
    table = person.do("tables", seats=["level:2", "me"], name="Odette", pace="lively")
    assert [(seat["name"], seat["kind"], seat["mine"]) for seat in table["seats"]][1] == (
        "Odette",
        "person",
        True,
    )
    assert (table["clock"], table["unaided"]) == (None, False)
    assert person.do("tables", seats=["me", "open"], unaided=True)["unaided"] is True
    refused = person.post("tables", name="BOT Odette")
    assert (refused.status_code, refused.json()["error"]) == (422, "name/bot")


def test_a_bot_s_browser_plays_by_its_token_alone(served: RunningServer) -> None:
    """Nobody meets it without knowing: not as a stranger, not in a contest, not by a link taken without its mark."""
    browser, host = served.visit("en"), served.visit("en")
    assert browser.post("/mine/tokens", what="bot", bot="Automate").status_code == 200
    link = host.links(host.open())[1]
    for path, fields in (
        ("/new", {"format": "1x1", "chair-0": "me", "chair-1": "friend"}),
        ("/partners", {"what": "wait", "name": "Anne"}),
        (link, {"name": "Anne"}),
    ):
        answer = browser.post(path, **fields)
        assert answer.status_code in (403, 422), path
        assert "plays by its token alone" in answer.text, path
    again = browser.post("/mine/tokens", what="bot", bot="Other")
    assert (again.status_code, "a program’s already" in again.text) == (422, True)


def test_who_has_played_stays_a_person(served: RunningServer) -> None:
    host = served.visit("en")
    host.open()
    answer = host.post("/mine/tokens", what="bot", bot="Late")
    assert answer.status_code == 422
    assert "private window" in answer.text


def test_tokens_are_shown_once_and_are_few(served: RunningServer) -> None:
    browser = served.visit("en")
    for number in range(10):
        page = browser.post("/mine/tokens", what="make", name=f"Token {number}", scope="play").text
        assert page.count("chouine_") == 1
    assert browser.post("/mine/tokens", what="make", name="More", scope="play").status_code == 422
    assert "chouine_" not in browser.get("/mine/tokens").text
    assert browser.page.text.count('name="which"') == 10
    for name, scope in (("", "play"), ("x", ""), ("BOT x", "play")):
        assert browser.post("/mine/tokens", what="make", name=name, scope=scope).status_code == 422


def test_a_revanche_is_agreed_to(served: RunningServer) -> None:
    (one, other), table_id = lay(served)
    one.do(f"tables/{table_id}/forfeit")
    assert one.do(f"tables/{table_id}/revanche")["ready"] == ["a"]
    after = other.do(f"tables/{table_id}/revanche")
    assert other.get(f"tables/{after['next']}")["phase"] == "tirage"
    assert one.get("tables")["tables"][0]["id"] == after["next"]


def test_a_table_opened_again_is_the_same(served: RunningServer) -> None:
    """A program sends again what may have been lost; another program's command of the same name is another's."""
    one, other = (program(served, f"Loir {Random().getrandbits(30):x}") for _ in "ab")
    first = one.do("tables", id="x", rules="three", seats=["me", "open", "open"])
    assert one.do("tables", id="x", rules="three", seats=["me", "open", "open"])["id"] == first["id"]
    named = [(one, {}), (one, {"id": "y"}), (other, {"id": "x"})]
    assert len({first["id"], *(each.do("tables", **sent)["id"] for each, sent in named)}) == 4


def test_a_seat_may_be_taken_again_by_its_holder_alone(served: RunningServer) -> None:
    """A program asks again if the server is away before it answers."""
    host, first, second = (program(served, f"Loir {Random().getrandbits(30):x}") for _ in range(3))
    link = host.do("tables", seats=["me", "open"])["seats"][1]["link"]
    taken = first.do("join", link=link)
    assert first.do("join", link=link) == taken
    assert second.post("join", link=link).json()["error"] == "no-seat"


def test_a_seat_is_left_before_the_match_alone(served: RunningServer) -> None:
    bot = program(served, "Partant")
    table = bot.do("tables", seats=["me", "open"])
    assert bot.do(f"tables/{table['id']}/leave")["seats"][0]["kind"] == "empty"
    (one, _), table_id = lay(served)
    assert one.post(f"tables/{table_id}/leave").json()["error"] == "api/started"
