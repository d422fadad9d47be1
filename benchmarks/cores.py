"""One core for what is compared, so that whatever else the machine does slows all of it alike."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_core() -> Iterator[None]:
    """Everything in here, and what is started in here, runs on the last core; only Linux can be asked for that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
