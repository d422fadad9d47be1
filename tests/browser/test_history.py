"""Finished matches: the match's page, replay, verification of a deal, and the same deal again."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits
from tests.browser.house import ROOT, House
from tests.browser.moments import LAST_CARD
from tests.browser.player import WAITING_CARD, Player
from tests.browser.visitor import PHONE, TAKEN


@pytest.mark.parametrize("scripts", [True, False])
def test_from_the_first_page_to_a_trick(house: House, visit: Visits, *, scripts: bool) -> None:
    """A finished match is found from the first page and replayed trick by trick to its count."""
    guest = house.guest("Agathe", "en")
    game = house.table([guest, "heuristic"], deal=LAST_CARD.deal, played=f"{LAST_CARD.played} Tc")
    page = visit(house, guest=guest, size=PHONE, scripts=scripts).go("/")
    page.get_by_role("link", name=re.compile("Lavardin")).click()
    expect(page).to_have_url(f"{house.url}/match/{game}")
    expect(page.locator(".parties li")).to_have_count(1)
    expect(page.locator(".parties")).to_contain_text("196–\N{WORD JOINER}44")
    page.locator(".parties a").click()
    expect(page.get_by_role("list", name="Your hand").get_by_role("listitem")).to_have_count(5)
    page.locator(".steps a[rel='next']").click()
    expect(page).to_have_url(re.compile(r"trick=1\b"))
    expect(page.locator(".laid .card")).to_have_count(2)
    page.locator(".jump a").last.click()
    expect(page.locator("table.count tfoot")).to_contain_text("196")
    if scripts:
        page.wait_for_load_state()  # with the script that hears keys
        page.keyboard.press("ArrowLeft")
        expect(page).to_have_url(re.compile(r"trick=16\b"))


DIGEST = """() => document.querySelector("form[action*='/cut']")
  && document.querySelector(".digest code").textContent"""
"""What is shown before the cut, else null: asked at once, since the cut may be on its way already."""


def test_a_deal_is_verified(house: House, visit: Visits, tmp_path: Path) -> None:
    """The digest shown before the cut matches the pack, by the page and by `chouine verify`."""
    guest = house.guest("Agathe", "en")
    game = house.table([guest, "heuristic"])
    visitor = visit(house, guest=guest, still=True)
    visitor.expected = TAKEN
    page = visitor.go(f"/table/{game}")
    player = Player(page)
    player.play_until("form[action*='/cut'], .hand")
    digest = page.evaluate(DIGEST)
    player.play_until(WAITING_CARD)  # while this player is on turn, the page does not change
    page.locator(".menu > summary").click()
    page.locator("summary", has_text="Give up").click()
    page.locator("form[action*='/concede'] button").click()
    page.locator("a.button.plain", has_text="See this partie again").click()
    shown = page.locator("#proof").get_attribute("data-digest")
    assert digest in (None, shown)
    page.locator("#check").click()
    expect(page.locator("#verdict.good")).to_contain_text(shown or "no digest")
    answer = visitor.context.request.get(f"{house.url}/match/{game}/1.json")
    assert verify(tmp_path, answer.text()) == 0
    moved = answer.json()
    moved["pack"] = moved["pack"][2:] + moved["pack"][:2]
    page.evaluate("pack => { document.getElementById('proof').dataset.pack = pack; }", moved["pack"])
    page.locator("#check").click()
    expect(page.locator("#verdict.bad")).to_be_visible()
    assert verify(tmp_path, answer.text().replace(answer.json()["pack"], moved["pack"])) == 1


def verify(folder: Path, text: str) -> int:
    """The exit status of `chouine verify` for a text."""
    file = folder / "partie.json"
    file.write_text(text)
    command = [sys.executable, "-m", "chouine", "verify", str(file)]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode


def test_the_same_deal_again(house: House, visit: Visits) -> None:
    """The same deal can be played in the other seat."""
    guest = house.guest("Agathe", "en")
    game = house.table([guest, "heuristic"], deal=LAST_CARD.deal, played=f"{LAST_CARD.played} Tc")
    page = visit(house, guest=guest).go(f"/match/{game}/1")
    page.get_by_text("in the other seat").click()
    page.get_by_role("button", name="Play it against the computer").click()
    expect(
        page.get_by_role("list", name="Your hand").get_by_role("button", name="king of hearts")
    ).to_be_visible()
    expect(page.locator(".turnup, .exchanged").first).to_be_visible()


def test_the_record_is_read_by_other_programs(house: House, visit: Visits) -> None:
    guest = house.guest("Agathe", "en")
    game = house.table([guest, "heuristic"], deal=LAST_CARD.deal, played=f"{LAST_CARD.played} Tc")
    page = visit(house, guest=guest).go(f"/match/{game}")
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile(r"\.cgn")).click()
    command = [sys.executable, "-m", "chouine", "replay", str(download.value.path())]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert '"points":[196,44]' in told
