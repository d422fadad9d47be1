"""A tour of every page and every phase of the table, as one person visits them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as TooLate

from chouine.contest import Entered
from chouine.contest.duplicate import RULES
from chouine.phrases import Language
from chouine.school.problems import KINDS, Problem, own_steps, shipped_problems
from chouine.school.review import Judgement, Review
from chouine.server.circle.challenges import Challenges, Terms
from chouine.server.circle.people import People
from chouine.server.contest.online import Contests, EntryVisitor, Online
from chouine.server.notice_board import announce
from chouine.server.order import KeeperActs, KeeperDecision, Target
from chouine.server.pages.school import PRINTS
from chouine.server.pages.visit import Settings
from chouine.server.partners import Partners
from chouine.server.reviews import encode
from chouine.server.schema import ruling
from chouine.server.tables import Tables
from chouine.server.visitors import secrets_of
from chouine.table import commands as ask
from chouine.table.entries import ClockTerms, Opened, SeatHolder
from tests.browser import moments
from tests.browser.conftest import Visits
from tests.browser.house import Guest, House
from tests.browser.moments import Moment
from tests.browser.sealed import finished_contest, sealed_deals
from tests.browser.visitor import Size, Visitor
from tests.patience import PATIENCE, REVIEWED, wait_until

FOUND = [
    Judgement(
        1, 1, 0, "Qs", "7s", 0.03, "inaccuracy", 0.264, 0.234, exact=False, reasons=(("declared", 4.8),)
    ),
    Judgement(
        10,
        5,
        1,
        "Ad",
        "8s",
        0.207,
        "blunder",
        0.552,
        0.345,
        exact=False,
        reasons=(("brisques", 0.89), ("trumps", 0.67)),
        options=(("8s", 0.552), ("Ts", 0.49), ("9c", 0.51), ("Jd", 0.4), ("Ad", 0.345)),
    ),
    Judgement(12, 6, 0, "Qd+20d", "Qd+20d", 0.0, None, 0.66, 0.66, exact=False),
]
"""Judgements of the example record."""
FRIENDS = ("Basile", "Clotilde", "Donatien")


async def enter_others(tables: Tables, which: str, names: Sequence[str]) -> None:
    """Enter other players into a contest."""
    contests = Contests(tables.store, tables.clock)
    for name in names:

        def player(_: Online, name: str = name) -> EntryVisitor:
            return EntryVisitor(f"friend-{name}", name)

        await contests.do(which, lambda now: Entered(now.contest.next_number), player)


async def offer_match(tables: Tables, guest: str, other: str) -> None:
    """Irma's challenge to another, and her wish to be friends."""
    people = People(tables)
    await people.own(guest, "Irma")
    await people.own(other, "Anne")
    await people.ask(guest, other)
    await Challenges(people).send(guest, [other], Terms("classic", "3x1", 60, 300))


async def friend_link(tables: Tables, guest: str) -> str:
    """The secret of a guest's link that makes friends."""
    return (await People(tables).link(guest))[0]


def tap_until_sent(page: Page, target: str, address: str) -> None:
    """Tap until a request is sent: taps during a pending request are ignored."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(TooLate), page.expect_request(address, timeout=5_000):
            page.evaluate("target => document.querySelector(target)?.click()", target)
            return
    raise AssertionError(f"{target} sends nothing")


def tap_until_shown(page: Page, target: str, shown: str) -> None:
    """Tap until this is there: taps while the same is being sent are ignored, and a late request is sent again."""
    until = time.monotonic() + REVIEWED
    while time.monotonic() < until:
        page.evaluate("target => document.querySelector(target)?.click()", target)
        with suppress(AssertionError):
            return expect(page.locator(shown)).to_be_attached(timeout=5_000)
    raise AssertionError(f"{target} does not bring {shown}")


@dataclass
class Tour:
    """A guest's tour; complete tricks are held ten seconds."""

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
        """All stops, each with its name and page."""
        for part in PARTS:
            yield from part(self)

    def table(self, moment: Moment, seat: int, played: str = "", terms: str = "1x1") -> Page:
        """Open a table between friends at a moment, with Anne at `seat`."""
        seats = 3 if "three" in moment.rules else 4 if "four" in moment.rules else 2
        friends = iter(FRIENDS)
        chairs = [self.guest if who == seat else self.friend(next(friends)) for who in range(seats)]
        line = f"{moment.played} {played}"
        game = self.house.table(chairs, moment.rules, terms if seats == 2 else "1", moment.deal, line)
        return self.visitor.go(f"/table/{game}")

    def friend(self, name: str) -> Guest:
        return Guest("", f"friend-{name}", name)

    def other_pages(self) -> Iterator[tuple[str, Page]]:
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
        page = go("/import")
        page.locator("textarea").fill("classic b …")
        page.locator("main form button").click()
        expect(page.locator("[role=alert]")).to_be_visible()
        yield "import-refused", page
        last = moments.LAST_CARD
        page.locator("textarea").fill(f"{last.rules} {last.deal} : {last.played} Tc")
        page.locator("main form button").first.click()
        expect(page).to_have_url(re.compile("/match/i-"))
        yield "imported", page
        yield "import", go("/import")
        yield "clubs", go("/clubs")
        yield "rules", go("/rules")
        yield "rules-section", go("/rules?section=9")
        yield "settings", go("/settings?back=/")
        yield from self.classroom()
        yield "forgetting", go("/settings/forget")
        yield "erasing", go("/settings/forget?all=1")
        yield "mine", go("/mine")
        yield "tokens", go("/mine/tokens")
        yield "api", go("/api")
        yield "account", go("/account")
        yield "rating", go("/mine/rating")
        yield "feats", go("/mine/feats")
        yield "legal", go("/legal")
        yield "privacy", go("/privacy")
        yield "participants", go("/privacy/contest")
        yield "licences", go("/licences")
        yield "device", go("/device")
        yield "not-found", go("/table/nowhere")
        empty = self.house.table([self.friend("Basile"), None])
        yield "links", go(f"/table/{self.house.table([self.guest, None])}")
        yield "join", go(self.house.invitation(empty, 1))

    def learning(self) -> Iterator[tuple[str, Page]]:
        """Lessons, problems, the trainer and the printed sheet."""
        go = self.visitor.go
        yield "lessons", go("/learn")
        for lesson, step in (
            ("takes", 2),
            ("last-five", 4),
            ("declarations", 4),
            ("match", 2),
            ("points", 3),
        ):
            yield f"lesson-{lesson}", go(f"/learn/{lesson}/{step}")
        yield "lesson-end", go("/learn/takes/end")
        yield "problems", go("/learn/problems")
        yield "progress", go("/learn/progress")
        for kind in KINDS:
            problem = next(problem for problem in shipped_problems() if problem.kind == kind)
            yield f"problem-{kind}", go(f"/learn/problem/{problem.id}")
            yield from self.answer_problem(kind, problem)
        yield "guided partie", go("/learn/partie")
        yield "trainer", go("/learn/count?pile=5&full=1")
        yield "trainer-clock", go("/learn/count?pile=5&clock=quick")
        yield "sheet", go("/learn/sheet")
        for name in PRINTS:
            yield f"print-{name}", go(f"/learn/print/{name}")

    def answer_problem(self, kind: str, problem: Problem) -> Iterator[tuple[str, Page]]:
        """A problem answered wrong, then right to its end."""
        page = self.visitor.page
        wrong = next(str(act) for act in problem.view.legal if str(act) != problem.solution[0])
        page.locator(f".guide button[value='{wrong}']").click(no_wait_after=True)
        expect(page.locator(".answer .again")).to_be_visible(timeout=1000 * REVIEWED)
        yield f"problem-{kind}-wrong", page
        for step in own_steps(problem):
            if step:
                page.locator("#continue").click()
            page.locator(f".guide button[value='{problem.solution[step]}']").click(no_wait_after=True)
            expect(page.locator(".answer .good")).to_be_visible(timeout=1000 * REVIEWED)
        yield f"problem-{kind}-right", page

    def strangers(self) -> Iterator[tuple[str, Page]]:
        """Waiting for a partner, and blocking the other player of a match."""
        self.house.do(lambda tables: Partners(tables.store, tables.clock).wait("donatien", "Donatien"))
        page = self.visitor.go("/partners")
        page.locator("button[value=wait]").click()
        expect(page.locator("button[value=leave]")).to_be_visible()
        yield "partners-waiting", page
        page.locator("button[value=leave]").click()
        self.house.do(lambda tables: Partners(tables.store, tables.clock).leave("donatien"))
        game = self.house.table([self.guest, self.friend("Clotilde")])
        yield "people", self.visitor.go(f"/match/{game}/people")
        page.locator("button[value=block]").click()
        expect(page.locator("button[value=block]")).to_have_count(0)
        page = self.visitor.go("/partners")
        page.locator(".more summary").click()
        yield "partners-blocked", page
        yield from self.people()
        yield from self.order(game)

    def classroom(self) -> Iterator[tuple[str, Page]]:
        """A class before and after Anne joins it, who is also its teacher."""
        go = self.visitor.go
        yield "class", go("/class")
        page = self.visitor.page
        page.locator("button[value=make]").click()
        code = page.locator(".board").text_content() or ""
        yield "class-empty", page
        address = urlsplit(page.url).path
        page = go("/class")
        page.locator("#code").fill(code)
        page.locator("#name").fill("Léa")
        page.locator("button[value=join]").click()
        page.locator(".more summary").click()
        expect(page.locator("button[value=leave]")).to_be_visible()
        yield "class-joined", page
        page = go(address)
        for summary in page.locator(".more summary").all():
            summary.click()
        expect(page.locator("button[value=close]")).to_be_visible()
        yield "class-list", page

    def people(self) -> Iterator[tuple[str, Page]]:
        """The circle with a challenge, a person's page, one's own, and the link that makes friends."""
        go, irma = self.visitor.go, self.friend("Irma")
        self.house.table([self.guest, irma])
        self.house.do(lambda tables: offer_match(tables, irma.guest, self.guest.guest))
        yield "daily", go("/daily")
        yield "circle", go("/circle")
        slow = ClockTerms(86_400, 172_800)
        prepared = self.house.table([irma, self.guest], deal=moments.LAVARDIN, clock=slow)
        self.house.table([self.guest, irma], deal=moments.LAVARDIN, clock=slow)
        yield "tables", go("/tables")
        yield "beside", go(f"/table/{prepared}")
        yield "prepare", go(f"/tables/prepare/{prepared}")
        page = go("/circle")
        page.locator(".people a", has_text="Irma").first.click()
        page.locator(".challenge summary").click()
        yield "person", page
        yield "own-page", go("/circle/me")
        yield "friend-link", go("/circle/link")
        yield "friend-asked", go(f"/friend/{self.house.do(lambda tables: friend_link(tables, irma.guest))}")

    def order(self, game: str) -> Iterator[tuple[str, Page]]:
        """A report, the keeper's page with it, what Anne is told, and a banner at a table."""
        page = self.visitor.go(f"/report/table/{game}")
        yield "report", page
        page.locator("main button.main").click()
        expect(page.locator(".outcome")).to_be_visible()
        yield "reported", page

        async def decide(tables: Tables) -> str:
            order = KeeperActs(tables, Contests(tables.store, tables.clock), await secrets_of(tables.store))
            for what in ("warn", "bar"):
                target = Target("person", self.guest.guest, 0, self.guest.guest, "Anne")
                await order.decide(target, KeeperDecision(what, "Vous laissez attendre exprès."))
            await announce(tables.store, fr="Concours dimanche.", en="A contest on Sunday.", until=2e9)
            return await order.new_link()

        page = self.visitor.go(self.house.do(decide))
        page.locator("main summary").first.click()
        yield "operator", page
        both = ".site-banners:has(a) #site-banner"
        wait_until(
            "the server to look, which it does every two seconds",
            lambda: self.visitor.go("/legal").locator(both).is_visible(),
        )
        yield "unread", page
        yield "told", self.visitor.go("/told")
        page = self.visitor.go(f"/table/{game}")
        expect(page.locator("#site-banner")).to_have_text(re.compile("Concours|contest"))
        yield "banner", page
        self.house.do(lambda tables: announce(tables.store, until=0.0))
        expect(page.locator("#site-banner")).to_be_hidden()
        self.house.do(self.lift_ruling)

    async def lift_ruling(self, tables: Tables) -> None:
        """Anne is free again, for the tour's other parts."""
        change = ruling.delete().where(ruling.c.guest == self.guest.guest)
        await tables.store.database.write(lambda connection: connection.execute(change))

    def marqueur(self) -> Iterator[tuple[str, Page]]:
        """The score keeper, from an empty sheet to a finished match."""
        page = self.visitor.go("/marqueur")
        yield "marqueur-start", page
        page.locator("#name-1").fill("Basile")
        page.locator("button[value=start]").click()
        expect(page.locator("button[value=da]")).to_be_visible()
        yield "marqueur-dealer", page
        page.locator("button[value=da]").click()
        expect(page.locator("button[value=th]")).to_be_visible()
        yield "marqueur-trump", page
        page.locator("button[value=th]").click()
        page.locator(".saying summary").first.click()
        page.locator("button[value=sa20h]").click()
        expect(page.locator(".saying summary b")).to_have_text("40")
        page.locator(".saying summary").first.click()
        page.locator(".counting summary").click()
        yield "marqueur-counting", page
        page.locator(".tap:has([name=der][value=a])").click()
        for letter, many in zip("ATKQJ", "22310", strict=True):
            page.locator(f".tap:has([name=many-{letter}][value='{many}'])").click()
        page.locator("button[value=count]").click()
        expect(page.locator(".last")).to_be_visible()
        yield "marqueur-result", page
        for n in range(4, 9):
            expect(page.locator(f"[name=n][value='{n}']").first).to_be_attached()
            page.locator(".rarely summary").click()
            page.locator("button[value=xb]").click()
        expect(page.locator(".end")).to_be_visible()
        page.locator(".past summary").click()
        yield "marqueur-over", page
        yield "marqueur-kept", self.visitor.go("/marqueur?new=1")

    def contest(self) -> Iterator[tuple[str, Page]]:
        """A contest of the server's players, from its announcement to Anne's table."""
        page = self.visitor.go("/contests")
        if not page.locator("#title").is_visible():
            page.locator(".announce > summary").click()
        page.locator("#title").fill("Dimanche à 15 heures")
        yield "contests", page
        page.get_by_role("button", name=re.compile("L’annoncer|Announce it")).click()
        page.locator("button[value=enter]").click()
        expect(page.locator("button[value=start]")).to_be_visible()
        expect(page.locator("button[value=withdraw]")).to_be_visible()
        yield "contest-open", page
        which = page.url.rpartition("/")[2]
        self.house.do(lambda tables: enter_others(tables, which, FRIENDS))
        page.locator("button[value=start]").click()
        page.wait_for_url("**/table/*")  # the contest's page redirects there
        game = page.url.rpartition("/")[2]
        (seat,) = self.house.room(game).held_by(self.guest.guest)
        self.house.do(lambda tables: tables.do(game, ask.Pick(seat, 5)))
        page = self.visitor.go(f"/contests/{which}")
        expect(page.locator(".mine a")).to_be_visible()
        yield "contest-live", page

    def duplicate(self) -> Iterator[tuple[str, Page]]:
        """A duplicate contest: announced, over, one deal over all tables; the count after one."""
        page = self.visitor.go("/contests")
        if not page.locator("#title").is_visible():
            page.locator(".announce > summary").click()
        page.locator("[value=duplicate]").check()
        yield "duplicate-announced", page
        names = {self.guest.guest: "Anne", **{f"friend-{name}": name for name in FRIENDS}}
        which = self.house.do(lambda tables: finished_contest(tables, names))
        page = self.visitor.go(f"/contests/{which}")
        for summary in page.locator("details.announce > summary").all():
            summary.click()
        yield "duplicate-over", page
        yield "duplicate-deal", self.visitor.go(f"/contests/{which}/deals/2")
        holders = tuple(
            SeatHolder("person", one.name, one.guest) for one in (self.guest, self.friend("Basile"))
        )
        opened = Opened(str(RULES), "4x1", holders, deals=sealed_deals("tour"))
        game = self.house.do(lambda tables: tables.open(opened))
        self.house.do(lambda tables: tables.do(game, ask.Concede(1)))
        yield "duplicate-count", self.visitor.go(f"/table/{game}")

    def tirage_and_cut(self) -> Iterator[tuple[str, Page]]:
        """The tirage and the cut (§2), with Anne on turn and waiting."""
        game = self.house.table([self.guest, self.friend("Basile")], terms="5x2")
        page = self.visitor.go(f"/table/{game}")
        yield "tirage", page
        page.locator(".fan button").nth(5).click()
        expect(page.locator(".fan .taken")).to_have_count(1)
        yield "tirage-waiting", page
        self.house.pick_cards(game)
        page.reload()
        yield "cut", page

    def help(self) -> Iterator[tuple[str, Page]]:
        """A partie against the computer, explained and advised."""
        moment = moments.TWENTY
        game = self.house.table([self.guest, "heuristic"], moment.rules, "1x1", moment.deal, moment.played)
        page = self.visitor.go(f"/table/{game}")
        page.locator("#help > summary").click()
        yield "help", page
        page.locator("form[action*='/explain'] button").click()
        expect(page.locator(".explained")).to_be_visible()
        yield "help-explained", page
        advice = "form[action*='/advice']"
        for shown in (".advice", ".advice .act", ".asks .kept button"):
            tap_until_shown(page, f"{advice} button", shown)
        yield "help-advised", page

    def playing(self) -> Iterator[tuple[str, Page]]:
        """A partie in progress."""
        yield "chouine", self.table(moments.CHOUINE, 1)
        yield "seven", self.table(moments.SEVEN, 1)
        page = self.visitor.page
        page.locator(".offers .exchange").click()
        expect(page.locator(".exchanged")).to_be_visible()
        yield "exchanged", page
        page.evaluate("document.getElementById('table').dataset.hold = 1000")  # while it is looked at
        tap_until_sent(page, ".hand.ready .card:last-child", "**/act")
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
        """Two players on one device, a pause, a spectator."""
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
        """The count, the match's end, its page, replay and reviews."""
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
        yield from self.review(game)

    def review(self, game: str) -> Iterator[tuple[str, Page]]:
        """A complete review stored beforehand, an exercise, and a review in progress."""
        review = encode(Review(len(FOUND), dict(enumerate(FOUND))))
        self.house.do(lambda tables: tables.store.keep_review(game, 1, review))
        page = self.visitor.page
        for seat in range(2):
            self.visitor.go(f"/match/{game}/1/review?seat={seat}")
            for summary in page.locator("main summary").all():
                summary.click()
            yield f"review-{seat}", page
        yield "own-play", self.visitor.go("/learn/own")
        yield "review-match", self.visitor.go(f"/match/{game}/review")
        yield "review-again", self.visitor.go(f"/match/{game}/1/review/1")
        page.locator(".hand button").first.click()
        expect(page.locator(".answer .again")).to_be_visible()
        yield "review-wrong", page
        mondoubleau = moments.MONDOUBLEAU
        coming = self.house.table(
            [self.guest, self.friend("Basile")], mondoubleau.rules, "1x1", mondoubleau.deal
        )
        self.house.do(lambda tables: tables.do(coming, ask.Concede(0)))
        yield "review-coming", self.visitor.go(f"/match/{coming}/1/review")


PARTS = (
    Tour.other_pages,
    Tour.learning,
    Tour.strangers,
    Tour.marqueur,
    Tour.contest,
    Tour.duplicate,
    Tour.tirage_and_cut,
    Tour.help,
    Tour.playing,
    Tour.sharing,
    Tour.after,
)
"""Parts of the tour, which can run alone and in any order."""
