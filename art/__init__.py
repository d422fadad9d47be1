"""The drawings of the deck: `python -m art` writes the sprite and its style sheet. Standard library only."""
