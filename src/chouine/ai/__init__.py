"""Players that search and learn, and the analysis of positions, from a seat's knowledge alone."""
