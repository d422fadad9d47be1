"""Training of the networks: self-play data, supervised fitting, PPO, and tuning of the heuristic."""
