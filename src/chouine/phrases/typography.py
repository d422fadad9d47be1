"""French print: the no-break spaces and the typographic apostrophe, put where a plain keyboard left plain ones."""

from __future__ import annotations

import re

BREAKABLE = re.compile(r" (?=[:;!?»])|(?<=«) ")
STRAIGHT = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_]|«)")


def french_print(text: str) -> str:
    r"""No-break spaces before `: ; ! ? »` and after `«`, and `’` within words.

    >>> french_print("C'est une chouine !")
    'C’est une chouine\xa0!'
    """
    return STRAIGHT.sub("’", BREAKABLE.sub("\N{NO-BREAK SPACE}", text))
