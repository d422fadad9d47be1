"""A class is made of the modules that it is imported from and defined in, and of what these import."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from chouine.arena.player_files import digests_of

FILES = {
    "shop.py": "from bots import Best as Offer\nimport numpy\nimport random\nfrom chouine import cards\n",
    "bots/__init__.py": "from .first import First as Best\n",
    "bots/first.py": """
from typing import TYPE_CHECKING
from . import helper
if TYPE_CHECKING:
    import bots.typed

class First:
    def act(self, view):
        import late
        return helper.pick(view)
""",
    "bots/helper.py": "from .. import nothing\n",
    "bots/typed.py": "",
    "late.py": "this is no Python",
    "other.py": "",
}
FIRST = {"bots/__init__.py", "bots/first.py", "bots/helper.py", "late.py"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with modules, in which the program runs."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("spec", "files"),
    [
        ("python:bots.first:First", FIRST),
        ("python:bots:Best", FIRST),
        ("python:shop:Offer", FIRST | {"shop.py"}),
        ("python:other:Absent", {"other.py"}),
        ("python:absent:First", set()),
        ("python:bots..first:First", set()),
        ("python:", set()),
        ("greedy", set()),
        (
            "python:chouine.players.heuristic:HeuristicPlayer",
            {"chouine/__init__.py", "chouine/players/__init__.py", "chouine/players/heuristic.py"},
        ),
    ],
)
def test_a_class_is_made_of_its_modules(spec: str, files: set[str]) -> None:
    """Of the module that is named alone there was a digest, though it had only imported the class."""
    assert {*digests_of(spec)} == files


def test_a_class_of_an_installed_package_is_made_of_that_package(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not of the others that it imports: who plays it again installs them."""
    installed = folder / "site-packages"
    (installed / "sold").mkdir(parents=True)
    (installed / "needed").mkdir()
    (installed / "sold" / "__init__.py").write_text("from sold.best import Best\n", encoding="utf-8")
    (installed / "sold" / "best.py").write_text("import needed\nclass Best: ...\n", encoding="utf-8")
    (installed / "needed" / "__init__.py").write_text("", encoding="utf-8")
    (folder / "mine.py").write_text("from sold import Best\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(installed)])
    assert {*digests_of("python:sold:Best")} == {"sold/__init__.py", "sold/best.py"}
    assert {*digests_of("python:mine:Best")} == {"mine.py", "sold/__init__.py", "sold/best.py"}
