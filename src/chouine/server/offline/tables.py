"""The device's own pages: the first one with a new table, the settings, a table and its news."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chouine.errors import ChouineError
from chouine.server.forms import local, settings_of
from chouine.server.new_table import first_level, new_table, own_name, refusal
from chouine.server.offline.context import DeviceContext, device_context
from chouine.server.offline.stream import OfflineStream
from chouine.server.pages import Viewer, home_page, settings_page
from chouine.server.pages.legal import offline_legal_page
from chouine.server.routes.commands import observer_of


async def home(request: Request) -> Response:
    """The first page, with the device's matches, the newest first."""
    return show_home(device_context(request))


def show_home(context: DeviceContext, error: str = "", status: int = 200) -> Response:
    listed = [(table_id, match.brief) for table_id, match in reversed(context.device.kept.items())]
    return HTMLResponse(home_page(context.visit, listed, error, offline=True), status)


async def new(request: Request) -> Response:
    """Open a table as the form asks; an invalid form is shown again with the reason."""
    context = device_context(request)
    form = await context.form()
    try:
        opened = new_table(form, context.visit)
    except (ChouineError, ValueError) as error:
        return show_home(context, refusal(error, context.visit.language), 422)
    me = context.saved
    context.device.remember(name=own_name(opened) or me.name, level=first_level(opened) or me.level)
    return await context.go(f"/table/{await context.set_table(opened)}")


async def legal(request: Request) -> Response:
    """What the copy stores, and who answers for it."""
    return HTMLResponse(offline_legal_page(device_context(request).visit))


async def settings(request: Request) -> Response:
    """How the table is shown."""
    context = device_context(request)
    if request.method == "GET":
        return HTMLResponse(settings_page(context.visit, local(request.query_params.get("back", "/"))))
    form = await context.form()
    context.device.remember(settings=settings_of(form))
    return RedirectResponse(local(str(form.get("back", "/"))), 303)


async def table(request: Request) -> Response:
    """The table's page."""
    context = device_context(request)
    table_id, shown = await context.match()
    return HTMLResponse(Viewer(context.visit, table_id, observer_of(context, shown)).page(shown))


async def events(request: Request) -> Response:
    """The news since an entry as one response, for pages that poll."""
    context = device_context(request)
    table_id, shown = await context.match()
    stream = OfflineStream(
        context.device, table_id, observer_of(context, shown), request.query_params.get("after", "")
    )
    return Response(f"[{','.join(stream.news())}]", media_type="application/json")
