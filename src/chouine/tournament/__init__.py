"""The former name of `chouine.contest`."""

from typing import TYPE_CHECKING

from chouine import contest
from chouine.former import former_names

if TYPE_CHECKING:
    from chouine.contest import *  # noqa: F403
else:
    __getattr__ = former_names(
        __name__, {name: f"chouine.contest.{name}" for name in contest.__all__}, gone="1.1"
    )
