"""What only `make nightly` tries: the remaining combinations of what is tried by pairs at each change."""

from __future__ import annotations

from hypothesis import settings


def is_night() -> bool:
    """Whether these are the tests of `make nightly`."""
    return settings.get_current_profile_name() == "nightly"


def costly_examples() -> int:
    """The number of examples of a property whose every example asks a server: by day a third of the usual."""
    usual = settings().max_examples
    return usual if is_night() else usual // 3
