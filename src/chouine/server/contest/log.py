"""Pages of the log: undoing, ending, closing; a stick with other acts; and what lets anybody verify the draws."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from chouine.cards import Card
from chouine.contest import (
    ActRefused,
    ContestAct,
    Ended,
    Revealed,
    RoundDrawn,
    Undone,
    add,
    commit,
)
from chouine.contest.log import LogLine
from chouine.contest.views import is_final
from chouine.phrases import card_name, translations
from chouine.server.contest.contest_store import now
from chouine.server.contest.desk import Desk
from chouine.server.contest.folders import free_path
from chouine.server.contest.hall import HallContext, desk_name, go, line, number
from chouine.server.contest.request import DeskContext, act_sentence
from chouine.server.contest.screen import compressed_response
from chouine.server.contest.standing import clock, round_name
from chouine.server.pages.codes import code_of
from chouine.server.pages.env import render


async def log_page(request: Request) -> Response:
    """The log, newest act first. The referee may undo an act; the desk may end the contest and close it."""
    asked = DeskContext.of(request, "correct")
    if request.method == "POST":
        form, seed = await asked.form(), secrets.token_hex(32)
        with asked.refusals():
            act = log_act(asked, form, seed)
            page = await confirmation_page(asked, form, act)
            if page is None:
                await asked.do(act, seed=seed)
            return page or go("/log")
    return await asked.show(
        "log.html",
        lines=rows_of_log(asked, reversed(asked.contest.lines)),
        undo=number(FormData(request.query_params), "undo", 99_999),
        gone=asked.contest.undone,
        over=is_final(asked.contest),
    )


def rows_of_log(asked: DeskContext, lines: Iterable[LogLine]) -> list[tuple[int, str, str, str]]:
    """Number, time, desk and sentence of each act."""
    language = asked.language
    return [
        (one.n, clock(one.at, language), desk_name(one.by, language), act_sentence(one.act, asked))
        for one in lines
    ]


def log_act(asked: DeskContext, form: FormData, seed: str) -> ContestAct:
    """The act of a form on the log's page. `seed`: a new one, for an undone closing. Raises 403 without the right."""
    contest, reason, undo = asked.contest, line(form, "reason"), number(form, "undo", 99_999)
    if form.get("act") == "reveal":
        asked.check("close")
        return Revealed(asked.store.seed)
    if not reason:
        raise ActRefused("contest/no-reason")
    if form.get("act") == "end":
        asked.check("close")
        return Ended(reason)
    if not undo:
        raise ActRefused("contest/no-number")
    target = contest.lines[undo - 1].act if 0 < undo <= len(contest.lines) else None
    if isinstance(target, Ended | Revealed):
        asked.check("close")
    return Undone(undo, reason, commit(seed) if isinstance(target, Revealed) else "")


async def confirmation_page(asked: DeskContext, form: FormData, act: ContestAct) -> Response | None:
    """The page that asks whether to end or close the contest, with what that means; None if it was asked already.

    Raises `ActRefused` if the act is not possible now.
    """
    contest, gettext = asked.contest, translations(asked.language).gettext
    if not isinstance(act, Ended | Revealed):
        return None
    add(contest, act, asked.worker.name, now())
    playing = sum(len(round_.open) for round_ in contest.all_rounds())
    if isinstance(act, Ended):
        told = [
            gettext("The contest ends now: no more results, no more draws. The desk can undo it."),
            gettext("Tables without a result: %(count)s.") % {"count": playing},
        ]
        return await asked.ask(form, told, act="end", reason=act.reason)
    told = [
        gettext("The contest is closed and its seed is shown: anybody can check the draws."),
        gettext("The copy forgets the names that were erased."),
        gettext("The desk can undo the closing; further draws then need a new seed."),
    ]
    return await asked.ask(form, told, act="reveal")


async def copies_page(request: Request) -> Response:
    """Both logs from where they part; the desk takes the stick's, or goes on with its own."""
    asked = DeskContext.of(request)
    asked.check("sign in")
    unknown = True
    ours: Sequence[LogLine] = ()
    theirs: Sequence[LogLine] = ()
    with asked.refusals():
        ours, theirs = await run_in_threadpool(asked.store.difference)
        unknown = False
        if request.method == "POST":
            form = await asked.form()
            await run_in_threadpool(take_one, asked, str(form.get("act")))
            return go("/")
    both = rows_of_log(asked, ours), rows_of_log(asked, theirs)
    return await asked.show("copies.html", unknown=unknown, ours=both[0], theirs=both[1])


def take_one(asked: DeskContext, which: str) -> None:
    """Go on with the stick's acts or with this laptop's; neither is lost, the other is kept beside."""
    store = asked.store
    if which == "stick":
        store.take_copy(free_path(store.path.parent, store.path.stem))
    elif which == "laptop" and store.copy is not None:
        store.copy_to(store.copy.parent, apart=True)


async def digest_print(request: Request) -> Response:
    """The digest of the seed, to pin up before the first draw, with the code of the page that checks it."""
    asked = DeskContext.for_paper(request)
    address = f"{asked.desk.address}/check"
    return await asked.show("digest.html", address=address, code=code_of(address), alone=asked.desk.alone)


async def check_page(request: Request) -> Response:
    """Public page: digest, draws and, once the contest is closed, the seed; its script verifies the log. No sign-in."""
    desk: Desk = request.app.state.desk
    visit = HallContext(request).visit

    def make_page() -> str:
        contest = desk.store.contest
        draws = [
            (
                act,
                clock(line.at, visit.language),
                card_name(Card(act.card), visit.language) if act.card else "",
                line.n,
            )
            for line in contest.lines
            if isinstance(act := line.act, RoundDrawn)
        ]
        named = partial(round_name, contest, visit.language)
        return render(
            visit, "contest/check.html", here="/check", contest=contest, draws=draws, round_name=named
        )

    return compressed_response(request, desk.cached_page(("check", visit.language), make_page))


async def log_lines(request: Request) -> Response:
    """The log, a line for each act, as `chouine concours log` prints it: nothing in it names a person. No sign-in."""
    desk: Desk = request.app.state.desk
    log = desk.cached_page("log", lambda: "".join(f"{line}\n" for line in desk.store.contest.lines))
    return compressed_response(request, log, "text/plain")
