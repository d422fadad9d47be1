"""A match at one terminal. All is pure but `console`, which alone reads and writes."""
