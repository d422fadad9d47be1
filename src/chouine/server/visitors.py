"""Who is asking: an opaque session in a cookie, the seats it holds, and the secrets of play links."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from chouine.server.difficulty import Rated
from chouine.server.pages.visit import Language, Settings, Visit
from chouine.server.repetition import Repetition
from chouine.server.scoring import Sheets
from chouine.server.store import Store

COOKIE, COOKIE_OF_HTTPS = "chouine", "__Host-chouine"
"""Over HTTPS its name alone keeps browsers from taking it from another host of the domain, or over HTTP."""
LANGUAGES: dict[str, Language] = {"fr": "fr", "en": "en"}
YEAR = 365 * 24 * 3600
MASK = 16
"""Bytes of a form's token, and of what masks it."""
SIGNED = 16_384
"""Signatures kept: three for a visitor, who asks often."""


class Schooling(msgspec.Struct, frozen=True):
    """What a browser has learned so far."""

    done: tuple[str, ...] = ()
    """Lessons finished, by name."""
    course: tuple[str, ...] = ()
    """The acts of the guided partie, as far as it has come."""
    solved: tuple[str, ...] = ()
    """Problems solved, the latest last."""
    days: tuple[date, ...] = ()
    """On which the problem of the day was solved."""
    again: tuple[Repetition, ...] = ()
    """Problems that were missed, to be gone over again."""
    rated: Rated = Rated()
    """By the first tries at problems."""


class Saved(msgspec.Struct, frozen=True):
    """What is remembered of a browser."""

    name: str = ""
    language: str = ""
    settings: Settings = Settings()
    level: int = 0
    explain: bool = False
    """Whether the play is explained, where one plays against computers."""
    school: Schooling = Schooling()
    sheets: Sheets = ()


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser: `token` is its cookie, only whose digest is stored."""

    token: str
    guest: str
    saved: Saved
    new: bool

    @property
    def stored(self) -> str:
        """What the store knows the token by."""
        return hashlib.sha256(self.token.encode()).hexdigest()


async def visitor_of(store: Store, held: Secrets, request: Request) -> Visitor:
    """The visitor behind a request's cookie with what is remembered of it, or a new one."""
    visitor = known_by(held, request)
    found = await store.session(visitor.stored) if not visitor.new else None
    if found:
        return replace(visitor, guest=found[0], saved=msgspec.json.decode(found[1], type=Saved))
    return visitor if held.made(visitor.token) else newcomer(held)


def known_by(held: Secrets, request: Request) -> Visitor:
    """The visitor named by the cookie, a newcomer if there is none; its signature is not looked at."""
    token = request.cookies.get(cookie_of(request), "")
    return Visitor(token, held.guest(token), Saved(), new=False) if token else newcomer(held)


def newcomer(held: Secrets) -> Visitor:
    """A visitor without a cookie. Nothing is stored until there is something to remember."""
    token = held.token()
    return Visitor(token, held.guest(token), Saved(), new=True)


async def remember(store: Store, visitor: Visitor, now: float) -> None:
    """Store what a visitor chose."""
    await store.keep_session(visitor.stored, visitor.guest, msgspec.json.encode(visitor.saved), now)


def cookie_of(request: Request) -> str:
    """What the cookie is called."""
    return COOKIE_OF_HTTPS if request.scope["scheme"] == "https" else COOKIE


def give_cookie(visitor: Visitor, request: Request, response: Response) -> None:
    """Let the browser be known again."""
    name = cookie_of(request)
    response.set_cookie(
        name,
        visitor.token,
        max_age=YEAR,
        path="/",
        secure=name == COOKIE_OF_HTTPS,
        httponly=True,
        samesite="lax",
    )


def language_of(request: Request, saved: Saved) -> Language:
    """The language chosen, else the browser's first of French and English, else French."""
    asked = request.headers.get("accept-language", "").lower().split(",")
    for tag in (saved.language, *(part.strip()[:2] for part in asked)):
        if tag in LANGUAGES:
            return LANGUAGES[tag]
    return "fr"


class Secrets:
    """Secrets derived from the server's key; none of them is stored with the tables."""

    def __init__(self, key: str) -> None:
        self.key = key.encode()
        self._sign = lru_cache(SIGNED)(self._signed)

    def token(self) -> str:
        """A new browser's cookie: 256 random bits, signed, so that it need not be stored to be known again."""
        random = secrets.token_urlsafe(32)
        return f"{random}.{self._sign(f'token:{random}')}"

    def made(self, token: str) -> bool:
        """Whether a cookie is one of ours."""
        random, _, signature = token.partition(".")
        return hmac.compare_digest(signature.encode(), self._sign(f"token:{random}").encode())

    def guest(self, token: str) -> str:
        """Who a cookie makes its browser."""
        return self._sign(f"guest:{token}")

    def csrf(self, visitor: Visitor) -> str:
        """The CSRF token of a visitor's forms, masked differently each time (BREACH)."""
        mask = self.mask()
        return (mask + xor(mask, self._csrf(visitor))).hex()

    def right_csrf(self, visitor: Visitor, given: str) -> bool:
        """Whether a form carries what this visitor's forms carry."""
        try:
            told = bytes.fromhex(given)
        except ValueError:
            return False
        mask, masked = told[:MASK], told[MASK:]
        return len(masked) == MASK and hmac.compare_digest(xor(mask, masked), self._csrf(visitor))

    def mask(self) -> bytes:
        """Fresh chance."""
        return secrets.token_bytes(MASK)

    def _csrf(self, visitor: Visitor) -> bytes:
        return bytes.fromhex(self._sign(f"csrf:{visitor.token}"))

    def address(self, address: str) -> str:
        """An address as it is stored: the same for the same, and of no use elsewhere."""
        return self._signed(f"address:{address}")

    def empty_seat(self, game: str, seat: int) -> str:
        """What a link carries for whoever takes an empty seat; of no use once it is taken."""
        return self._sign(f"empty:{game}:{seat}")

    def own_seat(self, game: str, seat: int) -> str:
        """What a link carries that only the seat's holder is shown, to come back from any device."""
        return self._sign(f"own:{game}:{seat}")

    def mailbox(self, guest: str, address: str) -> str:
        """What the links of letters to an address carry: who has one may have them, or want no more."""
        return self._signed(f"mailbox:{guest}:{address}")

    def seat(self, game: str, seat: int, holder: str | None) -> str:
        """What the seat's link carries now."""
        return self.empty_seat(game, seat) if holder is None else self.own_seat(game, seat)

    def _signed(self, text: str) -> str:
        return hmac.digest(self.key, text.encode(), "sha256").hex()[:32]


def xor(one: bytes, other: bytes) -> bytes:
    """Two texts of `MASK` bytes, one masked by the other."""
    return (int.from_bytes(one) ^ int.from_bytes(other)).to_bytes(MASK)


async def secrets_of(store: Store) -> Secrets:
    """The server's key, made at the first start."""
    return Secrets(await store.first_setting("key", secrets.token_hex(32)))


def visit_of(request: Request, visitor: Visitor, held: Secrets) -> Visit:
    """What the pages may know of a visitor."""
    return Visit(
        language=language_of(request, visitor.saved),
        csrf=held.csrf(visitor),
        guest=visitor.guest,
        name=visitor.saved.name,
        level=visitor.saved.level,
        settings=visitor.saved.settings,
        push=request.app.state.push_key,
        letters=request.app.state.letters is not None,
    )
