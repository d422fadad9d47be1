"""What the processes of a browser cost this machine, from /proc."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def descendants(pid: int) -> Iterator[int]:
    """The processes that this one has started, and theirs."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            yield child
            yield from descendants(child)


def shows_pages(command: bytes) -> bool:
    """Whether a process with this command line shows pages, for Chromium, WebKit or Firefox."""
    firefox = b"-contentproc" in command and command.rstrip(b"\0").endswith(b"tab")
    return firefox or b"--type=renderer" in command or b"WebKitWebProcess" in command


def renderers() -> Iterator[Path]:
    """The folders in /proc of the processes for pages, of the browsers that this process has started."""
    for path in (Path(f"/proc/{pid}") for pid in descendants(os.getpid())):
        with suppress(OSError):  # it has just ended
            if shows_pages((path / "cmdline").read_bytes()):
                yield path


def megabytes() -> int:
    """The memory of the largest page's process."""
    sizes = [0]
    for path in renderers():
        with suppress(OSError):  # it has just ended
            lines = (path / "smaps_rollup").read_text().splitlines()
            sizes += [int(line.split()[1]) >> 10 for line in lines if line.startswith("Pss:")]
    return max(sizes)


def switches() -> int:
    """How often the threads of all pages' processes have waited for something."""
    told = [status.read_text() for path in renderers() for status in path.glob("task/*/status")]
    lines = [line for text in told for line in text.splitlines() if line.startswith("voluntary")]
    return sum(int(line.split()[1]) for line in lines)
