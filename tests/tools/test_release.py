"""A version can be released only if changelog, package and tag agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import release
from tools.release import faults, git

LISTED = "# Changelog\n\n## [1.2.0] - 2026-01-31\n\n- Something new.\n\n## [1.1.0] - 2025-01-31\n\n- Older.\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository from which 1.2.0 can be released."""
    (tmp_path / "src" / "chouine").mkdir(parents=True)
    write(tmp_path, "pyproject.toml", '[project]\nversion = "1.2.0"\n')
    write(tmp_path, "src/chouine/__init__.py", '__version__ = "1.2.0"\n')
    write(tmp_path, "CHANGELOG.md", LISTED)
    git(tmp_path, "init", "-q")
    git(tmp_path, "config", "user.name", "Anne")
    git(tmp_path, "config", "user.email", "anne@example.org")
    commit(tmp_path)
    return tmp_path


def write(tree: Path, name: str, text: str) -> None:
    (tree / name).write_text(text, encoding="utf-8")


def commit(tree: Path) -> None:
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", "Change something")


def test_where_all_agree_there_is_a_tag(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "ROOT", tree)
    assert release.main("1.2.0") == 0
    assert git(tree, "tag", "--list") == "v1.2.0"
    assert list(faults(tree, "1.2.0")) == ["The tag v1.2.0 exists already."]


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("pyproject.toml", '[project]\nversion = "1.1.0"\n', "pyproject.toml says 1.1.0."),
        ("src/chouine/__init__.py", "", "src/chouine/__init__.py says no version."),
        ("CHANGELOG.md", LISTED.replace("1.2.0", "Unreleased"), "has no heading"),
        ("CHANGELOG.md", LISTED.replace("- Something new.\n", ""), "lists nothing under 1.2.0"),
    ],
)
def test_what_disagrees_is_named_and_nothing_tagged(
    tree: Path, name: str, text: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tree, name, text)
    commit(tree)
    monkeypatch.setattr(release, "ROOT", tree)
    assert release.main("1.2.0") == 1
    (fault,) = faults(tree, "1.2.0")
    assert why in fault
    assert git(tree, "tag", "--list") == ""


def test_changes_must_be_committed(tree: Path) -> None:
    write(tree, "new", "")
    assert list(faults(tree, "1.2.0")) == ["There are changes that are not committed."]


@pytest.mark.parametrize("version", ["", "1.2", "v1.2.0", "next"])
def test_a_version_has_three_numbers(tree: Path, version: str) -> None:
    (fault,) = faults(tree, version)
    assert "is not a version like 1.2.0" in fault
