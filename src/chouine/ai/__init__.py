"""What a program can work out at the table, from what its seat knows."""
