"""`python -m chouine`."""

import sys

from chouine.cli import main

sys.exit(main())
