"""How far a long job is, for whoever waits for it at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic

from chouine.phrases import Language, say


@contextmanager
def saying_that_it_goes_on(language: Language) -> Iterator[None]:
    """Say of an interrupted command that it goes on when it is called again."""
    try:
        yield
    except KeyboardInterrupt:
        clear()
        sys.stderr.write(f"{say('jobs/interrupted', language)}\n")
        raise


class Progress:
    """A line on standard error, if that is a terminal: items done, and the time that the others may take."""

    def __init__(self, many: int | None, language: Language) -> None:
        """`many` is the number of all items, None if it is not known."""
        self.many = many
        self.language = language
        self.before: int | None = None
        """Number of items that an earlier call did; None until the first item of this one."""
        self.began = monotonic()

    def tell(self, done: int, about: str = "") -> None:
        """Tell how many items are done, and something else."""
        if self.before is None:
            self.before = max(done - 1, 0)
        if sys.stderr.isatty():
            line = "  ".join(filter(None, (self.text(done, self.before), about)))
            sys.stderr.write(f"\r{line}\x1b[K")
            sys.stderr.flush()

    def text(self, done: int, before: int) -> str:
        """`12/400, 0:03:20 left`."""
        if self.many is None:
            return str(done)
        counted = f"{done}/{self.many}"
        if done <= before:
            return counted
        left = (monotonic() - self.began) / (done - before) * (self.many - done)
        return say("jobs/left", self.language, counted=counted, left=str(timedelta(seconds=round(left))))


def clear() -> None:
    """Clear the progress line."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
