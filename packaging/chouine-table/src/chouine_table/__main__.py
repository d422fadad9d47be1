"""`python -m chouine_table`."""

import sys

from chouine_table import main

sys.exit(main())
