"""The entry point of the desktop program."""

import sys

from chouine_table import main

if __name__ == "__main__":
    sys.exit(main())
