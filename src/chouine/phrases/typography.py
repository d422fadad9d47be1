"""French punctuation: replaces plain spaces by no-break spaces where French requires them."""

from __future__ import annotations

import re

BREAKABLE = re.compile(r" (?=[:;!?»])|(?<=«) ")


def with_french_spaces(text: str) -> str:
    r"""No-break spaces before `: ; ! ? »` and after `«`.

    >>> with_french_spaces("Chouine !").encode()
    b'Chouine\xc2\xa0!'
    """
    return BREAKABLE.sub("\N{NO-BREAK SPACE}", text)
