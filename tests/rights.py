"""Programs for which the modes of files hold, whoever runs the tests."""

from __future__ import annotations

import os


def obey_modes() -> list[str]:
    """What stands before a program's arguments: root, too, may then write only what a file's mode allows it."""
    return ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
