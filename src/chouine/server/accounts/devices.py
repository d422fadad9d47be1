"""The rough name of a browser, so that its owner recognises it in a list."""

from __future__ import annotations

BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
"""By a word of the header `User-Agent`; the first found counts, since browsers add those of others."""
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def rough_name(agent: str) -> str:
    """The browser and its system, such as `Firefox, Android`, without versions; empty if neither is known."""
    named = (
        next((name for word, name in known.items() if word in agent), "") for known in (BROWSERS, SYSTEMS)
    )
    return ", ".join(filter(None, named))
