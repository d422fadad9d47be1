"""A match at one terminal: the table and the talk are pure, `console` alone reads and writes."""
