"""The page that takes parties brought as a file."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from chouine.errors import ChouineError
from chouine.server.imports import (
    KEPT,
    LARGEST,
    MOST,
    SHOWN,
    FileFaults,
    ImportRefused,
    fault_in_words,
    matches_in,
    read_file,
    row_of,
    text_of,
    too_long,
)
from chouine.server.pages.env import render
from chouine.server.pages.words import words_of
from chouine.server.request_parts import storable
from chouine.server.routes.context import Context


async def page(request: Request) -> Response:
    """The form; a post brings the parties of a file or of a text, all of them or none."""
    context = await Context.of(request)
    store, guest = context.tables.store, context.visitor.guest
    faults: list[ChouineError] = []
    text = ""
    if request.method == "POST":
        text = text_of(await context.file("file", "text"))
        await context.admit(alone=True)
        await context.count("imports")
        try:
            rows = await run_in_threadpool(rows_of, text, guest, context.tables.clock())
            await keep(context, rows)
            return await context.go(f"/match/{rows[0]['id']}" if len(rows) == 1 else "/import#brought")
        except FileFaults as error:
            faults = [*error.faults]
        except ImportRefused as error:
            faults = [error]
    brought = [] if context.visitor.new else await store.imports_of(guest)
    words = words_of(context.visit)
    html = render(
        context.visit,
        "import.html",
        here="/import",
        brought=[
            (
                table_id,
                context.visit.day_in_words(at),
                " – ".join(words.player(name, seat) for seat, name in enumerate(title.split(";"))),
                parties,
            )
            for table_id, at, title, parties in brought
        ],
        faults=[fault_in_words(fault, context.visit.language) for fault in faults[:SHOWN]],
        more=max(0, len(faults) - SHOWN),
        text=storable(text),
        largest=LARGEST,
        too_long=context.sentence(too_long()),
        most=MOST,
    )
    return await context.page(html, 422 if faults else 200)


def rows_of(text: str, guest: str, now: float) -> list[dict[str, object]]:
    """The matches of a file as they are stored. Raises `FileFaults` or `ImportRefused`."""
    return [row_of(records, guest, now) for records in matches_in(read_file(text))]


async def keep(context: Context, rows: Sequence[dict[str, object]]) -> None:
    """Store matches. Raises `ImportRefused` if the visitor would have too many files with these."""
    context.weigh(sum(len(str(row["body"]).encode()) for row in rows))
    if not await context.tables.store.keep_imports(context.visitor.guest, rows, KEPT):
        raise ImportRefused("import/full", most=KEPT)


async def erase(request: Request) -> Response:
    """Erase parties that the visitor brought."""
    context = await Context.of(request)
    await context.form()
    await context.tables.store.forget_import(context.table_id, context.visitor.guest)
    return await context.go("/import")
