"""The last tricks with hidden cards, played so that nobody can do much better: an equilibrium on ranges.

`last_tricks` what a seat does · `subgame` how that is learnt · `tree` what may come about, told by `positions` ·
`links` hands and where they lead · `answers` the last while cards are hidden · `payoffs` who wins then, by `endings`.
"""
