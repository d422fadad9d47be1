"""What the routes of the server work with: made once, when it starts."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from chouine.server.accounts.browsers import Browsers
    from chouine.server.accounts.members import Members
    from chouine.server.app import Supervisor
    from chouine.server.circle.company import Company
    from chouine.server.circle.people import People
    from chouine.server.contest.online import Contests
    from chouine.server.daily import DealsOfTheDay
    from chouine.server.fair_queue import TurnQueue
    from chouine.server.limits import Limits
    from chouine.server.notice_board import NoticeBoard
    from chouine.server.partners import Partners
    from chouine.server.programs import Programs
    from chouine.server.push.letters import Letters
    from chouine.server.push.turn_notifier import TurnNotifier
    from chouine.server.reviews import Reviews
    from chouine.server.shared_limits import SharedWindows
    from chouine.server.site import Site
    from chouine.server.slow.rounds import SlowMatches
    from chouine.server.tables import Tables
    from chouine.server.thinking import FairPool
    from chouine.server.visitors import Secrets


@dataclass(frozen=True, slots=True)
class Services:
    """The services of one node."""

    limits: Limits
    shared_limits: SharedWindows | None
    """Limits over all nodes, where they share a Redis."""
    site: Site
    tables: Tables
    secrets: Secrets
    leaving: asyncio.Event
    """Set a moment before `stopping`: the node serves on but is not ready, so that the proxy leaves it out."""
    stopping: asyncio.Event
    """Set once the node is to stop: streams end."""
    studies: FairPool
    """Long computations: advice, large draws."""
    carrying: TurnQueue
    """Turns for the matches that offline copies send."""
    reviews: Reviews
    turns: TurnNotifier | None
    """Notifications of turns; None without a public HTTPS address."""
    contests: Contests
    partners: Partners
    daily: DealsOfTheDay
    browsers: Browsers
    members: Members
    people: People
    company: Company
    """Who is at a table with their page."""
    slow: SlowMatches
    board: NoticeBoard
    supervisor: Supervisor
    thinker: Programs
    """Where computers' moves come from."""

    @property
    def letters(self) -> Letters | None:
        """E-mails; None where the server sends none."""
        return self.turns.letters if self.turns else None

    @property
    def push_key(self) -> str:
        """The public key for notifications; empty where there are none."""
        return self.turns.signer.public if self.turns else ""


def services_of(request: HTTPConnection) -> Services:
    """The services of the node that answers a request."""
    services: Services = request.app.state.services
    return services
