"""Tag a release if changelog, `pyproject.toml`, package and working tree agree on its version.

`make release VERSION=1.2.0`. Pushes nothing.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FORM = re.compile(r"\d+\.\d+\.\d+")
NAMED = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True, text=True)  # noqa: S603, S607
    return done.stdout.strip()


def faults(root: Path, version: str) -> Iterator[str]:
    """The reasons against releasing this version from this working tree, one sentence each."""
    if not FORM.fullmatch(version):
        yield f"{version!r} is not a version like 1.2.0: make release VERSION=1.2.0"
        return
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if project != version:
        yield f"pyproject.toml says {project}."
    named = NAMED.findall((root / "src/chouine/__init__.py").read_text(encoding="utf-8"))
    if named != [version]:
        yield f"src/chouine/__init__.py says {', '.join(named) or 'no version'}."
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


def main(version: str) -> int:
    """Tag the commit; return 1 and print the reasons if that is impossible."""
    found = list(faults(ROOT, version))
    for fault in found:
        print(f"release: {fault}", file=sys.stderr)
    if not found:
        git(ROOT, "tag", "--annotate", f"v{version}", "--message", f"Chouine {version}")
        print(f"Tagged v{version}. Publish it with: git push origin v{version}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
