"""HTML tables for notebooks: legible on light and dark pages, without a style sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

CARD = re.compile(r"(?:10|[AKQJRDV987])([♠♥♦♣])")
CHIP = "background:#fff;border:1px solid #b9b3a6;border-radius:3px;padding:0 3px;white-space:nowrap;color:"
LEFT = ' style="text-align:left;vertical-align:top;line-height:1.6;padding:1px 4px"'


def html_table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of texts; cards such as Q♥ in them are drawn as small cards. A row of one text spans all columns."""
    columns = max(map(len, [heads, *rows]))
    head = "".join(f'<th scope="col"{LEFT}>{escape(text)}</th>' for text in heads)
    body = "".join(html_row(row, columns) for row in rows)
    return (
        f"<table><caption{LEFT}>{html_text(caption)}</caption>"
        f"{f'<thead><tr>{head}</tr></thead>' if heads else ''}<tbody>{body}</tbody></table>"
    )


def html_row(row: Sequence[str], columns: int) -> str:
    """A row of a table with so many columns."""
    span = f' colspan="{columns}"' if len(row) == 1 else ""
    return f"<tr>{''.join(f'<td{span}{LEFT}>{html_text(text)}</td>' for text in row)}</tr>"


def html_text(text: str) -> str:
    """A text, escaped, with its cards as small cards and its lines apart."""
    return CARD.sub(
        lambda card: f'<span style="{CHIP}{"#c2182b" if card[1] in "♥♦" else "#1b1b26"}">{card[0]}</span>',
        escape(text).replace("\n", "<br>"),
    )
