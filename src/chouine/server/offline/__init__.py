"""Chouine without a network: the table's own pages and commands, made in the browser from the same Python."""
