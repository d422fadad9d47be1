"""Contests of the server's own players: the log of each, and the steward who runs them."""
