"""The table in the browser: rooms, their store, and the pages that show them."""
