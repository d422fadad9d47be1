"""The table in the browser: tables, their store, and the pages that show them."""
