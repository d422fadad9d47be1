"""A class: pupils join it by the code on the board, and its teacher has a page with a secret address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.errors import ChouineError
from chouine.phrases import say
from chouine.server.classroom import Classes
from chouine.server.pages.classroom import class_page, join_page
from chouine.server.routes.context import Context
from chouine.server.services import services_of


async def join(request: Request) -> Response:
    """The form for a pupil, and one for a teacher; a post joins, leaves or makes a class."""
    context = await Context.of(request)
    classes, guest, refused = classes_at(context), context.visitor.guest, ""
    form: Mapping[str, Any] = {}
    if request.method == "POST":
        form = await context.form()
        try:
            return await context.go(await carry_out(context, form))
        except ChouineError as error:
            refused = say(error.code, context.visit.language, **error.data)
    known = not context.visitor.new
    page = join_page(
        context.visit,
        await classes.name_of(guest) if known else "",
        await classes.of_teacher(guest) if known else [],
        (str(form.get("code", "")), str(form.get("name", ""))),
        refused,
    )
    return await context.page(page, 422 if refused else 200)


async def carry_out(context: Context, form: Mapping[str, Any]) -> str:
    """Do what a form asks; returns where to go. Raises `ChouineError`."""
    classes, guest = classes_at(context), context.visitor.guest
    match form.get("what"):
        case "make":
            await context.admit(alone=True)
            await context.count("classes")
            return f"/class/{await classes.make(guest)}"
        case "leave":
            await classes.leave(guest)
        case _:
            await context.admit()
            await context.count("pupils")
            await classes.join(guest, str(form.get("code", "")), str(form.get("name", "")))
    return "/class"


async def page(request: Request) -> Response:
    """The teacher's page; a post takes a pupil out, or closes the class."""
    context = await Context.of(request)
    classes = classes_at(context)
    found = await classes.find(str(request.path_params["secret"]))
    if found is None:
        raise HTTPException(404, "no-such-class")
    if request.method == "GET":
        return await context.page(class_page(context.visit, found))
    form = await context.form()
    if form.get("what") == "close":
        await classes.close(found.secret)
        return await context.go("/class")
    await classes.remove(found.secret, str(form.get("name", "")))
    return await context.go(f"/class/{found.secret}")


def classes_at(context: Context) -> Classes:
    """The server's classes."""
    return Classes(context.tables, services_of(context.request).site.zone)
