"""Files that browsers, phones and search engines request besides pages."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response

from chouine.phrases import N_, translations
from chouine.phrases.catalogue import LANGUAGES
from chouine.server.pages.env import static
from chouine.server.saved import SavedState
from chouine.server.visitors import language_of

ICONS = Path(__file__).parents[1] / "static" / "icons"
FELT = "#173d2e"
LINEN = "#f7f1e3"
ROBOTS = """\
User-agent: facebookexternalhit
User-agent: LinkedInBot
User-agent: Slackbot-LinkExpanding
User-agent: TelegramBot
User-agent: Twitterbot
User-agent: WhatsApp
Allow: /join/
Allow: /static/icons/
Disallow: /

User-agent: *
Disallow: /contests/
Disallow: /join/
Disallow: /match/
Disallow: /new
Disallow: /table/
"""
"""Pages about the game may be indexed, tables may not. Messengers may read invitations, for their previews."""


SHORTCUTS = (
    (N_("Find a partner"), "/partners"),
    (N_("Learn to play"), "/learn"),
    (N_("Contests"), "/contests"),
    (N_("Keep the score of real cards"), "/marqueur"),
)
"""Shortcuts in the menu of the installed app's icon."""


async def favicon(_: Request) -> Response:
    """The icon at its traditional address."""
    return FileResponse(ICONS / "favicon.ico", media_type="image/x-icon")


async def robots(_: Request) -> Response:
    """What search engines may read."""
    return PlainTextResponse(ROBOTS)


async def manifest(request: Request) -> Response:
    """The web app manifest, with which phones install the site.

    It is requested without a cookie, so its address holds the language.
    """
    asked = request.query_params.get("language", "")
    language = LANGUAGES.get(asked) or language_of(request, SavedState())
    gettext = translations(language).gettext
    described = {
        "id": "/",
        "name": gettext("La Chouine, the card game of the Loir valley"),
        "short_name": "Chouine",
        "lang": language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": FELT,
        "background_color": LINEN,
        "shortcuts": [
            {"name": gettext(name), "url": address, "icons": [icon_entry(192)]} for name, address in SHORTCUTS
        ],
        "icons": [
            {"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
            icon_entry(192),
            icon_entry(512),
            icon_entry(512, "mask") | {"purpose": "maskable"},
        ],
    }
    return JSONResponse(described, media_type="application/manifest+json")


def icon_entry(side: int, kind: str = "icon") -> dict[str, str]:
    """An icon's entry in the manifest; `side` in pixels."""
    return {"src": static(f"icons/{kind}-{side}.png"), "sizes": f"{side}x{side}", "type": "image/png"}
