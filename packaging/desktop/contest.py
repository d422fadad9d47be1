"""The entry point of the desktop program that opens the desk of a contest."""

import sys

from chouine_table import main

if __name__ == "__main__":
    sys.exit(main("concours", "open"))
