"""Benchmarks of speed, strength and robustness."""
