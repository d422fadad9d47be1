"""Play without a network: the server's pages and commands, run in the browser by the same Python code."""
