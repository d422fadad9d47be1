"""Load tests of the server: players in separate processes that act as browsers do."""
