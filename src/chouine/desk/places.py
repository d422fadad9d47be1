"""Places for a contest's second copy: USB sticks and memory cards."""

from __future__ import annotations

import os
import string
import sys
from pathlib import Path

STICKS = ("media/*/*", "run/media/*/*", "Volumes/*")
"""Mount points below the root; on Windows removable disks are drive letters."""


def removable(root: Path = Path("/")) -> tuple[Path, ...]:
    """Folders of removable disks that can be written to."""
    if sys.platform == "win32":
        found = [Path(f"{letter}:/") for letter in string.ascii_uppercase[3:] if Path(f"{letter}:/").exists()]
    else:
        found = sorted(place for pattern in STICKS for place in root.glob(pattern) if place.is_dir())
    return tuple(place for place in found if place.is_mount() and os.access(place, os.W_OK))
