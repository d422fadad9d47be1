"""Every link in the documents leads to an existing file, and to an existing heading there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "src").rglob("*.md"),
    *(ROOT / "art").glob("*.md"),
]
LINK = re.compile(r'(?<!`)\]\(([^)\s]+)\)|<img src="([^"]+)"')
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def text_of(path: Path) -> str:
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def anchors(path: Path) -> set[str]:
    """The anchors of the headings, as code forges generate them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", text_of(path), re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        nth = 0
        while slug + (f"-{nth}" if nth else "") in found:
            nth += 1
        found.add(slug + (f"-{nth}" if nth else ""))
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links(document: Path) -> None:
    for found in LINK.finditer(text_of(document)):
        target = found[1] or found[2]
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        there = (document.parent / name) if name else document
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there), target
