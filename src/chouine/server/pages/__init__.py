"""Pages as HTML: pure functions of a visit and of what that visitor may see."""

from chouine.server.pages.books import rules_page
from chouine.server.pages.errors import error_page
from chouine.server.pages.frames import Frame, Viewer
from chouine.server.pages.home import home_page
from chouine.server.pages.join import join_page, links_page
from chouine.server.pages.match import match_page
from chouine.server.pages.replay import replay_page
from chouine.server.pages.settings import settings_page
from chouine.server.pages.visit import Settings, Visit

__all__ = [
    "Frame",
    "Settings",
    "Viewer",
    "Visit",
    "error_page",
    "home_page",
    "join_page",
    "links_page",
    "match_page",
    "replay_page",
    "rules_page",
    "settings_page",
]
