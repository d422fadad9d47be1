"""The contest's desk: what the pure engine needs from outside. A file that loses nothing, and a solver."""
