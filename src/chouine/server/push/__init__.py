"""A player who is away is told by their browser that it is their turn (Web Push)."""
