"""The web application: one process of a deployment, over a database that any other could go on from."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from concurrent.futures import BrokenExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from secrets import token_hex
from threading import Thread
from time import monotonic

import structlog
from starlette.applications import Starlette
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.routing import Mount

from chouine.ai.levels import looks_ahead
from chouine.compilations import advice_ready
from chouine.server.accounts.browsers import Browsers
from chouine.server.accounts.members import Members
from chouine.server.advice import get_ready
from chouine.server.circle.company import Company
from chouine.server.circle.people import People
from chouine.server.computers import Computers
from chouine.server.contest.online import Contests
from chouine.server.contest.steward import Steward
from chouine.server.daily import DealsOfTheDay
from chouine.server.fair_queue import NOBODY, TurnQueue
from chouine.server.guard import EdgeMiddleware, GzipPages
from chouine.server.heartbeat import Heartbeat, steady_clock
from chouine.server.imports import LARGEST
from chouine.server.limits import PER_ADDRESS, Limits
from chouine.server.logs import place_of
from chouine.server.notice_board import NoticeBoard
from chouine.server.offline import bundle
from chouine.server.order import KeeperActs
from chouine.server.partners import Partners
from chouine.server.programs import Programs
from chouine.server.proxies import NO_PROXIES, Proxies
from chouine.server.pubsub import MoveChannel, poll
from chouine.server.push.letters import Letters
from chouine.server.push.mail import Mailer
from chouine.server.push.turn_notifier import TurnNotifier
from chouine.server.push.web_push import Sender, Signer, new_secret
from chouine.server.reviews import Reviews
from chouine.server.routes.addresses import routes
from chouine.server.routes.context import Context
from chouine.server.routes.failures import handlers
from chouine.server.routes.operations import measure_delay
from chouine.server.services import Services
from chouine.server.shared_limits import SharedWindows
from chouine.server.site import Site
from chouine.server.slow.rounds import SlowMatches
from chouine.server.static_files import static_files
from chouine.server.store import Store
from chouine.server.tables import TEMPO, Tables, Tempo
from chouine.server.thinking import FairPool, ThinkerPool, processes
from chouine.server.visitors import Secrets, secrets_of
from chouine.server.workers import Workers

UNHURRIED = 5.0
"""Seconds between two looks whether advice's kernels are compiled; the first wait lets the first pages go first."""
KEPT_STATIC = Mount("/offline/static", static_files())
"""The static files once more under `/offline`, where everything lies that the offline pages load."""


def application(
    database: str,
    tempo: Tempo = TEMPO,
    redis: str = "",
    thinkers: int = 1,
    per_address: int = PER_ADDRESS,
    *,
    proxies: Proxies = NO_PROXIES,
    site: Site | None = None,
    mailer: Mailer | None = None,
) -> Starlette:
    """The ASGI application on a database whose schema is up to date, e.g. `sqlite+aiosqlite:///chouine.db`.

    With `redis` (its address) nodes notify each other of moves, and separate workers compute the computers' moves;
    without it `thinkers` local processes do. `proxies` tell visitors' addresses. `mailer` sends e-mail to
    players who asked to be told of their turns that way.
    """
    limits, site = Limits(per_address), site or Site()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = Store.at(database)
        tables = Tables(store, await steady_clock(store), tempo)
        secrets = await secrets_of(store)
        heartbeat, channel = Heartbeat(tables), MoveChannel(redis, tables) if redis else None
        shared = SharedWindows(redis) if redis else None
        contests = Contests(store, tables.clock)
        browsers = Browsers(tables)
        board = NoticeBoard(KeeperActs(tables, contests, secrets))
        await board.look()  # before the first heartbeat: maintenance may be going on
        tables.rests, tables.strong = board.rests, "levels" not in site.off
        await heartbeat.beat()
        studies = FairPool(1, processes)
        seed = bytes.fromhex(await store.first_setting("daily", token_hex(32)))
        turns = await turns_of(tables, secrets, site, mailer)
        services = app.state.services = Services(
            limits,
            shared,
            site,
            tables,
            secrets,
            leaving=asyncio.Event(),
            stopping=asyncio.Event(),
            studies=studies,
            carrying=TurnQueue(1),  # threads share one lock: more of them would only starve the loop
            reviews=Reviews(store, thinkers),
            turns=turns,
            contests=contests,
            partners=Partners(store, tables.clock),
            daily=DealsOfTheDay(tables, studies, seed, site.zone),
            browsers=browsers,
            members=Members(tables, contests, browsers),
            people=People(tables),
            company=Company(redis),
            slow=SlowMatches(tables, turns),
            board=board,
            supervisor=Supervisor(),
            thinker=thinker(redis, thinkers, site.programs),
        )
        computers = Computers(tables, services.thinker, heartbeat)
        steward = Steward(services.contests, tables, services.studies, heartbeat)
        work: dict[str, Callable[[], Awaitable[None]]] = {
            "advice": partial(advice_at_hand, services.studies),
            "heartbeat": heartbeat.run,
            "notices": board.run,
            "browsers": browsers.run,
            "loop delay": measure_delay,
            "computers": computers.run,
            "contests": steward.run,
            "all contests": steward.sweep,
            "poll": partial(poll, tables, channel),
            "people": services.people.run,
            "company": services.company.run,
            "slow matches": services.slow.run,
        }
        if channel:
            work |= {"send": channel.send, "hear": channel.hear}
        if services.turns:
            work["turns"] = services.turns.run
        if "offline" not in site.off:  # what is offered on the first page, which does not wait for it
            Thread(target=bundle.takeaway, name="takeaway", daemon=True).start()
        tasks = [asyncio.create_task(services.supervisor.keep(name, each)) for name, each in work.items()]
        yield
        await end_tasks(tasks)
        if services.turns:
            await services.turns.close()
        await services.slow.close()
        await computers.close()
        if channel:
            await channel.close()
        await services.company.close()
        if shared:
            await shared.close()
        services.studies.close()
        await services.reviews.close()
        await store.close()

    app = Starlette(
        routes=[*routes, Mount("/static", static_files()), KEPT_STATIC],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
    app.state.context_of, app.state.command_context_of = Context.of, Context.of_command
    answering = GzipPages(ExceptionMiddleware(app.router, app.exception_handlers), minimum_size=1000)
    app.middleware_stack = EdgeMiddleware(
        answering, limits, site, proxies, takes={"/import": LARGEST}
    )  # which answers faults in place of Starlette's own
    return app


async def turns_of(
    tables: Tables, secrets: Secrets, site: Site, mailer: Mailer | None
) -> TurnNotifier | None:
    """The sender of turn notifications; None without a public HTTPS address, which push services and e-mail require."""
    contact = site.public_url
    if not contact.startswith("https://"):
        return None
    secret = await tables.store.first_setting("push", new_secret())
    letters = Letters(tables, secrets, mailer, contact) if mailer else None
    return TurnNotifier(tables, Signer(secret, contact), Sender(), letters=letters)


async def end_tasks(tasks: Collection[asyncio.Task[None]]) -> None:
    """Cancel tasks again and again until all are done.

    Once is not enough: before Python 3.12 `asyncio.wait_for`, which Redis uses, can swallow a cancellation.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=1)


async def advice_at_hand(studies: FairPool) -> None:
    """Load advice's kernels in its process before the first request, as soon as they have been compiled."""
    while looks_ahead():
        await asyncio.sleep(UNHURRIED)
        if advice_ready().exists():
            with suppress(BrokenExecutor):
                await studies.run(NOBODY, get_ready)
            return


def thinker(redis: str, number: int, programs: Mapping[str, str]) -> Programs:
    """The source of computer moves: workers in Redis, or local processes, one of them started in advance.

    Programs play their own seats.
    """
    pool = ThinkerPool(number)
    if redis:
        return Programs(programs, Workers(redis, pool))
    pool.warm()
    return Programs(programs, pool)


log = structlog.get_logger()

AGAIN = 1.0
"""Seconds before a failed task is started again."""
RECENT = 20.0
"""A task that failed twice within these seconds keeps failing; no task waits longer between two rounds of work."""


class Supervisor:
    """Runs background tasks, and knows which of them keep failing."""

    def __init__(self) -> None:
        self.failed: dict[str, tuple[float, float]] = {}
        """When each task failed the last time but one, and the last time."""

    async def keep(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run a task until it is done or cancelled. An error is logged by its type and place alone."""
        while True:
            try:
                return await work()
            except Exception as error:  # noqa: BLE001  # whatever it is, the task must go on
                place = place_of(error.__traceback__)
                log.warning("background task failed", task=name, kind=type(error).__name__, place=place)
            _, before = self.failed.get(name, (float("-inf"), float("-inf")))
            self.failed[name] = before, monotonic()
            await asyncio.sleep(AGAIN)

    @property
    def failing(self) -> list[str]:
        """The tasks that keep failing."""
        now = monotonic()
        return [name for name, (before, _) in self.failed.items() if now - before < RECENT]
