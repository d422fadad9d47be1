"""Turn notifications for players who are away: by their browser (Web Push) or by e-mail."""
