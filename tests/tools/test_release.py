"""A version can be released only if changelog, package and tag agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import release
from tools.release import faults, git

CHANGES = "# Changelog\n\n## [Unreleased]\n\n- Something new.\n\n## [1.1.0] - 2025-01-31\n\n- Older.\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository from which 1.2.0 can be released."""
    for name in release.WRITTEN:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write(tmp_path, name, (release.ROOT / name).read_text(encoding="utf-8"))
    write(tmp_path, "CHANGELOG.md", CHANGES)
    release.set_version(tmp_path, "1.2.0", "2026-01-31")
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
    assert release.main("tag", "1.2.0") == 0
    assert git(tree, "tag", "--list") == "v1.2.0"
    assert list(faults(tree, "1.2.0")) == ["The tag v1.2.0 exists already."]


@pytest.mark.parametrize(
    ("name", "text", "now", "why"),
    [
        ("pyproject.toml", 'version = "1.2.0"', 'version = "1.1.0"', "pyproject.toml says 1.1.0:"),
        ("pyproject.toml", "5 - Production/Stable", "3 - Alpha", "lacks the classifier"),
        ("src/chouine/__init__.py", "__version__", "version", "src/chouine/__init__.py says no version:"),
        ("packaging/chouine-table/pyproject.toml", "[fast]==1.2.0", "[fast]==1.1.0", "says 1.1.0, 1.2.0:"),
        ("docs/notation.md", "Chouine 1.2.0", "Chouine 1.1.0", "docs/notation.md says 1.1.0:"),
        ("CHANGELOG.md", "[1.2.0]", "[1.1.0]", "has no heading"),
        ("CHANGELOG.md", "- Something new.\n", "", "lists nothing under 1.2.0"),
    ],
)
def test_what_disagrees_is_named_and_nothing_tagged(
    tree: Path, name: str, text: str, now: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (tree / name).read_text(encoding="utf-8")
    assert text in before
    write(tree, name, before.replace(text, now))
    commit(tree)
    monkeypatch.setattr(release, "ROOT", tree)
    assert release.main("tag", "1.2.0") == 1
    (fault,) = faults(tree, "1.2.0")
    assert why in fault
    assert git(tree, "tag", "--list") == ""


def test_a_version_before_the_first_is_an_alpha(tree: Path) -> None:
    release.set_version(tree, "0.9.0", "2025-01-01")
    commit(tree)
    assert list(faults(tree, "0.9.0")) == ["CHANGELOG.md lists nothing under 0.9.0."]
    assert "3 - Alpha" in (tree / "pyproject.toml").read_text(encoding="utf-8")


def test_changes_must_be_committed(tree: Path) -> None:
    write(tree, "new", "")
    assert list(faults(tree, "1.2.0")) == ["There are changes that are not committed."]


@pytest.mark.parametrize("version", ["", "1.2", "v1.2.0", "next"])
def test_a_version_has_three_numbers(tree: Path, version: str) -> None:
    (fault,) = faults(tree, version)
    assert "is not a version like 1.2.0" in fault
