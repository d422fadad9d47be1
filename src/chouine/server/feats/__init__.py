"""What a person has done: statistics and feats, folded from the logs of finished matches.

`marks` finds the feats of a partie and of a match, `tally` counts a match for one seat, `statistics` adds tallies up,
`counting` stores them: each match is counted once, and again if this program counts otherwise than the one before.
"""
