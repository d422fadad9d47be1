"""Visitors: the session cookie, the seats a visitor holds, and the secrets in play links."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import lru_cache

import msgspec
import structlog
from starlette.requests import Request
from starlette.responses import Response

from chouine.days import zone_named
from chouine.phrases import Language
from chouine.phrases.catalogue import LANGUAGES
from chouine.server.pages.visit import Visit
from chouine.server.request_parts import cookie_in
from chouine.server.saved import Saved
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
ZONE = "zone"
"""Name of the cookie in which `zone.js` tells the browser's time zone."""
YEAR = 365 * 24 * 3600
SEEN = 24 * 3600.0
"""Seconds between two notes that a browser was seen."""
MASK = 16
"""Length in bytes of a form token and of its mask."""
TOKEN = 43 + 1 + 32
"""Length of a cookie: random characters, a dot, a signature. None longer is looked at, nor kept in the cache."""
SIGNED = 16_384
"""Cached signatures: three for each active visitor."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser. `token` is its cookie, of which only a digest is stored."""

    token: str
    guest: str
    saved: Saved
    new: bool
    """Whether the browser has no cookie yet."""
    former: bool = False
    """Whether its cookie has the name of versions that gave every server's the same one."""
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


def stored_as(token: str) -> str:
    """The digest under which the store knows a cookie."""
    return hashlib.sha256(token.encode()).hexdigest()


async def visitor_of(store: Store, held: Secrets, request: Request) -> Visitor:
    """The visitor of a request's cookies, with stored settings, or a new visitor."""
    if token := member_token(held, request):
        row = await services_of(request).browsers.find(stored_as(token))
        if row is not None:
            saved = saved_in(row.settings, row.guest)
            return Visitor(token, row.guest, saved, new=False, seen=row.seen, member=True)
    return replace(await guest_visitor(store, held, request), ended=bool(token))


async def guest_visitor(store: Store, held: Secrets, request: Request) -> Visitor:
    """The visitor as who the browser would be without an account."""
    visitor = known_by(held, request)
    found = await store.session(visitor.stored) if not visitor.new else None
    if found:
        return replace(
            visitor,
            guest=found.guest,
            saved=saved_in(found.settings, visitor.stored),
            read=True,
            seen=found.seen,
        )
    return replace(visitor, read=True) if held.is_own(visitor.token) else newcomer(held)


def saved_in(settings: bytes, whose: str) -> Saved:
    """A browser's stored settings and progress; the defaults, and a line in the log, if they cannot be read."""
    try:
        return msgspec.json.decode(settings, type=Saved)
    except Exception as error:  # noqa: BLE001  # whatever is stored there
        report_unreadable(whose, type(error).__name__)
        return Saved()


@lru_cache(4096)
def report_unreadable(_whose: str, kind: str) -> None:
    """Log once that a browser's settings cannot be read."""
    log.error("settings cannot be read", kind=kind)


def member_token(held: Secrets, request: Request) -> str:
    """The cookie of an account, empty if there is none."""
    token = cookie_in(request, f"{cookie_of(request)}-{held.instance}{OF_MEMBER}")
    return token if len(token) <= TOKEN else ""


def member_at_hand(request: Request, token: str) -> Visitor | None:
    """The member with this cookie, without their settings, if this node knows them to be signed in."""
    guest = services_of(request).browsers.guest_of(stored_as(token))
    return Visitor(token, guest, Saved(), new=False, read=False, member=True) if guest else None


def known_by(held: Secrets, request: Request) -> Visitor:
    """The visitor of a request's cookie without a check of its signature, or a new visitor; never a member."""
    name = cookie_of(request)
    token, former = cookie_in(request, f"{name}-{held.instance}"), cookie_in(request, name)
    renamed = not token and len(former) <= TOKEN and held.is_own(former)
    token = former if renamed else token
    if not 0 < len(token) <= TOKEN:
        return newcomer(held)
    return Visitor(token, held.guest(token), Saved(), new=False, former=renamed, read=False)


def newcomer(held: Secrets) -> Visitor:
    """A new visitor. Nothing is stored until there is something to remember."""
    token = held.token()
    return Visitor(token, held.guest(token), Saved(), new=True)


def cookie_of(request: Request) -> str:
    """The beginning of the cookie's name, by whether the request came over HTTPS."""
    return COOKIE_OF_HTTPS if request.scope["scheme"] == "https" else COOKIE


def give_cookie(visitor: Visitor, held: Secrets, request: Request, response: Response) -> None:
    """Set the cookie on a response, and delete that of an account to which the browser is signed in no more."""
    name = cookie_of(request)
    own = f"{name}-{held.instance}"
    if visitor.ended:
        response.delete_cookie(
            f"{own}{OF_MEMBER}", path="/", secure=name == COOKIE_OF_HTTPS, httponly=True, samesite="lax"
        )
    response.set_cookie(
        f"{own}{OF_MEMBER}" if visitor.member else own,
        visitor.token,
        max_age=YEAR,
        path="/",
        secure=name == COOKIE_OF_HTTPS,
        httponly=True,
        samesite="lax",
    )


def take_cookie(held: Secrets, request: Request, response: Response) -> None:
    """Delete all cookies: the visitor's, an account's, the time zone's."""
    name = cookie_of(request)
    secure = name == COOKIE_OF_HTTPS
    take_guests_cookie(held, request, response)
    response.delete_cookie(
        f"{name}-{held.instance}{OF_MEMBER}", path="/", secure=secure, httponly=True, samesite="lax"
    )
    response.delete_cookie(ZONE, path="/", secure=secure, samesite="lax")


def take_guests_cookie(held: Secrets, request: Request, response: Response) -> None:
    """Delete the cookie that is no account's, and that of earlier versions if it is this server's."""
    name = cookie_of(request)
    secure, names = name == COOKIE_OF_HTTPS, [f"{name}-{held.instance}"]
    if held.is_own(cookie_in(request, name)):
        names.append(name)
    for each in names:
        response.delete_cookie(each, path="/", secure=secure, httponly=True, samesite="lax")


def language_of(request: Request, saved: Saved) -> Language:
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
