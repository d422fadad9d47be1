"""Former names warn where they are used, and go in the version that was told."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import chouine
from chouine.former import former_names

SOURCES = Path(chouine.__file__).parent
GONE = re.compile(r'gone="([\d.]+)"')
SEEN = re.compile(r"^(def )?__getattr__\b", re.MULTILINE)
"""A `__getattr__` of a module that is not under `if not TYPE_CHECKING`."""


def test_a_former_name_warns_where_it_is_used() -> None:
    find = former_names("chouine.old", {"Packet": "chouine.cards.CardSet"}, gone="1.1")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert find("Packet") is chouine.CardSet
    (warning,) = caught
    assert str(warning.message) == (
        "chouine.old.Packet is now chouine.cards.CardSet; version 1.1 has the new name only"
    )
    assert (warning.category, warning.filename) == (DeprecationWarning, __file__)
    with pytest.raises(AttributeError, match=r"module 'chouine\.old' has no attribute 'Card'"):
        find("Card")


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_none_is_kept_longer_than_was_told() -> None:
    texts = (path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    told = [version for text in texts for version in GONE.findall(text)]
    assert told
    assert [version for version in told if numbers(version) <= numbers(chouine.__version__)] == []


def test_a_type_checker_takes_no_misspelt_name() -> None:
    """As it would in a module whose `__getattr__` it sees."""
    found = [path for path in SOURCES.rglob("*.py") if SEEN.search(path.read_text(encoding="utf-8"))]
    assert found == []
