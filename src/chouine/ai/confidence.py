"""How wide intervals are."""

from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)
"""A normal variable lies within so many deviations in 95 % of cases."""
