"""Long jobs: a task done for many items, in order, by this process, several, or a Ray cluster; resumed from a log.

The results do not depend on who computes them, so a task is a function at the top of a module whose result follows from
its item. What is large a task writes to a file itself, and returns a summary.
"""

from __future__ import annotations

from chouine.jobs.crews import Crew, at_exit, crew, in_this_process, processors
from chouine.jobs.progress import Log, Progress, clear, do_logged, saying_that_it_goes_on

__all__ = [
    "Crew",
    "Log",
    "Progress",
    "at_exit",
    "clear",
    "crew",
    "do_logged",
    "in_this_process",
    "processors",
    "saying_that_it_goes_on",
]
