"""Matches that are played over days: one's tables, reminders, holidays, acts prepared for another's card."""
