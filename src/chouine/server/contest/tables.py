"""Entering and correcting results."""

from __future__ import annotations

from typing import Any, cast

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.desk.contest_store import now
from chouine.phrases import translations
from chouine.server.contest.conflicts import confirmed_by, shown, still
from chouine.server.contest.marqueur import match_key, rules_at
from chouine.server.contest.request import DeskRequest, digest_of, go, line, number, round_of
from chouine.server.contest.results import find_table, possible, read_result
from chouine.server.contest.standing import drawable
from chouine.table.sheet import Sheet
from chouine.tournament import (
    Act,
    ActRefused,
    Contest,
    Corrected,
    ResultEntered,
    Round,
    RoundTable,
    TableForfeited,
    add,
    changes,
)
from chouine.tournament.formula import STAGES
from chouine.tournament.timing import late_tables

BOARDS = ("board-1", "board-2", "ahead")
RECENT = 6
"""Results shown again below the form."""


async def results(request: Request) -> Response:
    """The page to enter results: by table number or name and two keys, or by a tap."""
    asked, refused, done, typed = DeskRequest.of(request, "results"), "", "", FormData()
    if request.method == "POST":
        form = await asked.form()
        try:
            contest = await asked.do(lambda contest: result_act(asked, contest, form))
            done = result_sentence(asked, contest)
        except ActRefused as error:
            refused = asked.why(error)
            typed = typed if "shown" in form else form  # a tapped result is not typed
    return asked.page("results.html", refused=refused, done=done, typed=typed, **results_view(asked, now()))


def result_act(asked: DeskRequest, contest: Contest, form: FormData) -> ResultEntered:
    """The act of a form. Raises `ActRefused` for an impossible result, or if the table's entries have changed."""
    round_, table = find_table(contest, line(form, "table"), asked.names)
    still(asked, form, table)
    score = read_result(typed_score(form), round_, table, contest.formula.members)
    return ResultEntered(round_.stage, round_.number, table.number, score)


def results_view(asked: DeskRequest, at: int) -> dict[str, Any]:
    """Variables: tables in play, late ones first, with their possible results; the last results entered."""
    contest = asked.contest
    late = {(round_.stage, round_.number, table.number) for round_, table in late_tables(contest, at)}
    still = [
        {
            "round": round_,
            "table": table,
            "shown": shown(table),
            "late": (round_.stage, round_.number, table.number) in late,
            "minutes": max(0, (at - round_.start) // 60_000),
            "scores": possible(round_, table) if contest.formula.members == 1 else (),
            "counted": counted(asked, round_, table),
        }
        for round_ in contest.all_rounds()
        for table in round_.open
        if not contest.ended
    ]
    done = sorted(
        ((table.at, round_, table) for round_ in contest.all_rounds() for table in round_.played if table.at),
        key=lambda item: -item[0],
    )
    return {
        "still": sorted(still, key=lambda one: not one["late"]),
        "recent": [(round_, table) for _, round_, table in done[:RECENT]],
        "next": {stage: drawable(contest, stage) for stage in STAGES},
    }


def counted(asked: DeskRequest, round_: Round, table: RoundTable) -> str:
    """The result that phones have counted at a table, and who confirmed it; empty until somebody has."""
    shared = asked.desk.sheets.get(match_key(round_, table))
    if shared is None or not shared.phones:
        return ""
    match = Sheet.read(rules_at(table), round_.match, shared.acts).match
    who = confirmed_by((table.players[seat] for seat in shared.phones), asked.names, asked.visit.language)
    return f"{'-'.join(map(str, match.manches))} · {who}"


def result_sentence(asked: DeskRequest, contest: Contest) -> str:
    """The result just entered, as a sentence to check."""
    act = cast("ResultEntered", contest.head.act)
    table, score = contest.round(act.stage, act.round).table(act.table), act.score
    winner = asked.names[table.players[score.winner]]
    sentence = translations(asked.visit.language).gettext("Table %(table)s: %(winner)s wins %(score)s.")
    return sentence % {"table": table.number, "winner": winner, "score": score}


async def table_page(request: Request) -> Response:
    """The page of a table: its result, a correction with its consequences, a forfeit."""
    asked, refused, foreseen = DeskRequest.of(request, "results"), "", None
    round_ = round_of(request, asked)
    try:
        table = round_.table(int(request.path_params["table"]))
    except ActRefused as error:
        raise HTTPException(404) from error
    typed = {"score": "", "reason": ""}
    if request.method == "POST":
        form = await asked.form()
        typed = {"score": typed_score(form), "reason": line(form, "reason")}
        try:
            act = table_act(asked, form, round_, table)
            foreseen = consequences(asked, act, now()) if isinstance(act, Corrected) else None
            if foreseen is None or line(form, "told") == digest_of(foreseen):
                await asked.do(lambda contest: table_act(asked, form, *place(contest, round_, table)))
                return go(
                    "/results" if isinstance(act, ResultEntered) else f"/round/{round_.stage}/{round_.number}"
                )
        except ActRefused as error:
            refused = asked.why(error)
    return asked.page(
        "table.html",
        refused=refused,
        round=round_,
        table=table,
        scores=possible(round_, table),
        shown=shown(table),
        consequences=foreseen,
        told=digest_of(foreseen or []),
        typed=typed,
    )


def place(contest: Contest, round_: Round, table: RoundTable) -> tuple[Round, RoundTable]:
    """This round and table in a newer state of the contest."""
    now = contest.round(round_.stage, round_.number)
    return now, now.table(table.number)


def typed_score(form: FormData) -> str:
    """The result as typed or tapped; for teams each board has a field."""
    return line(form, "score") or " ".join(filter(None, (line(form, name) for name in BOARDS)))


def table_act(asked: DeskRequest, form: FormData, round_: Round, table: RoundTable) -> Act:
    """The act of a table's form. Raises `ActRefused` if unreadable, 403 for a correction without the right."""
    where = (round_.stage, round_.number, table.number)
    still(asked, form, table)
    if form.get("act") == "forfeit":
        return TableForfeited(*where, number(form, "number"))
    score = read_result(typed_score(form), round_, table, asked.contest.formula.members)
    if not table.decided or form.get("act") == "result":
        return ResultEntered(*where, score)
    if not asked.worker.may("correct"):
        raise HTTPException(403, "role")
    if not line(form, "reason"):
        raise ActRefused("contest/no-reason")
    return Corrected(*where, score, line(form, "reason"))


def consequences(asked: DeskRequest, act: Act, at: int) -> list[str]:
    """Effects of a correction on other tables, as sentences. Raises `ActRefused` if it is impossible."""
    contest, names = asked.contest, asked.names
    gettext = translations(asked.visit.language).gettext
    found = []
    for change in changes(contest, add(contest, act, asked.worker.name, at)):
        before, after = change.before, change.after
        place = gettext("Main draw") if change.stage == "main" else gettext("Consolante")
        values = {
            "draw": place,
            "round": change.round,
            "table": next((one.number for one in (after, before) if one), ""),
            "before": seated(before, names),
            "after": seated(after, names),
            "result": (after and after.score) or gettext("forfeit"),
        }
        if before and after and before.players == after.players and not change.void:
            found.append(
                gettext("%(draw)s, round %(round)s, table %(table)s: the result becomes %(result)s.") % values
            )
        elif change.void:
            found.append(
                gettext("%(draw)s, round %(round)s, table %(table)s: to be played again by %(after)s.")
                % values
            )
        else:
            found.append(gettext("%(draw)s, round %(round)s: %(before)s becomes %(after)s.") % values)
    return found


def seated(table: RoundTable | None, names: dict[int, str]) -> str:
    """The names at a table."""
    return " – ".join(names[player] for player in table.players) if table else "–"
