"""Offline review of a finished partie, computed while its page is open, shown on the server's pages."""

from __future__ import annotations

import gzip
from array import array
from collections.abc import Iterator, Sequence
from html import unescape
from importlib import import_module
from random import Random

import pytest

from chouine.ai import levels, review, search
from chouine.notation import Record, read_records
from chouine.partie import AuSept
from chouine.school.review import all_decisions
from chouine.server.offline.device import LOOKED_AT
from chouine.server.offline.import_match import check_match, unpack_match
from chouine.server.pages import review as review_pages
from chouine.table.entries import Passed
from chouine.table.state import Phase
from tests.patience import TRIES
from tests.server.offline.playing import Device

AGAINST = {"rules": "classic", "format": "1x1", "chair-0": "me", "name-0": "Jeanne", "chair-1": "level:6"}


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Simulate a browser: no compiler, and a backend that answers at once with random values."""

    def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
        rng = Random(f"{task} {preset} {words.tobytes()!r}")
        return [rng.random() for _ in range(search.VALUES)]

    judging = import_module("chouine.school.review.decisions")  # hidden by a function of that name
    for module in (levels, judging, review, review_pages):
        monkeypatch.setattr(module, "looks_ahead", lambda: False)
    monkeypatch.setattr(judging, "WORLDS_BESIDE", 64)
    search.use(compute)
    yield
    search._backends.clear()


def finish_match(device: Device) -> tuple[str, str]:
    """A finished match of one partie, and the address of its review."""
    table_id = device.set_table(**AGAINST)
    device.play_out(table_id)
    return table_id, f"/match/{table_id}/1/review"


def looked_through(device: Device, review: str) -> str:
    """The review's page once the review is complete."""
    device.get(review)
    while device.site.tick() == 0.0:
        device.clock.now += 0.5
        device.get(review)
    return device.get(review).body


@pytest.mark.usefixtures("browser")
def test_a_partie_is_looked_back_on_while_its_page_is_looked_at() -> None:
    device = Device()
    table_id, review = finish_match(device)
    assert f'href="/offline{review}"' in device.get(f"/match/{table_id}/1").body
    many = len(all_decisions(device.table(table_id).table.played[0].state))
    page = device.get(review).body
    assert f'max="{many}" value="0"' in page
    assert 'data-every="1"' in page
    assert "data-stream" not in page
    device.site.tick()
    assert f'max="{many}" value="1"' in device.get(review).body
    device.clock.now += LOOKED_AT
    assert device.site.tick() == -1.0  # nobody looks at the page
    assert f'max="{many}" value="1"' in device.get(review).body
    page = looked_through(device, review)
    assert "data-every" not in page
    assert "Chance" in page
    assert "data-every" not in device.get(f"/match/{table_id}/review").body


FEWER = {"fr": "moins de raisons", "en": "fewer reasons"}
WHY = {"fr": "Pourquoi", "en": "Why"}
ELSEWHERE = {"fr": "Rapportez le match au serveur", "en": "Bring the match to the server"}


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.usefixtures("browser")
def test_what_only_a_server_tells_is_said(language: str) -> None:
    """Reasons that are averages; and no review of rules without a network of their own."""
    device = Device()
    device.post("/language", {"language": language})
    pages = (unescape(looked_through(device, finish_match(device)[1])) for _ in range(TRIES))
    why = f'<p class="why">{WHY[language]}'
    assert any(FEWER[language] in page and why in page for page in pages), "cards dealt may leave no reason"
    table_id = device.set_table(preset="mondoubleau-three", format="1x1", **{"chair-0": "me"})
    device.play_out(table_id)
    for address in (
        f"/match/{table_id}",
        f"/match/{table_id}/1",
        f"/match/{table_id}/1/review",
        f"/match/{table_id}/review",
    ):
        page = device.get(address).body
        assert ELSEWHERE[language] in unescape(page), address
        assert "numba" not in page


@pytest.mark.usefixtures("browser")
def test_its_record_has_a_comment_at_each_mistake() -> None:
    device = Device()
    _, review = finish_match(device)
    looked_through(device, review)
    given = device.get(f"{review}.cgn")
    (record,) = read_records(given.body)
    assert isinstance(record, Record)
    assert given.file.endswith("-1.cgn")
    assert "{" in given.body
    assert record.actions


@pytest.mark.usefixtures("browser")
def test_a_decision_is_taken_once_more_and_gone_on_with() -> None:
    device = Device()
    table_id, review = finish_match(device)
    assert device.get(f"{review}/0").status == 404  # not judged yet
    looked_through(device, review)
    first = all_decisions(device.table(table_id).table.played[0].state)[0]
    assert device.get(f"{review}/0").status == 200
    assert device.post(f"{review}/0", {"answer": str(first.action)}).status == 200
    assert device.get(f"{review}/999").status == 404
    gone_on = device.post(f"{review}/0/play", {})
    table = gone_on.location.rpartition("/")[2]
    assert device.table(table).table.state is not None
    before = device.table(table).table
    device.restart()
    assert device.table(table).table == before


@pytest.mark.usefixtures("browser")
def test_what_was_gone_on_with_is_brought_to_a_server() -> None:
    """A match continued from a review imports, including a pass of "au sept" before it with no time elapsed (§11)."""
    device = Device()
    for seed in range(200):
        table_id = device.set_table(**AGAINST)
        device.play_out(table_id, seed)
        review = f"/match/{table_id}/1/review"
        state = device.table(table_id).table.played[0].state
        if not any(isinstance(event, AuSept) for event in state.events):
            continue
        looked_through(device, review)
        last = len(all_decisions(state)) - 1
        table = device.post(f"{review}/{last}/play", {}).location.rpartition("/")[2]
        device.play_out(table)
        brought = unpack_match(gzip.compress(device.matches[table].encode()))
        assert check_match(brought, "somebody", device.clock.now)[1].phase is Phase.OVER
        begun = brought.entries[0][1]
        if any(isinstance(entry, Passed) and at == begun for entry, at in brought.entries):
            return
    pytest.fail("nobody was silent")


def test_without_a_machine_no_review_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "looks_ahead", lambda: False)
    monkeypatch.setattr(levels, "runs_webassembly", lambda: False)
    device = Device()
    table_id, review = finish_match(device)
    assert review not in device.get(f"/match/{table_id}/1").body
    assert "data-every" not in device.get(review).body
    assert device.site.tick() == -1.0
