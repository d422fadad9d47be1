"""The context of a request to the desk: the helper, and what other desks have done since a form was shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Self

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.cards import Card
from chouine.contest import ActRefused, Contest, ContestAct, Present, Round, RoundTable, Undone
from chouine.contest.formula import STAGES, Stage
from chouine.contest.log import kind_of
from chouine.contest.people import Names, Person
from chouine.phrases import Language, card_name, say, translations
from chouine.phrases.catalogue import LANGUAGES
from chouine.phrases.naming import money
from chouine.server.contest.contest_store import ContestStore, now
from chouine.server.contest.desk import Desk, DeskWorker
from chouine.server.contest.drill import drill_panel
from chouine.server.contest.hall import COOKIE, HallContext, check_cookies, cookie_of, line, number
from chouine.server.contest.standing import clock, round_name
from chouine.server.request_parts import cookie_in


class DeskContext(HallContext):
    """A request to the desk and its helper."""

    def __init__(self, request: Request, desk: Desk, worker: DeskWorker) -> None:
        super().__init__(request, worker.csrf)
        self.desk, self.worker = desk, worker

    @classmethod
    def of(cls, request: Request, what: str = "") -> Self:
        """The signed-in helper behind a request. Others are redirected to the join page; a missing right is a 403."""
        desk: Desk = request.app.state.desk
        worker = desk.worker(cookie_in(request, cookie_of(desk.store.path)))
        worker = worker or desk.worker(cookie_in(request, COOKIE))  # as earlier versions named it
        if worker is None:
            check_cookies(request)
            raise HTTPException(303, headers={"Location": "/join"})
        asked = cls(request, desk, worker)
        if what and request.method == "POST":
            asked.check(what)
        return asked

    @classmethod
    def for_paper(cls, request: Request) -> Self:
        """The same, in the contest's language: what is printed or exported goes to others than this helper."""
        asked = cls.of(request)
        asked.language = LANGUAGES.get(asked.contest.opened.language, asked.language)
        return asked

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

    async def show(self, template: str, here: str = "", **values: object) -> Response:
        """A page of the desk with its navigation bar."""
        language, contest = self.language, self.contest
        drill = drill_panel(contest, self.store.people, now(), language) if self.desk.drill else None
        return await super().show(
            f"contest/{template}",
            here,
            worker=self.worker,
            contest=contest,
            names=self.names,
            drill=drill,
            looking=self.desk.looking,
            copy_fault=self.store.copy_fault,
            money=partial(money, language=language),
            round_name=partial(round_name, contest, language),
            **values,
        )


def stage_of(request: Request) -> Stage:
    """The stage that an address names."""
    found = next((stage for stage in STAGES if stage == request.path_params["stage"]), None)
    if found is None:
        raise HTTPException(404)
    return found


def round_of(request: Request, asked: DeskContext) -> Round:
    """The round that an address names. Raises 404 for one not drawn yet."""
    try:
        return asked.contest.round(stage_of(request), int(request.path_params["number"]))
    except ActRefused as error:
        raise HTTPException(404) from error


def act_sentence(act: ContestAct, asked: DeskContext) -> str:
    """An act in words: its kind, entry, table and details."""
    language, names = asked.language, asked.names
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
        details.append(money(cents, language))
    if card := getattr(act, "card", ""):
        details.append(card_name(Card(card), language))
    if score := getattr(act, "score", None):
        details.append(score.of_table())
    details += [str(own) for field in ("act", "reason") if (own := getattr(act, field, ""))]
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
    asked: DeskContext, contest: Contest, form: FormData, concerns: Callable[[ContestAct], bool]
) -> None:
    """Raise `ActRefused`, naming the act, if one that concerns the form was done or undone since it was shown.

    The form's field `seen` is the number of the last act when it was shown.
    """
    seen = number(form, "seen", 99_999)
    for one in contest.lines[seen:] if seen else ():
        act = contest.lines[one.act.act - 1].act if isinstance(one.act, Undone) else one.act
        if concerns(act):
            raise ActRefused(
                "contest/meanwhile",
                what=act_sentence(one.act, asked),
                by=one.by,
                at=clock(one.at, asked.language),
            )


def table_snapshot(table: RoundTable) -> str:
    """A table's entries and result, as a form about it carries them to detect changes."""
    return " ".join(["-".join(map(str, table.players)), str(table.score or "")]).strip()


def check_still(asked: DeskContext, form: FormData, table: RoundTable) -> None:
    """Raise `ActRefused` if the table's entries, or the result to correct, are not those that the form showed."""
    players, _, result = line(form, "shown").partition(" ")
    now, _, score = table_snapshot(table).partition(" ")
    if players and (players != now or (result and result != score)):
        seated = " – ".join(asked.names[player] for player in table.players)
        played = table.score.of_table() if table.score else ""
        raise ActRefused("contest/other-now", table=table.number, now=f"{seated} {played}".strip())
