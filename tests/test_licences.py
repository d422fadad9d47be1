"""THIRD_PARTY_LICENSES.md lists exactly the required packages, each with its users."""

from __future__ import annotations

import json
import re
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
GROUPS = {"bench": "measuring", "build": "building", "desktop": "desktop", "dev": "development"}


def asked_for() -> dict[str, set[str]]:
    """Each package of `pyproject.toml` and `package.json`, with the extras and groups that require it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed: dict[str, set[str]] = defaultdict(set)
    for extra, packages in project["project"]["optional-dependencies"].items():
        for package in packages:
            needed[name_of(package)].add(f"`{extra}`")
    for group, packages in project["dependency-groups"].items():
        for package in packages:
            if isinstance(package, str):
                needed[name_of(package)].add(GROUPS[group])
    for path in (ROOT / "package.json", ROOT / "tests" / "browser" / "oldest" / "package.json"):
        packages = json.loads(path.read_text())
        for kind, needs in (("dependencies", "offline"), ("devDependencies", GROUPS["dev"])):
            for package in packages.get(kind, []):
                needed[f"{package} (npm)"].add(needs)
    return needed


def name_of(requirement: str) -> str:
    """`sqlalchemy` of `sqlalchemy[asyncio]>=2.1.9`."""
    return re.split(r"[\[<>=;~! ]", requirement, maxsplit=1)[0]


def packages_in_list() -> dict[str, set[str]]:
    """The packages listed in THIRD_PARTY_LICENSES.md, with their users."""
    rows = re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", (ROOT / "THIRD_PARTY_LICENSES.md").read_text(), re.MULTILINE
    )
    return {package: set(needs.split(", ")) for package, needs in rows if package not in ("Package", "---")}


def test_the_list_of_licences_is_that_of_the_packages_asked_for() -> None:
    assert packages_in_list() == asked_for()
