"""Equilibria of the last tricks with hidden cards, by counterfactual regret minimisation on ranges.

`last_tricks` entry point · `subgame` PCFR+ · `tree` public tree, of `positions` · `transitions` hands and links ·
`answers` the last answer with hidden cards, vectorised · `payoffs` its results, by `endings`.
"""
