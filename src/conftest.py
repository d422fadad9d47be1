"""Which modules of the package have doctests."""

from __future__ import annotations

from collections.abc import Generator
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

SOURCES = Path(__file__).parent


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look through modules with an example only, one of twenty: each would be imported and its members read.

    They are imported here as everywhere. Pytest would put a module that it imports itself, such as
    `chouine.season.ranking`, in the place of the package's function of that name.
    """
    found = yield
    kept = [one for one in found if not isinstance(one, DoctestModule) or b">>>" in one.path.read_bytes()]
    for one in kept:
        if isinstance(one, DoctestModule):
            parts = one.path.relative_to(SOURCES).with_suffix("").parts
            import_module(".".join(part for part in parts if part != "__init__"))
    return kept
