"""The pages' fonts: small, cached permanently, and served with their licence."""

from __future__ import annotations

import re

from chouine.server.pages.env import STATIC, environment, static

HEAVIEST = 60 * 1024
"""Bytes of all font files."""
FILES = sorted((STATIC / "fonts").glob("*.woff2"))
SHEET = (STATIC / "css" / "base.css").read_text("utf-8")


def test_it_is_light() -> None:
    assert [path.name for path in FILES] == ["suits.woff2", "text.woff2", "title.woff2"]
    assert sum(path.stat().st_size for path in FILES) <= HEAVIEST


def test_the_style_sheet_asks_for_each_file_by_its_lasting_address() -> None:
    """The style sheet and preload links use addresses that change with a file's content."""
    asked = sorted(f"/static/{path}" for path in re.findall(r'url\("\.\./([^"]+)"\)', SHEET))
    assert asked == [static(f"fonts/{path.name}") for path in FILES]
    preloaded = re.findall(r"static\('(fonts/[^']+)'\)", template("base.html"))
    assert preloaded == ["fonts/text.woff2", "fonts/title.woff2"]


def test_its_licence_is_served_with_it() -> None:
    licence = (STATIC / "fonts" / "OFL.txt").read_text("utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert {"Atkinson", "Alegreya"} <= set(re.findall(r"^Copyright \S+ The (\w+)", licence, re.MULTILINE))


def template(name: str) -> str:
    loader = environment("en").loader
    assert loader is not None
    return loader.get_source(environment("en"), name)[0]
