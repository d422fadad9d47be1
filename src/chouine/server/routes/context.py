"""The context of a request: the visitor, and responses that set their cookie."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, partial
from time import monotonic
from urllib.parse import urlencode

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.ai.levels import looks_back
from chouine.partie.view import View
from chouine.school.problems import Problem
from chouine.school.review import Review
from chouine.server.advice import advice_on, asked_by
from chouine.server.contest.online import is_sealed
from chouine.server.database import Superseded
from chouine.server.difficulty import ENOUGH, TrialRating, by_levels, rate_attempt
from chouine.server.fair_queue import ComputeAccount
from chouine.server.imports import imported_table
from chouine.server.limits import NETWORK, ROW, VISITOR, Limits, networks_of
from chouine.server.page_context import PageContext
from chouine.server.pages.visit import Visit
from chouine.server.repetition import Mistake, ProblemAnswer, add_mistakes, gone_over
from chouine.server.request_parts import has_cookies, read_post, storable
from chouine.server.routes.request_context import NAME, Asked, Result
from chouine.server.saved import Repetition, SavedState, encode_saved
from chouine.server.saved_changes import Outcome, keep_changes
from chouine.server.services import services_of
from chouine.server.site import Closed
from chouine.server.table_ids import brought_as_file, contest_in
from chouine.server.tables import Tables
from chouine.server.tokens import Tokens
from chouine.server.visitors import (
    SEEN,
    Secrets,
    Visitor,
    give_cookie,
    is_gone,
    known_by,
    member_at_hand,
    member_token,
    take_cookie,
    token_to_take,
    visit_of,
    visitor_of,
)
from chouine.table.entries import GivenAdvice, Opened
from chouine.table.state import TableState

LATE = 0.1
"""Seconds for a form to come after which its sender may have been erased meanwhile."""


@dataclass(eq=False)
class Context(PageContext):
    """A request and its visitor."""

    request: Request
    tables: Tables
    secrets: Secrets
    visitor: Visitor
    bot: str = ""
    """The name of a bot whose token came with the request; empty for all others."""

    @cached_property
    def visit(self) -> Visit:
        """What pages may know of the visitor; computed on demand, since most commands need no page."""
        return visit_of(self.request, self.visitor, self.secrets)

    @property
    def guest(self) -> str:
        """The visitor's identifier at tables."""
        return self.visitor.guest

    @property
    def saved(self) -> SavedState:
        """The visitor's stored settings and progress."""
        return self.visitor.saved

    @property
    def now(self) -> datetime:
        """The present moment in the visitor's time zone."""
        return datetime.now(UTC).astimezone(self.visit.zone)

    @classmethod
    async def of(cls, request: Request) -> Context:
        """The context of a request."""
        tables = services_of(request).tables
        held = services_of(request).secrets
        if tables.superseded:
            raise Superseded
        visitor = await visitor_of(tables.store, held, request)
        if not visitor.new:
            services_of(request).people.note_asked(visitor.guest)
        if visitor.seen is not None and visitor.seen < tables.clock() - SEEN:
            note = services_of(request).browsers.touch if visitor.member else tables.store.touch_session
            await note(visitor.stored, tables.clock())
        return cls(request, tables, held, visitor)

    @classmethod
    async def of_command(cls, request: Request) -> Context:
        """The context of a command: the visitor without their stored settings, which most commands do not need."""
        held = services_of(request).secrets
        token = member_token(held, request)
        visitor = member_at_hand(request, token) if token else known_by(held, request)
        if services_of(request).tables.superseded:
            raise Superseded
        if visitor is None or not (token or held.is_own(visitor.token)):
            return await cls.of(request)
        services_of(request).people.note_asked(visitor.guest)
        return cls(request, services_of(request).tables, held, visitor)

    async def form(self) -> FormData:
        """The posted form. Raises 403 unless it carries this visitor's token, 429 if the address may store no more.

        A browser without stored settings is refused before its form does anything, if no more may be stored for it.
        """
        form = await self._form()
        self.check_token(form)
        if self.visitor.read and self.visitor.seen is None:
            self.limits.check("sessions", self.request.scope)
        return form

    def check_token(self, form: FormData) -> None:
        """Raise 403 unless a form has this visitor's token; a browser without any cookie is told of cookies."""
        given = str(form.get("csrf", ""))
        if not self.secrets.right_csrf(self.visitor, given):
            raise HTTPException(403, "csrf" if has_cookies(self.request) or not given else "no-cookies")

    async def read_form(self) -> FormData:
        """The posted form without a check of the token, where the address itself is secret."""
        return await self._form()

    def name_for(self, what: str) -> str:
        """The name of what the form makes: the same if it is sent again as it was, since no answer came."""
        sent = self.sent.multi_items() if self.sent else []
        return self.secrets.table(
            self.visitor.guest, f"{what} {urlencode([(name, str(text)) for name, text in sent])}"
        )

    async def file(self, name: str, text: str = "") -> bytes:
        """An uploaded file, or without one the field `text`; empty if there is none. Raises 403 without the token."""
        form = await self._read(files=1)
        sent = form.get(name)
        file = await sent.read() if isinstance(sent, UploadFile) else b""
        await form.close()
        self.check_token(form)
        return file or storable(str(form.get(text) or "")).encode()

    async def _form(self) -> FormData:
        """The form without files, its text such that every database can store it and be asked for it."""
        read = await self._read(files=0)
        self.sent = FormData([(name, storable(str(text))) for name, text in read.multi_items()])
        return self.sent

    async def _read(self, files: int) -> FormData:
        """The form, weighed before it is read. Raises 403 if it took long to come, and the visitor is gone by then."""
        begun = monotonic()
        form = await read_post(self.request, files, weigh=self.weigh)
        late = monotonic() - begun > LATE and not self.visitor.new
        if late and await self.is_gone():
            raise HTTPException(403, "gone")
        return form

    async def is_gone(self) -> bool:
        """Whether the visitor was erased or forgotten since the request began."""
        gone = partial(is_gone, self.visitor.guest, self.visitor.mark)
        return await self.tables.store.database.read(gone)

    @property
    def head(self) -> bool:
        """Whether only the answer's headers are wanted (HEAD): then nothing is stored or begun."""
        return "head" in self.request.scope

    async def token_to_take(self, what: str) -> str:
        """The cookie with which the browser came to have `what` done by it; empty if it asks for anything else."""
        asks = self.request.method == "GET" and not self.head
        return await token_to_take(what, self.secrets, self.request) if asks else ""

    @property
    def limits(self) -> Limits:
        """This node's limits."""
        return services_of(self.request).limits

    async def count(self, what: str) -> None:
        """Count a request against the visitor's and the address's limits, here and on all nodes. Raises 429."""
        scope, guest, shared = self.request.scope, self.visitor.guest, services_of(self.request).shared_limits
        self.limits.count(what, guest, scope)
        if shared:
            await shared.count(what, {guest: VISITOR[what]})
            rates = self.limits.rates_of(what, scope)
            await shared.count(what, {self.secrets.address(network): rate for network, rate in rates})

    async def admit(self, *switches: str, alone: bool = False) -> None:
        """Raise `Closed` if one of these is switched off, for newcomers if they are, and for whoever is barred.

        `alone`: for what reaches nobody else, so that a bar does not matter.
        """
        off, guest, saved = services_of(self.request).site.off, self.visitor.guest, self.visitor.saved
        for switch in off.intersection(switches):
            raise Closed(f"closed/{switch}")
        await self.check_person()
        if (
            "newcomers" in off
            and not (saved.name or saved.level)  # which only play stores, while anybody may choose a language
            and not await self.tables.store.table_ids_of(guest, 1)
        ):
            raise Closed("closed/newcomers")
        if not alone:
            await services_of(self.request).board.order.check_free(guest, self.origin)

    async def check_person(self) -> None:
        """Raise `Closed` for a bot that comes as people do: its name would be without the mark."""
        if not self.bot and await Tokens(self.tables.store, self.tables.clock).bot_name(self.visitor.guest):
            raise Closed("closed/bot")

    async def within(self, what: str) -> bool:
        """Count a request of this kind for the visitor and the address; returns whether it is within the limits."""
        with suppress(HTTPException):
            await self.count(what)
            return True
        return False

    def weigh(self, size: int) -> None:
        """Count bytes that were sent or are to be stored for the visitor's address. Raises 429."""
        self.limits.of_address("bytes", self.request.scope, max(size, ROW))

    @property
    def origin(self) -> str:
        """A digest of the visitor's address: `NETWORK` characters each for its widest network and the narrowest."""
        networks = networks_of(self.request.scope)
        return "".join(self.secrets.address(each)[:NETWORK] for each, _ in (networks[0], networks[-1]))

    @property
    def set_by(self) -> tuple[str, str]:
        """The visitor and the digest of their address, to whom a table's computing is charged."""
        return self.visitor.guest, self.origin

    async def run_study(
        self, function: Callable[Asked, Result], *args: Asked.args, **named: Asked.kwargs
    ) -> Result:
        """Run a long computation in another process, in fair turns. Raises 429 for too many.

        Whoever asks for the same again meanwhile, as a browser does that hears nothing for long, waits for the first.
        """
        lane = services_of(self.request).studies

        async def study() -> Result:
            self.limits.studies(*lane.turns.waiting_with(self.share))
            return await lane.run(self.share, function, *args, **named)

        return await lane.shared.join((self.share, function, args, tuple(named.items())), study())

    async def run_beside(
        self, function: Callable[Asked, Result], *args: Asked.args, **named: Asked.kwargs
    ) -> Result:
        """Run a computation that takes a moment in a thread."""
        return await run_in_threadpool(function, *args, **named)

    async def difficulties(self) -> Mapping[str, TrialRating]:
        """The problems that enough people have tried, by their ratings."""
        return await self.tables.store.difficulties(ENOUGH)

    async def rate(self, problem: Problem, *, right: bool) -> TrialRating:
        """Rate a problem and the visitor after a first try; the visitor's rating.

        Who begins anew, by another cookie or by erasing their progress, makes only so many problems easier or harder.
        """
        own, moved = self.saved.school.rated, await self.within("ratings")

        def change(rated: TrialRating) -> tuple[TrialRating, TrialRating]:
            person, after = rate_attempt(own, rated, right=right)
            return person, after if moved else rated

        return await self.tables.store.rate(problem.id, by_levels(problem), change)

    def repeat(self, answer: ProblemAnswer) -> tuple[Repetition, ...]:
        """What is to be repeated after an answer."""
        return gone_over(self.saved.school.again, answer)

    def repeat_mistakes(self, mistakes: Iterable[Mistake]) -> tuple[Repetition, ...]:
        """What is to be repeated once mistakes have joined it."""
        return add_mistakes(self.saved.school.again, mistakes, self.now)

    async def review(self, table_id: str, table: TableState, number: int) -> Review:
        """A finished partie's review so far; what is missing is begun."""
        so_far = await services_of(self.request).reviews.of(table_id, number)
        return await self.continue_review(table_id, table, number, so_far)

    async def reviews(self, table_id: str, table: TableState) -> list[Review]:
        """The reviews of all finished parties of a match so far; what is missing is begun."""
        so_far = await services_of(self.request).reviews.all_of(table_id)
        return [
            await self.continue_review(table_id, table, number, so_far.get(number, Review()))
            for number in range(1, len(table.played) + 1)
        ]

    async def continue_review(self, table_id: str, table: TableState, number: int, review: Review) -> Review:
        """A partie's review so far; starts computing the rest, charged to this visitor."""
        reviews, played = services_of(self.request).reviews, table.played[number - 1]
        begins = not (self.head or review.complete or reviews.is_begun(table_id, number))
        if begins and looks_back(played.state.rules):
            if not review.judged:
                await self.count("reviews")
            reviews.begin(table_id, number, played.state, review, self.share, played.followed)
        return review

    async def advise(self, view: View) -> GivenAdvice:
        """Advice for the seat on turn, computed in another process."""
        return await self.run_study(advice_on, asked_by(view))

    @property
    def signed_out(self) -> bool:
        """Whether the browser is signed out of the account that it was signed in to, as far as this node knows."""
        known = services_of(self.request).browsers.known
        return self.visitor.member and known.get(self.visitor.stored) != self.visitor.guest

    @property
    def sure(self) -> bool:
        """False while this node cannot know whether the browser is still signed in to its account."""
        return not self.visitor.member or services_of(self.request).browsers.fresh

    @property
    def share(self) -> ComputeAccount:
        """The account a computation is charged to."""
        visitor, address = self.set_by
        return ComputeAccount(person=True, visitor=visitor, address=address)

    @property
    def table_id(self) -> str:
        """The table identifier in the address. Raises 404 for an impossible one."""
        table_id = str(self.request.path_params["table_id"])
        if not NAME.fullmatch(table_id):
            raise HTTPException(404, "no-such-table")
        return table_id

    async def table(self) -> tuple[str, TableState]:
        """The table named in the address and its state. Raises 404 if there is none, 403 for others' sealed deals."""
        table_id, table = await self.table_to_join()
        if table.sealed and not table.held_by(self.visitor.guest):
            await self.check_unsealed(table_id)
        return table_id, table

    async def table_to_join(self) -> tuple[str, TableState]:
        """The table named in the address and its state, for a page that shows no card. Raises 404.

        Sealed deals are not refused here: somebody may return to a seat on another device.
        """
        table = await self.tables.table(self.table_id)
        if table is None:
            raise HTTPException(404, "no-such-table")
        return self.table_id, table

    async def check_unsealed(self, table_id: str) -> None:
        """Raise 403 while somebody may still have to play the deals of a table that the visitor has no seat at."""
        services = services_of(self.request)
        if which := contest_in(table_id):
            online = await services.contests.get(which)
            if online is not None and is_sealed(online, table_id):
                raise HTTPException(403, "sealed-round")
        elif not await services.daily.may_read(table_id, self.visitor.guest):
            raise HTTPException(403, "sealed")

    async def match(self) -> tuple[str, TableState]:
        """The table named in the address, or the match of a file that somebody brought. Raises 404 or 403."""
        if not brought_as_file(self.table_id):
            return await self.table()
        kept = await self.tables.store.import_named(self.table_id)
        if kept is None:
            raise HTTPException(404, "no-such-table")
        return self.table_id, imported_table(*kept)

    async def choose(self, *, explain: bool) -> None:
        """Store whether this visitor wants explanations."""
        known = replace(self, visitor=await visitor_of(self.tables.store, self.secrets, self.request))
        await known.remember(msgspec.structs.replace(known.visitor.saved, explain=explain))

    async def remember(self, saved: SavedState) -> Outcome:
        """Store what the request changed of the visitor's settings and progress.

        Raises 429 if the address may store no more browsers, or no more bytes.
        """
        visitor = self.visitor
        if saved == visitor.saved:
            return "kept"
        if visitor.seen is None:
            self.limits.of_address("sessions", self.request.scope)
        if (more := len(encode_saved(saved)) - len(encode_saved(visitor.saved))) > ROW:
            self.weigh(more)
        change = partial(keep_changes, visitor, saved, self.tables.clock())
        return await self.tables.store.database.write(change)

    async def set_table(
        self, opened: Opened, played: Iterable[tuple[int, str]] = (), table_id: str | None = None
    ) -> str:
        """Open a table, with explanations if the visitor wants them and they are allowed; its identifier.

        `played`: the acts until some decision, as (seat, token).
        """
        explained = self.visitor.saved.explain
        return await self.tables.open(opened, table_id, self.set_by, played, explained=explained)

    async def seal(self, response: Response, saved: SavedState | None = None) -> Response:
        """The response, with the cookie if it is new, after storing changed settings.

        Without it if the browser was forgotten meanwhile: it would bring back who was to be unknown here.
        """
        visitor, changed = self.visitor, False
        if saved is not None and saved != visitor.saved and not self.head:
            outcome = await self.remember(saved)
            if outcome == "erased":
                take_cookie(self.secrets, self.request, response)
            if outcome != "kept":
                return response
            changed = True
        again = (visitor.former or visitor.ended) and not visitor.new
        if visitor.new or changed or (again and not await self.is_gone()):
            give_cookie(visitor, self.secrets, self.request, response)
        return response
