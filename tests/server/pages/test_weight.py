"""The compressed size of the table's modules."""

from __future__ import annotations

import gzip
import re
from itertools import chain

from chouine.server.pages.env import STATIC

SCRIPTS = STATIC / "js"
IMPORTED = re.compile(r'^import .*? from "\./(.*?)";$|\bimport\("\./(.*?)"\)', re.MULTILINE)
"""At once, or when it is asked for."""


def imports_of(name: str) -> set[str]:
    """A module and all its imports."""
    found, left = set[str](), [name]
    while left:
        module = left.pop()
        if module not in found:
            found.add(module)
            left += filter(None, chain(*IMPORTED.findall((SCRIPTS / module).read_text())))
    return found


def test_the_table_s_scripts_weigh_less_than_40_kilobytes() -> None:
    modules = imports_of("table.js")
    assert modules >= {"table.js", "flip.js", "feast.js", "sound.js", "stream.js", "morph.js"}
    assert sum(len(gzip.compress((SCRIPTS / module).read_bytes())) for module in modules) <= 40 * 1024
