"""People who know each other: their pages, friends, challenges, and who is here."""
