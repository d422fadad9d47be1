"""`chouine.tournament`, as programs of before name the contest."""

from __future__ import annotations

from importlib import import_module

import pytest

from chouine import contest
from chouine.contest import acts


def test_the_former_package_still_gives_its_names_and_says_the_new_one() -> None:
    former = import_module("chouine.tournament")
    for name in contest.__all__:
        with pytest.warns(DeprecationWarning, match=r"chouine\.contest"):
            assert getattr(former, name) is getattr(contest, name)
    assert not hasattr(former, "nothing")


def test_so_does_its_documented_module() -> None:
    former = import_module("chouine.tournament.acts")
    with pytest.warns(DeprecationWarning, match=r"chouine\.contest\.acts"):
        assert former.RoundDrawn is acts.RoundDrawn
