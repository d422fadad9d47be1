"""French punctuation: texts are written with plain spaces, and get those that no line may break here."""

from __future__ import annotations

import re

BREAKABLE = re.compile(r" (?=[:;!?»])|(?<=«) ")


def with_french_spaces(text: str) -> str:
    r"""No-break spaces before `: ; ! ? »` and after `«`.

    >>> with_french_spaces("Chouine !").encode()
    b'Chouine\xc2\xa0!'
    """
    return BREAKABLE.sub("\N{NO-BREAK SPACE}", text)
