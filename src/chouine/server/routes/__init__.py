"""Functions that answer addresses, each beside the page that it alone shows; `addresses` lists them all."""
