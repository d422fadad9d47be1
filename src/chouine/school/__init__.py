"""Lessons, exercises and problems to learn Chouine. A teacher edits the content; the rules compute answers."""
