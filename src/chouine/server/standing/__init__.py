"""How well a person plays and what they have done: ratings, statistics and feats, from the logs of finished matches.

`glicko` rates people after a match for which everybody agreed to it; `ledger` stores what each match changed, in the
transaction that ends it, and does it all again. `marks` finds the feats of a partie and of a match; `tallies` counts
each match once, and again if this program counts otherwise than the one before, and adds up.
"""
