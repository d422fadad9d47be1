"""Accounts: several browsers of one person, what signs them in, and what they did before they had one."""
