"""`chouine serve --engine`: a program of one's own is offered at the browser's table, on one's own machine alone."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from chouine.cli import main
from tests.server.serving import serving

ENGINE = (
    f"{shlex.quote(sys.executable)} {shlex.quote(str(Path(__file__).parents[3] / 'examples' / 'engine.py'))}"
)


def test_a_program_is_offered_by_its_name(tmp_path: Path) -> None:
    options = ("--engine", f"Mine={ENGINE}")
    with serving(f"sqlite:///{tmp_path / 'db'}", tmp_path / "errors", options=options) as served:
        guest = served.visit("en")
        assert '<optgroup label="Programs on this machine">' in guest.page.text
        assert guest.page.text.count('<option value="engine:Mine">Mine</option>') == 4
        table = guest.open(**{"chair-1": "engine:Mine"})
        assert "Mine" in guest.get(f"/table/{table}").text
        assert guest.post("/new", **{"format": "1x1", "chair-1": "engine:Another"}).status_code == 422


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--engine", f"Mine={ENGINE}", "--host", "0.0.0.0"), "it is for this machine alone"),  # noqa: S104
        (
            ("--engine", f"Mine={ENGINE}", "--public-url", "https://chouine.example"),
            "it is for this machine alone",
        ),
        (("--engine", "Mine"), "NAME=COMMAND, not Mine"),
        (("--engine", "=ls"), "NAME=COMMAND, not =ls"),
        (("--engine", f"A={ENGINE}", "--engine", f"A={ENGINE}"), "a short name of its own"),
        (("--engine", "Mine=/no/such/program"), "There is no such program: /no/such/program"),
    ],
)
def test_what_cannot_be_seated_is_refused_at_the_start(
    options: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path / 'db'}"
    assert main(["serve", "--no-browser", "--port", "0", "--database", database, *options]) == 2
    assert told in capsys.readouterr().err
