"""Visitors: the session cookie, the seats a visitor holds, and the secrets in play links."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import lru_cache, partial
from urllib.parse import urlencode

import msgspec
import sqlalchemy as sa
import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from chouine.days import zone_named
from chouine.phrases import Language
from chouine.phrases.catalogue import LANGUAGES
from chouine.server.pages.visit import Visit
from chouine.server.request_parts import cookie_in
from chouine.server.saved import SavedState
from chouine.server.schema import browser, erasure, former, spending
from chouine.server.services import services_of
from chouine.server.store import Store

log = structlog.get_logger()

COOKIE, COOKIE_OF_HTTPS = "chouine", "__Host-chouine"
"""Names of the cookie, followed by the server's own: browsers keep one jar for all ports of a host, so that two servers
there would take each other's. The prefix `__Host-` makes browsers refuse it from another host of the domain or over
HTTP.
"""
OF_MEMBER = "-member"
"""End of the name of the cookie by which a browser is signed in to an account. Beside it the other cookie may stay."""
OF_NEXT = "-next"
"""End of the name of the cookie that is to take the place of the one that a browser has.

It does once the browser comes with both, so that no answer that is lost on the way costs anybody what is theirs.
"""
BY = "by"
"""In the address of a page that signs in: by what, as it is stored."""
ZONE = "zone"
"""Name of the cookie in which `zone.js` tells the browser's time zone."""
YEAR = 365 * 24 * 3600
AGAIN = 600.0
"""Seconds, or up to twice as many, for which a next cookie is given again, and taken: later, copies may be about."""
SEEN = 24 * 3600.0
"""Seconds between two notes that a browser was seen."""
MASK = 16
"""Length in bytes of a form token and of its mask."""
RANDOM, BOUND = 22, 21
"""Lengths of a next cookie's random characters, and of those after them that tell for which cookie it was given."""
TOKEN = RANDOM + BOUND + 1 + 32
"""Length of a cookie: random characters, a dot, a signature. None longer is looked at, nor kept in the cache."""
SIGNED = 16_384
"""Cached signatures: three for each active visitor."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser. `token` is its cookie, of which only a digest is stored."""

    token: str
    guest: str
    saved: SavedState
    new: bool
    """Whether the browser has no cookie yet."""
    former: bool = False
    """Whether its cookie has another name than it should: that of older versions for all servers, or of a next one."""
    read: bool = True
    """Whether the store was asked for the browser's settings."""
    seen: float | None = None
    """When the browser was seen last, to the day; None if nothing is stored for it."""
    member: bool = False
    """Whether the browser is signed in to an account: then `saved` is the account's."""
    ended: bool = False
    """Whether it has the cookie of an account to which it is signed in no more."""

    @property
    def stored(self) -> str:
        """The digest under which the store knows the cookie."""
        return stored_as(self.token)

    @property
    def mark(self) -> str:
        """The name, no guest's, under which it is noted among erasures that the browser was forgotten."""
        return noted_as(self.stored)


def stored_as(token: str) -> str:
    """The digest under which the store knows a cookie."""
    return hashlib.sha256(token.encode()).hexdigest()


async def visitor_of(store: Store, held: Secrets, request: Request) -> Visitor:
    """The visitor of a request's cookies, with stored settings, or a new visitor."""
    token = member_token(held, request)
    if token and (visitor := await member_with(request, token) or await next_member(held, request)):
        return visitor
    return replace(await guest_visitor(store, held, request), ended=bool(token))


async def member_with(request: Request, token: str) -> Visitor | None:
    """The member with this cookie, with stored settings; None if it signs in no more."""
    row = await services_of(request).browsers.find(stored_as(token))
    if row is None:
        return None
    return Visitor(token, row.guest, saved_in(row.settings, row.guest), new=False, seen=row.seen, member=True)


async def next_member(held: Secrets, request: Request) -> Visitor | None:
    """The member with the browser's next cookie, if it signs in: its browser did not get the answer that said so."""
    token = next_token(held, request)
    visitor = await member_with(request, token) if token else None
    return replace(visitor, former=True) if visitor else None


async def guest_visitor(store: Store, held: Secrets, request: Request) -> Visitor:
    """The visitor as who the browser would be without an account; a new one if who they were is gone."""
    visitor = known_by(held, request)
    if not visitor.new:
        visitor = await with_settings(store, visitor)
    if visitor.seen is not None:
        return visitor
    if visitor.new or not held.is_own(visitor.token):
        return newcomer(held)
    if await store.database.read(partial(is_gone, visitor.guest, visitor.mark, whole=True)):
        return await successor_of(visitor.guest, store, held, request) or newcomer(held)
    return visitor


async def with_settings(store: Store, visitor: Visitor) -> Visitor:
    """A guest with what is stored of their browser."""
    found = await store.session(visitor.stored)
    if found is None:
        return replace(visitor, read=True)
    saved = saved_in(found.settings, visitor.stored)
    return replace(visitor, guest=found.guest, saved=saved, read=True, seen=found.seen)


async def successor_of(gone: str, store: Store, held: Secrets, request: Request) -> Visitor | None:
    """Who a guest has become if their browser has the next cookie, but not the answer that made it the only one."""
    token = next_token(held, request)
    if not token:
        return None
    if visitor := await next_member(held, request):
        return visitor
    became = sa.select(former.c.guest).where(former.c.former == gone)
    if held.guest(token) != await store.database.read(lambda connection: connection.scalar(became)):
        return None
    return await with_settings(store, replace(guest_with(held, token), former=True))


def is_gone(guest: str, mark: str, connection: sa.Connection, *, whole: bool = False) -> bool:
    """Whether a guest was erased, or is another by now, or their browser was forgotten.

    `whole`: who is still being erased is not gone, and may ask for it again.
    """
    erased = sa.exists().where(erasure.c.guest.in_((guest, mark)), erasure.c.done if whole else sa.true())
    return bool(connection.scalar(sa.select(erased | sa.exists().where(former.c.former == guest))))


def saved_in(settings: bytes, whose: str) -> SavedState:
    """A browser's stored settings and progress; the defaults, and a line in the log, if they cannot be read."""
    try:
        return msgspec.json.decode(settings, type=SavedState)
    except Exception as error:  # noqa: BLE001  # whatever is stored there
        report_unreadable(whose, type(error).__name__)
        return SavedState()


@lru_cache(4096)
def report_unreadable(_whose: str, kind: str) -> None:
    """Log once that a browser's settings cannot be read."""
    log.error("settings cannot be read", kind=kind)


def member_token(held: Secrets, request: Request) -> str:
    """The cookie of an account, empty if there is none."""
    token = cookie_in(request, own_cookie(OF_MEMBER, held, request))
    return token if len(token) <= TOKEN else ""


def next_token(held: Secrets, request: Request) -> str:
    """The cookie that is to take the place of the browser's, empty if there is none."""
    token = cookie_in(request, own_cookie(OF_NEXT, held, request))
    return token if 0 < len(token) <= TOKEN and held.is_own(token) else ""


async def token_to_take(what: str, held: Secrets, request: Request) -> str:
    """The next cookie, if the address proves that it was given to do `what` by it; else empty, and once it is over."""
    given = request.query_params.get(what, "")
    to_do = f"{request.scope['path']} {what} {request.query_params.get(BY, '')}"
    if not given or not (token := await good_next_token(to_do, held, request)):
        return ""
    right = held.succession(to_do, token_now(held, request), token)
    return token if hmac.compare_digest(right.encode(), given.encode()) else ""


async def good_next_token(to_do: str, held: Secrets, request: Request) -> str:
    """The next cookie, if it was given lately, for this and for the cookie that is there now, and is not over."""
    token, now, span = await live_next_token(held, request), token_now(held, request), span_of(request)
    lately = any(held.is_given_for(token, f"{each}:{to_do}:{now}") for each in (span, span - 1))
    return token if lately else ""


async def live_next_token(held: Secrets, request: Request) -> str:
    """The next cookie, empty if there is none, or if it has signed in and does so no more."""
    token = next_token(held, request)
    database = services_of(request).tables.store.database
    over = bool(token) and await database.read(partial(is_over, token))
    return "" if over else token


def span_of(request: Request) -> int:
    """The number of the present span of `AGAIN` seconds."""
    return int(services_of(request).tables.clock() // AGAIN)


def noted_as(stored: str) -> str:
    """The name under which it is noted of a cookie, stored as this, that it was forgotten or has signed in."""
    return stored[:32]


def is_over(token: str, connection: sa.Connection) -> bool:
    """Whether a cookie has signed in and does so no more: it must not do so again."""
    spent = sa.exists().where(spending.c.id == noted_as(stored_as(token)))
    still = sa.exists().where(browser.c.token == stored_as(token))
    return bool(connection.scalar(sa.select(spent & ~still)))


def token_now(held: Secrets, request: Request) -> str:
    """The cookie by which a browser is known now."""
    return member_token(held, request) or known_by(held, request).token


def member_at_hand(request: Request, token: str) -> Visitor | None:
    """The member with this cookie, without their settings, if this node knows them to be signed in."""
    guest = services_of(request).browsers.guest_of(stored_as(token))
    return Visitor(token, guest, SavedState(), new=False, read=False, member=True) if guest else None


def known_by(held: Secrets, request: Request) -> Visitor:
    """The visitor of a request's cookie without a check of its signature, or a new visitor; never a member."""
    token, former = (cookie_in(request, name) for name in (own_cookie("", held, request), cookie_of(request)))
    renamed = not token and len(former) <= TOKEN and held.is_own(former)
    token = former if renamed else token
    if not 0 < len(token) <= TOKEN:
        return newcomer(held)
    return replace(guest_with(held, token), former=renamed)


def guest_with(held: Secrets, token: str) -> Visitor:
    """The guest with this cookie, without their settings."""
    return Visitor(token, held.guest(token), SavedState(), new=False, read=False)


def newcomer(held: Secrets) -> Visitor:
    """A new visitor. Nothing is stored until there is something to remember."""
    token = held.token()
    return Visitor(token, held.guest(token), SavedState(), new=True)


def cookie_of(request: Request) -> str:
    """The beginning of the cookie's name, by whether the request came over HTTPS."""
    return COOKIE_OF_HTTPS if request.scope["scheme"] == "https" else COOKIE


def own_cookie(end: str, held: Secrets, request: Request) -> str:
    """The name of this server's cookie that ends so: `OF_MEMBER`, `OF_NEXT`, or with nothing for a guest's."""
    return f"{cookie_of(request)}-{held.instance}{end}"


def give_cookie(visitor: Visitor, held: Secrets, request: Request, response: Response) -> None:
    """Set the cookie on a response, and delete that of an account to which the browser is signed in no more."""
    if visitor.ended:
        delete_cookie(OF_MEMBER, held, request, response)
    if next_token(held, request):
        delete_cookie(OF_NEXT, held, request, response)
    set_cookie(OF_MEMBER if visitor.member else "", visitor.token, held, request, response)


async def lead_with_next_cookie(
    path: str, what: str, held: Secrets, request: Request, by: str = ""
) -> Response:
    """Give the browser the cookie by which `what` is to be done, and lead it to the page that does it.

    A form sent twice gives the same one: by the time of the second it may be the only one that opens anything.
    `by`: what signs in, if that is what is to be done.
    """
    now, to_do = token_now(held, request), f"{path} {what} {by}"
    token = await good_next_token(to_do, held, request)
    token = token or held.next_token(f"{span_of(request)}:{to_do}:{now}")
    query = {what: held.succession(to_do, now, token)} | ({BY: by} if by else {})
    response = RedirectResponse(f"{path}?{urlencode(query)}", 303)
    set_cookie(OF_NEXT, token, held, request, response)
    return response


def take_cookie(held: Secrets, request: Request, response: Response) -> None:
    """Delete all cookies: the visitor's, an account's, the time zone's."""
    take_guests_cookie(held, request, response)
    for end in (OF_MEMBER, OF_NEXT):
        delete_cookie(end, held, request, response)
    secure = cookie_of(request) == COOKIE_OF_HTTPS
    response.delete_cookie(ZONE, path="/", secure=secure, samesite="lax")


def take_guests_cookie(held: Secrets, request: Request, response: Response) -> None:
    """Delete the cookie that is no account's, and that of earlier versions if it is this server's."""
    name = cookie_of(request)
    delete_cookie("", held, request, response)
    if held.is_own(cookie_in(request, name)):
        response.delete_cookie(name, path="/", secure=name == COOKIE_OF_HTTPS, httponly=True, samesite="lax")


def set_cookie(end: str, token: str, held: Secrets, request: Request, response: Response) -> None:
    """Set this server's cookie whose name ends so."""
    response.set_cookie(
        own_cookie(end, held, request),
        token,
        max_age=YEAR,
        path="/",
        secure=cookie_of(request) == COOKIE_OF_HTTPS,
        httponly=True,
        samesite="lax",
    )


def delete_cookie(end: str, held: Secrets, request: Request, response: Response) -> None:
    """Delete this server's cookie whose name ends so."""
    response.delete_cookie(
        own_cookie(end, held, request),
        path="/",
        secure=cookie_of(request) == COOKIE_OF_HTTPS,
        httponly=True,
        samesite="lax",
    )


def language_of(request: Request, saved: SavedState) -> Language:
    """The chosen language, else the first of French and English that the browser accepts, else French."""
    asked = request.headers.get("accept-language", "").lower().split(",")
    for tag in (saved.language, *(part.strip()[:2] for part in asked)):
        if tag in LANGUAGES:
            return LANGUAGES[tag]
    return "fr"


def zone_of(request: Request) -> tzinfo:
    """The time zone that the browser tells, else the site's."""
    site = services_of(request).site
    return zone_named(cookie_in(request, ZONE)) or site.zone


class Secrets:
    """Secrets derived from the server's key. None is stored with the tables."""

    def __init__(self, key: str) -> None:
        self.key = key.encode()
        self._sign = lru_cache(SIGNED)(self._sign_text)
        self.instance = self._sign_text("instance")[:8]
        """Distinguishes this server's cookies from those of others on the same host."""

    def token(self) -> str:
        """A new cookie: 256 random bits and a signature, so that it is recognised without being stored."""
        random = secrets.token_urlsafe(32)
        return f"{random}.{self._sign(f'token:{random}')}"

    def next_token(self, now: str) -> str:
        """A new cookie, of which can be told that it was given for what is there `now`."""
        return self._next(secrets.token_urlsafe(RANDOM * 3 // 4), now)

    def is_given_for(self, token: str, now: str) -> bool:
        """Whether a next cookie was given for what is there `now`, and is none that somebody put there."""
        return hmac.compare_digest(token.encode(), self._next(token[:RANDOM], now).encode())

    def _next(self, random: str, now: str) -> str:
        bound = random + self._sign_text(f"bound:{random}:{now}")[:BOUND]
        return f"{bound}.{self._sign(f'token:{bound}')}"

    def account(self, token: str) -> str:
        """The guest of the account that is made by a next cookie: one, however often that is asked for."""
        return self._sign_text(f"account:{token}")

    def is_own(self, token: str) -> bool:
        """Whether a cookie bears this server's signature."""
        random, _, signature = token.partition(".")
        return hmac.compare_digest(signature.encode(), self._sign(f"token:{random}").encode())

    def guest(self, token: str) -> str:
        """The guest identifier of a cookie."""
        return self._sign(f"guest:{token}")

    def csrf(self, visitor: Visitor) -> str:
        """The CSRF token of a visitor's forms, masked differently each time (BREACH)."""
        mask = self.mask()
        return (mask + xor(mask, self._csrf(visitor))).hex()

    def right_csrf(self, visitor: Visitor, given: str) -> bool:
        """Whether a form's token is this visitor's."""
        try:
            token = bytes.fromhex(given)
        except ValueError:
            return False
        mask, masked = token[:MASK], token[MASK:]
        return len(masked) == MASK and hmac.compare_digest(xor(mask, masked), self._csrf(visitor))

    def succession(self, what: str, now: str, token: str) -> str:
        """The proof that a cookie was given to do something, and to take the place of the one that is there now."""
        return self._sign_text(f"next:{what}:{now}:{token}")

    def mask(self) -> bytes:
        """Random bytes, to mask a token or for a challenge."""
        return secrets.token_bytes(MASK)

    def _csrf(self, visitor: Visitor) -> bytes:
        return bytes.fromhex(self._sign(f"csrf:{visitor.token}"))

    def address(self, address: str) -> str:
        """A keyed digest of a network address: equal for equal addresses, and useless elsewhere."""
        return self._sign_text(f"address:{address}")

    def empty_seat(self, table_id: str, seat: int) -> str:
        """The secret in the link to an empty seat; invalid once the seat is taken."""
        return self._sign(f"empty:{table_id}:{seat}")

    def own_seat(self, table_id: str, seat: int) -> str:
        """The secret in the link shown to a seat's holder, with which they return from any device."""
        return self._sign(f"own:{table_id}:{seat}")

    def table(self, guest: str, command_id: str) -> str:
        """The identifier of the table that a guest opens by a command of this name."""
        return self._sign_text(f"table:{guest}:{command_id}")[:32]

    def mailbox(self, guest: str, address: str) -> str:
        """The secret in the links of an e-mail: whoever has it may confirm the address or unsubscribe."""
        return self._sign_text(f"mailbox:{guest}:{address}")

    def owner(self, normal_form: str) -> str:
        """A keyed digest of an e-mail address in its normal form: tells mailboxes apart without their addresses."""
        return self._sign_text(f"owner:{normal_form}")

    def never_secret(self, owner: str) -> str:
        """The secret by which a mailbox's owner ends all letters: the digest, signed, so that nobody can invent one."""
        return owner + self._sign_text(f"never:{owner}")

    def owner_in(self, never: str) -> str | None:
        """The digest in such a secret, if it is genuine."""
        owner = never[: len(never) // 2]
        return owner if hmac.compare_digest(never.encode(), self.never_secret(owner).encode()) else None

    def operator(self, guest: str, until: str) -> str:
        """The cookie that opens the keeper's page to a guest until a time."""
        return f"{until}.{self._sign_text(f'operator:{guest}:{until}')}"

    def boast(self, result: str) -> str:
        """The signature of a result of a deal of the day, without which it is not drawn as a picture."""
        return self._sign_text(f"boast:{result}")

    def spending_digest(self, what: str) -> str:
        """A keyed digest under which letters are counted."""
        return self._sign_text(f"spending:{what}")

    def signs_in(self, address: str) -> str:
        """A keyed digest under which an e-mail address is stored that signs in to an account."""
        return self._sign_text(f"signs-in:{address.lower()}")

    def handle(self, guest: str) -> bytes:
        """The name under which a passkey's device knows a member; it reveals no guest."""
        return bytes.fromhex(self._sign_text(f"handle:{guest}"))

    def challenge(self, visitor: Visitor, fresh: bytes) -> bytes:
        """What a passkey of this visitor must sign: `fresh` bytes and a keyed digest of them."""
        return fresh + bytes.fromhex(self._sign_text(f"challenge:{visitor.token}:{fresh.hex()}"))

    def seat(self, table_id: str, seat: int, holder: str | None) -> str:
        """The secret of the seat's current link, by whether it is taken."""
        return self.empty_seat(table_id, seat) if holder is None else self.own_seat(table_id, seat)

    def _sign_text(self, text: str) -> str:
        return hmac.digest(self.key, text.encode(), "sha256").hex()[:32]


def xor(one: bytes, other: bytes) -> bytes:
    """The exclusive or of two byte strings of length `MASK`."""
    return (int.from_bytes(one) ^ int.from_bytes(other)).to_bytes(MASK)


async def secrets_of(store: Store) -> Secrets:
    """The server's secrets, whose key is made at the first start."""
    return Secrets(await store.first_setting("key", secrets.token_hex(32)))


def visit_of(request: Request, visitor: Visitor, held: Secrets) -> Visit:
    """What pages may know of a visitor."""
    language, zone, board = language_of(request, visitor.saved), zone_of(request), services_of(request).board
    return Visit(
        language=language,
        csrf=held.csrf(visitor),
        guest=visitor.guest,
        name=visitor.saved.name,
        level=visitor.saved.level,
        settings=visitor.saved.settings,
        push=services_of(request).push_key,
        letters=services_of(request).letters is not None,
        off=services_of(request).site.off,
        programs=tuple(services_of(request).site.programs),
        banner=board.text(language, zone),
        rests=board.rests(),
        told=visitor.guest not in board.untold,
        member=visitor.member,
        zone=zone,
    )
