"""The package's metadata: its audience, and a description that works on a page outside the repository."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tools.package import BLOCKS, CORE, LEARNING, PAGES, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DESCRIPTION = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")


def test_its_description_has_no_link_that_needs_the_repository() -> None:
    links = re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", DESCRIPTION)
    assert all(target.startswith("https://") for link in links for target in link if target)


def test_its_first_programs_run(capsys: pytest.CaptureFixture[str]) -> None:
    exec("\n".join(BLOCKS.findall(DESCRIPTION)), {})  # noqa: S102  # it is our own page
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_every_extra_that_it_names_is_one() -> None:
    named = set(re.findall(r"\[(\w+)\]'", DESCRIPTION))
    assert named
    assert named <= set(PROJECT["optional-dependencies"])


def test_every_python_that_is_tested_is_told() -> None:
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    tested = re.findall(r'"(3\.\d+)"', workflow)
    told = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", each)]
    assert tested == told
    assert "make package" in workflow


@pytest.mark.parametrize("path", CORE + LEARNING + PAGES)
def test_what_it_tests_from_the_archive_is_there(path: str) -> None:
    assert Path(ROOT / path).exists()
