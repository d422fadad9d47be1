"""Equilibria of the last tricks with hidden cards, by counterfactual regret minimisation on ranges.

`last_tricks` entry point · `subgame` PCFR+ · `tree` public tree · `transitions` hands and links · `answers` the last
answer with hidden cards, vectorised · `payoffs` its results.
"""
