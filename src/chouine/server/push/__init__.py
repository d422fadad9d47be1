"""A player who is away is told that it is their turn: by their browser (Web Push), or by e-mail."""
