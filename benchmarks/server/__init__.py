"""The server under load: players in processes of their own, who act as browsers do, and what they saw of it."""
