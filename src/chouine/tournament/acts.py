"""The former name of `chouine.contest.acts`."""

from typing import TYPE_CHECKING

from chouine.contest import acts
from chouine.former import former_names

if TYPE_CHECKING:
    from chouine.contest.acts import *  # noqa: F403
else:
    __getattr__ = former_names(
        __name__, {name: f"chouine.contest.acts.{name}" for name in vars(acts)}, gone="1.1"
    )
