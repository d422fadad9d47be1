"""La Chouine, the card game of the Loir valley: its rules, its records and its players."""

__version__ = "0.1.0"
