"""Who follows a how-to to the letter gets what it promises, and breaks no other test."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from tests.howto.tree import Tree

RUFF = str(Path(sysconfig.get_path("scripts")) / "ruff")
ALSO = {
    "language.md": (
        "tests/cli/test_help.py",
        "tests/server/http/test_chairs.py",
        "tests/server/offline/test_site.py",
        "tests/server/pages/test_words.py",
        "tests/test_names.py",
    ),
    "lesson.md": ("tests/phrases", "tests/server/test_progress.py"),
    "migration.md": (
        "tests/server/store/test_migrations.py::test_the_newest_shape_is_the_stores",
        "tests/server/store/test_retention.py",
        "tests/server/store/test_schemas.py",
    ),
    "page.md": (
        "tests/attack/test_headers.py",
        "tests/phrases",
        "tests/test_names.py",
        "tests/server/pages/test_rules.py",
    ),
    "player.md": (
        "tests/cli/test_play.py::test_errors_list_the_possible_players",
        "tests/envs/test_opponents.py::test_what_is_no_opponent_is_refused",
        "tests/test_names.py",
    ),
    "rule-option.md": ("tests/phrases", "tests/test_names.py", "tests/test_rulebook.py"),
}
"""Tests elsewhere that a contributor would break first."""


ALONE = [pytest.param((page,), id=page, marks=pytest.mark.nightly) for page in ALSO]


@pytest.mark.first
@pytest.mark.timeout(3_600)  # 1,044 s were measured on two busy cores
@pytest.mark.parametrize("pages", [pytest.param(tuple(ALSO), id="together"), *ALONE])
def test_howtos_are_followed(pages: tuple[str, ...], tmp_path: Path) -> None:
    """All in one copy by day, which their examples share; at night each alone too, so that none needs another."""
    tree = Tree(tmp_path)
    named = tree.follow(*pages)
    assert named
    tree.run(RUFF, "check", "-q")
    tree.run(RUFF, "format", "-q", "--check")
    tests = dict.fromkeys([*named, *(test for page in pages for test in ALSO[page])])
    tree.run(".venv/bin/pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tests)
