"""The former name of `chouine.contest.acts`."""

from chouine.contest import acts
from chouine.former import former_names

__getattr__ = former_names(
    __name__, {name: f"chouine.contest.acts.{name}" for name in vars(acts)}, gone="1.1"
)
