"""Check a commit message: a subject of at most 72 characters, then an empty line before any further text.

`python3 tools/commit_message.py FILE`, as Git calls a commit-msg hook; exit status 1 for an error.
"""

from __future__ import annotations

import sys
from pathlib import Path

LONGEST = 72
BY_GIT = ("Merge ", "Revert ", "fixup! ", "squash! ")
"""Beginnings of subjects that Git generates."""


def faults(message: str) -> list[str]:
    """The errors of a message, one sentence each."""
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    subject = lines[0].rstrip() if lines else ""
    if subject.startswith(BY_GIT):
        return []
    found = []
    if not subject:
        found.append("The first line is empty: say there what the commit does.")
    if len(subject) > LONGEST:
        found.append(
            f"The subject has {len(subject)} characters; {LONGEST} are allowed. Move the why to the body."
        )
    if subject.endswith("."):
        found.append("The subject ends with a full stop: it is a title.")
    if len(lines) > 1 and lines[1].strip():
        found.append("The second line is not empty: it separates the subject from the body.")
    return found


def main(path: str) -> int:
    found = faults(Path(path).read_text(encoding="utf-8"))
    for fault in found:
        print(f"commit message: {fault}", file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
