"""Write `src/chouine/confusables.py`: letters that look like one of A to Z, a to z or 0 to 9.

    uv run --with confusable-homoglyphs python -m tools.confusables

The package holds Unicode's data for its report 39, and is needed for this alone.
"""

from __future__ import annotations

import json
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

SCRIPTS = ("LATIN", "GREEK", "COPTIC", "CYRILLIC", "ARMENIAN", "CHEROKEE", "LISU", "DESERET", "TIFINAGH")
"""Scripts that common typefaces have."""
TABLE = Path(__file__).parent.parent / "src" / "chouine" / "confusables.py"
HEAD = '''"""Letters that look like a Latin letter or a digit, which stands before them. By `tools/confusables.py`."""

LOOK_ALIKES = """
{words}
"""
'''


def look_alikes(data: Mapping[str, Sequence[Mapping[str, str]]]) -> dict[str, str]:
    """By Latin letter or digit, the letters of other scripts that look like it; NFKC leaves them as they are."""
    found: dict[str, str] = {}
    for sign, others in sorted(data.items()):
        if (
            len(sign) > 1
            or sign.isascii()
            or not sign.isalpha()
            or unicodedata.normalize("NFKC", sign) != sign
        ):
            continue
        latin = sorted(
            one["c"] for one in others if one["c"].isascii() and one["c"].isalnum() and len(one["c"]) == 1
        )
        if latin and unicodedata.name(sign).split()[0] in SCRIPTS:
            found[latin[0]] = found.get(latin[0], "") + sign
    return found


def main() -> None:
    """Write the table."""
    package = find_spec("confusable_homoglyphs")
    if package is None or package.origin is None:
        raise SystemExit("confusable-homoglyphs is not installed")
    data = json.loads((Path(package.origin).parent / "confusables.json").read_text("utf-8"))
    words = " ".join(latin + signs for latin, signs in sorted(look_alikes(data).items()))
    TABLE.write_text(HEAD.format(words=textwrap.fill(words, 100)), encoding="utf-8")


if __name__ == "__main__":
    main()
