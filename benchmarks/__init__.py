"""How fast Chouine is, measured."""
