"""The device's site is the server's application as far as it goes, and none of its pages leads beyond it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from starlette.routing import Match, Route

from chouine.server.offline.pages import PREFIX
from chouine.server.offline.site import elsewhere, own
from chouine.server.pages import school
from chouine.server.routes import problems
from chouine.server.routes.addresses import routes
from chouine.server.routes.shared import shared
from tests.server.offline.playing import Device

LINK, FORM = re.compile(r' href="([^"#]+)'), re.compile(r'<form[^>]* action="([^"#]+)')
ONLY_ONLINE = {"/daily", "/settings/forget"}
"""What a device says that it cannot do: days that it has not taken along; forgetting the browser."""


def answering(method: str, address: str) -> Route:
    """The device's route for an address."""
    scope = {"type": "http", "method": method, "path": address.partition("?")[0], "root_path": ""}
    return next(route for route in (*shared, *own, elsewhere) if route.matches(scope)[0] is Match.FULL)


def test_the_server_has_each_address_of_the_device() -> None:
    served = {(route.path, method): route for route in routes for method in route.methods or ()}
    for route in (*shared, *own):
        for method in route.methods or ():
            there = served[route.path, method]
            assert (there.endpoint is route.endpoint) == (route in shared), route.path


def test_every_link_and_form_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser, which has no numba."""
    for pages in (problems, school):
        monkeypatch.setattr(pages, "looks_ahead", lambda: False)
    device = Device()
    table_id = device.set_table(rules="classic", format="1x1", **{"chair-0": "me", "chair-1": "level:1"})
    found, forms = {"/": "", f"/table/{table_id}": ""}, dict[str, str]()
    asked = set[str]()
    for _ in range(2):
        while waiting := found.keys() - asked:
            address = min(waiting)
            asked.add(address)
            given = device.get(address)
            linked = [given.location] if given.location else LINK.findall(given.body)
            found |= {local(each): address for each in linked if local(each) not in found and is_page(each)}
            forms |= {local(each): address for each in FORM.findall(given.body)}
            assert given.status in (200, 303) or address in ONLY_ONLINE, (address, found[address])
        device.play_out(table_id)
        asked -= {"/", f"/table/{table_id}"}
    assert len(asked) > 100
    for address, page in forms.items():
        assert answering("POST", address) is not elsewhere, (address, page)


def is_page(address: str) -> bool:
    """Whether a link leads to a page of the device."""
    return address.startswith(f"{PREFIX}/") and not address.startswith(f"{PREFIX}/static/")


def local(address: str) -> str:
    return unescape(address).removeprefix(PREFIX)
