"""The offline site: the server's pages, whole matches, storage, and hands behind the curtain."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from zipfile import ZipFile

import msgspec
import pytest
import typing_extensions

from chouine.notation import read_records
from chouine.server.offline.bundle import addresses, app
from chouine.server.offline.pages import PREFIX
from chouine.server.pages.frames import Viewer
from chouine.table.state import Phase
from tests.patience import PATIENCE
from tests.server.offline.playing import Device

AGAINST = {"rules": "classic", "format": "3x1", "chair-0": "me", "name-0": "Jeanne", "chair-1": "level:6"}
TWO = {
    "rules": "classic",
    "format": "1x1",
    "chair-0": "me",
    "chair-1": "me",
    "name-0": "Jeanne",
    "name-1": "Paul",
}
POSITIONS = 1_000
MADE = re.compile(r'(name="id" value=")[0-9a-f]+')
"""A form's identifier, which is random."""


def without_lot(page: str) -> str:
    return MADE.sub(r"\1", page)


@pytest.mark.long
def test_a_thousand_positions_are_shown_as_a_server_shows_them() -> None:
    """For all presets the site's page equals the server's except for the prefix of addresses."""
    rng, compared = Random(11), 0
    presets = ("classic", "three", "four", "mondoubleau", "mondoubleau-three", "mondoubleau-four")
    while compared < POSITIONS:
        device = Device()
        preset = presets[compared % len(presets)]
        chairs = {f"chair-{seat}": rng.choice(["me", "level:1", "heuristic"]) for seat in (1, 2, 3)}
        table_id = device.set_table(preset=preset, format="2x1", **{"chair-0": "me"}, **chairs)
        while device.table(table_id).table.phase is not Phase.OVER and compared < POSITIONS:
            table = device.table(table_id).table
            mine = table.held_by(device.site.me.guest)
            seen = rng.choice(mine)
            page = device.get(f"/table/{table_id}?as={seen}").body
            served = Viewer(device.site.visit, table_id, seen).page(table)
            assert without_lot(page.replace(f'="{PREFIX}/', '="/')) == without_lot(served)
            compared += 1
            device.step(table_id, rng)


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("/new", TWO | {"name-1": "Z\N{CYRILLIC SMALL LETTER O}é"}),
        ("/marqueur", {"what": "start", "name-0": "Jeanne", "name-1": "Z\N{CYRILLIC SMALL LETTER O}é"}),
    ],
)
def test_a_refused_form_keeps_what_was_typed(address: str, form: dict[str, str]) -> None:
    answer = Device().post(address, form)
    assert answer.status == 422
    for name in ("name-0", "name-1"):
        assert re.search(f'<input[^>]* name="{name}" value="{form[name]}"', answer.body)


def test_a_match_is_played_kept_and_written_down() -> None:
    device = Device()
    table_id = device.set_table(**AGAINST)
    rng = Random(2)
    for _ in range(30):
        device.step(table_id, rng)
    before = device.table(table_id).table
    device.restart()
    assert device.table(table_id).table == before
    over = device.play_out(table_id)
    assert max(over.match.score) == 3
    assert "Jeanne" in device.get("/").body
    given = device.get(f"/match/{table_id}.cgn")
    assert len([*read_records(given.body)]) == len(over.played)
    assert given.file == f"chouine-{table_id}.cgn"
    assert device.get(f"/match/{table_id}/1").status == 200


def test_news_leads_from_what_was_shown_to_what_is() -> None:
    """Events come one by one from any recent entry on, and as one whole frame from an old entry on."""
    device = Device()
    table_id = device.set_table(**AGAINST)
    shown = device.table(table_id).table.n
    stream = device.site.stream(table_id, "", str(shown))
    rng = Random(3)
    numbers: list[int] = []
    for _ in range(20):
        device.step(table_id, rng)
        numbers += [json.loads(news)["n"] for news in stream.news()]
    assert numbers == list(range(shown + 1, device.table(table_id).table.n + 1))
    (late,) = json.loads(device.get(f"/table/{table_id}/events?after=1").body)
    assert late["n"] == device.table(table_id).table.n


def test_two_on_one_device_play_behind_a_curtain() -> None:
    """Neither player's hand is in the page until that player lifts the curtain."""
    device = Device()
    table_id = device.set_table(**TWO)
    rng = Random(4)
    while device.table(table_id).table.phase is not Phase.PLAY:
        device.step(table_id, rng)
    table = device.table(table_id).table
    assert table.state is not None
    (turn,) = table.awaited
    covered = device.get(f"/table/{table_id}").body
    other = device.get(f"/table/{table_id}?as={1 - turn}").body
    own = device.get(f"/table/{table_id}?as={turn}").body
    hand = [str(card) for card in table.state.view(turn).hand]
    assert all(f'data-plays="{card}"' not in covered + other for card in hand)
    assert sum(f'data-card="{card.lower()}"' in own or f'data-plays="{card}"' in own for card in hand) == len(
        hand
    )
    assert not any(f'data-card="{card.lower()}"' in covered for card in hand)


def test_the_copy_needs_nothing_that_it_lacks(tmp_path: Path) -> None:
    """All of its pages are imported by a Python that has the copy and msgspec alone.

    Browsers have Python 3.14, for which Starlette needs no `typing_extensions`.
    """
    (tmp_path / "app.zip").write_bytes(app())
    with ZipFile(tmp_path / "app.zip") as packed:
        packed.extractall(tmp_path / "app")
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    (tmp_path / "wheels" / "typing_extensions.py").symlink_to(typing_extensions.__file__)
    script = f"import sys; sys.path[:0] = ['{tmp_path}/wheels', '{tmp_path}/app']; import chouine.server.offline.site"
    subprocess.run([sys.executable, "-I", "-S", "-c", script], check=True, timeout=PATIENCE)


LINK = re.compile(r'<link [^>]*href="([^"?]+)')


def test_what_pages_need_is_taken_along() -> None:
    """All but the manifest, which only the server has, and only a page that is installed from there needs."""
    device = Device()
    table_id = device.set_table(**AGAINST)
    for address in ("/", "/rules", "/settings", "/learn", "/marqueur", f"/table/{table_id}"):
        linked = {*LINK.findall(device.get(address).body)}
        assert linked - {*addresses()} == {"/manifest.webmanifest"}, address


@pytest.mark.parametrize(
    "address",
    [
        "/contests",
        "/learn/progress",
        "/learn/none/1",
        "/table/none",
        "/match/none/1",
        "/table/x/y/z",
        "//[x",
        "/match",
    ],
)
def test_what_is_not_there_is_said(address: str) -> None:
    given = Device().get(address)
    assert given.status == 404
    assert f'href="{PREFIX}/"' in given.body


def test_a_command_that_is_refused_says_why() -> None:
    device = Device()
    table_id = device.set_table(**AGAINST)
    another = {"seat": 1, "token": "7h", "n": 99}
    assert (
        device.post(f"/table/{table_id}/cut", {"seat": 0, "at": 2, "n": 99}, json_wanted=True).status == 422
    )
    assert device.post(f"/table/{table_id}/cut", {"seat": "x", "at": 2}).status == 400
    answer = device.post(f"/table/{table_id}/act", another, json_wanted=True)
    assert (answer.status, json.loads(answer.body)["code"]) == (403, "not-your-seat")
    assert device.post("/new", {"rules": "classic", "chair-1": "level:9"}).status == 422


def test_the_computer_advises_and_an_act_is_taken_back() -> None:
    device = Device()
    table_id = device.set_table(**AGAINST)
    rng = Random(5)
    while not (
        device.table(table_id).table.phase is Phase.PLAY and 0 in device.table(table_id).table.awaited
    ):
        device.step(table_id, rng)
    assert device.post(f"/table/{table_id}/advice", {"seat": 0}, json_wanted=True).status == 200
    device.step(table_id, rng)
    assert device.post(f"/table/{table_id}/take-back", {"seat": 0}, json_wanted=True).status == 200
    assert device.table(table_id).table.helped == {"advised", "took-back"}


def test_settings_language_and_revanche() -> None:
    device = Device()
    assert (
        device.post("/language", {"language": "en", "back": f"{PREFIX}/rules"}).location == f"{PREFIX}/rules"
    )
    assert 'lang="en"' in device.get("/").body
    device.post("/settings", {"large": "on", "emblem": "qh", "back": "/"})
    device.restart()
    assert device.site.visit.settings.large
    assert device.post("/edition", {"child": "1", "back": "/learn"}).location == f"{PREFIX}/learn"
    assert device.site.visit.settings.child
    device.post("/larger", {"large": ""})
    assert (device.site.visit.settings.large, device.site.visit.settings.child) == (False, True)
    table_id = device.set_table(**AGAINST | {"format": "1x1"})
    assert [holder.emblem for holder in device.table(table_id).table.holders if holder.guest] == ["qh"]
    device.play_out(table_id)
    device.post(f"/table/{table_id}/revanche", {"seat": 0})
    following = device.table(table_id).table.next_table
    assert following is not None
    assert device.get(f"/table/{following}").status == 200
    again = device.post(f"/match/{table_id}/1/again", {"swap": 1}).location.rpartition("/")[2]
    assert device.table(again).table.held_by(device.site.me.guest) == (1,)


def test_a_score_is_kept() -> None:
    """§12: Jean 57 + 20 + 10 = 87, Charles 63 + 40 = 103; kept when the browser restarts."""
    device = Device()
    assert 'href="/offline/marqueur"' in device.get("/").body
    begun = {"what": "start", "name-0": "Jean", "name-1": "Charles", "format": "3x2"}
    assert device.post("/marqueur", begun).location == "/offline/marqueur"
    for n, act in enumerate(["da", "th", "sa20s", "sb20h"]):
        assert device.post("/marqueur", {"n": n, "act": act}).status == 303
    refused = device.post("/marqueur", {"n": 4, "act": "count", "der": "a", "points-0": "many"})
    assert refused.status == 422
    assert device.post("/marqueur", {"n": 4, "act": "count", "der": "a", "points-0": "57"}).status == 303
    device.restart()
    assert "<td>87</td><td>103</td>" in device.get("/marqueur").body
    assert "Charles" in device.get("/marqueur?new=1").body


def test_what_was_typed_is_no_address() -> None:
    device = Device()
    device.post("/marqueur", {"what": "start", "name-0": "/Jean", "name-1": "Charles", "format": "3x2"})
    for n, act in enumerate(["da", "th", "sa20s", "sb20h"]):
        device.post("/marqueur", {"n": n, "act": act})
    refused = device.post("/marqueur", {"n": 4, "act": "count", "der": "a", "points-0": "/57"})
    assert (refused.status, 'value="/57"' in refused.body) == (422, True)
    assert "/Jean" in refused.body
    assert "offline/Jean" not in refused.body


def test_a_form_leads_back_to_the_device() -> None:
    device = Device()
    for back in ("/learn", "/offline/learn"):
        assert device.post("/settings", {"back": back}).location == "/offline/learn"
    assert 'href="/offline/learn"' in device.get("/settings?back=/learn").body


def test_a_deal_played_again_is_downloaded_as_from_the_server() -> None:
    """Without a proof of its own, a deal played again is still told: its rules and its cards."""
    device = Device()
    first = device.set_table(preset="mondoubleau", format="1x1", **{"chair-0": "me"})
    device.play_out(first)
    again = device.post(f"/match/{first}/1/again", {}).location.rpartition("/")[2]
    device.play_out(again)
    played = device.table(again).table.played[0].state
    told = json.loads(device.get(f"/match/{again}/1.json").body)
    assert (told["rules"], told["deal"], told["nonce"]) == (str(played.rules), str(played.deal), None)


def test_every_page_leads_to_who_answers_for_it() -> None:
    """The copy says what it keeps; the site's own notices are outside the copy, in the whole window."""
    device = Device()
    table_id = device.set_table(**AGAINST)
    for address in ("/", "/rules", "/settings", "/learn", f"/table/{table_id}"):
        assert f'href="{PREFIX}/legal"' in device.get(address).body, address
    page = device.get("/legal")
    assert page.status == 200
    for name in ("legal", "privacy", "mine"):
        assert f'href="../{name}" target="_top"' in page.body


def test_sounds_are_chosen_at_the_table() -> None:
    device = Device()
    assert device.post("/sound", {"sound": "on", "volume": "0.5"}).status == 204
    device.restart()
    assert device.site.visit.settings.sound


def test_progress_of_earlier_versions_is_read() -> None:
    """They stored it under another name."""
    told = {
        "guest": "g",
        "language": "en",
        "learned": {"done": ["cards"], "solved": [], "counting": []},
        "sheets": [],
    }
    device = Device(me=json.dumps(told))
    assert (device.site.me.guest, device.site.me.language) == ("g", "en")
    assert device.site.me.school.done == ("cards",)
    device.post("/larger", {"large": "on"})
    assert json.loads(device.me)["learned"]["done"] == ["cards"]
