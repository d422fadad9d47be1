"""The book of Chouine: statistics of the game from many parties of strong self-play, which anybody can recompute.

`kernel` plays the parties and replays them with single changes; `tallies` counts; `exact` computes odds without
play; `tables` makes figures with intervals; `pages` and `plots` write them; `run` plays in parts that can be
resumed.
"""
