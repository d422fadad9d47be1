"""The context of a request to the desk: the helper, the form, what other desks have done since it was shown."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chouine.cards import Card
from chouine.contest import ActRefused, Contest, ContestAct, Present, Round, RoundTable, Undone
from chouine.contest.formula import STAGES, Stage
from chouine.contest.log import kind_of
from chouine.contest.people import LONGEST, Names, Person
from chouine.errors import ChouineError
from chouine.names import one_line
from chouine.phrases import Language, card_name, say, translations
from chouine.phrases.catalogue import LANGUAGES
from chouine.server.contest.contest_store import ContestStore, now
from chouine.server.contest.desk import ROLES, Desk, DeskWorker
from chouine.server.contest.drill import drill_panel
from chouine.server.contest.spreadsheet import euros
from chouine.server.contest.standing import clock, round_name
from chouine.server.pages.env import render
from chouine.server.pages.visit import Settings, Visit
from chouine.server.request_parts import cookie_in, has_cookies

COOKIE, LANGUAGE, SIZE = "desk", "language", "size"
"""Names of the cookies. The first is followed by a name for the contest's file: browsers keep one jar for all ports of
a host, where two contests would sign each other out. A language and a size of text are the same person's for both."""
LARGE = "large"
"""The value of the last cookie where text is larger."""
SIGNED_IN = "in"
"""In the address to which signing in leads."""


@dataclass(frozen=True, slots=True)
class DeskRequest:
    """A request and its helper."""

    request: Request
    desk: Desk
    worker: DeskWorker
    visit: Visit

    @classmethod
    def of(cls, request: Request, what: str = "") -> DeskRequest:
        """The signed-in helper behind a request. Others are redirected to the join page; a missing right is a 403."""
        desk: Desk = request.app.state.desk
        worker = desk.worker(cookie_in(request, cookie_of(desk.store.path)))
        worker = worker or desk.worker(cookie_in(request, COOKIE))  # as earlier versions named it
        if worker is None:
            check_cookies(request)
            raise HTTPException(303, headers={"Location": "/join"})
        asked = cls(request, desk, worker, visit_of(request))
        if what and request.method == "POST":
            asked.check(what)
        return asked

    @classmethod
    def for_paper(cls, request: Request) -> DeskRequest:
        """The same, in the contest's language: what is printed or exported goes to others than this helper."""
        asked = cls.of(request)
        language = LANGUAGES.get(asked.contest.opened.language, asked.visit.language)
        return replace(asked, visit=replace(asked.visit, language=language))

    @property
    def store(self) -> ContestStore:
        return self.desk.store

    @property
    def contest(self) -> Contest:
        return self.desk.store.contest

    @property
    def names(self) -> Names:
        """Names by entry number, each told from those that could be taken for it."""
        return self.store.names

    async def form(self, most: int = 100) -> FormData:
        """The form. Raises 403 unless it carries this helper's token."""
        form = await self.request.form(max_files=1, max_fields=most)
        check_csrf(form, self.worker.csrf)
        return form

    async def do(
        self,
        act: ContestAct | Callable[[Contest], ContestAct],
        person: Person | Mapping[int, Person] | None = None,
        seed: str = "",
    ) -> Contest:
        """Append an act, or the act that a function returns for the locked contest; durable on return."""
        return await run_in_threadpool(self.store.do, act, self.worker.name, person, seed=seed)

    def check(self, what: str) -> None:
        """Raise 403 unless the helper's role may do this."""
        if not self.worker.may(what):
            raise HTTPException(403, "role")

    def ask(
        self,
        form: FormData,
        told: Sequence[str],
        instead: tuple[str, str] | None = None,
        *,
        likely: bool = False,
        **fields: str,
    ) -> Response | None:
        """A page that says what an act will do and asks for it again; None once it was asked for after these sentences.

        `instead`: the address of what may be meant, and its name. `likely`: Enter is enough to do it all the same.
        `fields`: those of the form that the page sends to this same address.
        """
        proof = digest_of(told)
        if hmac.compare_digest(line(form, "told").encode(), proof.encode()):
            return None
        return self.page(
            "sure.html", sentences=told, told=proof, instead=instead, likely=likely, fields=fields
        )

    def page(self, template: str, **context: object) -> HTMLResponse:
        """A page of the desk with its navigation bar; status 422 after a refusal."""
        refused = context.get("refused", "")
        html = render(
            self.visit,
            f"contest/{template}",
            here=self.request.url.path,
            worker=self.worker,
            contest=self.contest,
            names=self.names,
            drill=drill_panel(self.contest, self.store.people, now(), self.visit.language)
            if self.desk.drill
            else None,
            looking=self.desk.looking,
            copy_fault=self.store.copy_fault,
            euros=euros,
            round_name=partial(round_name, self.contest, self.visit.language),
            **{"refused": "", **context},
        )
        return HTMLResponse(html, 422 if refused else 200)

    def refusal_text(self, error: ChouineError) -> str:
        return refusal_text(error, self.visit.language)


def check_csrf(form: FormData, csrf: str) -> None:
    """Raise 403 unless a form carries this token."""
    if not hmac.compare_digest(str(form.get("csrf", "")).encode(), csrf.encode()):
        raise HTTPException(403, "csrf")


def refusal_text(error: ChouineError, language: Language) -> str:
    """The sentence for a refusal, with desks by their displayed names."""
    data = {**error.data}
    if "by" in data:
        data["by"] = desk_name(str(data["by"]), language)
    return say(error.code, language, **data)


def cookie_of(what: object) -> str:
    """The name of the cookie for a contest's file, or for a program that has none yet."""
    return f"{COOKIE}-{sha256(str(what).encode()).hexdigest()[:8]}"


def check_cookies(request: Request) -> None:
    """Raise 403 for a browser that has just been signed in, and yet sends no cookie."""
    if SIGNED_IN in request.query_params and not has_cookies(request):
        raise HTTPException(403, "no-cookies")


def digest_of(sentences: Sequence[str]) -> str:
    """A digest of an act's consequences: it is carried out only if they are still those shown."""
    return sha256("\n".join(sentences).encode()).hexdigest()


def desk_name(by: str, language: Language) -> str:
    """The displayed name of a desk that the log names as `results 2`."""
    role, _, number = by.partition(" ")
    return " ".join([say(f"desk/role/{role}", language), number]).strip() if role in ROLES else by


def visit_of(request: Request) -> Visit:
    """The visit, in the size of text and the language chosen, else in the browser's, else in French."""
    asked = [cookie_in(request, LANGUAGE)]
    asked += [part.strip()[:2].lower() for part in request.headers.get("accept-language", "").split(",")]
    language: Language = next((LANGUAGES[one] for one in asked if one in LANGUAGES), "fr")
    return Visit(language, "", "", settings=Settings(large=cookie_in(request, SIZE) == LARGE))


def go(address: str) -> Response:
    return RedirectResponse(address, 303)


def line(form: FormData, name: str) -> str:
    """A field's text on one line, cut to the length that a sheet has room for."""
    return one_line(" ".join(str(form.get(name, "")).split()), LONGEST)


def number(form: FormData, name: str, most: int = 9999) -> int:
    """A field's whole number; 0 for anything else."""
    text = line(form, name)
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def stage_of(request: Request) -> Stage:
    """The stage that an address names."""
    found = next((stage for stage in STAGES if stage == request.path_params["stage"]), None)
    if found is None:
        raise HTTPException(404)
    return found


def round_of(request: Request, asked: DeskRequest) -> Round:
    """The round that an address names. Raises 404 for one not drawn yet."""
    try:
        return asked.contest.round(stage_of(request), int(request.path_params["number"]))
    except ActRefused as error:
        raise HTTPException(404) from error


def act_sentence(act: ContestAct, asked: DeskRequest) -> str:
    """An act in words: its kind, entry, table and details."""
    language, names = asked.visit.language, asked.names
    gettext = translations(language).gettext
    details: list[str] = []
    entry = getattr(act, "number", None)
    if isinstance(entry, int) and entry in names:
        details.append(f"{entry} {names[entry]}")
    details += [
        f"{one} {names.get(one, '')}" for field in ("one", "other") if (one := getattr(act, field, 0))
    ]
    if entries := getattr(act, "entries", ()):
        details.append(f"{entries[0].number}–{entries[-1].number}")
    if getattr(act, "stage", "main") == "consolante":
        details.append(gettext("Consolante"))
    if nth := getattr(act, "round", 0):
        details.append(round_name(asked.contest, language, getattr(act, "stage", "main"), nth))
    if table := getattr(act, "table", 0):
        details.append(gettext("Table %(table)s") % {"table": table})
    if cents := getattr(act, "cents", 0):
        details.append(f"{euros(cents)} €")
    if card := getattr(act, "card", ""):
        details.append(card_name(Card(card), language))
    details += [str(own) for field in ("score", "act", "reason") if (own := getattr(act, field, ""))]
    if confirmed := getattr(act, "confirmed", ()):
        details.append(confirmed_by(confirmed, names, language))
    away = isinstance(act, Present) and not act.here
    kind = say("desk/act/away" if away else f"desk/act/{kind_of(act)}", language)
    return gettext("%(what)s: %(of)s") % {"what": kind, "of": ", ".join(details)} if details else kind


def confirmed_by(players: Iterable[int], names: Mapping[int, str], language: Language) -> str:
    """Who confirmed a result on their phones."""
    listed = ", ".join(f"{player} {names.get(player, '')}".strip() for player in players)
    return translations(language).gettext("confirmed on phones by %(names)s") % {"names": listed}


def check_unchanged(
    asked: DeskRequest, contest: Contest, form: FormData, concerns: Callable[[ContestAct], bool]
) -> None:
    """Raise `ActRefused`, naming the act, if one that concerns the form was done or undone since it was shown.

    The form's field `seen` is the number of the last act when it was shown.
    """
    seen = number(form, "seen", 99_999)
    for one in contest.lines[seen:] if seen else ():
        act = contest.lines[one.act.act - 1].act if isinstance(one.act, Undone) else one.act
        if concerns(act):
            raise ActRefused(
                "contest/meanwhile", what=act_sentence(one.act, asked), by=one.by, at=clock(one.at)
            )


def table_snapshot(table: RoundTable) -> str:
    """A table's entries and result, as a form about it carries them to detect changes."""
    return " ".join(["-".join(map(str, table.players)), str(table.score or "")]).strip()


def check_still(asked: DeskRequest, form: FormData, table: RoundTable) -> None:
    """Raise `ActRefused` if the table's entries, or the result to correct, are not those that the form showed."""
    players, _, result = line(form, "shown").partition(" ")
    now, _, score = table_snapshot(table).partition(" ")
    if players and (players != now or (result and result != score)):
        seated = " – ".join(asked.names[player] for player in table.players)
        raise ActRefused("contest/other-now", table=table.number, now=f"{seated} {score}".strip())
