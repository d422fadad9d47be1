"""Entering and correcting results."""

from __future__ import annotations

from typing import Any, cast

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import (
    ActRefused,
    Contest,
    ContestAct,
    Corrected,
    ResultEntered,
    Round,
    RoundTable,
    Score,
    TableForfeited,
    add,
    changes,
)
from chouine.contest.formula import STAGES
from chouine.contest.score import possible_scores
from chouine.contest.views import late_tables
from chouine.names import is_found
from chouine.phrases import score_of, translations
from chouine.server.contest.contest_store import now
from chouine.server.contest.hall import digest_of, go, line, number
from chouine.server.contest.marqueur import match_key, rules_at
from chouine.server.contest.request import (
    DeskContext,
    check_still,
    confirmed_by,
    round_of,
    table_snapshot,
)
from chouine.server.contest.standing import drawable_number, round_name
from chouine.table.sheet import Sheet


def read_result(text: str, round_: Round, table: RoundTable, members: int = 1) -> Score:
    """Parse `21`, `2-1` or `2 1`: manches by place.

    For teams, one board after the other: `2102`; after a tie a fifth digit, 1 or 2, names the team that advances.
    """
    if not text.strip():
        raise ActRefused("contest/no-score")
    digits = [int(sign) for sign in text if sign.isascii() and sign.isdigit()]
    each = len(table.players)
    boards = [Score.of(tuple(digits[at : at + each])) for at in range(0, each * members, each)]
    rest = digits[each * members :]
    if (
        any(board not in possible_scores(round_.match, len(table.players)) for board in boards)
        or len(rest) >= members
        or set(rest) - {1, 2}
    ):
        raise ActRefused("contest/score", score=text.strip(), format=str(round_.match))
    score = Score(tuple(board for one in boards for board in one.boards))
    return Score(score.boards, rest[0] - 1) if rest and score.best is None else score


def find_table(contest: Contest, text: str, names: dict[int, str]) -> tuple[Round, RoundTable]:
    """The table in play with this number or a player's name that matches. Raises `ActRefused` for none or several."""
    asked = text.strip()
    if not asked:
        raise ActRefused("contest/which-table")
    if asked.isascii() and asked.isdigit():
        return contest.open_table(int(asked[:6]))
    found = {
        (round_.stage, round_.number, table.number): (round_, table)
        for round_ in contest.all_rounds()
        for table in round_.open
        for player in table.players
        if is_found(asked, names.get(player, ""))
    }
    if len(found) != 1:
        raise ActRefused("contest/no-such-player" if not found else "contest/several-players", name=asked)
    return next(iter(found.values()))


BOARDS = ("board-1", "board-2", "ahead")
RECENT = 6
"""Results shown again below the form."""


async def results(request: Request) -> Response:
    """The page to enter results: by table number or name and two keys, or by a tap."""
    asked, done = DeskContext.of(request, "results"), ""
    if request.method == "POST":
        form = await asked.form()
        with asked.refusals():
            contest = await asked.do(lambda contest: result_act(asked, contest, form))
            done = result_sentence(asked, contest)
    return await asked.show("results.html", done=done, **results_view(asked, now()))


def result_act(asked: DeskContext, contest: Contest, form: FormData) -> ResultEntered:
    """The act of a form. Raises `ActRefused` for an impossible result, or if the table's entries have changed."""
    round_, table = find_table(contest, line(form, "table"), asked.names)
    check_still(asked, form, table)
    score = read_result(typed_score(form), round_, table, contest.formula.members)
    return ResultEntered(round_.stage, round_.number, table.number, score)


def results_view(asked: DeskContext, at: int) -> dict[str, Any]:
    """Variables: tables in play, late ones first, with their possible results; the last results entered."""
    contest = asked.contest
    late = {(round_.stage, round_.number, table.number) for round_, table in late_tables(contest, at)}
    still = [
        {
            "round": round_,
            "table": table,
            "shown": table_snapshot(table),
            "late": (round_.stage, round_.number, table.number) in late,
            "minutes": max(0, (at - round_.start) // 60_000),
            "scores": possible_scores(round_.match, len(table.players))
            if contest.formula.members == 1
            else (),
            "counted": count_state(asked, round_, table),
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
        "next": {stage: drawable_number(contest, stage) for stage in STAGES},
    }


def count_state(asked: DeskContext, round_: Round, table: RoundTable) -> str:
    """The result that phones have counted at a table, and who confirmed it; empty until somebody has."""
    shared = asked.desk.sheets.get(match_key(round_, table))
    if shared is None or not shared.phones:
        return ""
    match = Sheet.read(rules_at(table), round_.match, shared.acts).match
    who = confirmed_by((table.players[seat] for seat in shared.phones), asked.names, asked.language)
    return f"{score_of(match.manches)} · {who}"


def result_sentence(asked: DeskContext, contest: Contest) -> str:
    """The result just entered, as a sentence to check."""
    act = cast("ResultEntered", contest.head.act)
    table, score = contest.round(act.stage, act.round).table(act.table), act.score
    winner = asked.names[table.players[score.winner]]
    sentence = translations(asked.language).gettext("Table %(table)s: %(winner)s wins %(score)s.")
    return sentence % {"table": table.number, "winner": winner, "score": score.of_winner()}


async def table_page(request: Request) -> Response:
    """The page of a table: its result, a correction with its consequences, a forfeit."""
    asked, foreseen = DeskContext.of(request, "results"), None
    round_ = round_of(request, asked)
    try:
        table = round_.table(int(request.path_params["table"]))
    except ActRefused as error:
        raise HTTPException(404) from error
    correction = {"score": "", "reason": ""}
    if request.method == "POST":
        form = await asked.form()
        correction = {"score": typed_score(form), "reason": line(form, "reason")}
        with asked.refusals():
            act = table_act(asked, form, round_, table)
            foreseen = consequences(asked, act, now()) if isinstance(act, Corrected) else None
            if foreseen is None or line(form, "told") == digest_of(foreseen):
                await asked.do(lambda contest: table_act(asked, form, *place(contest, round_, table)))
                return go(
                    "/results" if isinstance(act, ResultEntered) else f"/round/{round_.stage}/{round_.number}"
                )
    return await asked.show(
        "table.html",
        round=round_,
        table=table,
        scores=possible_scores(round_.match, len(table.players)),
        shown=table_snapshot(table),
        consequences=foreseen,
        told=digest_of(foreseen or []),
        correction=correction,
    )


def place(contest: Contest, round_: Round, table: RoundTable) -> tuple[Round, RoundTable]:
    """This round and table in a newer state of the contest."""
    now = contest.round(round_.stage, round_.number)
    return now, now.table(table.number)


def typed_score(form: FormData) -> str:
    """The result as typed or tapped; for teams each board has a field."""
    return line(form, "score") or " ".join(filter(None, (line(form, name) for name in BOARDS)))


def table_act(asked: DeskContext, form: FormData, round_: Round, table: RoundTable) -> ContestAct:
    """The act of a table's form. Raises `ActRefused` if unreadable, 403 for a correction without the right."""
    where = (round_.stage, round_.number, table.number)
    check_still(asked, form, table)
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


def consequences(asked: DeskContext, act: ContestAct, at: int) -> list[str]:
    """Effects of a correction on other tables, as sentences. Raises `ActRefused` if it is impossible."""
    contest, names = asked.contest, asked.names
    gettext = translations(asked.language).gettext
    found = []
    for change in changes(contest, add(contest, act, asked.worker.name, at)):
        before, after = change.before, change.after
        place = gettext("Main draw") if change.stage == "main" else gettext("Consolante")
        values = {
            "draw": place,
            "round": round_name(contest, asked.language, change.stage, change.round),
            "table": next((one.number for one in (after, before) if one), ""),
            "before": seated_names(before, names),
            "after": seated_names(after, names),
            "result": gettext("forfeit"),
        }
        if after and after.score and not change.void:
            values |= {"winner": names[after.players[after.score.winner]], "score": after.score.of_winner()}
            sentence = gettext("%(draw)s · %(round)s · table %(table)s: %(winner)s wins %(score)s.")
        elif before and after and before.players == after.players and not change.void:
            sentence = gettext("%(draw)s · %(round)s · table %(table)s: the result becomes %(result)s.")
        elif change.void:
            sentence = gettext("%(draw)s · %(round)s · table %(table)s: to be played again by %(after)s.")
        elif values["table"]:
            sentence = gettext("%(draw)s · %(round)s · table %(table)s: %(before)s becomes %(after)s.")
        else:  # the exempt
            sentence = gettext("%(draw)s · %(round)s: %(before)s becomes %(after)s.")
        found.append(sentence % values)
    return found


def seated_names(table: RoundTable | None, names: dict[int, str]) -> str:
    """The names at a table."""
    return " – ".join(names[player] for player in table.players) if table else "–"
