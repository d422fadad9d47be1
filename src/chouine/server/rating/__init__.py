"""Ratings of people, from matches for which everybody agreed to it: `glicko` for two, `several` for three and four.

`ledger` stores what each match changed, in the transaction that ends it; `fold` does it all again.
"""
