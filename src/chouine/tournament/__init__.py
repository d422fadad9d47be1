"""The former name of `chouine.contest`."""

from chouine import contest
from chouine.former import former_names

__getattr__ = former_names(
    __name__, {name: f"chouine.contest.{name}" for name in contest.__all__}, gone="1.1"
)
