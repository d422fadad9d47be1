"""What cannot be undone asks first: a fold with an ellipsis says what is lost, and only what it opens does it."""

from __future__ import annotations

import re
from pathlib import Path

TEMPLATES = Path("src/chouine/server/templates")
FINAL = re.compile(
    r"_\('((?:Erase|Remove|Close the|Leave the|Revoke|Give up|No longer|Make a new|Make another)\b[^'…]*)'"
)
"""The label of a button after which something is gone for whoever pressed it."""
ASKED_BY_A_PAGE = {"contest/entry.html", "contest/log.html", "contest/question.html"}
"""The desk of a contest asks on a page of its own, `question.html`."""
FOLD = re.compile(r"</?details\b[^>]*>")
BUTTON = re.compile(r"<button\b.*?</button>", re.DOTALL)
MACRO = re.compile(r"{{ (?:act|make_card)\(.*?\) }}")


def final_buttons(html: str) -> list[str]:
    """Labels of buttons outside any fold that make something go."""
    found = list[str]()
    for button in (*BUTTON.finditer(html), *MACRO.finditer(html)):
        folds = FOLD.findall(html[: button.start()])
        inside = sum(-1 if fold.startswith("</") else 1 for fold in folds)
        found += [label for label in FINAL.findall(button[0]) if not inside]
    return found


def test_what_cannot_be_undone_is_asked_first() -> None:
    found = {}
    for page in TEMPLATES.rglob("*.html"):
        if labels := final_buttons(page.read_text(encoding="utf-8")):
            found[page.relative_to(TEMPLATES).as_posix()] = labels
    assert found.keys() == ASKED_BY_A_PAGE, found


def test_a_button_in_the_open_is_found() -> None:
    erases = "<button>{{ _('Erase everything') }}</button>"
    assert final_buttons(erases) == ["Erase everything"]
    assert final_buttons(f"<details><summary>{{{{ _('Erase…') }}}}</summary>{erases}</details>") == []
    assert final_buttons(f"<details></details>{erases}") == ["Erase everything"]
