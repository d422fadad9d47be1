"""Every page and every phase of the table, one after the other, as one person comes by them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from chouine.server.pages.visit import Language, Settings
from chouine.server.room import commands as ask
from tests.browser import moments
from tests.browser.conftest import Visits
from tests.browser.house import Guest, House
from tests.browser.moments import Moment
from tests.browser.visitor import Size, Visitor

FRIENDS = ("Basile", "Clotilde", "Donatien")


@dataclass
class Tour:
    """A guest's way through the house. Complete tricks lie ten seconds, so that they can be looked at."""

    house: House
    visitor: Visitor
    guest: Guest
    language: Language

    @classmethod
    def of(cls, house: House, visit: Visits, language: Language, size: Size, **wishes: object) -> Tour:
        guest = house.guest("Anne", language, settings=Settings(hold=10.0))
        visitor = visit(house, guest=guest, language=language, size=size, still=True, **wishes)
        visitor.expected = r"^4(04|22) for "
        return cls(house, visitor, guest, language)

    def stops(self) -> Iterator[tuple[str, Page]]:
        """What is before the visitor, stop by stop."""
        for part in (self.beside, self.before, self.playing, self.sharing, self.after):
            yield from part()

    def table(self, moment: Moment, seat: int, played: str = "", terms: str = "1x1") -> Page:
        """Anne's seat at a moment of a partie between friends."""
        seats = 3 if "three" in moment.rules else 4 if "four" in moment.rules else 2
        friends = iter(FRIENDS)
        chairs = [self.guest if who == seat else self.friend(next(friends)) for who in range(seats)]
        line = f"{moment.played} {played}"
        game = self.house.table(chairs, moment.rules, terms if seats == 2 else "1", moment.deal, line)
        return self.visitor.go(f"/table/{game}")

    def friend(self, name: str) -> Guest:
        return Guest("", f"friend-{name}", name)

    def beside(self) -> Iterator[tuple[str, Page]]:
        """Pages beside the table."""
        go = self.visitor.go
        yield "home", go("/")
        page = go("/")
        page.locator("details.opponents > summary").click()
        yield "home-opponents", page
        page = go("/")
        page.locator("details.choose > summary").click()
        page.locator("details.house > summary").click()
        yield "home-choices", page
        yield "rules", go("/rules")
        yield "rules-section", go("/rules?section=9")
        yield "settings", go("/settings?back=/")
        yield "not-found", go("/table/nowhere")
        empty = self.house.table([self.friend("Basile"), None])
        yield "links", go(f"/table/{self.house.table([self.guest, None])}")
        yield "join", go(self.house.invitation(empty, 1))

    def before(self) -> Iterator[tuple[str, Page]]:
        """The tirage and the cut (§2), at a table where Anne waits, then acts."""
        game = self.house.table([self.guest, self.friend("Basile")], terms="5x2")
        page = self.visitor.go(f"/table/{game}")
        yield "tirage", page
        page.locator(".fan button").nth(5).click()
        expect(page.locator(".fan .taken")).to_have_count(1)
        yield "tirage-waiting", page
        while (room := self.house.room(game)).phase.value == "tirage":
            seat = min(room.awaited)
            place = next(place for place in range(31, -1, -1) if place not in room.picks)
            self.house.do(lambda tables, seat=seat, place=place: tables.do(game, ask.Pick(seat, place)))  # type: ignore[misc]
        page.reload()
        yield "cut", page

    def playing(self) -> Iterator[tuple[str, Page]]:
        """A partie in progress."""
        yield "chouine", self.table(moments.CHOUINE, 1)
        yield "seven", self.table(moments.SEVEN, 1)
        page = self.visitor.page
        page.locator(".offers .exchange").click()
        expect(page.locator(".exchanged")).to_be_visible()
        yield "exchanged", page
        page.wait_for_timeout(1000)  # a tap while the exchange is still being sent is ignored
        page.locator(".hand.ready .card").last.click()
        expect(page.locator(".trick .card")).to_have_count(2)
        yield "held-trick", page
        yield "fifty-shown", self.table(moments.AFTER_TALON, 1)
        page.locator(".hand .card.barred").first.click()
        expect(page.get_by_role("alert")).to_be_visible()
        yield "refusal", page
        yield "au-sept", self.table(moments.AU_SEPT, 1)
        yield "au-sept-said", self.table(moments.AU_SEPT, 0)
        yield "talon-out", self.table(moments.AFTER_TALON, 1, "7d")
        for whose in ("others", "me"):
            page.locator(f".{whose} .pile summary").click()
            yield f"tricks-{whose}", page
        yield "mondoubleau", self.table(moments.MONDOUBLEAU, 0)
        yield "three", self.table(moments.THREE, 1)
        yield "four", self.table(moments.FOUR, 1)
        page.locator(".menu > summary").click()
        page.locator("#keys-help > summary").click()
        yield "menu", page

    def sharing(self) -> Iterator[tuple[str, Page]]:
        """One device, a pause, a spectator."""
        both = self.house.table([self.guest, self.guest], deal=moments.LAVARDIN)
        page = self.visitor.go(f"/table/{both}")
        yield "curtain", page
        page.locator(".curtain a").first.click()
        page.locator(".hand.ready .card").first.click()
        expect(page.locator(".curtain")).to_be_visible()
        yield "pass-the-device", page
        page = self.table(moments.TWENTY, 0)
        page.locator(".menu > summary").click()
        page.locator("form[action*='/pause'] button").click()
        expect(page.locator(".paused")).to_be_visible()
        yield "paused", page
        friends = [self.friend("Basile"), self.friend("Clotilde")]
        yield (
            "spectator",
            self.visitor.go(
                f"/table/{self.house.table(friends, deal=moments.LAVARDIN, played=moments.OPENING)}"
            ),
        )

    def after(self) -> Iterator[tuple[str, Page]]:
        """The count, the end, and what stays."""
        yield "count", self.table(moments.LAST_CARD, 0, "Tc", "3x2")
        yield "match-over", self.table(moments.LAST_CARD, 0, "Tc")
        page = self.visitor.page
        game = page.url.rpartition("/")[2]
        page.locator("form[action*='/revanche'] button").click()
        expect(page.locator("form[action*='/revanche']")).to_have_count(0)
        yield "revanche-asked", page
        yield "match", self.visitor.go(f"/match/{game}")
        for trick in (0, 6, 17):
            yield f"replay-{trick}", self.visitor.go(f"/match/{game}/1?trick={trick}")
