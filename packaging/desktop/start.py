"""What a double click starts."""

import sys

from chouine_table import main

if __name__ == "__main__":
    sys.exit(main())
