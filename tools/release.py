"""Set a version wherever it is written, and tag its release if everything agrees.

`make version VERSION=1.2.0` sets it, `make release VERSION=1.2.0` checks, builds everything, and tags. Pushes nothing.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
FORM = re.compile(r"\d+\.\d+\.\d+")
STAGE = "Development Status :: "
STAGES = {False: f"{STAGE}3 - Alpha", True: f"{STAGE}5 - Production/Stable"}
"""The classifier before version 1.0.0, and from it on."""
WRITTEN = {
    "pyproject.toml": r'^version = "(.+)"$',
    "src/chouine/__init__.py": r'^__version__ = "(.+)"$',
    "packaging/chouine-table/pyproject.toml": r'^version = "(.+)"$|"chouine\[[a-z,]+\]==(.+)"\]',
    "docs/notation.md": r"^< id name Chouine (.+)$",
}
"""Where the version is written."""
UNRELEASED = "## [Unreleased]\n"
LAST = """\
Tagged v{version}. What is left:
  git push origin v{version}                                   # a workflow builds and signs the package
  podman build -f deploy/Containerfile -t chouine:{version} .  # the image, after make offline; needs podman or docker
  dist/ has the package and the desktop folder, build/site the site."""


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True, text=True)  # noqa: S603, S607
    return done.stdout.strip()


def stage_for(version: str) -> str:
    return STAGES[int(version.partition(".")[0]) >= 1]


def set_version(root: Path, version: str, day: str) -> None:
    """Write a version in every place, and in the changelog its heading with the day (YYYY-MM-DD)."""

    def put(name: str, pattern: str, now: Callable[[re.Match[str]], str]) -> None:
        path = root / name
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(pattern, now, text, flags=re.MULTILINE), encoding="utf-8")

    for name, pattern in WRITTEN.items():
        put(name, pattern, lambda found: found[0].replace("".join(found.groups("")), version))
    put("pyproject.toml", f'{STAGE}[^"]+', lambda _: stage_for(version))
    put("CHANGELOG.md", f"^{re.escape(UNRELEASED)}", lambda found: f"{found[0]}\n## [{version}] - {day}\n")


def faults(root: Path, version: str) -> Iterator[str]:
    """The reasons against releasing this version from this working tree, one sentence each."""
    if not FORM.fullmatch(version):
        yield f"{version!r} is not a version like 1.2.0: make release VERSION=1.2.0"
        return
    for name, pattern in WRITTEN.items():
        found = re.findall(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        named = {"".join(groups) for groups in found}
        if named != {version}:
            yield f"{name} says {', '.join(sorted(named)) or 'no version'}: make version VERSION={version}"
    stages = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["classifiers"]
    if stage_for(version) not in stages:
        yield f"pyproject.toml lacks the classifier “{stage_for(version)}”."
    listed = re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)",
                       (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)  # fmt: skip
    if not listed:
        yield f"CHANGELOG.md has no heading “## [{version}] - YYYY-MM-DD”."
    elif not listed[1].strip():
        yield f"CHANGELOG.md lists nothing under {version}."
    if git(root, "tag", "--list", f"v{version}"):
        yield f"The tag v{version} exists already."
    if git(root, "status", "--porcelain"):
        yield "There are changes that are not committed."


def main(act: str, version: str) -> int:
    """`set` the version, `check` whether it can be released, or `tag` it; return 1 and print why if that cannot be."""
    if act == "set" and FORM.fullmatch(version):
        set_version(ROOT, version, f"{datetime.now(UTC):%Y-%m-%d}")
        print(f"This is version {version}. Commit it, then: make release VERSION={version}")
        return 0
    found = list(faults(ROOT, version))
    for fault in found:
        print(f"release: {fault}", file=sys.stderr)
    if not found and act == "tag":
        git(ROOT, "tag", "--annotate", f"v{version}", "--message", f"Chouine {version}")
        print(LAST.format(version=version))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""))
