"""Online contests: their logs, and the steward that runs them."""
