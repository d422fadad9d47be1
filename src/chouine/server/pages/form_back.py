"""The form that a refusal gives back, where what was typed is not to blame, or there was too much of it."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from chouine.server.refill import MOST, STATE
from chouine.server.request_parts import SENT, is_form, storable

LATER = frozenset({429, 503})
"""Statuses after which the same form may be sent again. After the others its text is only shown, to be copied."""
TOO_MUCH = 413
GIVEN_BACK = LATER | {403, 500, TOO_MUCH}
"""Statuses of refusals after which a form is given back: they are not about what it says."""
SECRET = frozenset({"/account/words"})
"""Addresses whose forms are not shown again."""


class SentField(NamedTuple):
    """A field of a form as it was sent."""

    name: str
    text: str
    written: bool
    """Whether it is shown: it has several words, so somebody wrote it. The others are sent along."""


@dataclass(frozen=True, slots=True)
class FormBack:
    """A form as it was sent."""

    address: str
    fields: tuple[SentField, ...]
    again: bool
    """Whether it can be sent again; if not, its text can be copied."""
    too_much: bool = False
    """Whether it was too large to be taken."""

    @property
    def written(self) -> list[SentField]:
        """What somebody wrote."""
        return [one for one in self.fields if one.written]


def form_back(scope: MutableMapping[str, Any], status: int, code: str) -> FormBack | None:
    """The form that a refused request has sent, without fields if it was too large; None if there is none."""
    if status not in GIVEN_BACK or scope["path"] in SECRET:
        return None
    address = address_of(scope)
    sent = scope.get(SENT)
    if not sent:
        return (
            FormBack(address, (), again=False, too_much=True)
            if status == TOO_MUCH and is_form(scope)
            else None
        )
    texts = [(name, storable(text)) for name, text in sent.multi_items() if isinstance(text, str)]
    if sum(len(text) for _, text in texts) > MOST:
        return None
    again = status in LATER or code.startswith("closed/")
    fields = tuple(
        SentField(storable(name), text, written=len(text.split()) > 1 and name not in STATE)
        for name, text in texts
    )
    found = FormBack(address, fields, again, status == TOO_MUCH)
    return found if again or found.written else None


def address_of(scope: MutableMapping[str, Any]) -> str:
    """The address of a request, with its query."""
    query = scope["query_string"].decode("latin-1")
    return f"{scope['path']}?{query}" if query else str(scope["path"])
