"""The pages rendered by Python in a browser equal the server's, byte for byte."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from benchmarks.offline import run_script
from chouine.phrases import Language
from chouine.rules.options import Rules
from chouine.server.offline.matches import read
from chouine.server.pages import outcome
from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Visit
from chouine.table.evolve import rebuild
from tests.needs import need
from tests.server.offline.playing import Device

MATCHES = (
    ("classic", "1x1", "level:3"),
    ("mondoubleau", "2x1", "level:5"),
    ("three", "1x1", "level:2"),
    ("four", "1x1", "level:4"),
    ("classic", "3x2", "level:6"),
    ("mondoubleau-four", "1x1", "level:1"),
)
CHANCE = r'name="id" value="[0-9a-f]{16}"'
"""A form's identifier, random for each page."""
LANGUAGES: tuple[Language, ...] = ("fr", "en")
IN_THE_BROWSER = f"""
import json, re
from hashlib import sha256
from chouine.server.offline.preload import preload
preload()
from chouine.server.offline.matches import read
from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Visit
from chouine.table.evolve import rebuild
found = []
matches, positions = json.loads(asked)
entries = [read(text).entries for text in matches]
for match, length, seat, language in positions:
    page = Viewer(Visit(language, "token", "guest", "Anne"), "table", seat).page(rebuild(entries[match][:length]))
    found.append(sha256(re.sub(r'{CHANCE}', "", page).encode()).hexdigest())
told = json.dumps(found)
"""


@pytest.mark.parametrize("many", [24, pytest.param(1_000, marks=pytest.mark.nightly)])
def test_a_browser_renders_what_a_server_renders(
    many: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages are equal to those of a server without reviews, since this browser has no backend for them."""
    need("node", "pyodide")
    monkeypatch.setattr(outcome, "looks_back", lambda _: False)
    device = Device()
    for nth, (rules, terms, player) in enumerate(MATCHES * (1 + many // 400)):
        seats = Rules.parse(rules).seats
        chairs = {f"chair-{seat}": player if seat else "me" for seat in range(seats)}
        device.play_out(device.set_table(rules=rules, format=terms, **chairs), nth)
    matches = list(device.matches.values())
    entries = [read(text).entries for text in matches]
    every = [(match, length) for match, log in enumerate(entries) for length in range(1, len(log) + 1)]
    step = max(1, len(every) // many)
    positions = [
        (match, length, (None, 0, 1)[nth % 3], LANGUAGES[nth // 3 % 2])
        for nth, (match, length) in enumerate(every[::step][:many])
    ]
    assert len(positions) == many
    told = json.loads(run_script(IN_THE_BROWSER, json.dumps([matches, positions]), tmp_path))
    for (match, length, seat, language), digest in zip(positions, told, strict=True):
        viewer = Viewer(Visit(language, "token", "guest", "Anne"), "table", seat)
        page = viewer.page(rebuild(entries[match][:length]))
        same = sha256(re.sub(CHANCE, "", page).encode()).hexdigest() == digest
        assert same, (match, length, seat, language)
