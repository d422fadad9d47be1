"""Temporary folders of the servers that tests start; what a killed run of tests has left is cleared by the next."""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
from contextlib import suppress
from pathlib import Path

PROCESSES = Path("/proc")


def own_folder(what: str) -> Path:
    """A new folder that bears this process's number, after clearing those whose process is gone."""
    for left in Path(tempfile.gettempdir()).glob(f"chouine-{what}-*"):
        owner = re.match(r"(\d+)-", left.name.removeprefix(f"chouine-{what}-"))
        if owner and not is_running(int(owner[1])):
            clear(left)
    return Path(tempfile.mkdtemp(prefix=f"chouine-{what}-{os.getpid()}-"))


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another user's
    return True


def clear(folder: Path) -> None:
    """Kill the servers that work in a folder, and delete it. Another run may do so at the same time."""
    for one in PROCESSES.glob("[0-9]*"):
        with suppress(OSError):
            if (one / "cwd").readlink().is_relative_to(folder.resolve()):
                os.kill(int(one.name), signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)
