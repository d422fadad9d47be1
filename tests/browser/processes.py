"""What the processes of a browser cost this machine, from /proc."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def descendants(pid: int) -> Iterator[int]:
    """The processes that this one has started, and theirs."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, read_if_there(task).split()):
            yield child
            yield from descendants(child)


def read_if_there(path: Path) -> str:
    """A file of /proc; nothing where its process or thread has just ended."""
    try:
        return path.read_text()
    except OSError:
        return ""


def shows_pages(command: bytes) -> bool:
    """Whether a process with this command line shows pages, for Chromium, WebKit or Firefox."""
    firefox = b"-contentproc" in command and command.rstrip(b"\0").endswith(b"tab")
    return firefox or b"--type=renderer" in command or b"WebKitWebProcess" in command


def renderers() -> Iterator[Path]:
    """The folders in /proc of the processes for pages, of the browsers that this process has started."""
    for path in (Path(f"/proc/{pid}") for pid in descendants(os.getpid())):
        if shows_pages(read_if_there(path / "cmdline").encode()):
            yield path


def megabytes() -> int:
    """The memory of the largest page's process."""
    told = [read_if_there(path / "smaps_rollup") for path in renderers()]
    lines = [line for text in told for line in text.splitlines() if line.startswith("Pss:")]
    return max((int(line.split()[1]) >> 10 for line in lines), default=0)


def switches() -> int:
    """How often the threads of all pages' processes have waited for something."""
    told = [read_if_there(status) for path in renderers() for status in path.glob("task/*/status")]
    lines = [line for text in told for line in text.splitlines() if line.startswith("voluntary")]
    return sum(int(line.split()[1]) for line in lines)
