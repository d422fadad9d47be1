"""The book of Chouine: what many parties of strong self-play say about the game, in tables anybody can make again.

`kernel` plays parties and tries "the same without it"; `tallies` counts; `exact` gives odds without play; `tables`
makes figures with intervals; `pages` and `plots` write them; `run` plays in parts that can be resumed.
"""
