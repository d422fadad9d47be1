"""Style sheets are sent without comments, under the same headers as the other files."""

from __future__ import annotations

import asyncio
import re

import httpx

from chouine.server.pages.env import STATIC
from chouine.server.static_files import static_files, strip_comments


def fetch(path: str, method: str = "GET", **headers: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(static_files())
        async with httpx.AsyncClient(transport=transport, base_url="http://chouine") as browser:
            return await browser.request(method, path, headers=headers)

    return asyncio.run(ask())


def test_comments_stay_here_and_texts_go_along() -> None:
    sheet = '/* 1 */\np { color: red; } /* it\'s "two" */\n  /* three\n  lines */\nb::after { content: "/* no */"; }\n'
    assert strip_comments(sheet) == 'p { color: red; }  \nb::after { content: "/* no */"; }\n'
    beside = "/* 1 */ p { color: red; }\nq { top: 0; } /* 2 */\n"
    assert strip_comments(beside) == "  p { color: red; }\nq { top: 0; }  \n"
    assert strip_comments("""b::after { content: '/* "no" */'; } /* it's */""") == (
        """b::after { content: '/* "no" */'; }  """
    )
    for path in STATIC.rglob("*.css"):
        bare, whole = strip_comments(path.read_text("utf-8")), path.read_text("utf-8")
        assert "/*" not in bare
        assert re.sub(r"\s", "", bare) == re.sub(r"\s|/\*.*?\*/", "", whole, flags=re.DOTALL)


def test_a_style_sheet_is_sent_as_other_files_are() -> None:
    sheet, script = fetch("/css/table.css"), fetch("/js/table.js")
    assert sheet.text == strip_comments((STATIC / "css" / "table.css").read_text("utf-8"))
    assert sheet.headers["content-type"] == "text/css; charset=utf-8"
    assert len(sheet.content) == int(sheet.headers["content-length"])
    assert {"etag", "last-modified"} <= sheet.headers.keys() & script.headers.keys()
    again = fetch("/css/table.css", **{"If-None-Match": sheet.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    head = fetch("/css/table.css", "HEAD")
    assert (head.status_code, head.headers["content-length"]) == (200, sheet.headers["content-length"])
