"""Learning Chouine: lessons, exercises, problems. Content is data that a teacher edits; the rules answer."""
