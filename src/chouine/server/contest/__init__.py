"""Contests in the browser: the desk of one in a hall, which works without a network, seasons, and contests on a server.

The desk has entries, draws, results, paper and the room's screen; `online`, `online_pages`, `duplicate_pages` and
`steward` are those of a server, which nobody directs.
"""
