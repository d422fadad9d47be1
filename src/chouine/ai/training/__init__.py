"""Training of the networks: self-play data, supervised fitting and PPO."""
