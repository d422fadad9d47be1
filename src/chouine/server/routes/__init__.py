"""Functions that answer addresses; `addresses` lists them all."""
