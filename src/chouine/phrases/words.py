"""Names of ranks and suits, French then English."""

SUITS = (("pique", "spades"), ("cœur", "hearts"), ("carreau", "diamonds"), ("trèfle", "clubs"))
RANKS = (
    ("sept", "seven"),
    ("huit", "eight"),
    ("neuf", "nine"),
    ("valet", "jack"),
    ("dame", "queen"),
    ("roi", "king"),
    ("dix", "ten"),
    ("as", "ace"),
)
