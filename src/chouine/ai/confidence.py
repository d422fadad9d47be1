"""The width of confidence intervals."""

from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)
"""A normal variable lies within this many standard deviations with probability 95 %."""
