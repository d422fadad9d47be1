"""Tries a running installation, from outside as a browser does and on its own machine, and says what to set."""
