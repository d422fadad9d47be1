"""The desk of a contest in the browser: entries, draws, results, paper, the room's screen. Works without a network."""
