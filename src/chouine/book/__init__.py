"""The book of Chouine: statistics of the game from many parties of strong self-play, which anybody can recompute.

`kernel` plays the parties and replays them with single changes; `tallies` counts; `estimates` makes figures with
intervals, and odds without play; `pages` writes them; `run` plays in parts that can be resumed.
"""
